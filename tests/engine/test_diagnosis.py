"""What holds for every Diagnosis, whatever file and call: it is borne out, bounded, and names lines that exist."""

import re
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from edit_assist_ls.engine import diagnosis, diff, messages
from edit_assist_ls.engine.builtin import Edit, RefusalKind, Refused, apply
from edit_assist_ls.engine.diagnosis import Cause, Diagnosis, diagnose
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from tests.engine import cases, reference_region
from tests.engine import reference_builtin as reference
from tests.engine.texts import code_calls, messy, messy_calls, wild

Call = tuple[str, tuple[Edit, ...]]
calls = st.one_of(code_calls(), messy_calls())
anything = st.one_of(wild, messy)
refusals = st.builds(
    Refused,
    st.sampled_from(get_args(RefusalKind)),
    st.one_of(st.none(), st.integers(-1, 5)),
    st.one_of(st.none(), st.integers(-1, 5)),
    st.one_of(st.none(), st.integers(-1, 5)),
)
ADVICE = 700
"""More than the sentences around a diff can take: at most four differences, two of them of three characters."""


def bounded(path: str, found: tuple[Diagnosis, ...]) -> None:
    report = messages.report(path, found)
    assert len(report) <= messages.REPORT_LIMIT + 400 * (len(found) + 1)
    assert len(found) <= diagnosis.BLOCK_LIMIT
    for one in found:
        assert len(one.places) <= diagnosis.PLACE_LIMIT
        if one.diff:
            shown = messages.diff_text(one.diff, f"edits[{one.edit_index}].oldText", messages.short_path(path))
            assert len(shown.split("\n")) <= diff.LINE_LIMIT
            assert len(shown) <= diff.CHARACTER_LIMIT
            rest = messages.block(path, one).replace(shown, "")
            assert len(rest) <= ADVICE + len(messages.short_path(path))


@given(calls)
def test_a_refusal_of_the_model_is_diagnosed(call: Call) -> None:
    """Every edit that the built-in would not find, or finds more than once, has its block; others have none."""
    file, edits = call
    text = Text.of(file)
    refused = apply(text, edits, Work())
    if not isinstance(refused, Refused) or refused.kind not in ("not-found", "ambiguous"):
        return
    found = diagnose(text, edits, refused, Work())
    bounded("a/b.py", found)
    failing = []
    folded = reference.units(reference.fold(text.lf))
    for index, edit in enumerate(edits):
        old = reference.to_lf(edit.old_text)
        missing = reference.search(text.lf, old) is None
        if not old or missing or reference.count_of(folded, reference.units(reference.fold(old))) > 1:
            failing.append(index)
    assert [one.edit_index for one in found] == failing or not found
    if refused.edit_index in failing:
        assert found, "what the model refuses as the text bears it out has a Diagnosis"


@given(calls)
def test_lines_exist_and_say_what_is_said(call: Call) -> None:
    file, edits = call
    text = Text.of(file)
    refused = apply(text, edits, Work())
    if not isinstance(refused, Refused):
        return
    for one in diagnose(text, edits, refused, Work()):
        old_lines = reference.to_lf(edits[one.edit_index].old_text).split("\n")
        if one.start_line is not None:
            assert one.end_line is not None
            assert 1 <= one.start_line <= one.end_line <= len(text.lines)
        for place in one.places:
            assert place.line == text.lines[place.start_line - 1]
            assert place.start_line <= place.end_line <= len(text.lines)
            if place.above_line is not None:
                assert place.above_line < place.start_line
                assert place.above == text.lines[place.above_line - 1].strip() != ""
        if one.cause == "region":
            assert one.likeness is not None and one.likeness >= reference_region.THRESHOLD - 1e-9
        if one.code == "whitespace-only" and one.start_line is not None:
            window = text.lines[one.start_line - 1 : one.end_line]
            assert [line.strip() for line in window] == [line.strip() for line in old_lines[: len(window)]]
        if one.cause == "moot":
            assert one.other_index is not None
            assert reference.to_lf(edits[one.edit_index].old_text) in reference.to_lf(edits[one.other_index].new_text)
        if one.cause == "ambiguous":
            assert one.place_count > 1
            assert len(one.places) == min(one.place_count, diagnosis.PLACE_LIMIT)


@given(calls, refusals, st.one_of(st.none(), st.integers(0, 5_000)))
def test_whatever_the_host_said(call: Call, refused: Refused, limit: int | None) -> None:
    """A refusal that the text does not bear out has no Diagnosis; none of them raises, with work or without."""
    file, edits = call
    text = Text.of(file)
    found = diagnose(text, edits, refused, Work() if limit is None else Work(limit))
    bounded("p" * 300, found)
    index = refused.edit_index if refused.edit_index is not None or len(edits) > 1 else 0
    if refused.kind == "not-found" and index is not None and 0 <= index < len(edits):
        old = reference.to_lf(edits[index].old_text)
        if reference.search(text.lf, old) is not None:
            assert found == ()
    if refused.kind == "overlap" and found:
        assert len(found) == 1 and found[0].code == "overlap"
    if refused.kind in ("no-edits", "line-count", "out-of-range", "unsearched"):
        assert found == ()


