"""What the built-in will do with an edit call: our model of the pi host's edit tool (1.6.0).

Source: the behaviour of the shipped tool, which a differential test plays beside this model. In short: each oldText
is searched exactly, then folded; if any edit needed the folding, all are matched in the folded text; a match counts
as unique only if it is so in the folded text; the matches may not overlap and must change something; replacements
matched folded are widened to the lines that they touch; untouched text keeps its bytes, and new line feeds take
the ending of the line at which the replaced range starts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work

RefusalKind = Literal[
    "no-edits",
    "empty-old-text",
    "not-found",
    "ambiguous",
    "overlap",
    "no-change",
    "line-count",
    "out-of-range",
    "unsearched",
]


@dataclass(frozen=True, slots=True)
class Edit:
    """One `{oldText, newText}` of an edit call, as the agent wrote it."""

    old_text: str
    new_text: str


@dataclass(frozen=True, slots=True)
class Applied:
    """The built-in takes the call; `text` is what the file will then hold."""

    text: Text


@dataclass(frozen=True, slots=True)
class Refused:
    """The built-in refuses the call.

    `edit_index` is the edit that it names (the first of two for an overlap, `other_index` the second), `count` the
    number of places it counted. `line-count` and `out-of-range` are the built-in's own two odd failures while it
    widens folded matches. `unsearched` is not the built-in's: the model gave up (work limit, or a text that cannot
    be compared as the host compares it), and nothing is known.
    """

    kind: RefusalKind
    edit_index: int | None = None
    count: int | None = None
    other_index: int | None = None


@dataclass(frozen=True, slots=True)
class Replacement:
    """`new_text` in place of the half-open range of offsets `start`..`end`; `edit_index` says whose it is."""

    start: int
    end: int
    new_text: str
    edit_index: int = -1


@dataclass(frozen=True, slots=True)
class Located:
    """The edits of a call in order of place: offsets in the LF view, or `in_folded` in its folding."""

    replacements: tuple[Replacement, ...]
    in_folded: bool


def occurrences(text: Text, old_text: str) -> int:
    """How often the built-in counts an oldText (LF) in `text`: folded, without overlaps.

    Once any edit of a call was matched folded it counts on the folding of the folded text, which is the same text.
    For an oldText that folds to nothing the count is the host's oddity: UTF-16 units less one.
    """
    folded = folding.fuzzy(old_text)
    if folded:
        return text.folded.count(folded)
    return len(text.folded) + sum(character > "\uffff" for character in text.folded) - 1


def fuzzy_finds(text: Text, old_text: str) -> bool:
    """Whether the built-in's fuzzy step finds an oldText (LF) that its exact step did not find."""
    folded = folding.fuzzy(old_text)
    if folded is old_text and text.folded is text.lf:
        return False
    return folded in text.folded


def apply(text: Text, edits: Sequence[Edit], work: Work) -> Applied | Refused:
    """What becomes of a call. Out of work, or where an oldText cannot be compared: `Refused("unsearched")`."""
    return carry_out(text, locate(text, edits, work))


def carry_out(text: Text, located: Located | Refused) -> Applied | Refused:
    """What becomes of a call once its edits are located."""
    if isinstance(located, Refused):
        return located
    replacements: Sequence[Replacement] = located.replacements
    if located.in_folded:
        widened = _widened(text, replacements)
        if isinstance(widened, Refused):
            return widened
        replacements = widened
    if _spliced(text.lf, replacements) == text.lf:
        return Refused("no-change")
    return Applied(Text(_spliced_raw(text, replacements), text.bom))


