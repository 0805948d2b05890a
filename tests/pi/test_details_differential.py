"""What `strict` says of a change beside its text, held against what pi's own tool says of the same change.

Where lines repeat, two shortest differences may be equally good: then they need only be as long as each other.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from edit_assist_ls.engine.strict import Edited, StrictEdit, apply_strictly
from edit_assist_ls.engine.text import Text
from edit_assist_ls.hosts.pi_details import edit_details
from tests.pi.generated_calls import Call
from tests.pi.installed import Installed
from tests.pi.shipped_builtin import PATH, ShippedBuiltin


def calls(seed: int, count: int, *, repeat: bool, ending: str = "\n") -> Iterator[Call]:
    """Files of 3 to 300 lines, and calls that put lines in, take lines out and put others in their place."""
    rng = Random(seed)
    for _ in range(count):
        size = rng.choice((3, 10, 40, 120, 300))
        lines = [
            rng.choice(("a", "", "}", "  x = 1")) if repeat and rng.random() < 0.5 else f"<{n}>" for n in range(size)
        ]
        text = ending.join(lines) + rng.choice(("", ending))
        edits = []
        for number in range(rng.choice((1, 1, 2, 3))):
            first = rng.randrange(size)
            taken = lines[first : first + rng.randint(1, 6)]
            new = [line for line in taken if rng.random() < 0.6]
            new.insert(rng.randint(0, len(new)), f"new {number}")
            ends = rng.choice(("", ending))
            edits.append((ending.join(taken) + ends, ending.join(new) + ends))
        yield text, edits


def both(pi: Installed, played: list[Call]) -> Iterator[tuple[Call, dict[str, Any], dict[str, Any]]]:
    """The details of the two, for each call that both of them make."""
    with ShippedBuiltin(pi.node, pi.package) as shipped:
        theirs = [details for at in range(0, len(played), 64) for details in shipped.details(played[at : at + 64])]
    for (text, pairs), stock in zip(played, theirs, strict=True):
        before = Text.of(text)
        done = apply_strictly(before, [StrictEdit(old, new) for old, new in pairs])
        if stock is not None and isinstance(done, Edited):
            yield (text, pairs), edit_details(PATH, before, done.text, done.changes), stock


def test_where_no_line_repeats_they_are_the_same(pi: Installed) -> None:
    compared = 0
    for call, ours, stock in both(pi, list(calls(1, 640, repeat=False))):
        assert ours == stock, call
        compared += 1
    assert compared > 300


def test_where_lines_repeat_they_are_as_long(pi: Installed) -> None:
    compared = 0
    for call, ours, stock in both(pi, list(calls(2, 640, repeat=True))):
        assert ours["firstChangedLine"] == stock["firstChangedLine"], call
        assert rows(ours["patch"]) == rows(stock["patch"]) and rows(ours["diff"]) == rows(stock["diff"]), call
        compared += 1
    assert compared > 200


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_the_diff_shows_lines_as_people_see_them_and_the_patch_is_of_the_files_own(pi: Installed, ending: str) -> None:
    compared = 0
    for call, ours, stock in both(pi, list(calls(3, 192, repeat=False, ending=ending))):
        assert (ours["diff"], ours["firstChangedLine"]) == (stock["diff"], stock["firstChangedLine"]), call
        assert ending in ours["patch"]
        compared += 1
    assert compared > 80


def rows(difference: str) -> tuple[int, int]:
    """How many lines a difference takes out, and puts in."""
    starts = [row[0] for row in difference.splitlines() if row and not row.startswith(("---", "+++"))]
    return starts.count("-"), starts.count("+")
