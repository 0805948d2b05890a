"""A brute-force reference of the Nearest region: every window, every alignment, as its definition reads.

Lines come under the Extended folding. Nothing is pruned, indexed or remembered.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

REACH = 2
THRESHOLD = 0.5
LONG = 1_000


@dataclass(frozen=True, slots=True)
class Window:
    """Lines `line0` up to `line0 + height`, and how alike they are."""

    line0: int
    height: int
    score: float


def likeness(one: str, other: str) -> float:
    """Of two lines: 1 where equal, their normalized Indel similarity from one half on, else none; blank lines none."""
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    if len(one) > LONG:
        one = one[:500] + one[-500:]
    if len(other) > LONG:
        other = other[:500] + other[-500:]
    value = Indel.normalized_similarity(one, other)
    return value if value >= THRESHOLD else 0.0


def window_score(old: Sequence[str], window: Sequence[str]) -> float:
    """The best sum over alignments in order, each pair at most REACH lines apart, over the greater number of lines."""
    table = [[0.0] * (len(window) + 1) for _ in range(len(old) + 1)]
    for i in range(1, len(old) + 1):
        for j in range(1, len(window) + 1):
            paired = table[i - 1][j - 1] + likeness(old[i - 1], window[j - 1]) if abs(i - j) <= REACH else 0.0
            table[i][j] = max(table[i - 1][j], table[i][j - 1], paired)
    most = max(sum(map(bool, old)), sum(map(bool, window)))
    return table[-1][-1] / most if most else 0.0


def windows(lines: Sequence[str], old: Sequence[str], first: int = 0, last: int | None = None) -> list[Window]:
    """Every window that starts at lines `first` to `last`, of every height that is allowed."""
    return [
        Window(start, height, window_score(old, lines[start : start + height]))
        for height in range(max(1, len(old) - REACH), len(old) + REACH + 1)
        for start in range(max(0, first), min(len(lines) - height, len(lines) if last is None else last) + 1)
    ]


def nearest(lines: Sequence[str], old: Sequence[str]) -> Window | None:
    """The best of them, by score, then its own height, then the earliest; None where none is half alike."""
    best = max(
        (window for window in windows(lines, old) if window.score >= THRESHOLD - 1e-9),
        key=lambda w: (round(w.score, 9), w.height == len(old), -w.line0, -abs(w.height - len(old))),
        default=None,
    )
    return without_blank_edges(best, lines, old) if best and any(old) else None


def without_blank_edges(window: Window, lines: Sequence[str], old: Sequence[str]) -> Window:
    """The window without blank lines at an end where oldText has none."""
    shown = list(range(window.line0, window.line0 + window.height))
    while old[0] and not lines[shown[0]]:
        shown.pop(0)
    while old[-1] and not lines[shown[-1]]:
        shown.pop()
    return Window(shown[0], len(shown), window.score)


def promised(lines: Sequence[str], old: Sequence[str], common: int) -> float:
    """v / m of the earliest window of oldText's height in which the most of its lines stand at their own place."""
    known = {line: [at for at, other in enumerate(lines) if other == line] for line in set(old) if line}
    rare = {line for line, places in known.items() if len(places) <= common}
    best, share = 0, 0.0
    for start in range(len(lines) - len(old) + 1):
        window = lines[start : start + len(old)]
        votes = sum(one == other and one in rare for one, other in zip(old, window, strict=True))
        if votes > best:
            best = votes
            share = votes / max(sum(map(bool, old)), sum(map(bool, window)))
    return share
