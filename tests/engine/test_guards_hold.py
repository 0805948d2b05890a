"""What holds for the guards whatever the call: against the slow reference, out of work, and for any text at all."""

import re
from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from edit_assist_ls.engine import folding, guard_words, guards
from edit_assist_ls.engine.builtin import Applied, Edit, RefusalKind, Refused, apply
from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.engine.guards import Alarm, Guarded, guard
from edit_assist_ls.engine.placeholders import may_be_placeholders, placeholder, trailing_dots, truncation_mark
from edit_assist_ls.engine.text import NotUtf8, Text, decode
from edit_assist_ls.engine.work import Work
from tests.engine import reference_guards as reference
from tests.engine.texts import ENDINGS, messy, wild

BLOCKING = ("utf8", "twins", "null")
_SPACE = ("\n", "\n", "\n", "\n    ", "\n  ", "\n\t", "  ", " ", "\t")
_LEFT_OUT = ("# ...", "// existing code", "...rest", "# rest", "text [truncated]")
pieces = st.sampled_from(["a", "b", "aa", "ab", "go()", "if x:", "}", "x = 1", "‘", "'", *_SPACE, *_LEFT_OUT])
plain = st.lists(pieces, min_size=1, max_size=14).map("".join)
Call = tuple[Text, list[Edit], list[reference.Spot]]


@st.composite
def landing_calls(draw: st.DrawFn, most: int = 3) -> Call:
    """A text, and edits that stand in it literally at places that do not meet, with these places."""
    lf = draw(plain)
    ending = draw(st.sampled_from([*ENDINGS, "mixed"]))
    raw = re.sub("\n", lambda _: draw(st.sampled_from(ENDINGS)) if ending == "mixed" else ending, lf)
    text = Text(raw)
    lf = text.lf
    edits: list[Edit] = []
    spots: list[reference.Spot] = []
    position = 0
    for _ in range(draw(st.integers(1, most))):
        if position >= len(lf):
            break
        start = draw(st.integers(position, len(lf) - 1))
        end = draw(st.integers(start + 1, len(lf)))
        old = lf[start:end]
        parts = st.one_of(st.just(old), st.just(old.strip("\n")), pieces, st.just(lf[: draw(st.integers(0, len(lf)))]))
        new = "".join(draw(st.lists(parts, max_size=4)))
        edits.append(Edit(old, new))
        spots.append((start, old, new))
        position = end
    return text, edits, spots


def judged(text: Text, edits: Sequence[Edit]) -> tuple[Applied, Guarded] | None:
    outcome = apply(text, edits, Work())
    if not isinstance(outcome, Applied):
        assert guard(text, edits, outcome, (), GUARDS, Work()) == Guarded()
        return None
    return outcome, guard(text, edits, outcome, (), GUARDS, Work())


def by_name(found: Guarded, name: str) -> list[Alarm]:
    return [alarm for alarm in (found.refused, *found.warnings) if alarm is not None and alarm.guard == name]


@given(landing_calls())
def test_no_guard_fires_on_what_the_reference_calls_harmless(call: Call) -> None:
    text, edits, spots = call
    assume(all(text.lf.find(old) == start for start, old, _ in spots))
    if (result := judged(text, edits)) is None:
        return
    outcome, found = result
    lf = text.lf
    for alarm in by_name(found, "twins"):
        _, old, new = spots[alarm.edit_index or 0]
        assert reference.place_matters(lf, old, new)
    for _ in by_name(found, "gluedLines"):
        assert reference.lines_meet(lf, spots)
    for alarm in by_name(found, "indentation"):
        start, _, new = spots[alarm.edit_index or 0]
        assert reference.depth_changes(lf, start, new)
    for alarm in by_name(found, "repeated"):
        start, old, new = spots[alarm.edit_index or 0]
        assert reference.stood_already(lf, start, old, new)
        assert alarm.adds == (old != new)
    for alarm in by_name(found, "placeholder"):
        _, old, new = spots[alarm.edit_index or 0]
        assert any(alarm.quoted in line for line in reference.new_lines(old, new))
        assert reference.could_stand_for_text(alarm.quoted)
    if by_name(found, "mixedEndings") and len(edits) == 1:
        assert reference.mixes(text.raw, outcome.text.raw)


