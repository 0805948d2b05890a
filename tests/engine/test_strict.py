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
        raw = read_edits({"edits": case["edits"]})
        done = raw if isinstance(raw, Failed) else apply_strictly(Text.of(case["file"]), raw)
        if isinstance(done, Edited):
            said = strict_words.landed("a.py", done.matched)
            how = [f"{one.matched_via} {one.start_line}-{one.end_line}" for one in done.matched]
            return {"after": done.text.encode().decode(), "matched": how, "says": said}
        edits = () if isinstance(raw, Failed) else raw
        return {"code": done.code, "says": strict_words.failure("a.py", edits, done, Work())}

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
    met = before
    for edit, matched in zip(edits, done.matched, strict=True):
        one = apply_strictly(met, [edit])
        if isinstance(one, Failed):
            assert one.code == "no-changes"
            continue
        after = one.text
        head = _common(met.raw, after.raw)
        tail = _common(met.raw[head:][::-1], after.raw[head:][::-1])
        changed_lines = met.raw[head : len(met.raw) - tail]
        first = met.raw[:head].replace("\r\n", "\n").count("\n")
        assert matched.start_line <= first + 1
        assert len(changed_lines) <= len(met.raw)
        met = after
    assert met.raw == done.text.raw
    assert strict_words.landed("a.py", done.matched).startswith("Applied")


def _common(a: str, b: str) -> int:
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


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


@given(_texts, _pieces)
def test_strategies_are_what_the_slow_ones_are(text: str, old: str) -> None:
    one = Text.of(text)
    old = old.replace("\r", "")
    if old:
        assert _pairs(strict_spans.literal(one, old)) == reference.literal(one.lf, old)
        assert _pairs(strict_spans.unicode(one, old)) == reference.unicode(one.lf, old)
    assert _pairs(strict_spans.line_trimmed(one, old)) == reference.line_trimmed(one.lf, old)
    for start, end in _pairs(strict_spans.whitespace(one, old)):
        assert reference.collapsed(one.lf[start:end]).strip() == reference.collapsed(old).strip()
    if reference.collapsed(old).strip() and "\t" not in text and "  " not in text:
        runs = [line.rstrip() for line in one.lf.split("\n")]
        if old == reference.collapsed(old) and "\n".join(runs) == one.lf:
            assert _pairs(strict_spans.whitespace(one, old)) == reference.literal(one.lf, old)


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
    assert "1,000" in strict_words.failure("a.py", (), many, Work()) or "1001" in strict_words.failure(
        "a.py", (), many, Work()
    )
