"""The profile `strict`: edit semantics of our own, which refuse rather than guess.

Edits apply in order, each to the text that the earlier ones left, all of them or none. An oldText that stands
literally and once is replaced, whatever the file; one that stands nowhere is looked for by strategies of growing
tolerance, behind gates, and the first that finds anything must find one place. newText goes in as it was sent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.matching import exact
from edit_assist_ls.engine.strict_spans import STRATEGIES, MatchedVia, Stretch, literal
from edit_assist_ls.engine.text import Text

FailureCode = Literal[
    "no-edits",
    "invalid-edit",
    "duplicate-edit",
    "empty-old-text",
    "no-op-edit",
    "too-short",
    "binary",
    "too-large",
    "not-unique",
    "ambiguous",
    "disproportionate",
    "not-found",
    "no-changes",
    "unreadable",
]
MIN_CHARS = 5
MAX_CHARS = 1_000_000
MAX_LINES = 50_000
MAX_EDITS = 1_000
MOST_PLACES = 10
"""How many places of an edit are told."""
_SLACK_CHARS = 200
_TIMES = 4


@dataclass(frozen=True, slots=True)
class StrictEdit:
    """One edit of a call, its texts as they were sent."""

    old_text: str
    new_text: str


@dataclass(frozen=True, slots=True)
class Matched:
    """How an edit was found, and the lines (from 1, inclusive) of its span in the text that it met."""

    matched_via: MatchedVia
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Edited:
    """The text after all edits, and how each was found."""

    text: Text
    matched: tuple[Matched, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """Why nothing was changed: `edit_index` (from 0) failed, None where the call did.

    `places` are the first and last lines (from 1) of some of its places, `count` how many there are; `strategy` found
    them. `other_index`: the
    edit that it repeats. `by_earlier`: an earlier edit of the call rewrote its target, or made another. `field` and
    `met`: the field of an edit that is no text; the text that the edit met.
    """

    code: FailureCode
    edit_index: int | None = None
    places: tuple[tuple[int, int], ...] = ()
    count: int = 0
    strategy: MatchedVia | None = None
    other_index: int | None = None
    by_earlier: bool = False
    field: str = ""
    met: Text | None = None


def read_edits(arguments: Mapping[str, Any]) -> tuple[StrictEdit, ...] | Failed:
    """The edits of a call of the one shape that is advertised; what is wrong with the first that is not."""
    edits = arguments.get("edits")
    if not isinstance(edits, list) or not edits:
        return Failed("no-edits")
    if len(edits) > MAX_EDITS:
        return Failed("too-large", count=len(edits))
    out: list[StrictEdit] = []
    for index, edit in enumerate(edits):
        if not isinstance(edit, dict):
            return Failed("invalid-edit", index)
        for field in ("oldText", "newText"):
            if not isinstance(edit.get(field), str):
                return Failed("invalid-edit", index, field=field)
        out.append(StrictEdit(edit["oldText"], edit["newText"]))
    return tuple(out)


def apply_strictly(text: Text, edits: Sequence[StrictEdit]) -> Edited | Failed:
    """The text after all edits, or why there is none."""
    failed = _refused_by_name(edits)
    if failed is not None:
        return failed
    met = text
    matched: list[Matched] = []
    for index, edit in enumerate(edits):
        found = _find(text, met, index, folding.lf(edit.old_text))
        if isinstance(found, Failed):
            return found
        via, stretch = found
        matched.append(Matched(via, met.line0_at(stretch.start) + 1, _last_line(met, stretch)))
        met = _spliced(met, stretch, edit.new_text)
    if met.raw == text.raw:
        return Failed("no-changes")
    return Edited(met, tuple(matched))


def _refused_by_name(edits: Sequence[StrictEdit]) -> Failed | None:
    """The first edit that no file could take."""
    seen: dict[tuple[str, str], int] = {}
    for index, edit in enumerate(edits):
        if not edit.old_text:
            return Failed("empty-old-text", index)
        if edit.old_text == edit.new_text:
            return Failed("no-op-edit", index)
        other = seen.setdefault((edit.old_text, edit.new_text), index)
        if other != index:
            return Failed("duplicate-edit", index, other_index=other)
    return Failed("no-edits") if not edits else None


def _find(before: Text, met: Text, index: int, old: str) -> tuple[MatchedVia, Stretch] | Failed:
    """The one span of an edit in the text that it meets; `before` is the text before the call."""
    places = literal(met, old)
    if len(places) == 1:
        return "exact", places[0]
    if places:
        by_earlier = met is not before and len(exact(before, old, 2)) < 2
        return Failed("not-unique", index, _places(met, places), len(places), "exact", by_earlier=by_earlier, met=met)
    if met is not before and exact(before, old, 1):
        return Failed("not-found", index, by_earlier=True, met=met)
    closed = _gate(met, old)
    if closed is not None:
        return Failed(closed, index, met=met)
    for via, find in STRATEGIES:
        places = find(met, old)
        if not places:
            continue
        place = places[0]
        stands = met.lf[place.start : place.end]
        if len(places) > 1:
            return Failed("ambiguous", index, _places(met, places), len(places), via, met=met)
        again = literal(met, stands)
        if len(again) > 1:
            return Failed("ambiguous", index, _places(met, again), len(again), via, met=met)
        if _is_out_of_proportion(old, stands):
            return Failed("disproportionate", index, _places(met, places), 1, via, met=met)
        return via, place
    return Failed("not-found", index, by_earlier=met is not before and _was_there(before, old), met=met)


def _was_there(before: Text, old: str) -> bool:
    """Whether a tolerant strategy finds in the text before the call what it does not find now."""
    return _gate(before, old) is None and any(find(before, old) for _, find in STRATEGIES)


def _gate(text: Text, old: str) -> FailureCode | None:
    """Why nothing but the literal text is looked for."""
    if "\0" in old or "\0" in text.lf:
        return "binary"
    if len("".join(old.split())) < MIN_CHARS:
        return "too-short"
    if len(text.lf) > MAX_CHARS or text.line_count > MAX_LINES or len(old) > MAX_CHARS:
        return "too-large"
    return None


def _is_out_of_proportion(old: str, stands: str) -> bool:
    """Whether a span is so much longer than its oldText that it can hardly be what was meant, or so much shorter."""
    return (
        len(stands) > _TIMES * len(old) + _SLACK_CHARS
        or len(old) > _TIMES * len(stands) + _SLACK_CHARS
        or stands.count("\n") > _TIMES * (old.count("\n") + old.count("\\n")) + _TIMES
    )


def _spliced(text: Text, stretch: Stretch, new_text: str) -> Text:
    """The text with a stretch of it replaced, literally; line endings of newText follow a file that has one kind."""
    ending = uniform_ending(text)
    new = new_text if ending is None else folding.lf(new_text).replace("\n", ending)
    start, end = text.raw_offset(stretch.start), text.raw_offset(stretch.end)
    return Text(text.raw[:start] + new + text.raw[end:], text.bom)


def uniform_ending(text: Text) -> str | None:
    """The one line ending of a text; None where it has several kinds, or no line at all that ends."""
    feeds = text.lf.count("\n")
    crlf = text.raw.count("\r\n")
    if not feeds:
        return None
    if crlf == feeds:
        return "\r\n"
    if crlf or "\r" in text.raw:
        return "\r" if not crlf and "\n" not in text.raw else None
    return "\n"


def _places(text: Text, places: Sequence[Stretch]) -> tuple[tuple[int, int], ...]:
    lines = ((text.line0_at(place.start) + 1, _last_line(text, place)) for place in places)
    return tuple(lines)[:MOST_PLACES]


def _last_line(text: Text, stretch: Stretch) -> int:
    return text.line0_at(max(stretch.start, stretch.end - 1)) + 1
