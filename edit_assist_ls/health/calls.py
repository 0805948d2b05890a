"""Edit calls and the other calls that bear on them: each finished call counted, and what it leads to in the tree."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from msgspec.structs import replace

from edit_assist_ls.engine.folding import lf
from edit_assist_ls.engine.work import Work
from edit_assist_ls.health.counts import EXAMPLE_LIMIT, UNKNOWN, Example, Survey, newest
from edit_assist_ls.health.entries import AssistantEntry, ResultEntry, decoded, texts_of
from edit_assist_ls.health.evidence import WORK_LIMIT, after_edits, compare_all, edits_of
from edit_assist_ls.health.outcomes import Failure, failure_of, is_corrected
from edit_assist_ls.health.shell import is_patch_script, python_scripts
from edit_assist_ls.health.tree import OPEN_LIMIT, WAITING_LIMIT, Line, NoMatch, Open, Point, Shown, Streak, history
from edit_assist_ls.hosts.pi import HOST

READ_TOOL, SHELL_TOOL = "read", "bash"
EXAMPLE_CHARACTERS = 600

CUT_READ_BYTES = 45_000
"""The host cuts what it reads at 50 KB: the result line of a read that shows a whole file is shorter than this."""

_PATH_IN_TEXT = re.compile(r'"path"\s*:\s*("(?:[^"\\\n]|\\.)*")')


class _PathArgument(msgspec.Struct, gc=False):
    path: str


class _ReadArgument(msgspec.Struct, gc=False):
    offset: object = None
    limit: object = None


class _CommandArgument(msgspec.Struct, gc=False):
    command: str


class Call(msgspec.Struct, frozen=True):
    """A tool call of an assistant message, or one nested in it (`outer_id` is the host's call it ran in).

    `counted` is false for a call that a fork copied from the session it was forked from.
    """

    id: str
    name: str
    arguments: bytes | msgspec.Raw
    arguments_error: bytes | msgspec.Raw
    at: str
    day: str
    model: str
    entry_id: bytes
    line: Line
    outer_id: str
    counted: bool
    nested: bool = False
    patches: tuple[str, ...] = ()


@dataclass(slots=True)
class Session:
    """One session while it is read: where it is counted, and what waits for its end."""

    survey: Survey
    file: int
    cwd: str = ""
    with_text: bool = False
    has_edits: bool = False
    streaks: list[Streak] = field(default_factory=list)
    no_matches: list[NoMatch] = field(default_factory=list)
    resolved: dict[str, str | None] = field(default_factory=dict)
    edit_entries: list[tuple[bytes, str, str]] = field(default_factory=list)
    """(entry id, day, model) of each counted edit call."""

    def count(self, call: Call, measure: str, value: str | int = "") -> None:
        """Counts something of a call, unless the call is a fork's copy."""
        if call.counted:
            self.survey.counts[call.day, call.model, measure, value] += 1


def made(session: Session, call: Call) -> Call:
    """Counts what is known when the model makes a call: only the shell habit is. Gives the call, patches noted."""
    if call.name != SHELL_TOOL:
        return call
    session.count(call, "bash")
    argument = decoded(call.arguments, _CommandArgument) if b"<<" in bytes(call.arguments) else None
    scripts = python_scripts(argument.command) if argument else []
    if not scripts:
        return call
    session.count(call, "bash-python")
    patches = tuple(script for script in scripts if is_patch_script(script))
    if patches:
        session.count(call, "bash-patch")
    return replace(call, patches=patches)


def finished(session: Session, call: Call, text: str, *, failed: bool, line: Line, point: Point) -> Point:
    """The point after a call's result; `text` is the result's first text, `line` where the result stands."""
    if call.name == HOST.edit_tool:
        _count_edit(session, call)
        if failed:
            return _edit_failed(session, call, text, point)
        session.count(call, "edit", "corrected" if is_corrected(text) else "exact")
        return _edit_landed(session, call, point)
    if failed:
        return point
    if call.name == SHELL_TOOL:
        return _patched(call, point) if call.patches and point.open else point
    if call.name in (READ_TOOL, HOST.write_tool):
        path = path_of(session, call)
        if path is None:
            return point
        if call.name == HOST.write_tool:
            point = _written(call, path, point)
            return Point(point.open, Shown("write", path, call.line, call.id, point.shown))
        _compare_with_read(text, path, point)
        if not call.nested:
            kind: Literal["read", "whole"] = "whole" if _reads_whole(call, line) else "read"
            return Point(point.open, Shown(kind, path, line, call.id, point.shown))
    return point


def without_result(session: Session, call: Call) -> None:
    """Counts a call whose result the session does not hold."""
    if call.name == HOST.edit_tool:
        _count_edit(session, call)
        session.count(call, "edit", "no-result")


def path_of(session: Session, call: Call, text: str = "") -> str | None:
    """The absolute path that a call names, also where its arguments were broken or never parsed."""
    argument = decoded(call.arguments, _PathArgument) if call.arguments else None
    written = argument.path if argument else None
    if written is None and call.name == HOST.edit_tool:
        error = decoded(call.arguments_error, str) if call.arguments_error else None
        found = _PATH_IN_TEXT.search(error or text)
        try:
            written = str(json.loads(found.group(1))) if found else None
        except ValueError:
            written = None
    if written is None:
        return None
    if written not in session.resolved:
        session.resolved[written] = HOST.resolve_path(written, session.cwd or "/")
    return session.resolved[written]


def _reads_whole(call: Call, line: Line) -> bool:
    argument = decoded(call.arguments, _ReadArgument)
    return argument == _ReadArgument() and line.length < CUT_READ_BYTES


def _count_edit(session: Session, call: Call) -> None:
    if call.nested:
        session.count(call, "nested")
    if call.counted:
        session.edit_entries.append((call.entry_id, call.day, call.model))
        if not session.has_edits:
            session.has_edits = True
            session.count(call, "session")


def _edit_failed(session: Session, call: Call, text: str, point: Point) -> Point:
    failure = failure_of(text)
    session.count(call, "edit", "failed")
    session.count(call, "failure", failure.failure_class)
    if failure.failure_class == "other":
        session.count(call, "other", failure.reason)
    path = path_of(session, call, text)
    if session.with_text and call.counted:
        _keep_example(session, call, failure, text)
    if failure.reason == "aborted":
        return point
    no_matches: tuple[NoMatch, ...] = ()
    if failure.failure_class == "no-match":
        no_matches = (_no_match(session, call, failure, path, point),)
        session.no_matches.extend(no_matches)
    for index, one in enumerate(point.open):
        if path is None or one.path is None or one.path == path:
            joined = replace(one, path=one.path or path, no_matches=(one.no_matches + no_matches)[-WAITING_LIMIT:])
            return replace(point, open=(*point.open[:index], joined, *point.open[index + 1 :]))
    streak = Streak(call.day, call.model, call.counted)
    session.streaks.append(streak)
    opened = Open(streak, path, call.outer_id, call.nested, no_matches=no_matches)
    return replace(point, open=(*point.open, opened)[-OPEN_LIMIT:])


def _edit_landed(session: Session, call: Call, point: Point) -> Point:
    path = path_of(session, call)
    if path is None:
        return point
    shown = Shown("edit", path, call.line, call.id, point.shown)
    if not point.open:
        return Point((), shown)
    ended = [one for one in point.open if one.path in (None, path) and _is_later(one, call)]
    for one in ended:
        one.streak.ends("landed", one.cost)
        waiting = [no_match for no_match in one.no_matches if no_match.verdict != "whitespace-only"]
        if waiting:
            retried = [edit.old_text for edit in edits_of(call.arguments)]
            for no_match in waiting:
                _weigh(no_match, retried, "retry")
    return Point(tuple(one for one in point.open if one not in ended), shown)


def _is_later(one: Open, call: Call) -> bool:
    """Whether a call came after the failure and knowing of it: not beside it, in the same assistant message."""
    return one.round_trips > 0 or (one.nested and call.nested and one.call_id == call.outer_id)


def _written(call: Call, path: str, point: Point) -> Point:
    ended = [one for one in point.open if one.path == path and _is_later(one, call)]
    for one in ended:
        one.streak.ends("written", one.cost)
    return replace(point, open=tuple(one for one in point.open if one not in ended)) if ended else point


def _patched(call: Call, point: Point) -> Point:
    ended = [
        one
        for one in point.open
        if one.path and _is_later(one, call) and any(os.path.basename(one.path) in script for script in call.patches)  # noqa: PTH119  # by the letter
    ]
    for one in ended:
        one.streak.ends("patched", one.cost)
    return replace(point, open=tuple(one for one in point.open if one not in ended)) if ended else point


def _no_match(session: Session, call: Call, failure: Failure, path: str | None, point: Point) -> NoMatch:
    edits = edits_of(call.arguments)
    index = failure.edit_index or 0
    old_text = edits[index].old_text if index < len(edits) else ""
    no_match = NoMatch(call.day, call.model, call.counted, old_text)
    if path is not None and old_text:
        _weigh(no_match, _shown_texts(session, history(point, path)), "read")
    return no_match


def _weigh(no_match: NoMatch, shown: list[str], evidence: str) -> None:
    verdict = compare_all(shown, no_match.old_text, Work(WORK_LIMIT))
    if verdict == "whitespace-only":
        no_match.verdict, no_match.evidence = verdict, "read" if evidence == "read" else "retry"
    elif verdict == "differs":
        no_match.verdict = verdict


def _compare_with_read(text: str, path: str, point: Point) -> None:
    for one in point.open:
        if one.path == path:
            for no_match in one.no_matches:
                if no_match.verdict != "whitespace-only" and text:
                    _weigh(no_match, [text], "read")


def _shown_texts(session: Session, links: list[Shown]) -> list[str]:
    """The parts of a file that the session has shown, as they stand after what was since done to the file."""
    texts: list[str] = []
    for link in links:
        data = os.pread(session.file, link.line.length, link.line.offset)
        if link.kind in ("read", "whole"):
            result = decoded(data, ResultEntry)
            texts += [lf(text) for text in texts_of(result.message.content)[:1]] if result else []
            continue
        arguments = next(_arguments_in(data, link.call_id), None)
        if arguments is None:
            continue
        if link.kind == "write":
            content = HOST.written_by(decoded(arguments, dict[str, object]) or {})
            texts = [] if content is None else [lf(content)]
        elif texts:
            edits = edits_of(arguments)
            texts = [after_edits(text, edits) for text in texts]
    return texts


def _arguments_in(data: bytes, call_id: str) -> Iterator[bytes | msgspec.Raw]:
    """The arguments of the call `call_id` in a line: a block of an assistant message, or a nested call of a result."""
    assistant = decoded(data, AssistantEntry)
    if assistant and not isinstance(assistant.message.content, str):
        yield from (block.arguments for block in assistant.message.content if block.id == call_id)
    result = decoded(data, ResultEntry)
    if result and result.message.nested_calls:
        yield from (nested.arguments for nested in result.message.nested_calls.calls if nested.id == call_id)


def _keep_example(session: Session, call: Call, failure: Failure, text: str) -> None:
    arguments: Mapping[str, object] = (decoded(call.arguments, dict[str, object]) if call.arguments else None) or {}
    edits = edits_of(call.arguments)
    index = failure.edit_index or 0
    old_text = edits[index].old_text if index < len(edits) else ""
    example = Example(
        call.at,
        call.model,
        failure.failure_class,
        HOST.path_of(arguments) or UNKNOWN,
        old_text[:EXAMPLE_CHARACTERS],
        text[:EXAMPLE_CHARACTERS],
    )
    examples = session.survey.examples
    examples.append(example)
    if len(examples) > 2 * EXAMPLE_LIMIT:
        session.survey.examples = newest(examples)