def locate(text: Text, edits: Sequence[Edit], work: Work) -> Located | Refused:
    """Where the built-in finds each edit, or why it refuses the call."""
    if not edits:
        return Refused("no-edits")
    pairs = [(folding.lf(edit.old_text), folding.lf(edit.new_text)) for edit in edits]
    for index, (old, _) in enumerate(pairs):
        if not old:
            return Refused("empty-old-text", index)
    if not text.comparable or not all(folding.comparable(old) for old, _ in pairs):
        return Refused("unsearched")
    size = len(text.lf)
    in_folded = False
    exact: list[int] = []
    for old, _ in pairs:
        if not work.spend(size):
            return Refused("unsearched")
        exact.append(text.lf.find(old))
        if exact[-1] < 0 and not in_folded:
            if not work.spend(size + len(old)):
                return Refused("unsearched")
            in_folded = fuzzy_finds(text, old)
    found: list[Replacement] = []
    for index, (old, new) in enumerate(pairs):
        if not work.spend((2 * size if in_folded else size) + len(old)):
            return Refused("unsearched")
        at = _find_in_folded(text, old) if in_folded else (exact[index], exact[index] + len(old))
        if at[0] < 0:
            return Refused("not-found", index)
        count = occurrences(text, old)
        if count > 1:
            return Refused("ambiguous", index, count)
        found.append(Replacement(*at, new, index))
    found.sort(key=lambda replacement: replacement.start)
    for one, next_one in pairwise(found):
        if one.end > next_one.start:
            return Refused("overlap", one.edit_index, other_index=next_one.edit_index)
    return Located(tuple(found), in_folded)


def _find_in_folded(text: Text, old: str) -> tuple[int, int]:
    at = text.folded.find(old)
    if at < 0:
        old = folding.fuzzy(old)
        at = text.folded.find(old)
    return at, at + len(old)


def _spliced(text: str, replacements: Sequence[Replacement]) -> str:
    parts: list[str] = []
    position = 0
    for replacement in replacements:
        parts += (text[position : replacement.start], replacement.new_text)
        position = replacement.end
    parts.append(text[position:])
    return "".join(parts)


def _widened(text: Text, found: Sequence[Replacement]) -> list[Replacement] | Refused:
    """Matches in the folded text as replacements of whole lines of the LF view, rewritten in folded form."""
    folded = Text(text.folded)
    if folded.line_count != text.line_count:
        return Refused("line-count")
    groups: list[tuple[int, int, list[Replacement]]] = []
    for replacement in found:
        first = folded.line0_at(replacement.start)
        if replacement.start >= len(folded.lf) or replacement.end > len(folded.lf):
            return Refused("out-of-range")
        last = max(first, folded.line0_at(max(replacement.end - 1, replacement.start)))
        if groups and first <= groups[-1][1]:
            begin, end, inner = groups[-1]
            groups[-1] = (begin, max(end, last), [*inner, replacement])
        else:
            groups.append((first, last, [replacement]))
    return [_line_replacement(text, folded, *group) for group in groups]


def _line_replacement(text: Text, folded: Text, first: int, last: int, inner: list[Replacement]) -> Replacement:
    base_start, base_end = folded.line_starts[first], min(folded.line_starts[last + 1], len(folded.lf))
    shifted = [Replacement(r.start - base_start, r.end - base_start, r.new_text) for r in inner]
    new_text = _spliced(folded.lf[base_start:base_end], shifted)
    return Replacement(text.line_starts[first], min(text.line_starts[last + 1], len(text.lf)), new_text)


def _spliced_raw(text: Text, replacements: Sequence[Replacement]) -> str:
    """The replacements made in the raw text: untouched text keeps its line endings, new text takes its line's."""
    if "\r" not in text.raw:
        return _spliced(text.raw, replacements)
    parts: list[str] = []
    position = 0
    for replacement in replacements:
        start = text.raw_offset(replacement.start)
        parts.append(text.raw[position:start])
        parts.append(replacement.new_text.replace("\n", _ending_at(text.raw, start)))
        position = text.raw_offset(replacement.end)
    parts.append(text.raw[position:])
    return _joined_without_merging(parts)


def _joined_without_merging(parts: Sequence[str]) -> str:
    """The parts joined; where a CR would meet an LF across a seam, a line feed keeps them two line ends."""
    out: list[str] = []
    for part in filter(None, parts):
        if out and out[-1].endswith("\r") and part.startswith("\n"):
            out.append("\n")
        out.append(part)
    return "".join(out)


def _ending_at(raw: str, at: int) -> str:
    """The ending of the line that holds raw offset `at`; an unterminated last line has that of the one before it."""
    feed = raw.find("\n", at)
    if feed < 0:
        feed = raw.rfind("\n", 0, at + 1)
    if feed < 0:
        return "\r" if "\r" in raw else "\n"
    return "\r\n" if raw[feed - 1 : feed] == "\r" else "\n"
