"""The tree that the entries of one session form, and what is known at each of its points.

A session's entries name their parent, and a person who goes back in a session starts a new branch: what happened on
the branch left behind is no history of the new one. So everything that a later entry depends on (which failed calls
are still open, what the agent has seen of a file) is a frozen value that entries share until it changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

Outcome = Literal["landed", "written", "patched", "stopped"]
"""How a streak of failures ends: an edit landed, the file was written whole or patched by a shell script instead, or
the agent answered (or the session ended) without any of these."""

HISTORY_LIMIT, STEP_LIMIT = 12, 4_000
"""How many links of one file's history are looked at, and how many links of any file are passed to find them."""

OPEN_LIMIT, WAITING_LIMIT = 32, 16
"""How many streaks are open at a time, and how many no-match failures of one wait to be judged: the newest. Older
ones stay as they are, so that what an answer costs here does not grow with the session."""


class Line(NamedTuple):
    """Where a line stands in its session file: byte offset and length in bytes."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A link in the chain of what a path of the tree shows of files: a read, a write or an edit that succeeded.

    `whole` is a read from the first line to the last. `line` holds the read's result, or the call whose id is
    `call_id`. (A plain dataclass on purpose: a chain may be long, and only Python's own objects are freed without
    recursion.)
    """

    kind: Literal["read", "whole", "write", "edit"]
    path: str
    line: Line
    call_id: str
    before: "Shown | None"


@dataclass(slots=True, eq=False)
class Streak:
    """Failed edit calls of one file that follow each other until one lands: what became of them.

    `outcome` is the best that any branch came to; `landed_at` is what `landed` cost: (round trips, tokens, output
    tokens).
    """

    day: str
    model: str
    counted: bool
    outcome: Outcome | None = None
    landed_at: tuple[int, int, int] = (0, 0, 0)

    def ends(self, outcome: Outcome, at: tuple[int, int, int]) -> None:
        """Notes an end on one branch: landing outweighs every other, else the first counts."""
        if outcome == "landed" and self.outcome != "landed":
            self.outcome, self.landed_at = outcome, at
        elif self.outcome is None:
            self.outcome = outcome


@dataclass(slots=True, eq=False)
class NoMatch:
    """A no-match failure that is still to be judged: the text that was not found, and the verdict so far."""

    day: str
    model: str
    counted: bool
    old_text: str
    verdict: Literal["whitespace-only", "differs", "unseen"] = "unseen"
    evidence: Literal["", "read", "retry"] = ""


class Open(Struct, frozen=True):
    """A streak at one point of the tree: what it has cost since its first failure, along this branch.

    `path` is None where the failed call named none that could be read. `call_id` is that of the host's call it came
    in, which for nested calls is the outer one.
    """

    streak: Streak
    path: str | None
    call_id: str
    nested: bool
    round_trips: int = 0
    tokens: int = 0
    output_tokens: int = 0
    no_matches: tuple[NoMatch, ...] = ()

    @property
    def cost(self) -> tuple[int, int, int]:
        """(round trips, tokens, output tokens)."""
        return self.round_trips, self.tokens, self.output_tokens


class Point(Struct, frozen=True):
    """What holds after an entry, on the path that leads to it."""

    open: tuple[Open, ...] = ()
    shown: Shown | None = None


ROOT = Point()


def answered(point: Point, tokens: int, output_tokens: int) -> Point:
    """The point after a further model answer: every open streak has cost one round trip more."""
    return replace(
        point,
        open=tuple(
            replace(
                one,
                round_trips=one.round_trips + 1,
                tokens=one.tokens + tokens,
                output_tokens=one.output_tokens + output_tokens,
            )
            for one in point.open
        ),
    )


def history(point: Point, path: str) -> list[Shown]:
    """What the path shows of one file, oldest first: from the last whole read or write on, within limits."""
    return list(_backwards(point.shown, path))[::-1]


def _backwards(shown: Shown | None, path: str) -> Iterator[Shown]:
    found, steps = 0, 0
    while shown is not None and found < HISTORY_LIMIT and steps < STEP_LIMIT:
        steps += 1
        if shown.path == path:
            found += 1
            yield shown
            if shown.kind in ("whole", "write"):
                return
        shown = shown.before


def on_path(parents: dict[bytes, bytes | None], leaf: bytes | None) -> set[bytes]:
    """The ids of the entries from the root to `leaf`."""
    ids: set[bytes] = set()
    while leaf is not None and leaf not in ids:
        ids.add(leaf)
        leaf = parents.get(leaf)
    return ids