@given(landing_calls(most=1))
def test_what_the_reference_calls_harm_is_met(call: Call) -> None:
    """Where one edit lands literally, twins, glued lines and what stood there already are not missed."""
    text, edits, ((start, old, new),) = call
    assume(text.lf.find(old) == start)
    if (result := judged(text, edits)) is None:
        return
    _, found = result
    matters = reference.place_matters(text.lf, old, new)
    assert bool(by_name(found, "twins")) == matters
    if matters:
        return
    if reference.lines_meet(text.lf, [(start, old, new)]) and not {new[:1], new[-1:]} & {" ", "\t"}:
        assert by_name(found, "gluedLines")
    grows = new.count(old) == 1 and "".join(new.split(old)).strip()
    if grows and text.lf.startswith(new, start - new.find(old)) and start >= new.find(old):
        assert by_name(found, "repeated")


words = st.sampled_from(["go()", "if x:", "f(", "}", "else:", "return", "- item", "#if A", "x = `"])
margins = st.sampled_from(["", "", "  ", "    ", "      ", "        ", "\t"])


@given(margins.filter(bool), st.integers(0, 8), st.lists(st.tuples(margins, words), min_size=2, max_size=4))
def test_a_depth_is_remarked_on_only_where_it_changes(margin: str, cut: int, lines: list[tuple[str, str]]) -> None:
    """oldText begins somewhere inside the indentation of its line, or behind it."""
    old = (margin + "target()")[min(cut, len(margin)) :]
    text = Text(f"top:\n{margin}target()\n")
    new = "\n".join(indent + word for indent, word in lines)
    result = judged(text, [Edit(old, new)])
    assert result is not None
    start = text.lf.find(old)
    fired = bool(by_name(result[1], "indentation"))
    if not reference.depth_changes(text.lf, start, new):
        assert not fired
    alike = {indent for indent, _ in lines} == {lines[0][0]} and {word for _, word in lines} <= {"go()", "return"}
    if alike and cut > 0 and len({word for _, word in lines}) == len(lines):
        assert fired


@given(landing_calls())
def test_lines_that_are_named_are_those_of_the_file(call: Call) -> None:
    text, edits, _ = call
    if (result := judged(text, edits)) is None:
        return
    outcome, found = result
    for alarm in (found.refused, *found.warnings):
        if alarm is None:
            continue
        met = text if alarm.guard in ("twins", "repeated") else outcome.text
        assert alarm.start_line is not None and alarm.end_line in (None, *range(alarm.start_line, len(met.lines) + 2))
        if alarm.guard in ("placeholder", "gluedLines") and "‘" not in text.raw:
            assert alarm.quoted in met.lines[alarm.start_line - 1]


@given(landing_calls(), st.sets(st.sampled_from(GUARDS)))
def test_only_guards_that_are_on_speak(call: Call, on: set[str]) -> None:
    text, edits, _ = call
    outcome = apply(text, edits, Work())
    found = guard(text, edits, outcome, range(len(edits)), on, Work())
    said = {alarm.guard for alarm in (found.refused, *found.warnings) if alarm is not None}
    assert said <= on
    assert found.refused is None or (found.refused.guard in BLOCKING and not found.warnings)
    assert not {alarm.guard for alarm in found.warnings} & set(BLOCKING)


anything = st.one_of(wild, messy, plain)
outcomes = st.one_of(
    st.none(),
    st.builds(Applied, st.builds(Text.of, anything)),
    st.builds(Refused, st.sampled_from(get_args(RefusalKind))),
)
met_texts = st.one_of(st.none(), st.builds(Text.of, anything), st.builds(NotUtf8, st.integers(0), st.integers(1)))


@given(
    met_texts,
    st.lists(st.builds(Edit, anything, anything), max_size=4),
    outcomes,
    st.sets(st.integers(-1, 5)),
    st.one_of(st.none(), st.integers(0, 500)),
)
@example(Text("\ud800a"), [Edit("a", "\udc00")], Applied(Text("\ud800\udc00")), set(), None)
@example(Text("\0" * 8), [Edit("a", "")], None, {0}, None)
def test_nothing_raises_and_all_that_is_said_is_bounded(
    met: Text | NotUtf8 | None,
    edits: list[Edit],
    outcome: Applied | Refused | None,
    nulls: set[int],
    limit: int | None,
) -> None:
    """Also where the outcome is none of this text, and out of work."""
    found = guard(met, edits, outcome, nulls, GUARDS, Work() if limit is None else Work(limit))
    assert len(found.warnings) <= guards.MAX_ALARMS
    assert len(guard_words.warning("p" * 500, found.warnings)) <= guards.MAX_ALARMS * 500
    if found.refused is not None:
        said = guard_words.reason("p" * 500, found.refused)
        assert said.startswith("Not run: ") and len(said) < 600