@given(
    st.one_of(wild, messy), st.lists(st.tuples(st.one_of(wild, messy), st.one_of(wild, messy)), max_size=4), refusals
)
@example("\ud800a\n", [("\udc00", "\ud800")], Refused("not-found", 0))
@example("", [("a", "b")], Refused("not-found", 0))
@example("\x00\n", [("\x00\x00", "b")], Refused("not-found", 0))
def test_nothing_raises(file: str, edits: list[tuple[str, str]], refused: Refused) -> None:
    text, call = Text.of(file), [Edit(*edit) for edit in edits]
    bounded("f", diagnose(text, call, refused, Work()))
    said = apply(text, call, Work())
    if isinstance(said, Refused):
        bounded("f", diagnose(text, call, said, Work()))


def lines(count: int, word: str) -> str:
    return "".join(f"{word}_{n} = call({n * 7919 % 1009}, {n})\n" for n in range(count))


@pytest.mark.parametrize(
    ("file", "edits"),
    [
        (lines(2_000, "value"), [Edit(lines(300, "value").replace("call", "run"), "x")]),
        (lines(2_000, "value"), [Edit(lines(2_000, "other"), "x")]),
        (lines(300, "value"), [Edit(f"value_{n} = call(1, 1)", "x") for n in range(40)]),
        (lines(300, "value"), [Edit(f"value_{n} = call(1, 1)" * 200, "x") for n in range(31)]),
        ("x\n" * 20_000, [Edit(f"missing {n}" + "\nx" * 50, "y") for n in range(3_000)]),
        ("a" * 200_000 + "\n", [Edit("a" * 199_000 + "b", "y")]),
        ("\u200b" * 3_000 + "\n", [Edit("\u200d" * 3_000, "y")]),
        ("end\n" * 5_000, [Edit("end", "fin")]),
        ("z" * 300 + "end\n" + ("y" * 300 + "end\n") * 30, [Edit("end", "fin")]),
        ("a\n", [Edit("b" * 1_000_000, "c")]),
        ("a\n", [Edit("b\n" * 500_000, "c")]),
        ("\tgo()\n    go()\n" * 300, [Edit("  go()", "c")]),
    ],
    ids=[
        "300 lines", "2,000 lines", "40 edits", "31 long edits", "3,000 edits", "long lines", "invisible",
        "5,000 places", "long places", "1 MB of oldText", "500,000 lines of oldText", "600 whitespace places",
    ],
)  # fmt: skip
def test_every_bound(file: str, edits: list[Edit]) -> None:
    text, work = Text.of(file), Work()
    refused = apply(text, edits, Work())
    assert isinstance(refused, Refused)
    if refused.kind == "unsearched":
        refused = Refused("not-found", 0)
    found = diagnose(text, edits, refused, work)
    assert found
    assert work.left >= 0
    bounded("dir/" + "n" * 400 + ".py", found)
    if len(edits) > diagnosis.BLOCK_LIMIT:
        assert found[-1].further == len(edits) - diagnosis.BLOCK_LIMIT
        assert re.search(r"\d more edits? of this call", messages.report("f", found))


def test_out_of_work_an_edit_is_told_so() -> None:
    text = Text.of(lines(200, "value"))
    edits = [Edit(f"value_{n} = call(x)", "y") for n in range(5)]
    found = diagnose(text, edits, Refused("not-found", 3), Work(4 * len(text.lf)))
    assert {one.cause for one in found} <= {"not-searched", "region"}
    assert [one.edit_index for one in found] == list(range(5))
    assert found[0].cause == "not-searched"


def test_out_of_work_the_named_edit_comes_first() -> None:
    text = Text.of(lines(400, "value"))
    edits = [Edit(f"value_{n} = call(x)", "y") for n in range(400)]
    found = diagnose(text, edits, Refused("not-found", 399), Work())
    assert found[-1].edit_index == 399
    assert found[-1].cause == "region"


@pytest.mark.parametrize("cause", get_args(Cause))
def test_each_cause_is_met_in_a_case(cause: str) -> None:
    """`fixtures/cases` shows every cause but two: a call too large for a file, an editor's buffer."""
    if cause in ("not-searched", "unsaved"):
        return
    seen = set()
    for path in cases.paths():
        case = cases.parse(path.read_bytes().decode())
        corrected, _ = cases.play(case)
        if isinstance(corrected.outcome, Refused):
            found = diagnose(Text.of(case.file), corrected.edits, corrected.outcome, Work())
            seen |= {one.cause for one in found}
        if cause in seen:
            return
    pytest.fail(f"no case shows {cause}; seen: {sorted(seen)}")
