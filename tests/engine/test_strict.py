"""The profile `strict`: cases, its invariants, and its strategies beside slow ones."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.engine import strict, strict_spans, strict_words
from edit_assist_ls.engine.strict import Edited, Failed, StrictEdit, apply_strictly, read_edits
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from tests import tables
from tests.engine import reference_strict as reference


@pytest.mark.parametrize(("file", "number"), tables.cases("strict"))
def test_cases(file: Path, number: int, update_fixtures: bool) -> None:
    def play(case: Any) -> Any:
        edits = read_edits({"edits": case["edits"]})
        if isinstance(edits, Failed):
            return {"code": edits.code, "says": strict_words.failure("a.py", (), edits, Work())}
        done = apply_strictly(Text.of(case["file"]), edits)
        if isinstance(done, Failed):
            return {"code": done.code, "says": strict_words.failure("a.py", edits, done, Work())}
        how = [f"{one.matched_via} {one.start_line}-{one.end_line}" for one in done.matched]
        said = strict_words.landed("a.py", edits, done.matched)
        return {"after": done.text.encode().decode(), "matched": how, "says": said}

    tables.check(file, number, play, update=update_fixtures)


def test_every_code_has_a_case() -> None:
    found = {"too-large"}  # its file is made in a test of its own
    for file in (tables.FIXTURES / "strict").glob("*.json"):
        found |= {case["becomes"].get("code") for case in json.loads(file.read_text("utf-8"))}
    assert set(get_args(strict.FailureCode)) - {"unreadable"} <= found


_texts = st.text(st.sampled_from("ab \t\n\r“\"'‘-–\\n\0é"), max_size=24)
_pieces = st.text(st.sampled_from("ab \t\n“\"'-–\\n"), max_size=8)
_edits = st.lists(st.builds(StrictEdit, _pieces, _pieces), min_size=1, max_size=4)


@given(_texts, _edits)
def test_it_is_all_or_nothing_and_bytes_outside_the_spans_stay(text: str, edits: list[StrictEdit]) -> None:
    before = Text.of(text)
    done = apply_strictly(before, edits)
    if isinstance(done, Failed):
        said = strict_words.failure("a.py", edits, done, Work())
        assert done.code in get_args(strict.FailureCode) and 10 < len(said) < 4_000 and "Nothing was changed." in said
        return
    assert done.text.bom == before.bom
    assert strict_words.landed("a.py", edits, done.matched).startswith("Applied")
    position = new_position = 0
    for change in done.changes:
        assert position <= change.start <= change.end and new_position <= change.new_start <= change.new_end
        assert before.raw[position : change.start] == done.text.raw[new_position : change.new_start]
        position, new_position = change.end, change.new_end
    assert before.raw[position:] == done.text.raw[new_position:]


@given(_texts, _edits)
def test_edits_apply_in_order_each_to_what_the_earlier_ones_left(text: str, edits: list[StrictEdit]) -> None:
    done = apply_strictly(Text.of(text), edits)
    met = Text.of(text)
    for at, edit in enumerate(edits):
        one = apply_strictly(met, [edit])
        if isinstance(one, Failed) and one.code != "no-changes":
            assert isinstance(done, Failed)
            return
        if isinstance(one, Edited):
            if isinstance(done, Edited):
                assert done.matched[at] == one.matched[0]
            met = one.text
    if isinstance(done, Edited):
        assert done.text == met
    else:
        assert done.code in ("no-changes", "duplicate-edit")


@given(_texts, _pieces, _pieces)
def test_an_edit_that_lands_is_a_splice(text: str, old: str, new: str) -> None:
    before = Text.of(text)
    done = apply_strictly(before, [StrictEdit(old, new)])
    if isinstance(done, Edited):
        spliced = {
            before.raw[:start] + piece + before.raw[end:]
            for start, end in reference.windows(before.raw)
            for piece in {new, *(new.replace("\r\n", "\n").replace("\n", ending) for ending in ("\n", "\r\n", "\r"))}
        }
        assert done.text.raw in spliced


_words = st.lists(
    st.sampled_from(["ab", "cd", " ", "  ", "\t", "\n", "“", '"', "…", "...", "-", "–", "\\n", "！", "!"]), max_size=10
)


@given(_texts | _words.map("".join), _pieces | _words.map("".join))
def test_strategies_are_what_the_slow_ones_are(text: str, old: str) -> None:
    one = Text.of(text)
    old = old.replace("\r", "")
    for name in ("literal", "line_trimmed", "unicode", "whitespace", "escape"):
        if old:
            assert _pairs(getattr(strict_spans, name)(one, old)) == getattr(reference, name)(one.lf, old), name


def _pairs(found: list[strict_spans.Stretch]) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in found]


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3), max_leaves=6
    )
)
def test_no_arguments_raise(value: Any) -> None:
    for arguments in ({"edits": value}, {"edits": [value]}, {"edits": [{"oldText": value, "newText": value}]}, {}):
        found = read_edits(arguments)
        if isinstance(found, Failed):
            assert strict_words.failure("a.py", (), found, Work())
        else:
            apply_strictly(Text.of("a\nb\n"), found)


def test_a_large_file_is_edited_literally_and_nothing_else_is_looked_for() -> None:
    text = Text.of("x = 1\n" * 60_000 + "last = 2\n")
    done = apply_strictly(text, [StrictEdit("last = 2", "last = 3")])
    assert isinstance(done, Edited) and done.text.raw.endswith("last = 3\n")
    failed = apply_strictly(text, [StrictEdit("  last = 2\n  x", "y")])
    assert isinstance(failed, Failed) and failed.code == "too-large"
    many = read_edits({"edits": [{"oldText": f"{n}", "newText": ""} for n in range(strict.MAX_EDITS + 1)]})
    assert isinstance(many, Failed) and many.code == "too-large"
    assert strict_words.failure("a.py", (), many, Work()) == (
        "The call has 1001 edits, at most 1000 are taken. Send several calls. Nothing was changed."
    )
    assert strict_words.failure("a.py", [StrictEdit("  last = 2\n  x", "y")], failed, Work()) == (
        "Edit 1 does not stand literally in a.py, and the file is too large (1,000,000 characters, 50,000 lines) for "
        "anything else to be looked for. Send the text exactly as it stands there. Nothing was changed."
    )


def test_a_call_costs_no_more_than_its_work_allows() -> None:
    text = Text.of("".join(f"row {n} = value {n % 97}\n" for n in range(40_000)))
    exact = [StrictEdit(f"row {n} =", f"Row {n} =") for n in range(1_000)]
    for edits in (exact, [StrictEdit(f"row  {n} =  value ", "x\n") for n in range(200)]):
        failed = apply_strictly(text, edits)
        assert isinstance(failed, Failed) and failed.code == "too-large" and failed.out_of_work
        assert strict_words.failure("a.py", edits, failed, Work()) == (
            f"Edit {(failed.edit_index or 0) + 1} of {len(edits)} was not looked for: the edits before it, and the "
            "size of a.py, took all the work that one call may. Send fewer edits in a call, each oldText exactly as "
            "the text stands. Nothing was changed."
        )
    assert isinstance(apply_strictly(text, exact[:100]), Edited)
    dense = Text.of("a\tb\t" * 240_000)
    alone = apply_strictly(dense, [StrictEdit("a\t b  c  not there", "x")])
    assert isinstance(alone, Failed) and alone.code == "not-found", (
        "one edit is looked for in any file within the gates"
    )


@given(_texts, _edits)
def test_work_changes_nothing_but_whether_there_is_an_answer(text: str, edits: list[StrictEdit]) -> None:
    before = Text.of(text)
    whole = apply_strictly(before, edits)
    for limit in (0, 40, 400, 4_000):
        done = apply_strictly(before, edits, Work(limit))
        assert done == whole or (isinstance(done, Failed) and (done.out_of_work or done.code == "not-found"))
