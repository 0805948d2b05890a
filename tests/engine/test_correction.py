"""What holds for every correction, whatever file and call."""

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Applied, Edit, Refused, apply
from edit_assist_ls.engine.correction import Corrected, Mode, correct
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from tests.engine import reference_builtin as reference
from tests.engine.texts import code_calls, messy, messy_calls, pairs, wild

Call = tuple[str, tuple[Edit, ...]]
calls = st.one_of(code_calls(), messy_calls())
modes = st.sampled_from(["carry", "oldText"])


def corrected_edits(corrected: Corrected, edits: Sequence[Edit]) -> list[tuple[Edit, Edit]]:
    return [(edits[c.edit_index], corrected.edits[c.edit_index]) for c in corrected.corrections]


@given(calls, modes)
def test_a_corrected_edit_is_accepted(call: Call, mode: Mode) -> None:
    """By the model and by its reference; or the call fails for an edit that was not corrected."""
    file, edits = call
    corrected = correct(Text.of(file), edits, mode, Work())
    by_reference = reference.run(file, pairs(corrected.edits))
    indices = {c.edit_index for c in corrected.corrections}
    if isinstance(corrected.outcome, Applied):
        text = corrected.outcome.text
        assert by_reference == reference.Landed(("\ufeff" if text.bom else "") + text.raw)
    else:
        assert isinstance(by_reference, reference.Failed)
        if indices:
            assert by_reference.kind in ("not-found", "ambiguous", "empty-old-text", "overlap")
            assert by_reference.numbers[0] not in indices
    if indices:
        alone = reference.run(file, [pairs(corrected.edits)[i] for i in sorted(indices)])
        assert isinstance(alone, reference.Landed) or alone.kind == "no-change"


@given(calls, modes)
@example(("a  \nb\nc\nd\n", (Edit("a  ", "A"), Edit("  \nb", "\nB"), Edit("c  \nd", "c\nD"))), "carry")
def test_a_call_that_works_is_not_made_to_fail(call: Call, mode: Mode) -> None:
    file, edits = call
    if isinstance(apply(Text.of(file), edits, Work()), Applied):
        assert isinstance(correct(Text.of(file), edits, mode, Work()).outcome, Applied)


@given(calls, modes)
def test_correcting_twice_changes_nothing_more(call: Call, mode: Mode) -> None:
    file, edits = call
    once = correct(Text.of(file), edits, mode, Work())
    twice = correct(Text.of(file), once.edits, mode, Work())
    assert (twice.corrections, twice.edits, twice.outcome) == ((), once.edits, once.outcome)


@given(calls, modes)
def test_what_is_sent_is_the_file_itself_once(call: Call, mode: Mode) -> None:
    file, edits = call
    text = Text.of(file)
    corrected = correct(text, edits, mode, Work())
    folded = reference.units(reference.fold(text.lf))
    for correction in corrected.corrections:
        old = corrected.edits[correction.edit_index].old_text
        assert text.lf.count(old) == 1
        assert reference.count_of(folded, reference.units(reference.fold(old))) == 1
        at = text.lf.index(old)
        assert correction.start_line == text.lf.count("\n", 0, at) + 1
        assert correction.end_line >= correction.start_line
        assert correction.end_line <= len(text.lines)


@given(calls, modes)
def test_nothing_but_whitespace_differs(call: Call, mode: Mode) -> None:
    """A whitespace correction changes no character of oldText but leading and trailing whitespace of lines."""
    file, edits = call
    corrected = correct(Text.of(file), edits, mode, Work())

    def cores(text: str) -> list[str]:
        return [line.lstrip(folding.LEADING).rstrip(folding.TRAILING) for line in reference.to_lf(text).split("\n")]

    for correction, (before, after) in zip(corrected.corrections, corrected_edits(corrected, edits), strict=True):
        if correction.kind == "whitespace":
            ours, theirs = cores(before.old_text), cores(after.old_text)
            assert ours in (theirs, [*theirs, ""])
        else:
            assert mode == "carry"
            old = reference.to_lf(before.old_text)
            head, tail = after.old_text.split(old, 1)
            assert after.new_text == head + reference.to_lf(before.new_text) + tail
        assert (before.new_text != after.new_text) == (correction.new_text == "carried")


@given(calls, modes)
def test_no_byte_outside_the_span_changes(call: Call, mode: Mode) -> None:
    """One corrected edit alone: the raw text before and after its place stays, byte for byte."""
    file, edits = call
    text = Text.of(file)
    for edit in edits:
        corrected = correct(text, (edit,), mode, Work())
        if not corrected.corrections:
            continue
        assert isinstance(corrected.outcome, Applied)
        after = corrected.outcome.text
        start = text.lf.index(corrected.edits[0].old_text)
        end = start + len(corrected.edits[0].old_text)
        head, tail = text.raw[: text.raw_offset(start)], text.raw[text.raw_offset(end) :]
        assert after.bom == text.bom
        assert after.raw.startswith(head)
        assert after.raw.endswith(tail)
        middle = after.raw[len(head) : len(after.raw) - len(tail)]
        assert reference.to_lf(middle).strip("\n") == reference.to_lf(corrected.edits[0].new_text).strip("\n")


