"""One session file, line by line, into counts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO

from edit_assist_ls.health import calls
from edit_assist_ls.health.calls import Call, Session
from edit_assist_ls.health.counts import UNKNOWN, Survey, day_of, two_figures
from edit_assist_ls.health.entries import (
    CALL_MARK,
    ENTRY_HEAD,
    Assistant,
    AssistantEntry,
    Head,
    Nested,
    Result,
    ResultEntry,
    decoded,
    is_whole,
    texts_of,
)
from edit_assist_ls.health.tree import ROOT, Line, Point, answered, on_path
from edit_assist_ls.hosts.pi import HOST

LINE_LIMIT = 64 * 1024 * 1024
"""A longer line (in bytes) is no entry: it is counted as foreign and passed over."""


@dataclass(slots=True)
class _Reading:
    """One session of a file while its lines go by. `copied_before` is a fork's own first moment, else empty."""

    session: Session
    copied_before: str = ""
    points: dict[bytes, Point] = field(default_factory=dict)
    parents: dict[bytes, bytes | None] = field(default_factory=dict)
    pending: dict[str, Call] = field(default_factory=dict)
    last_id: bytes | None = None
    last: Point = ROOT
    branched: bool = False
    decoded: int = 0
    torn: int = 0


def read_session(
    file: BinaryIO, survey: Survey, *, with_text: bool = False, is_read: Callable[[str], bool] | None = None
) -> None:
    """Adds what a session file holds to `survey`; raises OSError where it cannot be read.

    `is_read` says of the session that one was forked from whether it is read too: what the fork copied is then not
    counted.
    """
    reading: _Reading | None = None
    offset = lines = 0
    while line := file.readline(LINE_LIMIT):
        here = Line(offset, len(line))
        offset += here.length
        if here.length == LINE_LIMIT and not line.endswith(b"\n"):
            offset += _skip_line(file)
            lines += 1
            survey.reading["foreign"] += 1
            continue
        if line.isspace():
            continue
        lines += 1
        found = ENTRY_HEAD.match(line)
        if reading and found:
            entry_id, parent_id, at, role = found.groups()
            _entry(reading, line, here, entry_id, parent_id, at, role)
            continue
        head = decoded(line, Head)
        if head is None:
            survey.reading["foreign" if decoded(line, object) is not None else "torn"] += 1
        elif head.type == "session":
            if reading:
                _end(reading)
            reading = _started(file, survey, head, with_text=with_text, is_read=is_read)
        elif not head.timestamp:
            survey.reading["foreign"] += 1
        else:
            reading = reading or _Reading(Session(survey, file.fileno(), with_text=with_text))
            entry_id = head.id.encode() if head.id else b"@%d" % here.offset
            parent_id = reading.last_id if head.id is None else (head.parent_id.encode() if head.parent_id else None)
            _entry(reading, line, here, entry_id, parent_id, head.timestamp.encode(), head.role.encode())
    if reading:
        _end(reading)
    survey.reading.update(files=1, bytes=offset, lines=lines)


def _skip_line(file: BinaryIO) -> int:
    skipped = 0
    while rest := file.readline(LINE_LIMIT):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped


def _started(
    file: BinaryIO, survey: Survey, head: Head, *, with_text: bool, is_read: Callable[[str], bool] | None
) -> _Reading:
    session = Session(survey, file.fileno(), head.cwd, with_text)
    copies = bool(head.parent_session and is_read and is_read(head.parent_session))
    return _Reading(session, head.timestamp if copies else "")


def _entry(
    reading: _Reading,
    line: bytes,
    here: Line,
    entry_id: bytes,
    parent_id: bytes | None,
    at: bytes,
    role: bytes | None,
) -> None:
    """Takes one entry into the tree, decoding its line only where the report needs what it holds."""
    if parent_id == reading.last_id:
        point = reading.last
    else:
        reading.branched = True
        # A parent that is not there was in a line that could not be read: the entry before stands in for it.
        point = ROOT if parent_id is None else reading.points.get(parent_id, reading.last)
    if role == b"toolResult":
        result = decoded(line, ResultEntry)
        point = _result(reading, result.message, here, entry_id, at.decode(), point) if result else point
        reading.decoded += result is not None
        reading.torn += result is None
    elif role == b"assistant" and (point.open or CALL_MARK in line):
        assistant = decoded(line, AssistantEntry)
        point = _answer(reading, assistant.message, here, entry_id, at.decode(), point) if assistant else point
        reading.decoded += assistant is not None
        reading.torn += assistant is None
    elif not is_whole(line):
        reading.torn += 1
    reading.points[entry_id] = reading.last = point
    reading.parents[entry_id] = parent_id
    reading.last_id = entry_id


