"""Which edits may be rewritten before the built-in runs, and to what.

An edit is corrected on its own merits: its literal text is absent, one place reads as it does but for leading or
trailing whitespace, and the file's text for that place occurs once by the built-in's own counting. A call with
corrections is run through the model of the built-in before it is given back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rapidfuzz.distance import LCSseq

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import (
    Applied,
    Edit,
    Located,
    Refused,
    apply,
    carry_out,
    fuzzy_finds,
    locate,
    occurrences,
)
from edit_assist_ls.engine.indentation import Relation, carried, relate, style_of
from edit_assist_ls.engine.matching import STRATEGIES, Span, exact, lines_of
from edit_assist_ls.engine.text import Text, line_end, line_start
from edit_assist_ls.engine.work import Work

Mode = Literal["carry", "oldText", "off"]
PAIRING_LIMIT = 4_000_000
"""Lines of oldText times lines of newText beyond which shared lines are paired at the ends alone."""
REACH = 2
"""How many lines beside a match may belong to what the agent had in mind."""
_EDIT_COST = 50
WIDEN_LIMIT = 8
"""By how many neighbouring lines an edit may grow."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One corrected edit: lines from 1, inclusive, in the text that the call meets.

    `whitespace`: oldText became the file's text at its one place. `widened`: it matched once, and grew by whole
    neighbouring lines until the built-in counts it once too. `new_text` says whether newText changed with it.
    """

    edit_index: int
    kind: Literal["whitespace", "widened"]
    start_line: int
    end_line: int
    new_text: Literal["carried", "verbatim"]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A call after correction: its edits, what was corrected (nothing: leave it alone), and what becomes of it."""

    edits: tuple[Edit, ...]
    corrections: tuple[Correction, ...]
    outcome: Applied | Refused


@dataclass(frozen=True, slots=True)
class _Proposal:
    edit: Edit
    correction: Correction
    span: Span


def correct(text: Text, edits: Sequence[Edit], mode: Mode, work: Work) -> Corrected:
    """The call with every edit corrected that may be. Out of work, the edits not yet searched for stay as they are."""
    located = locate(text, edits, work)
    settled = mode == "off" or not text.comparable or (isinstance(located, Located) and not located.in_folded)
    proposals = {} if settled else _proposals(text, edits, mode, work)
    while proposals:
        proposed = tuple(proposals[i].edit if i in proposals else edit for i, edit in enumerate(edits))
        clash = _clashing(text, proposed, proposals, work)
        if clash:
            proposals = {i: p for i, p in proposals.items() if i not in clash}
            continue
        outcome = apply(text, proposed, work)
        if isinstance(outcome, Refused) and (
            isinstance(located, Located)
            or outcome.kind in ("no-change", "unsearched")
            or {outcome.edit_index, outcome.other_index} & proposals.keys()
        ):
            break
        return Corrected(proposed, tuple(p.correction for _, p in sorted(proposals.items())), outcome)
    return Corrected(tuple(edits), (), carry_out(text, located))


def _proposals(text: Text, edits: Sequence[Edit], mode: Mode, work: Work) -> dict[int, _Proposal]:
    proposals: dict[int, _Proposal] = {}
    to_widen: list[int] = []
    for index, edit in enumerate(edits):
        old = folding.lf(edit.old_text)
        if not old or not folding.comparable(old) or not work.spend(2 * len(text.lf)):
            continue
        if old in text.lf:
            if mode == "carry" and occurrences(text, old) > 1:
                to_widen.append(index)
        elif old.strip(folding.TRAILING):
            proposal = _whitespace(text, index, edits, mode, work)
            if proposal:
                proposals[index] = proposal
    for index in to_widen:
        taken = _spans(
            text, [p.edit if (p := proposals.get(i)) else e for i, e in enumerate(edits) if i != index], work
        )
        proposal = _widened(text, index, edits[index], taken, work)
        if proposal:
            proposals[index] = proposal
    return proposals


def _whitespace(text: Text, index: int, edits: Sequence[Edit], mode: Mode, work: Work) -> _Proposal | None:
    """One edit, its oldText absent, with the oldText as the file has it, where that is provable.

    What the built-in's fuzzy step finds is the built-in's to place: only a strategy within that step may then speak.
    """
    edit = replace(edits[index], old_text=folding.lf(edits[index].old_text))
    if not work.spend(5 * len(text.lf) + 5 * len(edit.old_text)):
        return None
    fuzzy = fuzzy_finds(text, edit.old_text)
    for strategy in STRATEGIES:
        if strategy.applicability != "safe" or (fuzzy and not strategy.within_fuzzy):
            return None
        spans = strategy.find(text, edit.old_text, 2)
        if not spans:
            continue
        if len(spans) > 1 or not _differs_in_whitespace(text, edit.old_text, spans[0], mode):
            return None
        if moot_by(edits, index, work) is not None or work.spent_up:
            return None
        return _proposal(text, index, edit, spans[0], mode)
    return None


