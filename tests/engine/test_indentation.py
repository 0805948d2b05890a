"""Indentation carried by evidence: the true edit comes out, whichever style the agent wrote in."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.correction import correct
from edit_assist_ls.engine.indentation import Relation, carried, relate, style_of
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work

UNITS = ("\t", "  ", "    ", "   ", "        ")
Block = list[tuple[int, str]]


@st.composite
def blocks(draw: st.DrawFn) -> tuple[Block, Block]:
    """The depths and words of a block, no two lines alike; and of what the agent makes of it."""
    depth = 0
    old: Block = []
    for n in range(draw(st.integers(2, 7))):
        old.append((depth, f"call_{n}()"))
        depth = max(0, depth + draw(st.sampled_from([0, 1, 1, -1, -2])))
    new = list(old)
    deepest = max(depth for depth, _ in old)
    for n in range(draw(st.integers(1, 3))):
        at = draw(st.integers(1, len(new)))
        if draw(st.booleans()) and at < len(new):
            new[at] = (new[at][0], f"changed_{n}()")
        else:
            new.insert(at, (draw(st.integers(0, deepest + 1)), f"new_{n}()"))
    return old, new


def written(block: Sequence[tuple[int, str]], unit: str, base: int = 0) -> str:
    return "\n".join(unit * (depth + base) + words for depth, words in block)


@given(blocks(), st.sampled_from(UNITS), st.sampled_from(UNITS), st.integers(0, 3), st.integers(0, 3))
def test_the_true_edit_comes_out(
    pair: tuple[Block, Block], file_unit: str, agent_unit: str, file_base: int, agent_base: int
) -> None:
    """Two depths that are one level apart show what a level is on both sides; then every other depth follows."""
    old, new = pair
    depths = sorted({depth for depth, _ in old})
    assume(len(depths) > 1 and depths == list(range(len(depths))))
    file = f"top\n{written(old, file_unit, file_base)}\nbottom\n"
    edit = Edit(written(old, agent_unit, agent_base), written(new, agent_unit, agent_base))
    assume(edit.old_text not in file)
    corrected = correct(Text.of(file), [edit], "carry", Work())
    assert corrected.edits == (Edit(written(old, file_unit, file_base), written(new, file_unit, file_base)),)


@given(blocks(), st.sampled_from(UNITS), st.text(" \t", max_size=5), st.booleans())
def test_a_uniform_shift_is_carried_verbatim(pair: tuple[Block, Block], unit: str, shift: str, back: bool) -> None:
    old, new = pair
    assume(len({depth for depth, _ in old}) > 1)
    there, here = (shift, "") if back else ("", shift)

    def shifted(block: Block, by: str) -> str:
        return "\n".join(by + unit * depth + words for depth, words in block)

    file = f"top\n{shifted(old, there)}\nbottom\n"
    edit = Edit(shifted(old, here), shifted(new, here))
    assume(edit.old_text not in file)
    corrected = correct(Text.of(file), [edit], "carry", Work())
    assert corrected.edits == (Edit(shifted(old, there), shifted(new, there)),)


@pytest.mark.parametrize(
    ("old", "file", "is_map"),
    [
        (["a", "  b"], ["a", "    b"], True),
        (["  a", "  b"], ["  a", "    b"], False),
        (["  a", "    b"], ["  a", "  b"], False),
        (["a", "  b", "    c"], ["a", "    b", "  c"], False),
        (["  a", "    b"], ["\ta", "\t\tb"], True),
        (["", "  a"], ["", "\ta"], True),
        (["    a", "    b"], ["\ta", "        b"], True),
        ([" a", "   b"], ["  a", "    b"], True),
        (["a", ""], ["\ta", ""], True),
    ],
)
def test_order_is_kept_strictly(old: list[str], file: list[str], is_map: bool) -> None:
    assert (relate(old, file) is not None) == is_map


def test_nothing_to_relate() -> None:
    assert relate(["", "  "], ["", ""]) == Relation(())
    assert not Relation(()).changes


@pytest.mark.parametrize(
    ("old", "file", "around", "indent", "expected"),
    [
        (["    a"], ["\ta"], ["\ta"], "        ", "\t\t"),
        (["  a"], ["\t\ta"], ["\t\ta"], "    ", "\t\t\t"),
        (["        a"], ["\ta"], ["\ta"], "            ", "\t\t"),
        (["\ta"], ["  a"], ["  a", "    b", "  c"], "\t\t", "    "),
        (["a"], ["  a"], ["  a"], "  ", "    "),
        (["    a"], ["  a"], ["  a"], "  ", ""),
        (["    a"], ["  a"], ["  a"], "    ", "  "),
        (["  a", "    b"], ["\ta", "\t\tb"], ["\ta", "\t\tb"], "", ""),
        (["    a", "      b"], ["\t\ta", "\t\t\tb"], ["\t\ta"], "  ", "\t"),
        (["  a", "    b"], ["\ta", "\t\tb"], ["\ta"], "\t", "\t"),
    ],
)
def test_one_line_carried(old: list[str], file: list[str], around: list[str], indent: str, expected: str) -> None:
    relation = relate(old, file)
    assert relation is not None
    style = style_of(relation, [*old, indent + "x"], Text("\n".join(around)), 0)
    assert carried(indent, relation, style) == expected
