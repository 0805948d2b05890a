"""Each call of `make ab` beside what it is there to show."""

import pytest

from edit_assist_ls.engine.builtin import Applied, Edit, apply
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from tests.ab.__main__ import through_strict
from tests.ab.cases import CASES, Case, canaries_live, whole

CODES = {
    "ambiguity: the same line twice": "not-unique",
    "ambiguity: alike but for indentation": "too-short",
    "overlap: twins": "not-unique",
    "a no-op beside an edit": "no-op-edit",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_strict_lands_or_says_why_and_loses_no_canary_line(case: Case) -> None:
    outcome = through_strict(case)
    assert outcome == CODES[case.name] if case.name in CODES else isinstance(outcome, bytes)
    assert isinstance(outcome, str) or canaries_live(case, outcome)


def test_the_two_agree_where_the_case_says_so() -> None:
    agreeing = [
        case for case in CASES if case.name.startswith(("agreement", "CRLF", "mixed")) and "drift" not in case.name
    ]
    assert len(agreeing) > 3
    for case in agreeing:
        built_in = apply(Text.of(whole(case)), [Edit(old, new) for old, new in case.edits], Work())
        assert isinstance(built_in, Applied) and built_in.text.encode() == through_strict(case)
