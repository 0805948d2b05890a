"""The Nearest region: the window of the file whose lines, aligned in order, are most like those of an oldText.

Score of a window: the similarities of its aligned pairs of lines, summed, over the greater of the two numbers of
lines. Blank lines carry nothing and count nowhere; those at the edges of the region are left off where oldText does
not begin or end with one. A line is aligned at most `REACH` lines away from its own place, and a window is at most
`REACH` lines higher or lower than oldText. Two lines under the Extended folding are alike by 1 where they are equal,
else by their normalized Indel similarity, and not at all below `THRESHOLD` (of lines longer than `LINE_LIMIT`, the
two ends are compared).

What the search promises; the reference in the tests compares every window:
- where oldText times file is at most `EXHAUSTIVE` lines, or oldText is one line: exactly what the reference finds;
- elsewhere a score of at least v / m for the window of oldText's height in which the most of its lines, v, stand each
  at its own place (the earliest such window; lines that the file has more than `COMMON` times do not count), where m
  is the greater of the two numbers of lines, and v / m reaches `THRESHOLD`;
- out of work: the best window so far.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rapidfuzz import process
from rapidfuzz.distance import Indel

from edit_assist_ls.engine.work import Work

REACH = 2
THRESHOLD = 0.5
LINE_LIMIT = 1_000
COMMON = 40
CANDIDATES = 24
CANDIDATE_LINES = 1_500
"""Of a high oldText fewer starts are looked at: this many lines in all, but `FEWEST` starts at least."""
FEWEST = 5
LOOKED_UP = 6
"""How many of oldText's longest lines without an equal are looked up among all lines."""
LOOK_UP_HITS = 8
EXHAUSTIVE = 1_500
SEARCH_LIMIT = 3_000_000
"""The most work that one search may take of its call's."""

_PAIR_COST = 200
_ROW_COST = 600


@dataclass(frozen=True, slots=True)
class Region:
    """Lines `line0` up to `line0 + height` (half-open), and how alike they are to oldText, from 0 to 1."""

    line0: int
    height: int
    score: float


def similarity(one: str, other: str) -> float:
    """How alike two folded lines are, from 0 to 1; blank lines are like nothing."""
    if one == other:
        return 1.0 if one else 0.0
    return Indel.normalized_similarity(_ends(one), _ends(other), score_cutoff=THRESHOLD)


def _ends(line: str) -> str:
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT // 2] + line[-LINE_LIMIT // 2 :]


def nearest_region(lines: Sequence[str], old_lines: Sequence[str], work: Work) -> Region | None:
    """The Nearest region of `old_lines` in `lines` (both under the Extended folding); None below `THRESHOLD`."""
    search = _Search(lines, old_lines, Work(min(SEARCH_LIMIT, work.left)))
    granted = search.work.left
    if 0 < search.wanted * THRESHOLD <= search.filled[-1] and search.work.spend(40 * len(lines)):
        if len(lines) * len(old_lines) <= EXHAUSTIVE:
            search.look_at(range(len(lines)))
        elif len(old_lines) == 1:
            search.look_at(_likest(lines, old_lines[0], search.work))
        else:
            search.look_at(_candidates(lines, old_lines, search.work))
    work.spend(granted - search.work.left)
    return _without_blank_edges(search.best, lines, old_lines) if search.best else None


def _without_blank_edges(region: Region, lines: Sequence[str], old_lines: Sequence[str]) -> Region:
    first, last = region.line0, region.line0 + region.height - 1
    while old_lines[0] and not lines[first]:
        first += 1
    while old_lines[-1] and not lines[last]:
        last -= 1
    return Region(first, last - first + 1, region.score)


def rank(region: Region, height: int) -> tuple[float, bool, int, int]:
    """What makes one region better than another: score, its own height, the earliest, the nearest height."""
    return (round(region.score, 9), region.height == height, -region.line0, -abs(region.height - height))


