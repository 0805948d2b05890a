"""Why the built-in refused a call: one Diagnosis for each failing edit, each with one true cause.

A Diagnosis is numbers and pieces of text; `messages` words it for the model and, from the same value, for people.
What the host said is borne out by the text first: where it is not (the file changed since), there is nothing to add.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.applied import already_applied
from edit_assist_ls.engine.builtin import Edit, Refused, fuzzy_finds, occurrences
from edit_assist_ls.engine.correction import drops_lines, moot_by
from edit_assist_ls.engine.diff import Diff, unified
from edit_assist_ls.engine.foreign import PROVEN, Foreign, ForeignCause, foreign_in
from edit_assist_ls.engine.indentation import relate
from edit_assist_ls.engine.matching import STRATEGIES, Span, exact, lines_of
from edit_assist_ls.engine.region import region_in
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work

Code = Literal["no-match", "whitespace-only", "ambiguous", "overlap", "no-change", "empty-old-text", "already-applied"]
"""The code of an editor's diagnostic."""

Cause = Literal[
    "moot",
    "whitespace",
    "misread-depth",
    "not-unique-in-file",
    "final-newline",
    "characters",
    "spacing",
    "part-of-line",
    "blank-lines",
    "region",
    "no-region",
    "not-searched",
    "several-whitespace",
    "several-folded",
    "several-spacing",
    "ambiguous",
    "blank",
    "overlap",
    "identical",
    "line-endings",
    "empty",
    "unsaved",
    "already-applied",
    ForeignCause,
]

PLACE_LIMIT = 10
ABOVE_LIMIT = 30
"""How many lines above a place are looked at for one that tells it from the others."""
COUNT_LIMIT = 100
"""How many places that read like an oldText are counted; so many may be more."""
BLOCK_LIMIT = 30
"""How many edits of one call are diagnosed; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines `start_line`..`end_line` (from 1, inclusive), the text of the first, and a line above it."""

    start_line: int
    end_line: int
    line: str
    above_line: int | None = None
    above: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with one edit. Lines count from 1, inclusive; None where no place is known.

    `places` holds at most `PLACE_LIMIT` of `place_count`; `likeness` (0 to 1) goes with a Nearest region;
    `other_index` is the other edit that the cause is about; `literal_count` says how many of the places that the
    built-in counts have the literal text; `further` counts the call's edits that were not looked at. `quoted` is what
    in the oldText is no text of the file, or the last line of a file that text may be added to.
    """

    edit_index: int
    code: Code
    cause: Cause
    start_line: int | None = None
    end_line: int | None = None
    places: tuple[Place, ...] = ()
    place_count: int = 0
    likeness: float | None = None
    diff: Diff | None = None
    other_index: int | None = None
    literal_count: int = 0
    further: int = 0
    quoted: str = ""


def diagnose(text: Text, edits: Sequence[Edit], refused: Refused, work: Work) -> tuple[Diagnosis, ...]:
    """The Diagnoses of a call that the host refused as `refused` says; none where `text` does not bear that out.

    Out of work, an edit gets a Diagnosis that says that it was not searched for.
    """
    if not text.comparable:
        return ()
    index = refused.edit_index if refused.edit_index is not None or len(edits) != 1 else 0
    if refused.kind == "no-change":
        return _no_change(text, edits)
    if index is None or not 0 <= index < len(edits) or not folding.comparable(edits[index].old_text):
        return ()
    if refused.kind == "overlap":
        return _overlap(text, edits, index, refused.other_index)
    if refused.kind == "empty-old-text":
        return _empty(text, edits, index)
    if refused.kind == "ambiguous":
        old = folding.lf(edits[index].old_text)
        if not old or refused.count != occurrences(text, old):
            return ()
        return _failing(text, edits, work, named=index)
    if refused.kind == "not-found":
        old = folding.lf(edits[index].old_text)
        if not old or old in text.lf or fuzzy_finds(text, old):
            return ()
        return _failing(text, edits, work, named=index)
    return ()


def only_in_a_buffer(diagnosis: Diagnosis) -> Diagnosis:
    """The Diagnosis of an edit whose oldText an editor's unsaved buffer has and the file on disk has not."""
    return Diagnosis(diagnosis.edit_index, "no-match", "unsaved", diagnosis.start_line, diagnosis.end_line)


def _failing(text: Text, edits: Sequence[Edit], work: Work, *, named: int) -> tuple[Diagnosis, ...]:
    """A Diagnosis for each edit that is not found or ambiguous; the one that the host named is searched for first."""
    found: list[Diagnosis] = []
    further = 0
    for index in sorted(range(len(edits)), key=lambda index: index != named):
        if len(found) == BLOCK_LIMIT:
            further += 1
            continue
        diagnosis = _of_edit(text, edits, index, work)
        if diagnosis:
            found.append(diagnosis)
    found.sort(key=lambda diagnosis: diagnosis.edit_index)
    if further and found:
        found[-1] = replace(found[-1], further=further)
    return tuple(found)


