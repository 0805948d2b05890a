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
from edit_assist_ls.engine.strict_changes import Change, note_change
from edit_assist_ls.engine.strict_spans import STRATEGIES, MatchedVia, Stretch, literal
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work

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
WORK_LIMIT = 240_000_000
"""What a call may cost, in characters that are passed over once."""
_COST: dict[MatchedVia, int] = {"exact": 2, "line-trimmed": 16, "unicode": 12, "whitespace": 30, "escape": 4}
_RUN_COST = 250
_CRLF_COST, _MIXED_COST = 8, 12
"""What it costs to look by a strategy, for each character; each run of blanks; the way back to CRLF, likewise."""
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
    """The text after all edits, how each was found, and in order what changed: all else is as it was."""

    text: Text
    matched: tuple[Matched, ...]
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """Why nothing was changed: `edit_index` (from 0) failed, None where the call did.

    `places` are the first and last lines (from 1) of some of its places, `count` how many there are; `strategy` found
    them. `other_index`: the edit that it repeats. `by_earlier`: an earlier edit of the call rewrote its target, or made
    another. `field` and `met`: the field of an edit that is no text; the text that the edit met. `out_of_work`: the
    edits before it took all that a call may cost.
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
    out_of_work: bool = False


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


def apply_strictly(text: Text, edits: Sequence[StrictEdit], work: Work | None = None) -> Edited | Failed:
    """The text after all edits, or why there is none. Out of work: `too-large`."""
    failed = _refused_by_name(edits)
    if failed is not None:
        return failed
    work = Work(WORK_LIMIT) if work is None else work
    met = text
    matched: list[Matched] = []
    changes: list[Change] = []
    for index, edit in enumerate(edits):
        found = _find(text, met, index, folding.lf(_without_half_ending(met, edit)), work)
        if isinstance(found, Failed):
            return found
        via, stretch = found
        matched.append(Matched(via, *_lines(met, stretch)))
        start, end = _raw_offset(met, stretch.start), _raw_offset(met, stretch.end)
        new_text = adapted(met, edit.new_text)
        met = Text(met.raw[:start] + new_text + met.raw[end:], met.bom)
        note_change(changes, start, end, len(new_text))
    if met.raw == text.raw:
        return Failed("no-changes")
    return Edited(met, tuple(matched), tuple(changes))


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


def _find(before: Text, met: Text, index: int, old: str, work: Work) -> tuple[MatchedVia, Stretch] | Failed:
    """The one span of an edit in the text that it meets; `before` is the text before the call."""
    size = len(met.lf) + len(old)
    way_back = 0 if "\r" not in met.raw else _CRLF_COST if _is_crlf(met) else _MIXED_COST
    if not work.spend((_COST["exact"] + way_back) * size):
        return Failed("too-large", index, out_of_work=True)
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
        if not work.spend(_COST[via] * size + (_RUN_COST * _runs(met) if via == "whitespace" else 0)):
            return Failed("too-large", index, out_of_work=True)
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
    by_earlier = met is not before and _was_there(before, old, work)
    return Failed("not-found", index, by_earlier=by_earlier, met=met)


def _was_there(before: Text, old: str, work: Work) -> bool:
    """Whether a tolerant strategy finds in the text before the call what it does not find now; False: out of work."""
    cost = sum(_COST.values()) * (len(before.lf) + len(old)) + _RUN_COST * _runs(before)
    if _gate(before, old) is not None or not work.spend(cost):
        return False
    return any(find(before, old) for _, find in STRATEGIES)


def _runs(text: Text) -> int:
    """About how many runs of blanks there are that are not one space."""
    return text.lf.count("\t") + text.lf.count("  ") + text.lf.count(" \n")


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


def _without_half_ending(text: Text, edit: StrictEdit) -> str:
    """oldText without a CR at its end that is one half of a CRLF, where newText ends no line: the line stays ended."""
    old, new = edit.old_text, edit.new_text
    is_half = old.endswith("\r") and old != "\r" and bool(new) and new[-1] not in "\r\n" and "\r\n" in text.raw
    return old[:-1] if is_half else old


def adapted(text: Text, new_text: str) -> str:
    """newText as it goes in: its line endings follow a text that has one kind, else they are as they were sent."""
    ending = uniform_ending(text) if "\n" in new_text or "\r" in new_text else None
    return new_text if ending is None else folding.lf(new_text).replace("\n", ending)


def _is_crlf(text: Text) -> bool:
    return text.raw.count("\r\n") == text.lf.count("\n")


def _raw_offset(text: Text, offset: int) -> int:
    """As `Text.raw_offset`, without a list of all line endings where they are alike."""
    if "\r" not in text.raw:
        return offset
    if _is_crlf(text):
        return offset + text.lf.count("\n", 0, offset)
    return text.raw_offset(offset)


def uniform_ending(text: Text) -> str | None:
    """The one line ending of a text; None where it has several kinds, or no line at all that ends."""
    if "\r" not in text.raw:
        return "\n" if "\n" in text.raw else None
    feeds = text.lf.count("\n")
    crlf = text.raw.count("\r\n")
    if crlf == feeds:
        return "\r\n"
    return "\r" if "\n" not in text.raw else None


def _places(text: Text, places: Sequence[Stretch]) -> tuple[tuple[int, int], ...]:
    return tuple(_lines(text, place) for place in places[:MOST_PLACES])


def _lines(text: Text, stretch: Stretch) -> tuple[int, int]:
    """The first and last line (from 1) of a stretch; a line's ending belongs to it."""
    first = text.lf.count("\n", 0, stretch.start) + 1
    return first, first + text.lf.count("\n", stretch.start, max(stretch.start, stretch.end - 1))