class _Search:
    """The best window so far, and the similarities computed on the way to it."""

    def __init__(self, lines: Sequence[str], old_lines: Sequence[str], work: Work) -> None:
        self.lines, self.old_lines, self.work = lines, old_lines, work
        self.old_filled = _filled(old_lines)
        self.wanted = self.old_filled[-1]
        self.filled = _filled(lines)
        self.known: dict[tuple[str, str], float] = {}
        self.best: Region | None = None

    def look_at(self, starts: Iterable[int]) -> None:
        """Windows of every height at each start; stops when out of work."""
        height = len(self.old_lines)
        heights = sorted(range(max(1, height - REACH), height + REACH + 1), key=lambda tall: abs(tall - height))
        for start in starts:
            if not self._may_reach(start, self._floor()):
                continue
            for tall in heights:
                if self.work.spent_up:
                    return
                if start + tall > len(self.lines):
                    continue
                score = self._score(start, tall)
                if score is not None:
                    region = Region(start, tall, score)
                    if self.best is None or rank(region, height) > rank(self.best, height):
                        self.best = region

    def _floor(self) -> float:
        return (max(THRESHOLD, self.best.score) if self.best else THRESHOLD) - 1e-9

    def _may_reach(self, start: int, floor: float) -> bool:
        """False where no window at `start` can score `floor`: each line taken with the likest within its reach."""
        old, lines = self.old_lines, self.lines
        may_lose = self.wanted * (1 - floor)
        for own, line in enumerate(old):
            if not line:
                continue
            at = start + own
            near = lines[max(start, at - REACH) : at + REACH + 1]
            if line in near:
                continue
            may_lose -= 1 - max((self._similarity(line, other) for other in near), default=0.0)
            if may_lose < 0:
                return False
        return True

    def _score(self, start: int, tall: int) -> float | None:
        """The score of one window; None as soon as it is sure to be below the threshold or the best so far."""
        old, window = self.old_lines, self.lines[start : start + tall]
        most = max(self.wanted, self.filled[start + tall] - self.filled[start])
        floor = self._floor() * most
        head = _common_head(old, window)
        tail = _common_tail(old, window, min(len(old), tall) - head)
        stop = len(old) - tail
        ends = self.wanted - (self.old_filled[stop] - self.old_filled[head])
        if ends + min(stop - head, tall - tail - head) < floor:
            return None
        middle = self._aligned(range(head, stop), start, tall - tail, floor - ends)
        return None if middle is None else (ends + middle) / most

    def _aligned(self, rows: range, start: int, columns: int, floor: float) -> float | None:
        """The greatest sum of similarities of oldText's `rows` with the window's lines `rows.start`..`columns`.

        None once it is sure to stay below `floor`. Column j stands for the first j lines of the window.
        """
        head, filled = rows.start, self.filled
        end_filled = filled[start + columns]
        row = dict.fromkeys(range(head, min(head + REACH, columns) + 1), 0.0)
        for i in rows:
            line = self.old_lines[i]
            if not self.work.spend(_ROW_COST):
                return None
            following: dict[int, float] = {}
            best, behind = 0.0, 0.0
            rows_left = self.old_filled[rows.stop] - self.old_filled[i + 1]
            for j in range(max(head, i + 1 - REACH), min(i + 1 + REACH, columns) + 1):
                value = max(row.get(j, 0.0), behind)
                before = row.get(j - 1)
                if before is not None:
                    value = max(value, before + self._similarity(line, self.lines[start + j - 1]))
                following[j] = behind = value
                best = max(best, value + min(rows_left, end_filled - filled[start + j]))
            row = following
            if best < floor:
                return None
        return max(row.values(), default=0.0)

    def _similarity(self, one: str, other: str) -> float:
        if one == other:
            return 1.0 if one else 0.0
        if not one or not other:
            return 0.0
        key = (one, other)
        value = self.known.get(key)
        if value is None:
            cost = min(len(one), LINE_LIMIT) * min(len(other), LINE_LIMIT) // 100
            value = similarity(one, other) if self.work.spend(_PAIR_COST + cost) else 0.0
            self.known[key] = value
        return value


def _filled(lines: Sequence[str]) -> list[int]:
    """How many of the first n lines are not blank, for each n."""
    return [0, *accumulate(map(bool, lines))]


