"""Where an oldText is: every span of a strategy, never just the first.

`STRATEGIES` orders what is tried once the literal text is absent, least tolerant first. Each strategy folds text and
oldText alike and says what its finding may be used for. Adding one is a function and a line in that table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.text import Text, line_end, line_start

ANCHOR_LIMIT = 32
"""In how many places the longest line of an oldText may stand to be searched by."""

Applicability = Literal["safe", "offer", "tell"]
"""`safe`: rewritten before the call runs; `offer`: a quick fix that a person may take; `tell`: text only."""


@dataclass(frozen=True, slots=True)
class Span:
    """A place in the LF view: offsets `start`..`end` (half-open) and the lines `line0`..`last_line0` that it touches.

    `past_end` says that the oldText ends with a line feed which the file's last line lacks.
    """

    start: int
    end: int
    line0: int
    last_line0: int
    past_end: bool = False


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way to find an oldText whose literal form is absent."""

    find: Callable[[Text, str, int], list[Span]]
    """(text, LF oldText, most) -> at most `most` spans, in order."""
    applicability: Applicability
    within_fuzzy: bool
    """Whether the built-in's own fuzzy step finds all that it finds (a missing final line feed apart)."""


def lines_of(text: str) -> tuple[list[str], bool]:
    """The lines of an LF text, and whether the last one is ended; a final line feed opens no further line."""
    lines = text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        return lines[:-1], True
    return lines, False


def exact(text: Text, old_text: str, most: int) -> list[int]:
    """The offsets of the first `most` places where `old_text` (LF) stands literally, overlapping ones too."""
    return _every(text.lf, old_text, most)


def trimmed(text: Text, old_text: str, most: int) -> list[Span]:
    """Places that differ in trailing whitespace alone, at any column, a missing final line feed included."""
    lacks_feed = not text.lf.endswith("\n")
    if old_text.count("\n") > text.line_count:
        return []
    wanted = folding.trim_line_ends(old_text)
    last_line = old_text[old_text.rfind("\n") + 1 :]
    must_end_line = last_line != last_line.rstrip(folding.TRAILING)
    haystack = text.trimmed + "\n" if lacks_feed else text.trimmed
    spans: list[Span] = []
    if wanted is old_text and haystack is text.lf:
        return spans
    for at in _every(haystack, wanted, most):
        end = at + len(wanted)
        if must_end_line and haystack[end : end + 1] not in ("", "\n"):
            continue
        if end > len(text.trimmed):
            if not old_text.endswith("\n"):
                continue
            found = replace(_untrimmed(text, haystack, at, end - 1, whole_end=True), past_end=True)
        else:
            found = _untrimmed(text, haystack, at, end, whole_end=must_end_line)
        if old_text.startswith("\n"):
            found = replace(found, start=line_end(text.lf, found.start))
        spans.append(found)
    return spans


def _untrimmed(text: Text, haystack: str, at: int, end: int, *, whole_end: bool) -> Span:
    """A span of the trimmed text in the LF view: the trailing whitespace inside it comes back.

    That of its last line comes back where the span is whole lines, or where `whole_end` asks for it.
    """
    line0 = haystack.count("\n", 0, at)
    last_line0 = line0 + haystack.count("\n", at, end)
    column, last_column = at - line_start(haystack, at), end - line_start(haystack, end)
    start, stop = text.line_starts[line0] + column, text.line_starts[last_line0] + last_column
    if haystack[end : end + 1] in ("", "\n") and last_column and (whole_end or column == 0):
        stop = line_end(text.lf, stop)
    return Span(start, stop, line0, last_line0 - (last_column == 0 and last_line0 > line0))


def extended(text: Text, old_text: str, most: int) -> list[Span]:
    """The Extended match: whole lines alike under the fuzzy folding, leading whitespace apart."""
    key, ended = _key_lines(old_text, folding.extended)
    if len(key) > text.line_count:
        return []
    starts = _anchored(text, key, most)
    if starts is None:
        return [_block(text, line0, len(key), ended=ended) for line0 in _framed(text.extended, key, most)]
    if text.folded is not text.lf:
        return [_block(text, text.folded.count("\n", 0, at), len(key), ended=ended) for at in starts]
    spans: list[Span] = []
    for at in starts:
        end, line0 = line_end(text.lf, at, len(key) - 1), text.lf.count("\n", 0, at)
        past_end = ended and end == len(text.lf)
        spans.append(Span(at, end + (ended and not past_end), line0, line0 + len(key) - 1, past_end))
    return spans


def spaced(text: Text, old_text: str, most: int) -> list[Span]:
    """Whole lines that are alike once every blank is taken out of them: they differ in spacing alone."""
    key, ended = _key_lines(old_text, lambda old: _without_blanks(folding.fuzzy(old)))
    if len(key) > text.line_count:
        return []
    body = _without_blanks(text.folded)
    if body.endswith("\n") and text.lf.endswith("\n"):
        body = body[:-1]
    return [_block(text, line0, len(key), ended=ended) for line0 in _framed(body, key, most)]


STRATEGIES = (
    Strategy(trimmed, "safe", within_fuzzy=True),
    Strategy(extended, "safe", within_fuzzy=False),
    Strategy(spaced, "tell", within_fuzzy=False),
)


def _without_blanks(text: str) -> str:
    return text.replace(" ", "").replace("\t", "")


def _key_lines(old_text: str, fold: Callable[[str], str]) -> tuple[list[str], bool]:
    """The folded lines of an oldText, and whether the last one is ended. A last piece of blanks is a line too."""
    lines = fold(old_text).split("\n")
    ended = old_text.endswith("\n")
    return (lines[:-1], True) if ended else (lines, False)


def _framed(body: str, key: Sequence[str], most: int) -> list[int]:
    """The lines (from 0) of `body` at which all of `key` stands, line by line; `body` has no final line feed."""
    framed, wanted = f"\n{body}\n", "\n" + "\n".join(key) + "\n"
    found: list[int] = []
    line0, position = 0, 0
    for at in _every(framed, wanted, most):
        line0 += framed.count("\n", position, at)
        position = at
        found.append(line0)
    return found


def _anchored(text: Text, key: Sequence[str], most: int) -> list[int] | None:
    """The offsets in the folded text at which `key` stands, found by its longest line.

    None where that line says too little: it is blank, or stands in more than `ANCHOR_LIMIT` places.
    """
    folded = text.folded
    own = max(range(len(key)), key=lambda at: len(key[at]))
    anchor = key[own]
    if not anchor or folded.endswith("\n") != text.lf.endswith("\n"):
        return None
    found: list[int] = []
    for count, at in enumerate(_every(folded, anchor, ANCHOR_LIMIT + 1)):
        if count == ANCHOR_LIMIT:
            return None
        start, end = line_start(folded, at, own), line_end(folded, at, len(key) - 1 - own)
        if folded[at + len(anchor) : at + len(anchor) + 1] not in ("", "\n") or start < 0 or end < 0:
            continue
        if [line.lstrip(folding.LEADING) for line in folded[start:end].split("\n")] == list(key):
            found.append(start)
    return found[:most]


def _block(text: Text, line0: int, height: int, *, ended: bool) -> Span:
    last = line0 + height - 1
    end = text.line_starts[last] + len(text.lines[last])
    past_end = ended and end == len(text.lf)
    return Span(text.line_starts[line0], end + (ended and not past_end), line0, last, past_end)


def _every(text: str, part: str, most: int) -> list[int]:
    places: list[int] = []
    at = text.find(part) if part else -1
    while at >= 0 and len(places) < most:
        places.append(at)
        at = text.find(part, at + 1)
    return places
