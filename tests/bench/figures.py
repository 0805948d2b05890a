"""The table of the bench: each figure beside its bar, with a mark where the bar is missed."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.drift import CORRECTABLE, FOREIGN, REFUSED, RESEMBLING, SIZES
from tests.bench.guarding import Guarding
from tests.bench.play import Row
from tests.bench.sources import MADE

EXACT_MEDIAN, CORRECTION_P99, MISS_P99 = 80, 250, 300  # multiples of the echo's median
GUARDS_MEDIAN, GUARDS_P99 = 20, 60
IMPORT_CPU_MS, START_RATIO = 60, 1.15
TRUE_SHARE, REGION_SHARE = 0.99, 0.985


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. The bar judges `value`, in `unit`; `at_most` says which side of it is good.

    `median_ms`, `p95_ms` and `p99_ms` are given for what was timed `count` times; `bar` is None for a line
    without one.
    """

    name: str
    count: int
    value: float
    unit: str
    bar: float | None = None
    at_most: bool = True
    median_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None without a bar."""
        if self.bar is None:
            return None
        return self.value <= self.bar if self.at_most else self.value >= self.bar


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def speed(rows: Sequence[Row], echo_ms: float) -> list[Figure]:
    """The times of the calls, in multiples of the echo's median round trip."""

    misses = [row for row in rows if row.kind in (*RESEMBLING, *FOREIGN)]
    corrected = [row for row in rows if row.kind in CORRECTABLE]
    exact_ms = [row.call_ms for row in rows if row.kind == "exact"]
    corrected_ms, misses_ms = [row.call_ms for row in corrected], [row.total_ms for row in misses]
    real_corrected_ms = [row.call_ms for row in corrected if not row.source.startswith(MADE)]
    real_misses_ms = [row.total_ms for row in misses if not row.source.startswith(MADE)]
    out = [
        _timed("exact call, 300 KB", exact_ms, 0.5, echo_ms, EXACT_MEDIAN),
        _timed("whitespace correction", corrected_ms, 0.99, echo_ms, CORRECTION_P99),
        _timed("  on files that people wrote", real_corrected_ms, 0.99, echo_ms, CORRECTION_P99),
        _timed("no match, call and result", misses_ms, 0.99, echo_ms, MISS_P99),
        _timed("  on files that people wrote", real_misses_ms, 0.99, echo_ms, MISS_P99),
    ]
    for what, kinds in (("resembling", RESEMBLING), ("foreign", FOREIGN)):
        for size in SIZES:
            taken = [row.total_ms for row in misses if row.kind in kinds and row.size == size]
            # Of so few calls the 99th percentile is the slowest one: the bar is for all of them together.
            out.append(_timed(f"  {size} line{'s' * (size > 1)}, {what}", taken, 0.99, echo_ms, None))
    return [figure for figure in out if figure.count]


def _timed(name: str, taken_ms: Sequence[float], judged: float, echo_ms: float, bar: float | None) -> Figure:
    """The times of one kind of call; the bar judges the quantile `judged`."""
    if not taken_ms:
        return Figure(name, 0, math.nan, "")
    value = quantile(taken_ms, judged) / echo_ms
    unit = "x median" if judged == 0.5 else "x p99"
    median, p95, p99 = (quantile(taken_ms, share) for share in (0.5, 0.95, 0.99))
    return Figure(name, len(taken_ms), value, unit, bar, median_ms=median, p95_ms=p95, p99_ms=p99)