def _common_head(one: Sequence[str], other: Sequence[str]) -> int:
    shortest = min(len(one), len(other))
    return next((i for i in range(shortest) if one[i] != other[i]), shortest)


def _common_tail(one: Sequence[str], other: Sequence[str], most: int) -> int:
    return next((i for i in range(most) if one[-1 - i] != other[-1 - i]), most)


def _candidates(lines: Sequence[str], old_lines: Sequence[str], work: Work) -> list[int]:
    """Starts worth looking at, likeliest first: those that equal lines vote for, and where too few do, like lines."""
    places = _places(lines, old_lines)
    plain: defaultdict[int, int] = defaultdict(int)
    weighed: defaultdict[int, float] = defaultdict(float)
    for own, line in enumerate(old_lines):
        standing = places.get(line, ())
        if 0 < len(standing) <= COMMON:
            for line0 in standing:
                plain[line0 - own] += 1
                weighed[line0 - own] += 1 / len(standing)
    if 2 * max(plain.values(), default=0) < len([line for line in old_lines if line]):
        _look_up(lines, old_lines, places, weighed, work)
    return _ordered(plain, weighed, len(lines), len(old_lines))


def _likest(lines: Sequence[str], line: str, work: Work) -> list[int]:
    """Where the first line stands that is as like `line` as any; nowhere below the threshold, or out of work."""
    if line in lines:
        return [lines.index(line)]
    if not work.spend(20 * len(lines) + sum(map(len, lines)) // 3 * (1 + len(line) // 64)):
        return []
    ends = lines if max(map(len, lines)) <= LINE_LIMIT else [_ends(other) for other in lines]
    found = process.extractOne(_ends(line), ends, scorer=Indel.normalized_similarity, score_cutoff=THRESHOLD)
    return [found[2]] if found else []


def _look_up(
    lines: Sequence[str],
    old_lines: Sequence[str],
    places: dict[str, list[int]],
    weighed: defaultdict[int, float],
    work: Work,
) -> None:
    """Let the longest lines without an equal vote for the starts at which the lines most like them stand."""
    unmatched = [own for own, line in enumerate(old_lines) if line and not places[line]]
    unmatched.sort(key=lambda own: -len(old_lines[own]))
    unique = [line for line in dict.fromkeys(lines) if 0 < len(line) <= 2 * LINE_LIMIT]
    characters = sum(map(len, unique))
    hits: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for own in unmatched[:LOOKED_UP]:
        line = _ends(old_lines[own])
        if not work.spend(20 * len(unique) + characters // 3 * (1 + len(line) // 64)):
            break
        for like, score, _ in process.extract(
            line, unique, scorer=Indel.normalized_similarity, score_cutoff=THRESHOLD, limit=LOOK_UP_HITS
        ):
            hits[like].append((own, score))
    for like, standing in _places(lines, hits).items():
        for own, score in hits[like]:
            for line0 in standing[:COMMON]:
                weighed[line0 - own] += score / len(standing)


def _places(lines: Sequence[str], wanted: Iterable[str]) -> dict[str, list[int]]:
    """Where each wanted line that is not blank stands."""
    places: dict[str, list[int]] = {line: [] for line in wanted if line}
    for line0, line in enumerate(lines):
        if line in places:
            places[line].append(line0)
    return places


def _ordered(plain: dict[int, int], weighed: dict[int, float], line_count: int, height: int) -> list[int]:
    """Starts by what they and their neighbours weigh: a dropped line moves the votes behind it by one."""
    most = max(FEWEST, min(CANDIDATES, CANDIDATE_LINES // height))
    near: defaultdict[int, float] = defaultdict(float)
    for start, weight in weighed.items():
        for away in range(-REACH, REACH + 1):
            near[start + away] += weight * (1 - 0.01 * abs(away))
    ranked = sorted(near, key=lambda start: (-near[start], start))[:most]
    whole = [start for start in plain if 0 <= start <= line_count - height]
    if whole:
        ranked.insert(0, min(whole, key=lambda start: (-plain[start], start)))
    return list(dict.fromkeys(min(max(start, 0), line_count - 1) for start in ranked))
