"""Counts: one flat counter that all figures of the report are made of, whatever number of files it came from.

A key is (day, model, measure, value). Counters of several files or processes are simply added.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

Key = tuple[str, str, str, str | int]
Counts = Counter[Key]

MEASURES = {
    "edit": "edit calls, by what became of them: exact, corrected, failed, no-result",
    "failure": "failed edit calls, by class",
    "other": "failed edit calls of the class other, by reason",
    "nested": "edit calls made inside another call",
    "abandoned": "edit calls on branches that were left",
    "no-match": "no-match failures: whitespace-only by a read or by the retry, differs, unseen",
    "streak": "failed calls of one file until one lands, by how they ended: landed, written, patched, stopped",
    "round-trips": "landed streaks, by the model answers that they took",
    "tokens": "landed streaks, by the tokens that these answers took, to two figures",
    "output-tokens": "landed streaks, by the output tokens of these answers, to two figures",
    "bash": "bash calls",
    "bash-python": "bash calls that pass a heredoc to python",
    "bash-patch": "bash calls whose heredoc is a patch script",
    "session": "sessions, by the day and model of their first edit call",
}
"""Every measure and what its values divide."""

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, order=True)
class Example:
    """One failed call with its texts: collected only where a person asked for text. `at` is RFC 3339 UTC."""

    at: str
    model: str
    failure_class: str
    path: str
    old_text: str
    result: str


@dataclass(slots=True)
class Survey:
    """What was read so far: the counts, `reading` (files, bytes, lines, decoded, torn, foreign, unreadable,
    copied, nested-incomplete), and examples if they were asked for."""

    counts: Counts = field(default_factory=Counter)
    reading: Counter[str] = field(default_factory=Counter)
    examples: list[Example] = field(default_factory=list)


EXAMPLE_LIMIT = 40


def add(one: Survey, other: Survey) -> None:
    """Adds `other` to `one`; of the examples the newest are kept."""
    one.counts.update(other.counts)
    one.reading.update(other.reading)
    if other.examples:
        one.examples = newest([*one.examples, *other.examples])


def newest(examples: list[Example]) -> list[Example]:
    """The newest examples, in order of time."""
    return sorted(examples)[-EXAMPLE_LIMIT:]


def two_figures(number: int) -> int:
    """`number` rounded to two figures, so that a counter of large numbers stays small."""
    if number < 100:
        return number
    unit: int = 10 ** (len(str(number)) - 2)
    return round(number / unit) * unit


def day_of(timestamp: str) -> str:
    """The UTC day of an entry's timestamp, as `2026-11-30`; the host writes its timestamps in UTC."""
    return _checked_day(timestamp[:10])


@lru_cache
def _checked_day(day: str) -> str:
    try:
        return date.fromisoformat(day).isoformat() if len(day) == 10 else UNKNOWN
    except ValueError:
        return UNKNOWN
