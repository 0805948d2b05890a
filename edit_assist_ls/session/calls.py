"""What becomes of a call before it runs. Nothing raises because of what a model sent."""

import os
from dataclasses import dataclass
from typing import Any

from edit_assist_ls.engine.builtin import Applied, Edit
from edit_assist_ls.engine.correction import Correction, correct
from edit_assist_ls.engine.text import NotUtf8, Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.files import Unreadable
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.session.memory import Call, Memory, OpenCall, SessionMemory
from edit_assist_ls.settings import Settings


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a call before it runs: the whole corrected arguments where there are corrections."""

    arguments: dict[str, Any] | None = None
    corrections: tuple[Correction, ...] = ()


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
    corrected, corrections = _corrected(memory, session, real_path, sibling_path, edits, settings)
    if sibling_path is not None or corrections:
        session.open(call.tool_call_id, OpenCall(sibling_path, path, len(corrected), corrections))
    return Verdict(host.with_edits(call.arguments, corrected), corrections) if corrections else Verdict()


def _met_text(
    memory: Memory, session: SessionMemory, real_path: str, sibling_path: str | None
) -> Text | NotUtf8 | Unreadable | None:
    """What the call will meet: the disk, or what its earlier siblings will have left; None: nobody knows."""
    if sibling_path is not None and (session.lost or sibling_path in session.predicted):
        return session.predicted.get(sibling_path)
    return memory.texts.read(real_path)


def _corrected(
    memory: Memory,
    session: SessionMemory,
    real_path: str,
    sibling_path: str | None,
    edits: tuple[Edit, ...] | None,
    settings: Settings,
) -> tuple[tuple[Edit, ...], tuple[Correction, ...]]:
    """A call's edits as they will be sent, and the corrections; predicts the text for its siblings."""
    if edits is None or settings.correction == "off" or settings.profile == "strict":
        if sibling_path is not None:
            session.predict(sibling_path, None)
        return (), ()
    text = _met_text(memory, session, real_path, sibling_path)
    if not isinstance(text, Text):
        return (), ()
    corrected = correct(text, edits, settings.correction, Work())
    if sibling_path is not None:
        if isinstance(corrected.outcome, Applied):
            session.predict(sibling_path, corrected.outcome.text)
        elif corrected.outcome.kind == "unsearched":
            session.predict(sibling_path, None)
    return corrected.edits, corrected.corrections
