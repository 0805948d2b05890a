"""What several edits, each made in the text that the earlier ones left, change of the text before the first."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """Half-open ranges of offsets in the raw texts before and after: what stood at the one is at the other now."""

    start: int
    end: int
    new_start: int
    new_end: int


def note_change(changes: list[Change], start: int, end: int, length: int) -> None:
    """Add an edit to those made so far: `start`..`end` of the text that they left became `length` characters.

    `changes` are in order and apart from each other; those that the edit touches become one with it.
    """
    first = next((at for at, one in enumerate(changes) if one.new_end >= start), len(changes))
    last = next((at for at in range(first, len(changes)) if changes[at].new_start > end), len(changes))
    shift = changes[first - 1].end - changes[first - 1].new_end if first else 0
    old_start, new_start = start + shift, start
    if last > first:
        old_start = min(old_start, changes[first].start)
        new_start = min(new_start, changes[first].new_start)
    shift = changes[last - 1].end - changes[last - 1].new_end if last else 0
    old_end, new_end = end + shift, end
    if last > first:
        old_end = max(old_end, changes[last - 1].end)
        new_end = max(new_end, changes[last - 1].new_end)
    grown = length - (end - start)
    moved = [Change(one.start, one.end, one.new_start + grown, one.new_end + grown) for one in changes[last:]]
    changes[first:] = [Change(old_start, old_end, new_start, new_end + grown), *moved]
