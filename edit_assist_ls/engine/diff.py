"""A bounded unified diff from an oldText to the file's lines, readable where only whitespace or look-alikes differ.

Bounds: `SIDE_LIMIT` lines of each side are compared; `LINE_LIMIT` lines and `CHARACTER_LIMIT` characters come out, the
two header lines and the end mark that a renderer adds included; a line longer than `WIDTH` is cut around the place
where it differs.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from rapidfuzz.distance import LCSseq

from edit_assist_ls.engine import folding

SIDE_LIMIT = 300
LINE_LIMIT = 40
CHARACTER_LIMIT = 1_200
RESERVED = 260
"""Characters of the limit that are left to the header and the end mark."""
WIDTH = 160
CONTEXT = 2
DIFFERENCE_LIMIT = 4
COMPARED_WIDTH = 2_000
RUN_LIMIT = 3
"""Of how many runs of one character a difference may be made and still be told by its code points."""
SPACE_SIGN, TAB_SIGN, CUT = "·", "→", "…"


class Block(NamedTuple):
    """Lines (or characters) `a0`..`a1` of one side stand for `b0`..`b1` of the other, the same or not."""

    equal: bool
    a0: int
    a1: int
    b0: int
    b1: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Characters of a file's line (from 1) that are easily taken for what oldText has in their place.

    `form` says that the lines are canonically equal, and which normal form the file's is in.
    """

    line: int
    in_old: str
    in_file: str
    form: Literal["NFC", "NFD"] | None = None


@dataclass(frozen=True, slots=True)
class Diff:
    """Lines of hunks with their marks: `@@`, space, `-` for oldText, `+` for the file. `dropped` more did not fit.

    `whitespace_shown` says that in some lines `·` stands for a space and `→` for a tab.
    """

    hunks: tuple[str, ...]
    dropped: int
    whitespace_shown: bool
    differences: tuple[Difference, ...]


def unified(old_lines: Sequence[str], file_lines: Sequence[str], line0: int) -> Diff:
    """The diff of an oldText's lines to `file_lines`, which stand from `line0` on in the file."""
    unseen = sum(max(0, len(side) - SIDE_LIMIT) for side in (old_lines, file_lines))
    old_lines, file_lines = old_lines[:SIDE_LIMIT], file_lines[:SIDE_LIMIT]
    blocks = opcodes(old_lines, file_lines)
    rows: list[str] = []
    shown = False
    differences: list[Difference] = []
    for hunk in _hunks(blocks):
        first, last = hunk[0], hunk[-1]
        rows.append(
            f"@@ -{first.a0 + 1},{last.a1 - first.a0} +{line0 + first.b0 + 1},{last.b1 - first.b0} @@",
        )
        for block in hunk:
            if block.equal:
                rows += [" " + _cut(line, 0) for line in old_lines[block.a0 : block.a1]]
                continue
            changed = _changed(old_lines[block.a0 : block.a1], file_lines[block.b0 : block.b1])
            rows += changed.rows
            shown |= changed.whitespace_shown
            for own, theirs in changed.pairs:
                differences += look_alikes(
                    old_lines[block.a0 + own], file_lines[block.b0 + theirs], line0 + block.b0 + theirs + 1
                )
    fitting = _fitting(rows)
    unique: dict[tuple[str, str], Difference] = {}
    for difference in differences:
        unique.setdefault((difference.in_old, difference.in_file), difference)
    kept = tuple(unique.values())[:DIFFERENCE_LIMIT]
    return Diff(tuple(rows[:fitting]), len(rows) - fitting + unseen, shown, kept)


def opcodes(a: Sequence[str], b: Sequence[str]) -> list[Block]:
    """What changes between two sequences, in order; neighbouring deletions and insertions are one block."""
    shortest = min(len(a), len(b))
    head = next((i for i in range(shortest) if a[i] != b[i]), shortest)
    tail = next((i for i in range(shortest - head) if a[-1 - i] != b[-1 - i]), shortest - head)
    blocks = [Block(True, 0, head, 0, head)] if head else []
    for op in LCSseq.opcodes(a[head : len(a) - tail], b[head : len(b) - tail]):
        block = Block(
            op.tag == "equal",
            op.src_start + head,
            op.src_end + head,
            op.dest_start + head,
            op.dest_end + head,
        )
        if blocks and blocks[-1].equal == block.equal:
            block = Block(block.equal, blocks[-1].a0, block.a1, blocks.pop().b0, block.b1)
        blocks.append(block)
    if tail:
        last = Block(True, len(a) - tail, len(a), len(b) - tail, len(b))
        if blocks and blocks[-1].equal:
            last = Block(True, blocks[-1].a0, last.a1, blocks.pop().b0, last.b1)
        blocks.append(last)
    return blocks