def outcomes(rows: Sequence[Row]) -> list[Figure]:
    """What came out of the calls: shares in per cent, and the calls that were applied wrongly."""
    drifted = [row for row in rows if row.kind in CORRECTABLE]
    out = [_share("corrected as the true edit would be", [row.outcome == "true" for row in drifted], TRUE_SHARE)]
    out += [_share(f"  {kind}", [row.outcome == "true" for row in drifted if row.kind == kind]) for kind in CORRECTABLE]
    near = [row for row in rows if row.region_found is not None]
    out.append(_share("region found", [bool(row.region_found) for row in near], REGION_SHARE))
    out += [_share(f"  {kind}", [bool(row.region_found) for row in near if row.kind == kind]) for kind in RESEMBLING]
    out.append(
        _share(
            "refused: two places, or misread",
            [row.outcome == "refused" for row in rows if row.kind in REFUSED],
            1,
        )
    )
    out.append(
        _share("exact calls left as they are", [row.outcome == "exact" for row in rows if row.kind == "exact"], 1)
    )
    wrong = sum(row.outcome == "wrong" for row in rows)
    return [*out, Figure("applied wrongly", len(rows), wrong, "calls", 0)]


def _share(name: str, good: Sequence[bool], bar: float | None = None) -> Figure:
    share = 100 * sum(good) / len(good) if good else math.nan
    return Figure(name, len(good), share, "%", None if bar is None else 100 * bar, at_most=False)


def guards(judged: Sequence[Guarding], hostile: Sequence[Guarding], echo_ms: float) -> list[Figure]:
    """What the guards cost, in multiples of the echo's median, and the harmless calls that they had a word on."""
    exact_ms = [one.guard_ms for one in judged if one.kind == "exact"]
    return [
        _timed("guards: an exact call, 300 KB", exact_ms, 0.5, echo_ms, GUARDS_MEDIAN),
        _timed("guards: any call that lands", [one.guard_ms for one in judged], 0.99, echo_ms, GUARDS_P99),
        _timed("guards: calls made to be slow", [one.guard_ms for one in hostile], 0.99, echo_ms, None),
        *(_timed(f"  {one.kind}", [one.guard_ms], 0.99, echo_ms, None) for one in hostile),
        Figure("guards: harmless calls alarmed at", len(judged), sum(one.alarmed for one in judged), "calls", 0),
    ]


def starting(
    import_ms: Sequence[float], host_ms: Sequence[float], editor_ms: Sequence[float], bare_ms: Sequence[float]
) -> list[Figure]:
    """What a start costs."""
    bare = statistics.median(bare_ms)
    figures = [Figure("importing the engine", len(import_ms), statistics.median(import_ms), "ms CPU", IMPORT_CPU_MS)]
    for whose, taken_ms in (("an agent host", host_ms), ("an editor", editor_ms)):
        ours = statistics.median(taken_ms)
        name = f"spawn to initialize, {whose}"
        figures.append(Figure(name, len(taken_ms), ours / bare, "x bare pygls", START_RATIO, median_ms=ours))
    return [*figures, Figure("  bare pygls with one request", len(bare_ms), 1.0, "x bare pygls", median_ms=bare)]


def table(title: str, figures: Sequence[Figure]) -> str:
    """The figures as plain text, a line each under a title line."""
    head = f"{title:38}{'n':>6}{'median':>11}{'p95':>11}{'p99':>11}{'figure':>19}   bar"
    return "\n".join([head, *map(_line, figures)])


def _line(figure: Figure) -> str:
    times = "".join(
        f"{'' if ms is None else f'{ms:.2f} ms':>11}" for ms in (figure.median_ms, figure.p95_ms, figure.p99_ms)
    )
    value = f"{figure.value:.{_digits(figure)}f} {figure.unit}"
    line = f"{figure.name:38}{figure.count:>6}{times}{value:>19}"
    if figure.bar is None:
        return line
    bar = f"{'<=' if figure.at_most else '>='} {figure.bar:.{_digits(figure)}f}".removesuffix(".0")
    return f"{line}   {bar:9}{'ok' if figure.met else 'MISSED'}"


def _digits(figure: Figure) -> int:
    if figure.unit == "calls":
        return 0
    return 2 if figure.value < 10 and figure.unit.startswith("x") else 1
