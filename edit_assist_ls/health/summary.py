"""Figures made of counts: one report of one or two windows, each in all, by model, and by day or week."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct

from edit_assist_ls.health.counts import UNKNOWN, Counts, Example, Key, Survey
from edit_assist_ls.health.outcomes import FAILURE_CLASSES

Period = Literal["day", "week"]

DAYS_SHOWN = 35
"""A longer span is shown by week unless a person asks for days."""


class Window(Struct, frozen=True, rename="camel"):
    """A span of UTC days, both ends included, as `2026-11-30`; None where an end is open."""

    since: str | None = None
    until: str | None = None

    def holds(self, day: str) -> bool:
        """Whether a day lies in the window; a day that is not known lies only in the window without ends."""
        if day == UNKNOWN:
            return self.since is None and self.until is None
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)


class Spread(Struct, frozen=True):
    """How some numbers are spread: none of them known where `count` is 0."""

    count: int = 0
    mean: float = 0
    median: float = 0
    p90: float = 0
    largest: int = 0


class NoMatches(Struct, frozen=True, rename="camel"):
    """No-match failures judged by the session: Whitespace-only by a read or by the retry, differing, unseen."""

    whitespace_only: int = 0
    by_read: int = 0
    by_retry: int = 0
    differs: int = 0
    unseen: int = 0


class Cost(Struct, frozen=True, rename="camel"):
    """What failures cost. A run is the failed calls of one file until an edit of it lands.

    `given_up` are the runs after which none did: `written` whole instead, `patched` from the shell, or `stopped`.
    """

    runs: int = 0
    landed: int = 0
    given_up: int = 0
    written: int = 0
    patched: int = 0
    stopped: int = 0
    round_trips: Spread = Spread()
    tokens: Spread = Spread()
    output_tokens: Spread = Spread()


class Shell(Struct, frozen=True, rename="camel"):
    """Bash calls; those that pass a heredoc to python; those of them that are read-replace-write patch scripts."""

    calls: int = 0
    python_heredocs: int = 0
    patch_scripts: int = 0


class Figures(Struct, frozen=True, rename="camel"):
    """Everything counted of some edit calls.

    `landed` calls succeeded, `corrected` ones are among them. `no_result` calls never ran to an end. `failures` has
    every class, `other` the reasons of the class of that name. `nested` and `abandoned` calls are among the calls.
    """

    sessions: int
    edit_calls: int
    landed: int
    corrected: int
    failed: int
    no_result: int
    nested: int
    abandoned: int
    failures: dict[str, int]
    other: dict[str, int]
    no_match: NoMatches
    cost: Cost
    shell: Shell

    @property
    def landed_share(self) -> float | None:
        """The landed calls among those with a result, 0 to 1; None where there are none."""
        ended = self.landed + self.failed
        return self.landed / ended if ended else None

    def share_of(self, failure_class: str) -> float | None:
        """The failures of a class among the calls with a result, 0 to 1; None where there are none."""
        ended = self.landed + self.failed
        return self.failures[failure_class] / ended if ended else None


class WindowReport(Struct, frozen=True, rename="camel"):
    """The figures of one window. `periods` has every day or week (its Monday) from the first to the last with calls."""

    window: Window
    period: Period
    total: Figures
    models: dict[str, Figures]
    periods: dict[str, Figures]


class Reading(Struct, frozen=True, rename="camel"):
    """What was read. `torn` lines are no JSON, `foreign` ones no entries; `copied` answers are a fork's copies."""

    files: int
    unreadable: int
    bytes: int
    lines: int
    decoded: int
    torn: int
    foreign: int
    copied: int
    nested_incomplete: int


class Report(Struct, frozen=True, rename="camel"):
    """The report: one window, or two to compare (in the order they were asked for)."""

    windows: tuple[WindowReport, ...]
    reading: Reading
    examples: tuple[Example, ...] = ()


def report_of(survey: Survey, windows: Iterable[Window], period: Period | None = None) -> Report:
    """The report of a survey. Without a period, days are shown up to `DAYS_SHOWN` of them, else weeks."""
    names = ("files", "unreadable", "bytes", "lines", "decoded", "torn", "foreign", "copied", "nested-incomplete")
    chosen = tuple(windows)
    days = {key[0] for key in survey.counts if any(window.holds(key[0]) for window in chosen)} - {UNKNOWN}
    if period is None:
        period = "week" if days and _span(min(days), max(days)) > DAYS_SHOWN else "day"
    return Report(
        tuple(_window_report(survey.counts, window, period) for window in chosen),
        Reading(*(survey.reading[name] for name in names)),
        tuple(example for example in survey.examples if any(w.holds(example.at[:10]) for w in chosen)),
    )


