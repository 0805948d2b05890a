"""What becomes of a call before it runs. Nothing raises because of what a model sent."""

import os
from dataclasses import dataclass
from typing import Any

from edit_assist_ls import files
from edit_assist_ls.arguments import words
from edit_assist_ls.engine import guard_words, guards
from edit_assist_ls.engine.builtin import Applied, Edit
from edit_assist_ls.engine.correction import Correction, correct
from edit_assist_ls.engine.guards import Alarm, Guarded
from edit_assist_ls.engine.placing import landing_lines
from edit_assist_ls.engine.text import NotUtf8, Text, decode
from edit_assist_ls.engine.work import Work
from edit_assist_ls.files import Unreadable
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.hosts.host import Host
from edit_assist_ls.session import recording
from edit_assist_ls.session.memory import Call, Memory, OpenCall, Remarks, SessionMemory
from edit_assist_ls.settings import Settings

LARGE_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a call before it runs: the whole corrected arguments where there are corrections.

    `block` says why it must not run.
    """

    arguments: dict[str, Any] | None = None
    corrections: tuple[Correction, ...] = ()
    block: str | None = None


def tool_call(memory: Memory, call: Call) -> Verdict:
    """What becomes of a call before it runs, judged against the file as its earlier siblings leave it."""
    host = HOSTS.get(call.origin.host)
    if host is None:
        return Verdict()
    session = memory.session(call.origin)
    if call.message_id is not None:
        session.begin(call.message_id)
    if call.tool_name not in (host.edit_tool, host.write_tool):
        return Verdict()
    settings, _ = memory.settings_for(host, call.origin)
    path = host.path_of(call.arguments)
    resolved = None if path is None else host.resolve_path(path, call.origin.cwd)
    if not settings.enabled or path is None or resolved is None:
        return Verdict()
    real_path = os.path.realpath(resolved)
    sibling_path = None if call.message_id is None else real_path
    if call.tool_name == host.write_tool:
        if sibling_path is not None:
            session.open(call.tool_call_id, OpenCall(sibling_path, path, 0, ()))
            content = host.written_by(call.arguments)
            session.predict(sibling_path, None if content is None else Text.of(content))
        return Verdict()
    edits = host.edits_of(call.arguments)
    remarks = session.remarks.get(call.tool_call_id, Remarks())
    if remarks.contradicts and remarks.refusal is not None:
        session.remarks.pop(call.tool_call_id)
        reason = words.not_run(remarks.refusal)
        recording.never_ran(memory, call, host, "malformed-arguments", reason, settings)
        return Verdict(block=reason)
    judged = _judged(memory, session, real_path, sibling_path, edits, remarks.nulls, settings)
    if judged.refused is not None:
        return Verdict(block=_blocked(memory, call, host, path, judged.refused, settings))
    if sibling_path is not None or judged.corrections or judged.warnings or judged.landing:
        count = len(judged.edits)
        opened = OpenCall(sibling_path, path, count, judged.corrections, judged.warnings, judged.landing)
        session.open(call.tool_call_id, opened)
    if not judged.corrections:
        return Verdict()
    return Verdict(host.with_edits(call.arguments, judged.edits), judged.corrections)


def _blocked(memory: Memory, call: Call, host: Host, path: str, alarm: Alarm, settings: Settings) -> str:
    """Why a call is not run, in few words where that was said of the same call before."""
    reason = guard_words.reason(path, alarm)
    code = "not-utf8" if alarm.guard == "utf8" else "blocked"
    record_id = recording.never_ran(memory, call, host, code, reason, settings)
    times = recording.times_said(memory, call, reason, record_id)
    return reason if times == 1 else guard_words.again(times)


def _met_text(
    memory: Memory, session: SessionMemory, real_path: str, sibling_path: str | None
) -> Text | NotUtf8 | Unreadable | None:
    """What the call will meet: the disk, or what its earlier siblings will have left; None: nobody knows."""
    if sibling_path is not None and (session.lost or sibling_path in session.predicted):
        return session.predicted.get(sibling_path)
    return memory.texts.read(real_path)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A call's edits as they will be sent, what was corrected, why it must not run, what is to be said afterwards."""

    edits: tuple[Edit, ...] = ()
    corrections: tuple[Correction, ...] = ()
    refused: Alarm | None = None
    warnings: tuple[Alarm, ...] = ()
    landing: tuple[tuple[int, int] | None, ...] = ()


def _judged(
    memory: Memory,
    session: SessionMemory,
    real_path: str,
    sibling_path: str | None,
    edits: tuple[Edit, ...] | None,
    nulls: tuple[int, ...],
    settings: Settings,
) -> _Judged:
    """A call judged against the text that it meets; predicts the text for its siblings."""
    on = {name for name, is_on in settings.guards.items() if is_on}
    text = None if edits is None else _met_text(memory, session, real_path, sibling_path)
    if edits is None or settings.profile == "strict":
        if sibling_path is not None:
            session.predict(sibling_path, None)
        guarded = Guarded() if edits is None else guards.guard(None, edits, None, nulls, on, Work())
        return _Judged(refused=guarded.refused)
    if isinstance(text, Unreadable):
        if text.reason not in ("too-large", "too-many-lines"):
            return _Judged()
        text = _not_utf8(real_path) if "utf8" in on else None
    if not isinstance(text, Text):
        return _Judged(refused=guards.guard(text, edits, None, nulls, on, Work()).refused)
    work = Work()
    corrected = correct(text, edits, settings.correction, work)
    guarded = guards.guard(text, corrected.edits, corrected.outcome, nulls, on, work)
    if guarded.refused is not None:
        return _Judged(refused=guarded.refused)
    if sibling_path is not None:
        if isinstance(corrected.outcome, Applied):
            session.predict(sibling_path, corrected.outcome.text)
        elif corrected.outcome.kind == "unsearched":
            session.predict(sibling_path, None)
    landing: tuple[tuple[int, int] | None, ...] = ()
    if isinstance(corrected.outcome, Applied) and settings.ledger != "off":
        landing = landing_lines(text, corrected.edits)
    return _Judged(corrected.edits, corrected.corrections, None, guarded.warnings, landing)


def _not_utf8(real_path: str) -> NotUtf8 | None:
    """Whether a file that is too large for anything else is UTF-8."""
    data = files.read(real_path, LARGE_BYTES)
    decoded = decode(data) if isinstance(data, bytes) else None
    return decoded if isinstance(decoded, NotUtf8) else None