def moot_by(edits: Sequence[Edit], index: int, work: Work) -> int | None:
    """The first other edit whose newText brings in the literal text of this edit's oldText; None out of work too."""
    if len(edits) == 1 or not work.spend(sum(_EDIT_COST + len(edit.new_text) for edit in edits)):
        return None
    old = folding.lf(edits[index].old_text)
    for other, edit in enumerate(edits):
        if other != index and old in folding.lf(edit.new_text) and old not in folding.lf(edit.old_text):
            return other
    return None


def drops_lines(text: Text, old_lines: Sequence[str], span: Span) -> bool:
    """Whether oldText's lines stand literally and in order around `span`, with other lines between them.

    Then the agent left lines out, and that the rest reads like `span` but for whitespace is chance.
    """
    above = next(start for n in range(REACH, -1, -1) if (start := line_start(text.lf, span.start, n)) >= 0)
    below = next(end for n in range(REACH, -1, -1) if (end := line_end(text.lf, span.end, n)) >= 0)
    near = iter(text.lf[above:below].split("\n"))
    return all(any(line == old for line in near) for old in old_lines)


def _differs_in_whitespace(text: Text, old_text: str, span: Span, mode: Mode) -> bool:
    """Whether leading or trailing whitespace is all that differs: leading alone where oldText alone is replaced."""
    if mode == "oldText":
        if span.past_end:
            return False
        return folding.bare(old_text) == folding.bare(text.lf[span.start : span.end])
    old_lines, file_lines = _paired_lines(old_text, text.lf[span.start : span.end], past_end=span.past_end)
    return all(
        old.lstrip(folding.LEADING).rstrip(folding.TRAILING) == file.lstrip(folding.LEADING).rstrip(folding.TRAILING)
        for old, file in zip(old_lines, file_lines, strict=True)
    )


def _proposal(text: Text, index: int, edit: Edit, span: Span, mode: Mode) -> _Proposal | None:
    in_file = text.lf[span.start : span.end]
    if not in_file or text.lf.find(in_file, text.lf.find(in_file) + 1) >= 0 or occurrences(text, in_file) != 1:
        return None
    new_text = edit.new_text
    if mode == "carry":
        relation = relate(*_paired_lines(edit.old_text, in_file, past_end=span.past_end))
        if relation is None or (relation.changes and drops_lines(text, lines_of(edit.old_text)[0], span)):
            return None
        new_text = _carried_text(text, edit, in_file, span, relation)
    correction = Correction(
        index,
        "whitespace",
        span.line0 + 1,
        span.last_line0 + 1,
        "verbatim" if new_text == edit.new_text else "carried",
    )
    return _Proposal(Edit(in_file, new_text), correction, span)


def _paired_lines(old_text: str, in_file: str, *, past_end: bool) -> tuple[list[str], list[str]]:
    if past_end:
        old_text = old_text.removesuffix("\n")
    return old_text.split("\n"), in_file.split("\n")


def _carried_text(text: Text, edit: Edit, in_file: str, span: Span, relation: Relation) -> str:
    """newText with the lines that it shares with oldText as the file has them, and the file's indentation elsewhere."""
    old_lines, file_lines = _paired_lines(edit.old_text, in_file, past_end=span.past_end)
    new_text = folding.lf(edit.new_text)
    if span.past_end:
        new_text = new_text.removesuffix("\n")
    new_lines = new_text.split("\n")
    if stands_as_in_file(old_lines, file_lines, new_lines):
        return edit.new_text if not span.past_end else new_text
    shared = shared_lines(old_lines, new_lines)
    style = style_of(relation, [*new_lines, *old_lines], text, span.line0) if relation.changes else None
    out: list[str] = []
    for at, line in enumerate(new_lines):
        if at in shared:
            out.append(file_lines[shared[at]])
        elif style is None or not line.strip():
            out.append(line)
        else:
            indent = folding.indentation(line)
            out.append(carried(indent, relation, style) + line[len(indent) :])
    carried_text = "\n".join(out)
    return edit.new_text if carried_text == folding.lf(edit.new_text) else carried_text