def _of_edit(text: Text, edits: Sequence[Edit], index: int, work: Work) -> Diagnosis | None:
    old = folding.lf(edits[index].old_text)
    if not old:
        return Diagnosis(index, "empty-old-text", "empty")
    if not folding.comparable(old) or not work.spend(3 * len(text.lf) + len(old)):
        return Diagnosis(index, "no-match", "not-searched")
    if old in text.lf or fuzzy_finds(text, old):
        return _ambiguous(text, old, index) if occurrences(text, old) > 1 else None
    return _no_match(text, edits, index, old, work)


def _no_match(text: Text, edits: Sequence[Edit], index: int, old: str, work: Work) -> Diagnosis:
    """The first cause that holds, the most particular one first."""
    other = moot_by(edits, index, work)
    if other is not None:
        return Diagnosis(index, "no-match", "moot", other_index=other)
    if not old.strip(folding.TRAILING) or not work.spend(6 * len(text.lf) + 6 * len(old)):
        return Diagnosis(index, "no-match", "not-searched" if work.spent_up else "no-region")
    for strategy in STRATEGIES if old.count("\n") <= text.line_count else ():
        spans = strategy.find(text, old, COUNT_LIMIT)
        if spans:
            return _alike(text, index, old, spans, work)
    inner = old.strip(folding.LEADING + "\n")
    if len(lines_of(old)[0]) == 1 and inner != old:
        places = exact(text, inner, COUNT_LIMIT)
        if places:
            spans = [_span(text, at, at + len(inner)) for at in places]
            return _several(text, index, "no-match", "part-of-line", spans)
    new = folding.lf(edits[index].new_text)
    foreign = foreign_in(text, old) if work.spend(16 * len(text.lf) + 16 * len(old)) else None
    if foreign is not None and foreign.cause in PROVEN:
        return _foreign(index, foreign)
    region = _region(text, index, old, work)
    applied = _already_applied(text, region, old, new, work)
    return applied or (_foreign(index, foreign) if foreign is not None else region)


def _foreign(index: int, found: Foreign) -> Diagnosis:
    return Diagnosis(index, "no-match", found.cause, found.line, found.end_line or found.line, quoted=found.quoted)


def _already_applied(text: Text, region: Diagnosis, old: str, new: str, work: Work) -> Diagnosis | None:
    near = None if region.start_line is None else (region.start_line, region.end_line or region.start_line)
    lines = already_applied(text, old, new, near, region.likeness or 0, work)
    return None if lines is None else Diagnosis(region.edit_index, "already-applied", "already-applied", *lines)


def _alike(text: Text, index: int, old: str, spans: Sequence[Span], work: Work) -> Diagnosis:
    """One or several places that a strategy found: what differs there is read off the lines themselves."""
    old_lines, _ = lines_of(old)
    blocks = [text.lines[span.line0 : span.last_line0 + 1] for span in spans]
    if len(spans) > 1:
        if all(_same_cores(old_lines, block) for block in blocks):
            return _several(text, index, "whitespace-only", "several-whitespace", spans)
        spacing = all(_without_blanks(old_lines) == _without_blanks(block) for block in blocks)
        return _several(text, index, "no-match", "several-spacing" if spacing else "several-folded", spans)
    span, file_lines = spans[0], blocks[0]
    in_file = folding.trim_line_ends(text.lf[span.start : span.end])
    if span.past_end and folding.trim_line_ends(old.removesuffix("\n")) == in_file:
        return _at(text, index, "no-match", "final-newline", old, span)
    if not _same_cores(old_lines, file_lines):
        spacing = _without_blanks(old_lines) == _without_blanks(file_lines)
        return _at(text, index, "no-match", "spacing" if spacing else "characters", old, span)
    if drops_lines(text, old_lines, span):
        return _region(text, index, old, work)
    if relate(old_lines, file_lines) is None:
        return _at(text, index, "whitespace-only", "misread-depth", old, span)
    if occurrences(text, text.lf[span.start : span.end]) > 1:
        return _at(text, index, "whitespace-only", "not-unique-in-file", old, span)
    return _at(text, index, "whitespace-only", "whitespace", old, span)


def _without_blanks(lines: Sequence[str]) -> list[str]:
    return ["".join(line.split()) for line in lines]


def _same_cores(old_lines: Sequence[str], file_lines: Sequence[str]) -> bool:
    """Whether the lines are the same, pair by pair, but for leading and trailing whitespace."""
    return list(map(_core, old_lines)) == list(map(_core, file_lines))


def _core(line: str) -> str:
    return line.lstrip(folding.LEADING).rstrip(folding.TRAILING)


def _at(text: Text, index: int, code: Code, cause: Cause, old: str, span: Span) -> Diagnosis:
    old_lines, _ = lines_of(old)
    diff = unified(old_lines, text.lines[span.line0 : span.last_line0 + 1], span.line0)
    return Diagnosis(index, code, cause, span.line0 + 1, span.last_line0 + 1, diff=diff)


def _several(text: Text, index: int, code: Code, cause: Cause, spans: Sequence[Span]) -> Diagnosis:
    places = places_of(text, spans)
    return Diagnosis(
        index, code, cause, places[0].start_line, places[0].end_line, places=places, place_count=len(spans)
    )


