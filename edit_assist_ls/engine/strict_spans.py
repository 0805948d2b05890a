"""Where an oldText is under the profile `strict`: every span of a strategy, whole, in order of tolerance.

A strategy folds text and oldText alike, keeps the way back to offsets, and gives every place where they meet,
overlapping ones too. What it finds is a span of the file that stands for all of oldText, from end to end.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from string import punctuation
from typing import Literal

from edit_assist_ls.engine.matching import exact, lines_of
from edit_assist_ls.engine.text import Text

MatchedVia = Literal["exact", "line-trimmed", "unicode", "whitespace", "escape"]
MOST = 100
"""How many places of one strategy are counted."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Offsets `start`..`end` (half-open) of the LF view."""

    start: int
    end: int


def literal(text: Text, old: str) -> list[Stretch]:
    """Every place where the text stands as it is, overlapping ones too."""
    return [Stretch(at, at + len(old)) for at in exact(text, old, MOST)]


def line_trimmed(text: Text, old: str) -> list[Stretch]:
    """Whole lines that are alike once the whitespace at both their ends is taken off."""
    wanted, ended = lines_of(old)
    keys = [line.strip() for line in wanted]
    if not any(keys) or len(keys) > len(text.lines):
        return []
    body = "\n" + "\n".join(line.strip() for line in text.lines) + "\n"
    key = "\n" + "\n".join(keys) + "\n"
    found: list[Stretch] = []
    line0, counted, at = 0, 0, body.find(key)
    while at >= 0 and len(found) < MOST:
        line0 += body.count("\n", counted, at)
        counted = at
        last = line0 + len(keys) - 1
        end = text.line_starts[last] + len(text.lines[last])
        found.append(Stretch(text.line_starts[line0], end + (ended and end < len(text.lf))))
        at = body.find(key, at + 1)
    return found


_PUNCTUATION = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
        **dict.fromkeys(
            "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
        ),
        **{chr(ord(sign) + 0xFEE0): sign for sign in punctuation},
    }
)
"""Signs that look alike, and the full-width forms of ASCII's punctuation; one sign for one."""
_ELLIPSIS = re.compile("\u2026")


def unicode(text: Text, old: str) -> list[Stretch]:
    """Places that differ in quotes, dashes, spaces and other signs that look alike, and in dots for an ellipsis."""
    folded, key = text.lf.translate(_PUNCTUATION), old.translate(_PUNCTUATION)
    if folded == text.lf and key == old and "\u2026" not in text.lf and "\u2026" not in old:
        return []
    starts = [found.start() for found in _ELLIPSIS.finditer(folded)]
    widened = [at + 2 * before for before, at in enumerate(starts)]
    found: list[Stretch] = []
    for at in exact(Text(folded.replace("\u2026", "...")), key.replace("\u2026", "..."), MOST):
        start = _narrowed(at, widened)
        end = _narrowed(at + len(key) + 2 * key.count("\u2026"), widened)
        if start is not None and end is not None:
            found.append(Stretch(start, end))
    return found


def _narrowed(offset: int, ellipses: list[int]) -> int | None:
    """An offset where each ellipsis is three dots as one where it is one sign; None inside of one."""
    before = bisect_right(ellipses, offset - 1)
    if before and offset < ellipses[before - 1] + 3:
        return None
    return offset - 2 * before


_BLANKS = re.compile(r"[^\S\n]+")
_RUN = re.compile(r"[^\S\n]{2,}|[^\S\n ]| (?=\n|\Z)")
"""A run of blanks that is not one space in a line already."""


def whitespace(text: Text, old: str) -> list[Stretch]:
    """Places that differ in how long their runs of blanks are; line breaks count, blanks before them do not.

    Blanks at the end of an oldText stand for all that are there, or for the end of a line.
    """
    key, _, _ = _collapsed(old)
    if not key.strip():
        return []
    folded, ends, originals = _collapsed(text.lf)
    takes_blanks = old[-1].isspace() and old[-1] != "\n"
    found: list[Stretch] = []
    for at in exact(Text(folded), key, MOST):
        start, end = _unfolded(at, ends, originals), _unfolded(at + len(key) - 1, ends, originals) + 1
        blanks = _BLANKS.match(text.lf, end) if takes_blanks else None
        if takes_blanks and blanks is None and text.lf[end : end + 1] not in ("", "\n"):
            continue
        found.append(Stretch(start, blanks.end() if blanks else end))
    return found


def _collapsed(text: str) -> tuple[str, list[int], list[int]]:
    """A text with runs of blanks as one space, none before a line feed; where such runs end in it, and in the text."""
    pieces: list[str] = []
    ends: list[int] = [0]
    originals: list[int] = [0]
    at = size = 0
    for run in _RUN.finditer(text):
        pieces.append(text[at : run.start()])
        kept = "" if text[run.end() : run.end() + 1] in ("\n", "") else " "
        pieces.append(kept)
        size += run.start() - at + len(kept)
        at = run.end()
        ends.append(size)
        originals.append(at)
    pieces.append(text[at:])
    return "".join(pieces), ends, originals


def _unfolded(offset: int, ends: list[int], originals: list[int]) -> int:
    """An offset of the collapsed text in the text: at the end of a run, after it; where the run is to begin, before."""
    nearest = bisect_right(ends, offset) - 1
    return originals[nearest] + offset - ends[nearest]


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "`": "`", "/": "/", "$": "$"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def unescaped(old: str) -> str:
    """A text with one level of backslash escapes undone; the same text where it has none that are known."""
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[0]), old)


def escape(text: Text, old: str) -> list[Stretch]:
    """Places that stand literally once one level of escapes is undone."""
    undone = unescaped(old)
    return [] if undone == old or not undone.strip() else literal(text, undone.replace("\r\n", "\n"))


STRATEGIES: tuple[tuple[MatchedVia, Callable[[Text, str], list[Stretch]]], ...] = (
    ("line-trimmed", line_trimmed),
    ("unicode", unicode),
    ("whitespace", whitespace),
    ("escape", escape),
)
