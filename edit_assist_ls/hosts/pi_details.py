"""What pi's edit tool says of a change beside its text: a diff to look at, a patch, and the first line that changed.

The diff shows lines as people see them, the patch those of the file itself, line endings and all.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.diff import Block, opcodes
from edit_assist_ls.engine.strict_changes import Change
from edit_assist_ls.engine.text import Text

CONTEXT = 4
MAX_PAIRS = 4_000_000
"""So many pairs of lines are held against each other to find the equal ones among those that changed."""


def edit_details(path: str, before: Text, after: Text, changes: Sequence[Change]) -> dict[str, Any]:
    """`diff`, `patch` and `firstChangedLine` as pi 1.6.0 has them. `changes`: all that changed, in order.

    Texts that are too large to be held against each other line by line differ by these changes; one that is too
    large itself is one block.
    """
    old, new = _split(before.lf), _split(after.lf)
    whole_lines = _whole_lines(before.raw, changes)

    def blocks_of(old: Sequence[str], new: Sequence[str], feeds: Callable[[str], int]) -> list[Block]:
        if len(old) * len(new) <= MAX_PAIRS or not changes:
            return opcodes(old, new)
        return _around(old, new, [_lines_of(before.raw, after.raw, change, feeds) for change in whole_lines])

    blocks = blocks_of(old, new, lambda text: folding.lf(text).count("\n"))
    raw_old, raw_new = _split(before.raw), _split(after.raw)
    raw_blocks = blocks_of(raw_old, raw_new, lambda text: text.count("\n"))
    details = {
        "diff": "\n".join(_diff(old, new, blocks, before, after)),
        "patch": _patch(path, raw_old, raw_new, raw_blocks),
    }
    first = next((block.b0 + 1 for block in blocks if not block.equal), None)
    return details if first is None else {**details, "firstChangedLine": first}


def _whole_lines(before: str, changes: Sequence[Change]) -> list[Change]:
    """The changes grown to whole lines; those that meet are one."""
    grown: list[Change] = []
    for change in changes:
        start = before.rfind("\n", 0, change.start) + 1
        end = before.find("\n", change.end) + 1 or len(before)
        new_start, new_end = change.new_start - (change.start - start), change.new_end + (end - change.end)
        if grown and start <= grown[-1].end:
            last = grown.pop()
            start, new_start = last.start, last.new_start
        grown.append(Change(start, end, new_start, new_end))
    return grown


def _lines_of(before: str, after: str, change: Change, feeds: Callable[[str], int]) -> Block:
    """The lines (from 0) of a change of whole lines, by their line feeds."""
    a0, b0 = feeds(before[: change.start]), feeds(after[: change.new_start])
    a_lines, b_lines = before[change.start : change.end], after[change.new_start : change.new_end]
    a1 = a0 + feeds(a_lines) + (a_lines != "" and not a_lines.endswith("\n"))
    b1 = b0 + feeds(b_lines) + (b_lines != "" and not b_lines.endswith("\n"))
    return Block(False, a0, a1, b0, b1)


def _around(old: Sequence[str], new: Sequence[str], changed: Sequence[Block]) -> list[Block]:
    """All lines as blocks: those between the changed ones are equal."""
    blocks: list[Block] = []
    a = b = 0
    for change in changed:
        blocks.append(Block(True, a, change.a0, b, change.b0))
        a, b = change.a1, change.b1
        theirs, ours = old[change.a0 : a], new[change.b0 : b]
        inner = (
            opcodes(theirs, ours)
            if len(theirs) * len(ours) <= MAX_PAIRS
            else [Block(False, 0, len(theirs), 0, len(ours))]
        )
        blocks += [
            Block(one.equal, one.a0 + change.a0, one.a1 + change.a0, one.b0 + change.b0, one.b1 + change.b0)
            for one in inner
        ]
    blocks.append(Block(True, a, len(old), b, len(new)))
    joined: list[Block] = []
    for block in blocks:
        if (block.a0, block.b0) == (block.a1, block.b1):
            continue
        if joined and joined[-1].equal == block.equal:
            last = joined.pop()
            block = Block(block.equal, last.a0, block.a1, last.b0, block.b1)
        joined.append(block)
    return joined


def _split(text: str) -> list[str]:
    """Lines with their line feeds; the last one may lack it."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _diff(old: Sequence[str], new: Sequence[str], blocks: Sequence[Block], before: Text, after: Text) -> Iterator[str]:
    width = len(str(max(before.lf.count("\n"), after.lf.count("\n")) + 1))
    for at, block in enumerate(blocks):
        if not block.equal:
            for line0 in range(block.a0, block.a1):
                yield f"-{line0 + 1:>{width}} {_bare(old[line0])}"
            for line0 in range(block.b0, block.b1):
                yield f"+{line0 + 1:>{width}} {_bare(new[line0])}"
            continue
        shown = _context(block.a1 - block.a0, follows=at > 0, precedes=at < len(blocks) - 1)
        for line in shown:
            if line is None:
                yield f" {'':>{width}} ..."
            else:
                yield f" {block.a0 + line + 1:>{width}} {_bare(old[block.a0 + line])}"


def _bare(line: str) -> str:
    return line.removesuffix("\n")


def _context(count: int, *, follows: bool, precedes: bool) -> list[int | None]:
    """Which of `count` equal lines are shown, None for those that are left out."""
    if follows and precedes:
        if count <= 2 * CONTEXT:
            return list(range(count))
        return [*range(CONTEXT), None, *range(count - CONTEXT, count)]
    if follows:
        return [*range(min(count, CONTEXT)), *([None] if count > CONTEXT else [])]
    if precedes:
        return [*([None] if count > CONTEXT else []), *range(max(0, count - CONTEXT), count)]
    return []


def _patch(path: str, old: Sequence[str], new: Sequence[str], blocks: Sequence[Block]) -> str:
    """A unified patch of the file's own lines."""
    rows = [f"--- {path}", f"+++ {path}"]
    for hunk in _hunks(blocks):
        a0, a1, b0, b1 = hunk[0].a0, hunk[-1].a1, hunk[0].b0, hunk[-1].b1
        rows.append(f"@@ -{a0 + (a1 > a0)},{a1 - a0} +{b0 + (b1 > b0)},{b1 - b0} @@")
        for block in hunk:
            if block.equal:
                rows += _rows(" ", old[block.a0 : block.a1])
            else:
                rows += _rows("-", old[block.a0 : block.a1])
                rows += _rows("+", new[block.b0 : block.b1])
    return "\n".join(rows) + "\n"


def _rows(sign: str, lines: Sequence[str]) -> list[str]:
    rows: list[str] = []
    for line in lines:
        rows.append(sign + _bare(line))
        if not line.endswith("\n"):
            rows.append("\\ No newline at end of file")
    return rows


def _hunks(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Changes with `CONTEXT` equal lines around them; those that are near each other are one hunk."""
    hunk: list[Block] = []
    for at, block in enumerate(blocks):
        if not block.equal:
            hunk.append(block)
            continue
        count = block.a1 - block.a0
        if hunk and (at == len(blocks) - 1 or count > 2 * CONTEXT):
            kept = min(count, CONTEXT)
            yield [*hunk, Block(True, block.a0, block.a0 + kept, block.b0, block.b0 + kept)]
            hunk = []
        elif hunk:
            hunk.append(block)
            continue
        if at < len(blocks) - 1:
            kept = min(count, CONTEXT)
            hunk = [Block(True, block.a1 - kept, block.a1, block.b1 - kept, block.b1)]
    if any(not block.equal for block in hunk):
        yield hunk
