"""What a call came to, as the ledger keeps it: made of the same values that the model is told.

Nothing here waits for the ledger or reads from its file.
"""

import logging
import os
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from edit_assist_ls.engine import folding, messages
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.correction import Correction
from edit_assist_ls.engine.diagnosis import Diagnosis, Place
from edit_assist_ls.engine.matching import exact, lines_of
from edit_assist_ls.engine.placing import Block, block_of, follow
from edit_assist_ls.engine.text import Text
from edit_assist_ls.hosts.host import Host
from edit_assist_ls.ledger import CallRecord, EditRecord, PlaceRecord, State
from edit_assist_ls.session.memory import Call, Memory, OpenFailure, Origin
from edit_assist_ls.settings import Settings

log = logging.getLogger(__name__)

_WITHOUT_A_PLACE = frozenset({"no-region", "not-searched", "moot"})


Parameters = ParamSpec("Parameters")
Kept = TypeVar("Kept")


def harmless(keep: Callable[Parameters, Kept]) -> Callable[Parameters, Kept | None]:
    """What goes wrong with keeping a call is logged, and the call goes on."""

    @wraps(keep)
    def kept(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Kept | None:
        try:
            return keep(*args, **kwargs)
        except Exception:
            log.exception("a call could not be kept")
            return None

    return kept


@harmless
def begin(memory: Memory, origin: Origin, settings: Settings, process_id: int | None = None) -> None:
    """Tell the ledger, once, that a session is there, and whose process it lives in."""
    session = memory.session(origin)
    if settings.ledger != "off" and settings.enabled and not session.begun:
        session.begun = True
        memory.ledger().begin_session(session_key(memory, origin), process_id or memory.process_id or os.getpid())


@harmless
def end(memory: Memory, origin: Origin) -> None:
    """Tell the ledger that a session has ended, where it knows of it."""
    if memory.session(origin).begun:
        memory.ledger().end_session(session_key(memory, origin))


def session_key(memory: Memory, origin: Origin) -> str:
    """A session's name in the ledger; one that the host does not name is this process's own."""
    return f"{origin.host}:{origin.session_id or memory.own_key}"


@harmless
def landed(
    memory: Memory,
    call: Call,
    host: Host,
    corrections: Sequence[Correction],
    landing: Sequence[tuple[int, int] | None],
    details: object,
    settings: Settings,
) -> None:
    """Keep a call that landed: where its newText stands now, as far as that is plain."""
    if settings.ledger == "off":
        return
    edits, real_path = host.edits_of(call.arguments) or (), real_path_of(host, call.arguments, call.origin)
    corrected = {correction.edit_index for correction in corrections}
    lines = _landed_lines(edits, landing, details)
    records = tuple(
        EditRecord(
            "corrected" if index in corrected else "exact",
            start_line=at[0] if at else None,
            end_line=at[1] if at else None,
        )
        for index, at in enumerate(lines)
    )
    summary = messages.landed_summary([at for at in lines if at], len(corrected), len(edits))
    _keep(memory, call, host, settings, summary, records, real_path)
    if real_path is not None:
        _clear(memory, real_path, [at for at in lines if at])


def _landed_lines(
    edits: Sequence[Edit], landing: Sequence[tuple[int, int] | None], details: object
) -> list[tuple[int, int] | None]:
    """The first and last line (from 1) of each edit's newText: as the host says, or as was known before it ran."""
    first = details.get("firstChangedLine") if isinstance(details, Mapping) else None
    if len(edits) == 1 and isinstance(first, int) and not isinstance(first, bool) and first > 0:
        changed, _ = lines_of(folding.lf(edits[0].new_text))
        return [(first, first + max(0, len(changed) - 1))]
    return list(landing) if len(landing) == len(edits) else [None] * len(edits)


def _lines_at(text: Text, offset: int, part: str) -> tuple[int, int]:
    return text.line0_at(offset) + 1, text.line0_at(offset + max(0, len(part) - 1)) + 1


@harmless
def failed(
    memory: Memory,
    call: Call,
    host: Host,
    text: Text | None,
    diagnoses: Sequence[Diagnosis],
    stock_text: str,
    settings: Settings,
    told: str | None = None,
) -> str | None:
    """Keep a call that failed: each edit with what the model was told of it, and the lines that this is about."""
    if settings.ledger == "off":
        return None
    path = host.path_of(call.arguments) or ""
    by_index = {diagnosis.edit_index: diagnosis for diagnosis in diagnoses}
    records = tuple(
        _failed_edit(path, edit, text, by_index.get(index), told)
        for index, edit in enumerate(host.edits_of(call.arguments) or ())
    )
    first = messages.block(path, diagnoses[0]) if diagnoses and told is None else stock_text
    real_path = real_path_of(host, call.arguments, call.origin)
    record = _keep(memory, call, host, settings, messages.failed_summary(first), records, real_path)
    if real_path is not None and text is not None:
        memory.remember_failures(
            real_path,
            [
                OpenFailure(record.id, index, block)
                for index, edit in enumerate(records)
                if edit.code is not None
                for block in _blocks(text, edit)
            ],
        )
    return record.id


def _blocks(text: Text, edit: EditRecord) -> list[Block | None]:
    return [block_of(text, place.start_line - 1, place.end_line - 1) for place in edit.places] or [None]


def _failed_edit(path: str, edit: Edit, text: Text | None, diagnosis: Diagnosis | None, told: str | None) -> EditRecord:
    kept = EditRecord("failed", old_text=edit.old_text, new_text=edit.new_text)
    if diagnosis is None:
        places = exact(text, folding.lf(edit.old_text), 2) if text is not None else []
        if text is None or len(places) != 1:
            return kept
        lines = _lines_at(text, places[0], folding.lf(edit.old_text))
        place = _place(text, *lines)
        return replace(kept, start_line=lines[0], end_line=lines[1], places=(place,))
    told = told or messages.block(path, diagnosis)
    start_line, end_line = diagnosis.start_line, diagnosis.end_line
    spans = [(place.start_line, place.end_line) for place in diagnosis.places]
    if not spans and start_line and end_line and diagnosis.cause not in _WITHOUT_A_PLACE:
        spans = [(start_line, end_line)]
    return replace(
        kept,
        code=diagnosis.code,
        cause=diagnosis.cause,
        message=told,
        start_line=start_line,
        end_line=end_line,
        places=tuple(_place(text, *span) for span in spans) if text is not None else (),
    )


def places_at(text: Text, spans: Sequence[tuple[int, int]]) -> tuple[Place, ...]:
    """Lines (from 1, inclusive) of a text as places."""
    return tuple(Place(start, end, text.lines[start - 1] if start <= len(text.lines) else "") for start, end in spans)


def _place(text: Text, start_line: int, end_line: int) -> PlaceRecord:
    block = block_of(text, start_line - 1, end_line - 1)
    return PlaceRecord(start_line, end_line, "\n".join(block.lines), above=block.above, below=block.below)


@harmless
def never_ran(
    memory: Memory,
    call: Call,
    host: Host,
    code: str,
    told: str,
    settings: Settings,
) -> str | None:
    """Keep a call that did not come to run: its arguments were malformed, or it was blocked."""
    if settings.ledger == "off":
        return None
    real_path = real_path_of(host, call.arguments, call.origin)
    record = EditRecord("failed", code=code, message=told)
    return _keep(memory, call, host, settings, messages.failed_summary(told), (record,), real_path).id


def times_said(memory: Memory, call: Call, report: str, record_id: str | None) -> int:
    """How often in a row the same is said of the same failing call by now; only the newest of them stays shown."""
    session = memory.session(call.origin)
    before = session.failed.get(call.key)
    times = session.failed_again(call.key, report, record_id or "").times
    if times > 1 and before is not None and before.call_id:
        memory.ledger().change(before.call_id, None, cleared=True)
    return times


def real_path_of(host: Host, arguments: Mapping[str, Any], origin: Origin) -> str | None:
    """The real path of the file that a call names; None where it names none that the host would open."""
    path = host.path_of(arguments)
    resolved = None if path is None else host.resolve_path(path, origin.cwd)
    return None if resolved is None else os.path.realpath(resolved)


def _keep(
    memory: Memory,
    call: Call,
    host: Host,
    settings: Settings,
    summary: str,
    edits: tuple[EditRecord, ...],
    real_path: str | None,
    bare_state: State = "failed",
) -> CallRecord:
    begin(memory, call.origin, settings)
    record = CallRecord(
        id=uuid.uuid4().hex,
        host=call.origin.host,
        session_id=call.origin.session_id,
        session_key=session_key(memory, call.origin),
        tool_call_id=call.tool_call_id,
        cwd=call.origin.cwd,
        path=host.path_of(call.arguments) or "",
        real_path=real_path,
        at_ms=time.time_ns() // 1_000_000,
        summary=summary,
        edits=edits,
        bare_state=bare_state,
    )
    memory.ledger().add(record, texts=settings.ledger == "full")
    return record


def _covers(text: Text, block: Block, landed_lines: Sequence[tuple[int, int]]) -> bool:
    """Whether the lines of an edit that landed take in the place of one that failed."""
    wanted = "\n".join(block.lines)
    if not any(wanted in "\n".join(text.lines[start_line - 1 : end_line]) for start_line, end_line in landed_lines):
        return False
    (line0,) = follow(text, [block])
    return line0 is not None and any(
        start_line <= line0 + 1 and line0 + len(block.lines) <= end_line for start_line, end_line in landed_lines
    )


def _clear(memory: Memory, real_path: str, landed_lines: Sequence[tuple[int, int]]) -> None:
    """An edit that landed where an earlier one failed answers it: what was said of that one goes."""
    open_failures = memory.failures.get(real_path, [])
    text = memory.texts.read(real_path) if open_failures else None
    if not isinstance(text, Text):
        return
    for failure in list(open_failures):
        if failure.block is None or _covers(text, failure.block, landed_lines):
            memory.ledger().change(failure.call_id, failure.edit_index, cleared=True)
            open_failures.remove(failure)
