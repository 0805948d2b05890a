"""The model of the built-in, held to a slow reference of it, and by itself where an answer can be said beforehand."""

import pytest
from hypothesis import example, given

from edit_assist_ls.engine.builtin import Applied, Edit, Refused, apply, occurrences
from edit_assist_ls.engine.folding import comparable
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from tests.engine import reference_builtin as reference
from tests.engine.texts import code_calls, messy, messy_calls, pairs, wild

Call = tuple[str, tuple[Edit, ...]]


def as_reference(outcome: Applied | Refused) -> reference.Landed | reference.Failed:
    if isinstance(outcome, Applied):
        return reference.Landed(("\ufeff" if outcome.text.bom else "") + outcome.text.raw)
    numbers = (outcome.edit_index, outcome.other_index, outcome.count)
    return reference.Failed(outcome.kind, tuple(n for n in numbers if n is not None))


def hold_together(call: Call) -> None:
    file, edits = call
    assert as_reference(apply(Text.of(file), edits, Work())) == reference.run(file, pairs(edits))


@given(messy_calls())
@example(("", (Edit("a", "b"),)))
@example(("a\r\nb", (Edit("\n", "\n\n"),)))
@example(("a\rb\n", (Edit("b", "\n"),)))
@example(("\r\n", (Edit("\n", "\r"),)))
@example(("x = 12", (Edit("x = 1 ", "x = 2 "),)))
@example(("é\n", (Edit("e", "o"),)))
@example(("ﬁ", (Edit("fi", "f"), Edit("f", "g"))))
@example(("\u3000\n", (Edit(" ", "x"),)))
def test_messy_texts(call: Call) -> None:
    hold_together(call)


@given(code_calls())
def test_texts_like_code(call: Call) -> None:
    hold_together(call)


@given(wild, wild, wild)
def test_any_text(file: str, old: str, new: str) -> None:
    edits = (Edit(old, new),)
    outcome = apply(Text.of(file), edits, Work())
    if not old or (comparable(old) and comparable(file)):
        assert as_reference(outcome) == reference.run(file, pairs(edits))
    else:
        assert outcome == Refused("unsearched")


@given(messy, messy)
def test_counting(file: str, old: str) -> None:
    content, part = reference.to_lf(file.removeprefix("\ufeff")), reference.to_lf(old)
    folded = reference.fold(content)
    text = Text.of(file)
    assert occurrences(text, part) == reference.count_of(reference.units(folded), reference.units(reference.fold(part)))
    assert reference.fold(folded) == folded, "the built-in folds again once an edit was matched folded"


@pytest.mark.parametrize(
    ("file", "edits", "outcome"),
    [
        ("a\n", [], Refused("no-edits")),
        ("a\n", [Edit("", "b")], Refused("empty-old-text", 0)),
        ("a\n", [Edit("z", "b"), Edit("", "c")], Refused("empty-old-text", 1)),
        ("a\n", [Edit("z", "b")], Refused("not-found", 0)),
        ("a\na\n", [Edit("a", "b")], Refused("ambiguous", 0, 2)),
        ("abc\n", [Edit("bc", "x"), Edit("ab", "y")], Refused("overlap", 1, other_index=0)),
        ("a\n", [Edit("a", "a")], Refused("no-change")),
        ("ab\u3000\n", [Edit(" ", "x")], Refused("ambiguous", 0, 2)),
        ("a\u00a0b\n  ", [Edit("a b", "x")], Refused("line-count")),
        ("", [Edit(" ", "x")], Refused("out-of-range")),
        ("\ud800a\n", [Edit("\udc00", "x")], Refused("unsearched")),
    ],
)
def test_refusals(file: str, edits: list[Edit], outcome: Refused) -> None:
    if outcome.kind != "unsearched":
        assert as_reference(outcome) == reference.run(file, pairs(edits))
    assert apply(Text.of(file), edits, Work()) == outcome