def _answer(reading: _Reading, message: Assistant, here: Line, entry_id: bytes, at: str, point: Point) -> Point:
    """The point after a model answer, whose calls wait for their results from now on."""
    if point.open:
        usage = message.usage
        tokens = usage.input + usage.output + usage.cache_read + usage.cache_write if usage else 0
        point = answered(point, int(tokens), int(usage.output) if usage else 0)
    blocks = [] if isinstance(message.content, str) else [b for b in message.content if b.type == "toolCall"]
    if not blocks:
        if point.open and message.stop_reason not in ("aborted", "error", "toolUse"):
            for one in point.open:
                one.streak.ends("stopped", one.cost)
            point = Point((), point.shown)
        return point
    model = f"{message.provider}/{message.model}".strip("/") or UNKNOWN
    counted, day = _is_counted(reading, at), day_of(at)
    for block in blocks:
        if block.id in reading.pending:
            calls.without_result(reading.session, reading.pending[block.id])
        reading.pending[block.id] = calls.made(
            reading.session,
            Call(
                block.id,
                block.name,
                block.arguments,
                block.arguments_error,
                at,
                day,
                model,
                entry_id,
                here,
                block.id,
                counted,
            ),
        )
    return point


def _is_counted(reading: _Reading, at: str) -> bool:
    copied = bool(reading.copied_before) and at < reading.copied_before
    if copied:
        reading.session.survey.reading["copied"] += 1
    return not copied


def _result(reading: _Reading, result: Result, here: Line, entry_id: bytes, at: str, point: Point) -> Point:
    """The point after a tool result, and after the calls that ran inside the call, in their order."""
    call = reading.pending.pop(result.tool_call_id, None)
    if call is None:
        call = Call(
            result.tool_call_id,
            result.tool_name,
            b"",
            b"",
            at,
            day_of(at),
            UNKNOWN,
            entry_id,
            here,
            result.tool_call_id,
            _is_counted(reading, at),
        )
    session = reading.session
    if result.nested_calls:
        session.survey.reading["nested-incomplete"] += not result.nested_calls.complete
        for nested in result.nested_calls.calls:
            point = _nested(session, call, nested, here, point)
    text = ""
    if call.name == HOST.edit_tool or (call.name == calls.READ_TOOL and _awaits_read(point)):
        text = next(iter(texts_of(result.content)), "")
    return calls.finished(session, call, text, failed=result.is_error, line=here, point=point)


def _awaits_read(point: Point) -> bool:
    return any(one.no_matches for one in point.open)


def _nested(session: Session, outer: Call, nested: Nested, here: Line, point: Point) -> Point:
    call = calls.made(
        session,
        Call(
            nested.id,
            nested.name,
            nested.arguments,
            b"",
            outer.at,
            outer.day,
            outer.model,
            outer.entry_id,
            here,
            outer.id,
            outer.counted,
            nested=True,
        ),
    )
    if nested.status not in ("ok", "error"):
        calls.without_result(session, call)
        return point
    return calls.finished(session, call, nested.error, failed=nested.status == "error", line=here, point=point)


def _end(reading: _Reading) -> None:
    """Counts what only the end of a session decides."""
    session, counts = reading.session, reading.session.survey.counts
    session.survey.reading["decoded"] += reading.decoded
    session.survey.reading["torn"] += reading.torn
    for call in reading.pending.values():
        calls.without_result(session, call)
    if reading.branched:
        active = on_path(reading.parents, reading.last_id)
        for entry_id, day, model in session.edit_entries:
            if entry_id not in active:
                counts[day, model, "abandoned", ""] += 1
    for no_match in session.no_matches:
        if no_match.counted:
            counts[no_match.day, no_match.model, "no-match", no_match.evidence or no_match.verdict] += 1
    for streak in session.streaks:
        if not streak.counted:
            continue
        counts[streak.day, streak.model, "streak", streak.outcome or "stopped"] += 1
        if streak.outcome == "landed":
            round_trips, tokens, output_tokens = streak.landed_at
            counts[streak.day, streak.model, "round-trips", round_trips] += 1
            counts[streak.day, streak.model, "tokens", two_figures(tokens)] += 1
            counts[streak.day, streak.model, "output-tokens", two_figures(output_tokens)] += 1
