"""The bounded diff: applied to oldText it gives the file's lines; its bounds; what it makes visible."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.engine import diff
from edit_assist_ls.engine.diff import Difference, look_alikes, opcodes, unified, with_whitespace_shown
from edit_assist_ls.engine.messages import diff_text
from tests.engine.texts import code_lines

plain_lines = st.lists(st.sampled_from(["a", "b", "c", "d = 1", "e = 2", ""]), max_size=30)
any_lines = st.lists(st.text(st.characters(codec=None, exclude_characters="\r\n"), max_size=300), max_size=60)


def patched(old: Sequence[str], hunks: Sequence[str], line0: int) -> list[str]:
    """`old` with the hunks applied: a plain reader of unified diffs."""
    out: list[str] = []
    position = 0
    for row in hunks:
        head = re.fullmatch(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@", row)
        if head:
            start = int(head[1]) - 1
            out += old[position:start]
            position = start
            assert int(head[3]) - 1 - line0 == len(out)
            continue
        if row[0] in " -":
            assert old[position] == row[1:]
            position += 1
        if row[0] in " +":
            out.append(row[1:])
    return out + list(old[position:])


@given(plain_lines, plain_lines, st.integers(0, 500))
def test_applied_it_gives_the_file(old: list[str], file: list[str], line0: int) -> None:
    found = unified(old, file, line0)
    if not found.dropped:
        assert patched(old, found.hunks, line0) == file
    if old == file:
        assert found.hunks == ()


@given(plain_lines, plain_lines)
def test_hunk_counts_are_those_of_their_rows(old: list[str], file: list[str]) -> None:
    found = unified(old, file, 0)
    if found.dropped:
        return
    for hunk in re.split(r"\n(?=@@)", "\n".join(found.hunks)) if found.hunks else []:
        head, *rows = hunk.split("\n")
        counts = re.findall(r",(\d+)", head)
        assert int(counts[0]) == sum(row[0] in " -" for row in rows)
        assert int(counts[1]) == sum(row[0] in " +" for row in rows)


@given(st.lists(st.integers(0, 4), max_size=20), st.lists(st.integers(0, 4), max_size=20))
def test_opcodes_cover_both_sides(one: list[int], other: list[int]) -> None:
    a, b = [str(n) for n in one], [str(n) for n in other]
    at_a = at_b = 0
    previous = None
    for block in opcodes(a, b):
        assert (block.a0, block.b0) == (at_a, at_b)
        assert block.equal == (a[block.a0 : block.a1] == b[block.b0 : block.b1])
        assert block.equal != previous
        at_a, at_b, previous = block.a1, block.b1, block.equal
    assert (at_a, at_b) == (len(a), len(b))


@given(any_lines, any_lines)
def test_bounds_hold_for_any_text(old: list[str], file: list[str]) -> None:
    found = unified(old, file, 0)
    shown = diff_text(found, "edits[9999].oldText", "x" * 100)
    assert len(shown.split("\n")) <= diff.LINE_LIMIT
    assert len(shown) <= diff.CHARACTER_LIMIT
    assert len(found.differences) <= diff.DIFFERENCE_LIMIT
    assert ("(diff truncated" in shown) == bool(found.dropped)


@pytest.mark.parametrize("count", [300, 301, 5_000])
def test_sides_are_bounded(count: int) -> None:
    found = unified([f"a{n}" for n in range(count)], [f"b{n}" for n in range(count)], 0)
    assert found.dropped == 1 + 2 * count - len(found.hunks)
    assert len(found.hunks) <= diff.LINE_LIMIT - 3


def test_a_long_line_is_cut_around_its_difference() -> None:
    found = unified(["x" * 500 + "OLD" + "y" * 500], ["x" * 500 + "NEW" + "y" * 500], 0)
    assert all("OLD" in row or "NEW" in row for row in found.hunks[1:])
    assert all(len(row) <= diff.WIDTH + 3 and row.count(diff.CUT) == 2 for row in found.hunks[1:])


@given(code_lines(), code_lines())
def test_shown_whitespace_can_be_read_back(old: list[str], file: list[str]) -> None:
    for one, other in zip(old, file, strict=False):
        pair = with_whitespace_shown(one, other)
        if pair:
            back = [side.replace(diff.SPACE_SIGN, " ").replace(diff.TAB_SIGN, "\t") for side in pair]
            assert back == [one, other]
            assert pair != (one, other)


@pytest.mark.parametrize(
    ("old", "file", "shown"),
    [
        ("    go()", "\tgo()", ("····go()", "→go()")),
        ("go()", "go() \t", ("go()", "go()·→")),
        ("a = 1", "a  = 1", ("a·=·1", "a··=·1")),
        ("  go()", "  gone()", None),
        ("  a b", "\ta c", ("··a b", "→a c")),
    ],
)
def test_whitespace_made_visible(old: str, file: str, shown: tuple[str, str] | None) -> None:
    assert with_whitespace_shown(old, file) == shown


@pytest.mark.parametrize(
    ("old", "file", "found"),
    [
        ("key: v", "key:\u00a0v", [Difference(7, " ", "\u00a0")]),
        ("total = 1", "total\u200b = 1", [Difference(7, "", "\u200b")]),
        ("total\u200d = 1", "total = 1", [Difference(7, "\u200d", "")]),
        ("cost = 1", "c\u043est = 1", [Difference(7, "o", "\u043e")]),
        ("caf\u00e9", "cafe\u0301", [Difference(7, "", "", "NFD")]),
        ("cafe\u0301", "caf\u00e9", [Difference(7, "", "", "NFC")]),
        ("a = 1", "a = 2", []),
        ("same\u00a0", "same\u00a0", []),
        ("entirely", "другой текст", []),
    ],
)
def test_look_alikes(old: str, file: str, found: list[Difference]) -> None:
    assert look_alikes(old, file, 7) == found


def test_a_difference_is_told_once() -> None:
    found = unified(["a: 1", "b: 2", "c: 3"], ["a:\u00a01", "b:\u00a02", "c:\u00a03"], 4)
    assert found.differences == (Difference(5, " ", "\u00a0"),)
