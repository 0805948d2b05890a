"""Where whole lines that were seen in a file stand in it now: by their own text, and the lines beside them.

A block that stands in several places is followed only where something says which one it is: the lines beside it, its
old place, or that there are as many places as there were blocks. Else it counts as gone, rather than misplaced.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.text import Text

MOST_PLACES = 1_000
MOST_LANDINGS = 50


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a file as they were seen at `line0`; `above` and `below` are the lines beside them, None at an end."""

    line0: int
    lines: tuple[str, ...]
    above: str | None = None
    below: str | None = None


def block_of(text: Text, line0: int, last_line0: int) -> Block:
    """The lines `line0`..`last_line0` of a text as a block."""
    return Block(
        line0,
        tuple(text.lines[line0 : last_line0 + 1]),
        text.lines[line0 - 1] if line0 else None,
        text.lines[last_line0 + 1] if last_line0 + 1 < len(text.lines) else None,
    )


def stands_at(text: Text, lines: Sequence[str]) -> list[int]:
    """The lines (from 0) at which `lines` stand one below the other, `MOST_PLACES` at most."""
    if not lines or len(lines) > len(text.lines):
        return []
    framed, wanted = f"\n{text.lf}" + ("" if text.lf.endswith("\n") else "\n"), "\n" + "\n".join(lines) + "\n"
    found: list[int] = []
    line0, counted, at = 0, 0, framed.find(wanted)
    while at >= 0 and len(found) < MOST_PLACES:
        line0 += framed.count("\n", counted, at)
        counted = at
        found.append(line0)
        at = framed.find(wanted, at + 1)
    return found


def follow(text: Text, blocks: Sequence[Block]) -> tuple[int | None, ...]:
    """For each block the line (from 0) at which it stands now, None where it is gone; no two at one line."""
    by_lines: dict[tuple[str, ...], list[int]] = {}
    for index, block in enumerate(blocks):
        by_lines.setdefault(block.lines, []).append(index)
    found: list[int | None] = [None] * len(blocks)
    for lines, alike in by_lines.items():
        places = stands_at(text, lines)
        if len(places) == len(alike):
            for index, at in zip(sorted(alike, key=lambda i: blocks[i].line0), places, strict=True):
                found[index] = at
            continue
        for index, at in _chosen(text, {index: blocks[index] for index in alike}, places).items():
            found[index] = at
    return tuple(found)


def landing_lines(text: Text, edits: Sequence[Edit]) -> tuple[tuple[int, int] | None, ...]:
    """The first and last line (from 1) that each newText has once all edits are made; None for one that is not literal.

    At most `MOST_LANDINGS` edits are looked for.
    """
    found: list[tuple[int, int, int, int]] = []
    for index, edit in enumerate(edits[:MOST_LANDINGS]):
        old, new = folding.lf(edit.old_text), folding.lf(edit.new_text)
        at = text.lf.find(old) if old else -1
        if at >= 0:
            found.append((at, index, old.count("\n"), new.count("\n")))
    lines: list[tuple[int, int] | None] = [None] * len(edits)
    shift = counted = line = 0
    for at, index, old_feeds, new_feeds in sorted(found):
        line += text.lf.count("\n", counted, at)
        counted = at
        ended = new_feeds > 0 and edits[index].new_text.endswith("\n")
        lines[index] = (line + shift + 1, line + shift + 1 + new_feeds - ended)
        shift += new_feeds - old_feeds
    return tuple(lines)


def _chosen(text: Text, alike: Mapping[int, Block], places: Sequence[int]) -> dict[int, int]:
    """Places of blocks that read alike, the surest first.

    Sure is where both neighbours are the block's (the nearest such place), then the only place where one is, then the
    old place.
    """
    found: dict[int, int] = {}
    free, open_blocks = list(places), dict(alike)
    for sure in (_framed, _half_framed, _where_it_was):
        for index, block in list(open_blocks.items()):
            at = sure(text, block, free)
            if at is not None:
                found[index] = at
                free.remove(at)
                del open_blocks[index]
    return found


def _framed(text: Text, block: Block, free: Sequence[int]) -> int | None:
    framed = [at for at in free if _neighbours(text, block, at) == 2]
    return min(framed, key=lambda at: abs(at - block.line0), default=None)


def _half_framed(text: Text, block: Block, free: Sequence[int]) -> int | None:
    framed = [at for at in free if _neighbours(text, block, at) == 1]
    return framed[0] if len(framed) == 1 else _where_it_was(text, block, framed)


def _where_it_was(_text: Text, block: Block, free: Sequence[int]) -> int | None:
    return block.line0 if block.line0 in free else None


def _neighbours(text: Text, block: Block, at: int) -> int:
    now = block_of(text, at, at + len(block.lines) - 1)
    return (now.above == block.above) + (now.below == block.below)