def _span(first: str, last: str) -> int:
    return (date.fromisoformat(last) - date.fromisoformat(first)).days + 1


def _window_report(counts: Counts, window: Window, period: Period) -> WindowReport:
    inside: Counts = Counter({key: number for key, number in counts.items() if window.holds(key[0])})
    models = _divided(inside, lambda key: key[1])
    by_start = _divided(inside, lambda key: _start_of(key[0], period))
    known = [start for start in by_start if start != UNKNOWN]
    starts = list(_starts(min(known), max(known), period)) if known else []
    starts += [UNKNOWN] if UNKNOWN in by_start else []
    return WindowReport(
        window,
        period,
        _figures(inside),
        {name: _figures(models[name]) for name in sorted(models, key=lambda name: (-_calls(models[name]), name))},
        {start: _figures(by_start.get(start, Counter())) for start in starts},
    )


def _divided(counts: Counts, part: Callable[[Key], str]) -> dict[str, Counts]:
    parts: dict[str, Counts] = {}
    for key, number in counts.items():
        parts.setdefault(part(key), Counter())[key] += number
    return parts


def _start_of(day: str, period: Period) -> str:
    if day == UNKNOWN or period == "day":
        return day
    then = date.fromisoformat(day)
    return (then - timedelta(then.weekday())).isoformat()


def _starts(first: str, last: str, period: Period) -> Iterable[str]:
    then, step = date.fromisoformat(first), timedelta(1 if period == "day" else 7)
    while then.isoformat() <= last:
        yield then.isoformat()
        then += step


def _calls(counts: Counts) -> int:
    return sum(number for key, number in counts.items() if key[2] == "edit")


def _figures(counts: Counts) -> Figures:
    of: dict[str, Counter[str | int]] = {}
    for (_, _, measure, value), number in counts.items():
        of.setdefault(measure, Counter())[value] += number

    def number_of(measure: str, value: str = "") -> int:
        return of.get(measure, Counter())[value]

    failures = of.get("failure", Counter())
    return Figures(
        sessions=number_of("session"),
        edit_calls=sum(of.get("edit", Counter()).values()),
        landed=number_of("edit", "exact") + number_of("edit", "corrected"),
        corrected=number_of("edit", "corrected"),
        failed=number_of("edit", "failed"),
        no_result=number_of("edit", "no-result"),
        nested=number_of("nested"),
        abandoned=number_of("abandoned"),
        failures={name: failures[name] for name in FAILURE_CLASSES},
        other={str(reason): number for reason, number in sorted(of.get("other", Counter()).items(), key=str)},
        no_match=NoMatches(
            number_of("no-match", "read") + number_of("no-match", "retry"),
            number_of("no-match", "read"),
            number_of("no-match", "retry"),
            number_of("no-match", "differs"),
            number_of("no-match", "unseen"),
        ),
        cost=_cost(of),
        shell=Shell(number_of("bash"), number_of("bash-python"), number_of("bash-patch")),
    )


def _cost(of: Mapping[str, Counter[str | int]]) -> Cost:
    ends = of.get("streak", Counter())
    return Cost(
        runs=ends.total(),
        landed=ends["landed"],
        given_up=ends.total() - ends["landed"],
        written=ends["written"],
        patched=ends["patched"],
        stopped=ends["stopped"],
        round_trips=spread_of(of.get("round-trips", Counter())),
        tokens=spread_of(of.get("tokens", Counter())),
        output_tokens=spread_of(of.get("output-tokens", Counter())),
    )


def spread_of(numbers: Mapping[str | int, int]) -> Spread:
    """How numbers are spread, from how often each occurs."""
    ordered = sorted((int(value), often) for value, often in numbers.items() if often > 0)
    count = sum(often for _, often in ordered)
    if not count:
        return Spread()

    def at(place: int) -> int:
        for value, often in ordered:
            place -= often
            if place < 0:
                return value
        return ordered[-1][0]

    return Spread(
        count,
        round(sum(value * often for value, often in ordered) / count, 2),
        (at((count - 1) // 2) + at(count // 2)) / 2,
        float(at(max(0, -(-count * 9 // 10) - 1))),
        ordered[-1][0],
    )