@given(calls, modes)
def test_other_edits_stay(call: Call, mode: Mode) -> None:
    file, edits = call
    corrected = correct(Text.of(file), edits, mode, Work())
    indices = {c.edit_index for c in corrected.corrections}
    assert len(corrected.edits) == len(edits)
    assert [c.edit_index for c in corrected.corrections] == sorted(indices)
    assert all(corrected.edits[i] == edit for i, edit in enumerate(edits) if i not in indices)


@given(calls, modes)
def test_a_call_that_lands_exactly_is_never_touched(call: Call, mode: Mode) -> None:
    file, edits = call
    text = Text.of(file)
    corrected = correct(text, edits, mode, Work())
    indices = {c.edit_index for c in corrected.corrections if c.kind == "whitespace"}
    assert not any(reference.to_lf(edits[i].old_text) in text.lf for i in indices)
    if all(text.lf.count(reference.to_lf(edit.old_text)) == 1 for edit in edits):
        lands = isinstance(reference.run(file, pairs(edits)), reference.Landed)
        assert not (lands and corrected.corrections)


@given(calls)
def test_off_corrects_nothing(call: Call) -> None:
    file, edits = call
    text = Text.of(file)
    assert correct(text, edits, "off", Work()) == Corrected(edits, (), apply(text, edits, Work()))


@given(calls)
def test_oldtext_leaves_new_text(call: Call) -> None:
    file, edits = call
    corrected = correct(Text.of(file), edits, "oldText", Work())
    assert [edit.new_text for edit in corrected.edits] == [edit.new_text for edit in edits]


@given(calls, modes, st.integers(0, 3_000))
@example(("if a:\n\tgo()\n", (Edit("    go()", "    run()"),)), "carry", 0)
def test_out_of_work_nothing_is_corrected_otherwise(call: Call, mode: Mode, limit: int) -> None:
    """With any limit a call is answered; each correction is the one that unlimited work gives, or there is none."""
    file, edits = call
    text = Text.of(file)
    scarce = correct(text, edits, mode, Work(limit))
    ample = correct(text, edits, mode, Work())
    if isinstance(scarce.outcome, Applied):
        assert apply(text, scarce.edits, Work()) == scarce.outcome
    if not scarce.corrections:
        return
    by_reference = reference.run(file, pairs(scarce.edits))
    indices = {c.edit_index for c in scarce.corrections}
    if isinstance(by_reference, reference.Failed):
        assert by_reference.kind != "no-change"
        assert not indices & set(
            by_reference.numbers[:2] if by_reference.kind == "overlap" else by_reference.numbers[:1]
        )
    for correction in scarce.corrections:
        if correction.kind == "whitespace" and correction in ample.corrections:
            assert scarce.edits[correction.edit_index] == ample.edits[correction.edit_index]


@given(st.one_of(wild, messy), st.lists(st.tuples(st.one_of(wild, messy), st.one_of(wild, messy)), max_size=4), modes)
@example("\ud800a\n", [("\udc00", "\ud800")], "carry")
@example("\x00\n\ta\x00b\n", [("    a\x00b", "\x00")], "carry")
@example("", [("a", "b")], "carry")
@example("\ufeff", [("\ufeff", "b")], "carry")
def test_nothing_raises(file: str, edits: list[tuple[str, str]], mode: Mode) -> None:
    corrected = correct(Text.of(file), [Edit(*edit) for edit in edits], mode, Work())
    assert isinstance(corrected.outcome, Applied | Refused)


@pytest.mark.parametrize(
    ("file", "edits"),
    [
        ("\t" * 100_000 + "a\n", [Edit(" " * 100_000 + "a", "b")]),
        (("\ta()\n" * 20_000), [Edit("  a()\n" * 400, "b")]),
        ("a" + " " * 100_000 + "b\nc \nd\n", [Edit("c\nd", "c\ne")]),
        ("x\n" * 20_000, [Edit(f"missing {n}", "y") for n in range(2_000)]),
        ("\tgo()\n" + "x\n" * 20_000, [Edit("    go()", "    run()\n" * 20_000)]),
        ("a\n", [Edit("b" * 1_000_000, "c" * 1_000_000)]),
    ],
    ids=["deep", "repetitive", "inner blanks", "many edits", "long newText", "long oldText"],
)
def test_large_inputs_are_answered(file: str, edits: list[Edit]) -> None:
    text, work = Text.of(file), Work()
    corrected = correct(text, edits, "carry", work)
    assert work.left >= 0
    assert len(corrected.edits) == len(edits)
    if isinstance(corrected.outcome, Applied):
        assert apply(text, corrected.edits, Work()) == corrected.outcome


def test_lines_left_out_are_no_drift() -> None:
    """oldText's lines stand literally, one between them left out: a likeness to others is chance."""
    text = Text.of("run:\n        log()\n    log()\nend\n")
    corrected = correct(text, [Edit("run:\n    log()", "run:\n    note()")], "carry", Work())
    assert corrected.corrections == ()
    assert corrected.outcome == Refused("not-found", 0)
