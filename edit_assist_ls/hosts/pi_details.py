"""What pi's edit tool says of a change beside its text: a diff to look at, a patch, and the first line that changed.

The diff shows lines as people see them, the patch those of the file itself, line endings and all.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from edit_assist_ls.engine.diff import Block, opcodes
from edit_assist_ls.engine.text import Text

CONTEXT = 4


def edit_details(path: str, before: Text, after: Text) -> dict[str, Any]:
    """`diff`, `patch` and `firstChangedLine` as pi 1.6.0 has them."""
    old, new = _split(before.lf), _split(after.lf)
    blocks = opcodes(old, new)
    details = {"diff": "\n".join(_diff(old, new, blocks, before, after)), "patch": _patch(path, before, after)}
    first = next((block.b0 + 1 for block in blocks if not block.equal), None)
    return details if first is None else {**details, "firstChangedLine": first}


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


def _patch(path: str, before: Text, after: Text) -> str:
    """A unified patch of the file's own lines."""
    old, new = _split(before.raw), _split(after.raw)
    rows = [f"--- {path}", f"+++ {path}"]
    for hunk in _hunks(opcodes(old, new)):
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
