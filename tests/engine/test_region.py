"""The Nearest region, held to a brute-force reference of its definition."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.engine import region
from edit_assist_ls.engine.region import nearest_region
from edit_assist_ls.engine.work import Work
from tests.engine import reference_region as reference

LINES = "|}|end|return a|return b|return abc|for x in xs:|for y in ys:|x = 1|x = 12|log(red)"
lines = st.sampled_from(LINES.split("|"))
files = st.lists(lines, min_size=0, max_size=24)


@st.composite
def near_misses(draw: st.DrawFn, file_lines: int, most: int) -> tuple[list[str], list[str]]:
    """A file of many lines, and a block of it with a few lines changed, dropped and put in."""
    numbered = st.integers(0, 60).map(lambda n: f"call_{n}(a, {n * 7919 % 101})")
    file = draw(st.lists(st.one_of(lines, numbered, numbered), min_size=file_lines, max_size=file_lines + 40))
    start = draw(st.integers(0, len(file) - 1))
    old = file[start : start + draw(st.integers(1, most))]
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(old)))
        how = draw(st.sampled_from(["drop", "put", "change"]))
        if how == "put":
            old.insert(at, draw(numbered))
        elif at < len(old):
            old[at : at + 1] = [] if how == "drop" else [old[at] + draw(st.sampled_from(["x", " + 1", "; go()"]))]
    return file, old


def scores_of(found: region.Region, file: Sequence[str], old: Sequence[str]) -> list[float]:
    """What the reference gives the windows that are `found` once blank lines at their ends are left off."""
    scores = [
        window.score
        for window in reference.windows(file, old, found.line0 - len(old) - region.REACH, found.line0)
        if any(file[window.line0 : window.line0 + window.height])
        and reference.without_blank_edges(window, file, old)
        == reference.Window(found.line0, found.height, window.score)
    ]
    assert scores, "the region is no window of an allowed height"
    return scores


def same(file: Sequence[str], old: Sequence[str]) -> None:
    expected = reference.nearest(file, old)
    found = nearest_region(file, old, Work())
    if expected is None:
        assert found is None
        return
    assert found is not None
    assert (found.line0, found.height) == (expected.line0, expected.height)
    assert found.score == pytest.approx(expected.score, abs=1e-9)


@given(files, st.lists(lines, min_size=1, max_size=8))
def test_exhaustive_is_the_reference(file: list[str], old: list[str]) -> None:
    same(file, old)


@given(near_misses(30, 10))
def test_exhaustive_near_misses(pair: tuple[list[str], list[str]]) -> None:
    file, old = pair
    if old and len(file) * len(old) <= region.EXHAUSTIVE:
        same(file, old)


@given(near_misses(110, 40))
def test_never_below_what_is_promised(pair: tuple[list[str], list[str]]) -> None:
    file, old = pair
    if not old:
        return
    promised = reference.promised(file, old, region.COMMON)
    found = nearest_region(file, old, Work())
    score = found.score if found else 0.0
    if promised >= region.THRESHOLD:
        assert score >= promised - 1e-9
    if found:
        assert found.score == pytest.approx(max(scores_of(found, file, old)), abs=1e-9)
        assert region.THRESHOLD - 1e-9 <= found.score <= 1


def test_found_as_often_as_brute_force_finds_it() -> None:
    """One line missing or changed in blocks of a long repetitive file: the place is found, not a twin."""
    file = [line for n in range(80) for line in ("begin()", f"set({n * 37 % 101})", "step()", f"log({n})", "end()", "")]
    missed = []
    for start in range(0, len(file) - 12, 7):
        true = file[start : start + 11]
        old = true[:5] + true[6:]
        found = nearest_region(file, old, Work())
        best = reference.nearest(file[max(0, start - 12) : start + 24], old)
        assert best is not None
        if found is None or found.score < best.score - 1e-9:
            missed.append(start)
    assert missed == []


@given(near_misses(60, 20), st.integers(0, 20_000))
def test_out_of_work_it_still_answers(pair: tuple[list[str], list[str]], limit: int) -> None:
    file, old = pair
    work = Work(limit)
    found = nearest_region(file, old, work)
    assert work.left >= 0
    if found:
        assert found.score <= max(scores_of(found, file, old)) + 1e-9


def test_one_line_is_looked_for_everywhere() -> None:
    file = [f"value_{n} = compute({n})" for n in range(4_000)]
    file[3_211] = "total = summed(values)"
    found = nearest_region(file, ["total = sumed(values)"], Work())
    assert found is not None and (found.line0, found.height) == (3_211, 1)


@pytest.mark.parametrize(("file", "old"), [([], ["a"]), (["a"], []), (["a"], [""]), (["", ""], ["", ""])])
def test_nothing_to_be_found(file: list[str], old: list[str]) -> None:
    assert nearest_region(file, old, Work()) is None


def test_long_lines_are_compared_by_their_ends() -> None:
    long = "a" * 3_000
    found = nearest_region(["x", long + "tail"], [long + "tale"], Work())
    assert found is not None and found.line0 == 1
    assert found.score == pytest.approx(reference.likeness(long + "tail", long + "tale"))