def _region(text: Text, index: int, old: str, work: Work) -> Diagnosis:
    old_lines, _ = lines_of(old)
    folded_old = folding.extended("\n".join(old_lines)).split("\n")
    region = region_in(text, folded_old, work)
    if region is None:
        return Diagnosis(index, "no-match", "not-searched" if work.spent_up else "no-region")
    end0 = region.line0 + region.height
    diff = unified(old_lines, text.lines[region.line0 : end0], region.line0)
    in_file = [line for line in text.lines[region.line0 : end0] if line.strip()]
    cause: Cause = "blank-lines" if in_file == [line for line in old_lines if line.strip()] else "region"
    return Diagnosis(index, "no-match", cause, region.line0 + 1, end0, likeness=region.score, diff=diff)


def places_of(text: Text, spans: Sequence[Span]) -> tuple[Place, ...]:
    """At most `PLACE_LIMIT` spans as places that can be told apart: the line above is the nearest that differs."""
    above = [_lines_above(text, span.line0) for span in spans[:PLACE_LIMIT]]
    rank = next((i for i, rows in enumerate(zip(*above, strict=False)) if len({row for _, row in rows}) > 1), 0)
    places: list[Place] = []
    for span, rows in zip(spans, above, strict=False):
        above_line, row = rows[min(rank, len(rows) - 1)] if rows else (None, "")
        places.append(Place(span.line0 + 1, span.last_line0 + 1, text.lines[span.line0], above_line, row))
    return tuple(places)


def _lines_above(text: Text, line0: int) -> list[tuple[int, str]]:
    """The nearest lines above that are not blank, nearest first, with their numbers from 1."""
    return [
        (at + 1, row) for at in range(line0 - 1, max(-1, line0 - ABOVE_LIMIT), -1) if (row := text.lines[at].strip())
    ]


def _span(text: Text, start: int, end: int) -> Span:
    return Span(start, end, text.line0_at(start), text.line0_at(max(start, end - 1)))


def _ambiguous(text: Text, old: str, index: int) -> Diagnosis:
    """Every place by the built-in's own count, which is made on the folded text: its lines are the file's lines."""
    folded, key = Text(text.folded), folding.fuzzy(old)
    spans: list[Span] = []
    at = folded.lf.find(key) if key else -1
    count = occurrences(text, old)
    while at >= 0 and len(spans) < PLACE_LIMIT:
        spans.append(_span(folded, at, at + len(key)))
        at = folded.lf.find(key, at + len(key))
    if not spans:
        first = text.lf.find(old)
        lines = _span(text, first, first + len(old)) if first >= 0 else None
        start_line, end_line = (lines.line0 + 1, lines.last_line0 + 1) if lines else (None, None)
        return Diagnosis(index, "ambiguous", "blank", start_line, end_line, place_count=count)
    places = places_of(text, spans)
    return Diagnosis(
        index,
        "ambiguous",
        "ambiguous",
        places[0].start_line,
        places[0].end_line,
        places=places,
        place_count=count,
        literal_count=text.lf.count(old),
    )


def _overlap(text: Text, edits: Sequence[Edit], index: int, other: int | None) -> tuple[Diagnosis, ...]:
    if other is None or not 0 <= other < len(edits):
        return ()
    spans: list[Span] = []
    for which in (index, other):
        old = folding.lf(edits[which].old_text)
        view = text if old in text.lf else Text(text.folded)
        key = old if view is text else folding.fuzzy(old)
        at = view.lf.find(key) if key else -1
        if at < 0:
            return ()
        spans.append(_span(view, at, at + len(key)))
    one, two = spans
    first, last = max(one.line0, two.line0), min(one.last_line0, two.last_line0)
    if first > last:
        return ()
    places = places_of(text, spans)
    return (
        Diagnosis(index, "overlap", "overlap", first + 1, last + 1, places=places, place_count=2, other_index=other),
    )


def _empty(text: Text, edits: Sequence[Edit], index: int) -> tuple[Diagnosis, ...]:
    if edits[index].old_text:
        return ()
    line_count = len(text.lines)
    last = text.lines[-1] if text.lines else ""
    return (Diagnosis(index, "empty-old-text", "empty", line_count or None, line_count or None, quoted=last),)


def _no_change(text: Text, edits: Sequence[Edit]) -> tuple[Diagnosis, ...]:
    """Each edit that changes nothing; none where the call would change the file by now."""
    found: list[Diagnosis] = []
    for index, edit in enumerate(edits[:BLOCK_LIMIT]):
        old, new = folding.lf(edit.old_text), folding.lf(edit.new_text)
        at = text.lf.find(old) if old else -1
        if at < 0:
            return ()
        if old != new:
            return ()
        cause: Cause = "identical" if edit.old_text == edit.new_text else "line-endings"
        span = _span(text, at, at + len(old))
        found.append(Diagnosis(index, "no-change", cause, span.line0 + 1, span.last_line0 + 1))
    return tuple(found)
