"""Where an oldText is: every span of a strategy, never just the first.

`STRATEGIES` orders what is tried once the literal text is absent, least tolerant first. Each strategy folds text and
oldText alike and says what its finding may be used for. Adding one is a function and a line in that table.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.text import Text

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
    if old_text.count("\n") > text.line_count():
        return []
    wanted = folding.trim_line_ends(old_text)
    last_line = old_text[old_text.rfind("\n") + 1 :]
    must_end_line = last_line != last_line.rstrip(folding.TRAILING)
    haystack = Text(text.trimmed + "\n" if lacks_feed else text.trimmed)
    spans: list[Span] = []
    if wanted is old_text and haystack.lf is text.lf:
        return spans
    for at in _every(haystack.lf, wanted, most):
        end = at + len(wanted)
        if must_end_line and haystack.lf[end : end + 1] not in ("", "\n"):
            continue
        if end > len(text.trimmed):
            if not old_text.endswith("\n"):
                continue
            spans.append(replace(_untrimmed(text, haystack, at, end - 1, whole_end=True), past_end=True))
        else:
            spans.append(_untrimmed(text, haystack, at, end, whole_end=must_end_line))
    return spans


def _untrimmed(text: Text, haystack: Text, at: int, end: int, *, whole_end: bool) -> Span:
    """A span of the trimmed text in the LF view: the trailing whitespace inside it comes back.

    That of its last line comes back where the span is whole lines, or where `whole_end` asks for it.
    """
    line0, last_line0 = haystack.line0_at(at), haystack.line0_at(end)
    column, last_column = at - haystack.line_starts[line0], end - haystack.line_starts[last_line0]
    start = text.line_starts[line0] + column
    if haystack.lf[at : at + 1] == "\n":
        start = text.line_starts[line0] + len(text.lines[line0])
    stop = text.line_starts[last_line0] + last_column
    ends_line = haystack.lf[end : end + 1] in ("", "\n")
    if ends_line and last_column and (whole_end or column == 0):
        stop = text.line_starts[last_line0] + len(text.lines[last_line0])
    return Span(start, stop, line0, last_line0 - (last_column == 0 and last_line0 > line0))


def extended(text: Text, old_text: str, most: int) -> list[Span]:
    """The Extended match: whole lines alike under the fuzzy folding, leading whitespace apart."""
    return _whole_lines(text, text.extended, folding.extended(old_text), old_text, most)


def spaced(text: Text, old_text: str, most: int) -> list[Span]:
    """Whole lines that are alike once every blank is taken out of them: they differ in spacing alone."""
    return _whole_lines(
        text, _without_blanks(text.extended), _without_blanks(folding.extended(old_text)), old_text, most
    )


STRATEGIES = (
    Strategy(trimmed, "safe", within_fuzzy=True),
    Strategy(extended, "safe", within_fuzzy=False),
    Strategy(spaced, "tell", within_fuzzy=False),
)


def _without_blanks(text: str) -> str:
    return text.replace(" ", "").replace("\t", "")


def _whole_lines(text: Text, body: str, key: str, old_text: str, most: int) -> list[Span]:
    """Spans of the whole lines of `body` (one for each line of `text`) that read as the lines of `key`."""
    key_lines, ended = key.split("\n"), old_text.endswith("\n")
    if ended:
        key_lines.pop()
    height = len(key_lines)
    if height > len(text.lines):
        return []
    starts: list[int] = []
    framed, wanted = f"\n{body}\n", "\n" + "\n".join(key_lines) + "\n"
    line0, position = 0, 0
    for at in _every(framed, wanted, most):
        line0 += framed.count("\n", position, at)
        position = at
        starts.append(line0)
    return [_block(text, start, height, ended=ended) for start in starts if start + height <= len(text.lines)]


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