def _hunks(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """The blocks in groups, with `CONTEXT` equal lines around each change and the rest of the equal lines left out."""
    group: list[Block] = []
    for at, block in enumerate(blocks):
        if not block.equal:
            group.append(block)
            continue
        size = block.a1 - block.a0
        before = min(size, CONTEXT) if at else 0
        after = min(size, CONTEXT) if at < len(blocks) - 1 else 0
        if group and size > 2 * CONTEXT:
            yield [*group, _part(block, 0, before)] if before else group
            group = []
        elif group:
            group.append(_part(block, 0, size if after else before))
            continue
        if after:
            group.append(_part(block, size - after, size))
    if any(not block.equal for block in group):
        yield group


def _part(block: Block, start: int, end: int) -> Block:
    return Block(block.equal, block.a0 + start, block.a0 + end, block.b0 + start, block.b0 + end)


@dataclass(frozen=True, slots=True)
class _Changed:
    rows: list[str]
    pairs: list[tuple[int, int]]
    whitespace_shown: bool


def _changed(old_lines: Sequence[str], file_lines: Sequence[str]) -> _Changed:
    """The rows of a changed block: lines that stand for each other are paired, so that what differs can be shown."""
    partner = _partners(old_lines, file_lines)
    old_rows, file_rows = list(old_lines), list(file_lines)
    focus_old, focus_file = [0] * len(old_rows), [0] * len(file_rows)
    shown = False
    for own, theirs in partner:
        focus = _first_difference(old_lines[own], file_lines[theirs])
        focus_old[own] = focus_file[theirs] = focus
        pair = with_whitespace_shown(old_lines[own], file_lines[theirs])
        if pair is not None and _akin(old_lines[own], file_lines[theirs]):
            old_rows[own], file_rows[theirs] = pair
            shown = True
    rows = ["-" + _cut(row, focus_old[at]) for at, row in enumerate(old_rows)]
    rows += ["+" + _cut(row, focus_file[at]) for at, row in enumerate(file_rows)]
    return _Changed(rows, partner, shown)


def _partners(old_lines: Sequence[str], file_lines: Sequence[str]) -> list[tuple[int, int]]:
    if len(old_lines) == len(file_lines):
        return [(at, at) for at in range(len(old_lines))]
    wanted = {"".join(line.split()): at for at, line in enumerate(file_lines) if line.strip()}
    found = [(at, wanted.get("".join(line.split()), -1)) for at, line in enumerate(old_lines)]
    return [(own, theirs) for own, theirs in found if theirs >= 0]


def _akin(one: str, other: str) -> bool:
    """Whether two lines are alike enough that their whitespace is worth comparing."""
    one, other = one.strip()[:COMPARED_WIDTH], other.strip()[:COMPARED_WIDTH]
    return LCSseq.normalized_similarity(one, other) >= 0.5


def _first_difference(one: str, other: str) -> int:
    shortest = min(len(one), len(other))
    return next((i for i in range(shortest) if one[i] != other[i]), shortest)


def with_whitespace_shown(old: str, file: str) -> tuple[str, str] | None:
    """Both lines with the whitespace in which they differ made visible; None where they differ in none."""
    old_lead, file_lead = folding.indentation(old), folding.indentation(file)
    old_body, file_body = old[len(old_lead) :], file[len(file_lead) :]
    old_core, file_core = old_body.rstrip(" \t"), file_body.rstrip(" \t")
    old_tail, file_tail = old_body[len(old_core) :], file_body[len(file_core) :]
    inner = old_core != file_core and _words(old_core) == _words(file_core)
    if old_lead == file_lead and old_tail == file_tail and not inner:
        return None
    old_parts, file_parts = [old_lead, old_core, old_tail], [file_lead, file_core, file_tail]
    for at, differs in enumerate((old_lead != file_lead, inner, old_tail != file_tail)):
        if differs:
            old_parts[at], file_parts[at] = _signs(old_parts[at]), _signs(file_parts[at])
    return "".join(old_parts), "".join(file_parts)


def _words(text: str) -> list[str]:
    return [word for word in text.replace("\t", " ").split(" ") if word]


def _signs(whitespace: str) -> str:
    return whitespace.replace(" ", SPACE_SIGN).replace("\t", TAB_SIGN)


def _cut(line: str, focus: int) -> str:
    """At most `WIDTH` characters of a line, around `focus`; what was cut is marked."""
    if len(line) <= WIDTH:
        return line
    start = max(0, min(focus - WIDTH // 3, len(line) - WIDTH))
    end = start + WIDTH
    return (CUT if start else "") + line[start:end] + (CUT if end < len(line) else "")


def _fitting(rows: Sequence[str]) -> int:
    """How many of the rows fit the bounds."""
    used = 0
    for at, row in enumerate(rows):
        used += len(row) + 1
        if at >= LINE_LIMIT - 3 or used > CHARACTER_LIMIT - RESERVED:
            return at
    return len(rows)


def look_alikes(old: str, file: str, line: int) -> list[Difference]:
    """What differs between two lines in characters that are not plain ASCII text, and so easily goes unseen."""
    if old == file or max(len(old), len(file)) > COMPARED_WIDTH or (_plain(old) and _plain(file)):
        return []
    if unicodedata.normalize("NFC", old) == unicodedata.normalize("NFC", file):
        return [Difference(line, "", "", "NFC" if unicodedata.is_normalized("NFC", file) else "NFD")]
    blocks = opcodes(old, file)
    if sum(block.a1 - block.a0 for block in blocks if block.equal) * 2 < len(old):
        return []
    changed = [(old[block.a0 : block.a1], file[block.b0 : block.b1]) for block in blocks if not block.equal]
    return [
        Difference(line, before, after)
        for before, after in changed
        if max(_runs(before), _runs(after)) <= RUN_LIMIT and not (_plain(before) and _plain(after))
    ]


def _runs(text: str) -> int:
    """How many runs of one character a text is made of."""
    return sum(1 for _ in groupby(text))


def _plain(text: str) -> bool:
    return text.isascii() and (text.isprintable() or text.replace("\t", "").isprintable())