def stands_as_in_file(old_lines: Sequence[str], file_lines: Sequence[str], new_lines: Sequence[str]) -> bool:
    """Whether newText was written with the file's indentation already.

    Evidence are its lines that oldText drifted on: as the file has them, or as the agent wrote oldText. Where it has
    neither, its first line's indentation speaks, if it is the file's there and none of oldText's.
    """
    drifted = [
        (o, f) for o, f in zip(old_lines, file_lines, strict=True) if folding.indentation(o) != folding.indentation(f)
    ]
    as_written, as_in_file = {o for o, _ in drifted}, {f for _, f in drifted}
    new = {line for line in new_lines if line.strip()}
    if new & (as_written - as_in_file):
        return False
    if new & (as_in_file - as_written):
        return True
    first = next((line for line in new_lines if line.strip()), "")
    indents = {folding.indentation(o) for o in old_lines if o.strip()}
    first_drifted = drifted[0][1] if drifted and drifted[0][0] == next(o for o in old_lines if o.strip()) else None
    return (
        first_drifted is not None
        and folding.indentation(first) == folding.indentation(first_drifted)
        and not any(folding.indentation(line) in indents for line in new)
    )


def shared_lines(old_lines: Sequence[str], new_lines: Sequence[str]) -> dict[int, int]:
    """Which line of newText is which of oldText: equal lines, paired in order (ends first, then what lies between)."""
    shortest = min(len(old_lines), len(new_lines))
    head = next((i for i in range(shortest) if old_lines[i] != new_lines[i]), shortest)
    tail = next((i for i in range(shortest - head) if old_lines[-1 - i] != new_lines[-1 - i]), shortest - head)
    shared = {i: i for i in range(head)}
    shared |= {len(new_lines) - 1 - i: len(old_lines) - 1 - i for i in range(tail)}
    old_middle, new_middle = old_lines[head : len(old_lines) - tail], new_lines[head : len(new_lines) - tail]
    if old_middle and new_middle and len(old_middle) * len(new_middle) <= PAIRING_LIMIT:
        for block in LCSseq.opcodes(old_middle, new_middle).as_matching_blocks():
            shared |= {head + block.b + i: head + block.a + i for i in range(block.size)}
    return shared


def _spans(text: Text, edits: Sequence[Edit], work: Work) -> list[tuple[int, int]]:
    """The offsets of the edits that stand literally and once."""
    spans: list[tuple[int, int]] = []
    for edit in edits:
        old = folding.lf(edit.old_text)
        if old and work.spend(len(text.lf)):
            at = text.lf.find(old)
            if at >= 0:
                spans.append((at, at + len(old)))
    return spans


def _clashing(text: Text, edits: Sequence[Edit], proposals: dict[int, _Proposal], work: Work) -> set[int]:
    """The corrected edits whose text overlaps that of another edit, located as the built-in would locate them all.

    An edit that is not found takes no place. Out of work, the rest is left to the check of the whole call.
    """
    olds = [folding.lf(edit.old_text) for edit in edits]
    usable = [
        (i, old) for i, old in enumerate(olds) if old and folding.comparable(old) and work.spend(2 * len(text.lf))
    ]
    in_folded = any(old not in text.lf and fuzzy_finds(text, old) for _, old in usable)
    base = text.folded if in_folded else text.lf
    located: list[tuple[int, int, int]] = []
    for index, old in usable:
        at = base.find(old)
        if at < 0 and in_folded:
            old = folding.fuzzy(old)
            at = base.find(old)
        if at >= 0:
            located.append((at, at + len(old), index))
    located.sort()
    clash: set[int] = set()
    reach, holder = -1, -1
    for start, end, index in located:
        if start < reach:
            clash |= {index, holder} & proposals.keys()
        if end > reach:
            reach, holder = end, index
    return clash


def _widened(text: Text, index: int, edit: Edit, taken: Sequence[tuple[int, int]], work: Work) -> _Proposal | None:
    """`edit`, which stands literally but is counted more than once, grown by the fewest whole lines that help."""
    old = folding.lf(edit.old_text)
    places = exact(text, old, 2)
    if len(places) != 1:
        return None
    start, end = places[0], places[0] + len(old)
    first, last = text.line0_at(start), text.line0_at(max(start, end - 1))
    for extra in range(WIDEN_LIMIT + 1):
        for above in range(extra + 1):
            top, bottom = first - above, last + extra - above
            if top < 0 or bottom >= len(text.lines):
                continue
            grown_start, grown_end = text.line_starts[top], text.line_starts[bottom] + len(text.lines[bottom])
            grown_end = max(grown_end, end)
            if any(grown_start < e and s < grown_end for s, e in taken):
                continue
            if not work.spend(len(text.lf)):
                return None
            grown = text.lf[grown_start:grown_end]
            if occurrences(text, grown) == 1:
                new = text.lf[grown_start:start] + folding.lf(edit.new_text) + text.lf[end:grown_end]
                correction = Correction(index, "widened", top + 1, bottom + 1, "carried")
                return _Proposal(Edit(grown, new), correction, Span(grown_start, grown_end, top, bottom))
    return None
