"""The foldings, one by one, and the numbers that the contract gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.engine import diagnosis, diff, folding
from tests.engine import reference_builtin as reference
from tests.engine.texts import messy, wild


@pytest.mark.parametrize(
    ("indent", "columns"),
    [("", 0), ("   ", 3), ("\t", 8), ("  \t", 8), ("\t  ", 10), ("       \t\t", 16), ("        \t", 16)],
)
def test_width_has_tab_stops_at_eight(indent: str, columns: int) -> None:
    assert folding.width(indent) == columns


@given(st.one_of(messy, wild).map(folding.lf))
def test_fuzzy_is_the_built_ins_folding(text: str) -> None:
    assert folding.fuzzy(text) == reference.fold(text)
    assert folding.lf(folding.fuzzy(text)).count("\n") == text.count("\n")


@given(st.one_of(messy, wild))
def test_what_does_not_fold_is_the_same_object(text: str) -> None:
    for fold in (folding.lf, folding.trim_line_ends):
        folded = fold(text)
        assert folded is text or folded != text


@given(st.one_of(messy, wild).map(folding.lf))
def test_trimming_is_that_of_javascript(text: str) -> None:
    expected = []
    for line in text.split("\n"):
        end = len(line)
        while end and ord(line[end - 1]) in reference.WHITE:
            end -= 1
        expected.append(line[:end])
    assert folding.trim_line_ends(text) == "\n".join(expected)


@given(st.one_of(messy, wild).map(folding.lf))
def test_bare_takes_spaces_and_tabs_alone(text: str) -> None:
    for line, bare in zip(text.split("\n"), folding.bare(text).split("\n"), strict=True):
        assert folding.indentation(line) + bare == line
        assert set(folding.indentation(line)) <= {" ", "\t"}
        assert bare[:1] not in (" ", "\t")


def test_the_numbers_of_the_contract() -> None:
    assert (diff.SIDE_LIMIT, diff.LINE_LIMIT, diff.CHARACTER_LIMIT) == (300, 40, 1_200)
    assert diagnosis.PLACE_LIMIT == 10