@given(st.binary(max_size=60), st.lists(st.builds(Edit, plain, plain), min_size=1, max_size=2))
@example(b"caf\xe9\n", [Edit("a", "b")])
def test_bytes_that_the_host_would_replace_are_never_let_through(data: bytes, edits: list[Edit]) -> None:
    met = decode(data)
    found = guard(met, edits, None, (), GUARDS, Work())
    lossless = data.decode("utf-8", "replace").encode() == data
    if not lossless:
        assert found.refused is not None and found.refused.guard == "utf8"
        assert found.refused.byte_offset is not None and data[found.refused.byte_offset] == found.refused.byte
        assert data[: found.refused.byte_offset].decode("utf-8") or found.refused.byte_offset == 0
    elif b"\0" not in data:
        assert found == Guarded()


@given(st.text(st.characters(codec="ascii", exclude_characters="\0"), min_size=8, max_size=300))
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_utf_16_is_named_with_and_without_its_mark(encoding: str, text: str) -> None:
    found = guard(decode(text.encode(encoding)), [Edit("a", "b")], None, (), GUARDS, Work())
    assert found.refused is not None and (found.refused.encoding or "").startswith("UTF-16")


null_edits = st.builds(Edit, st.sampled_from(["null", " null", "nul", ""]), st.sampled_from(["null", "x"]))


@given(st.lists(null_edits, max_size=3), st.sets(st.integers(0, 3)), outcomes)
def test_a_null_is_refused_where_the_call_may_land(
    edits: list[Edit], nulls: set[int], outcome: Applied | Refused | None
) -> None:
    found = guard(Text("text"), edits, outcome, nulls, {"null"}, Work())
    words = [
        at for at in sorted(nulls) if at < len(edits) and "null" in (edits[at].new_text, edits[at].old_text.strip())
    ]
    may_land = not isinstance(outcome, Refused) or outcome.kind == "unsearched"
    expected = words[0] if words and may_land else None
    assert (None if found.refused is None else found.refused.edit_index) == expected


@given(anything)
def test_a_placeholder_is_found_by_its_telling_line(text: str) -> None:
    """The quick look over a whole text misses no line that the slow one calls a placeholder."""
    lf = folding.lf(text)
    lines = lf.split("\n")
    seen = dict(may_be_placeholders(lf))
    assert all(lines[line0] == line for line0, line in seen.items())
    for line0, line in enumerate(lines):
        if placeholder(line) is not None:
            assert line0 in seen


@given(anything)
def test_marks_of_truncation_are_cut_where_they_stand(text: str) -> None:
    for line in text.split("\n"):
        for found in (truncation_mark(line), trailing_dots(line)):
            if found is not None:
                before, mark = found
                assert line.startswith(before) and mark and mark in line[len(before) :]


@pytest.mark.parametrize("length", [200, 5_000, 100_000])
@pytest.mark.parametrize("unit", ["[", "[a ", "( a", "truncated ", "...1 ", ".", "(x more lines ", "<", "# rest of "])
def test_long_lines_are_looked_at_within_bounds(unit: str, length: int) -> None:
    line = unit * (length // len(unit))
    assert placeholder(line) is None or len(line) <= 200
    found = truncation_mark(line)
    assert found is None or len(found[1]) <= 300


def test_out_of_work_a_call_is_left_alone() -> None:
    text = Text("aaa\n" * 50 + "b\n")
    edits = [Edit("b\n", "c")]
    outcome = apply(text, edits, Work())
    assert isinstance(outcome, Applied)
    assert guard(text, edits, outcome, (), GUARDS, Work(10)) == Guarded()


def test_hostile_calls_stay_within_the_work_limit() -> None:
    """Texts that begin as they end, in every length: what is spent is what was given, and no more."""
    text = Text("a" * 150_000 + "b\n" + "".join(f"row {n}\n" for n in range(2_000)))
    calls = [
        [Edit("a" * 149_000 + "b", "c")],
        [Edit(f"row {n}\n", f"row {n}") for n in range(1_000, 2_000)],
        [Edit("row 1999\n", "# ... rest\n" * 50_000)],
    ]
    for edits in calls:
        work = Work()
        outcome = apply(text, edits, work)
        found = guard(text, edits, outcome, (), GUARDS, work)
        assert work.left >= 0 and len(found.warnings) <= guards.MAX_ALARMS
