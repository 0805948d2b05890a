"""Where an oldText is: every span of each strategy, held to brute force over all places."""

from hypothesis import example, given
from hypothesis import strategies as st

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.matching import Span, exact, extended, spaced, trimmed
from edit_assist_ls.engine.text import Text
from tests.engine import reference_builtin as reference
from tests.engine.texts import code, code_calls, messy, messy_calls

MOST = 10_000
Call = tuple[str, tuple[Edit, ...]]
calls = st.one_of(code_calls(most=1), messy_calls())


def old_lines_of(old: str) -> tuple[list[str], bool]:
    lines = old.split("\n")
    return (lines[:-1], True) if len(lines) > 1 and not lines[-1] else (lines, False)


def whole_line_spans(text: Text, old: str, alike: str) -> list[Span]:
    """Every window of oldText's height whose lines are alike, line by line."""
    lines, ended = old_lines_of("\n".join(line.lstrip(" \t") for line in reference.fold(old).split("\n")))

    def key(line: str) -> str:
        folded = reference.fold(line).lstrip(" \t")
        return "".join(c for c in folded if c not in " \t") if alike == "spaced" else folded

    spans: list[Span] = []
    for start in range(len(text.lines) - len(lines) + 1):
        window = text.lines[start : start + len(lines)]
        if [key(line) for line in lines] != [key(line) for line in window]:
            continue
        last = start + len(lines) - 1
        end = sum(len(line) + 1 for line in text.lines[: last + 1]) - 1
        has_feed = end < len(text.lf)
        spans.append(
            Span(
                sum(len(line) + 1 for line in text.lines[:start]),
                end + (ended and has_feed),
                start,
                last,
                past_end=ended and not has_feed,
            )
        )
    return spans


@given(calls)
def test_extended(call: Call) -> None:
    text, old = Text.of(call[0]), reference.to_lf(call[1][0].old_text)
    assert extended(text, old, MOST) == whole_line_spans(text, old, "extended")


@given(calls)
def test_spaced(call: Call) -> None:
    text, old = Text.of(call[0]), reference.to_lf(call[1][0].old_text)
    assert spaced(text, old, MOST) == whole_line_spans(text, old, "spaced")


@given(messy, messy)
def test_exact_finds_overlapping_places(file: str, old: str) -> None:
    text, old = Text.of(file), reference.to_lf(old)
    places = [at for at in range(len(text.lf)) if old and text.lf.startswith(old, at)]
    assert exact(text, old, MOST) == places


def trimmed_lines(text: str) -> list[str]:
    return [line.rstrip(folding.TRAILING) for line in text.split("\n")]


@given(calls)
@example(("a  \nb", ()))
@example(("x = 1  ", ()))
def test_trimmed(call: Call) -> None:
    text = Text.of(call[0])
    old = reference.to_lf(call[1][0].old_text) if call[1] else "a\nb\n" if "b" in call[0] else "= 1\n"
    if not old.strip(folding.TRAILING) or old in text.lf:
        return
    wanted = trimmed_lines(old)
    must_end_line = old.split("\n")[-1] != wanted[-1]
    spans = trimmed(text, old, MOST)
    for span in spans:
        in_file = text.lf[span.start : span.end]
        assert trimmed_lines(in_file + "\n" * span.past_end) == wanted
        assert (span.line0, span.start >= text.line_starts[span.line0]) == (text.lf.count("\n", 0, span.start), True)
        if must_end_line:
            assert text.lf[span.end : span.end + 1] in ("", "\n")
        if span.past_end:
            assert span.end == len(text.lf) and old.endswith("\n")
    found = {(span.line0, column(text, span.start)) for span in spans}
    for start, end in every_place(text.lf, wanted, must_end_line=must_end_line):
        assert (text.lf.count("\n", 0, start), column(text, start)) in found, (start, end)


def column(text: Text, offset: int) -> int:
    """How far into its line an offset lies, trailing whitespace before it left off."""
    return len(text.lf[:offset].rpartition("\n")[2].rstrip(folding.TRAILING))


def every_place(lf: str, wanted: list[str], *, must_end_line: bool) -> list[tuple[int, int]]:
    """Every slice of whole words of the text that reads as `wanted` once trailing whitespace is off its lines."""
    places: list[tuple[int, int]] = []
    for start in range(len(lf)):
        for end in range(start + 1, len(lf) + 1):
            lines = lf[start:end].split("\n")
            if len(lines) != len(wanted) or trimmed_lines(lf[start:end]) != wanted:
                continue
            ends_line = lf[end:].split("\n")[0].strip(folding.TRAILING) == ""
            starts_in_text = lf[start] not in folding.TRAILING
            if starts_in_text and (ends_line if must_end_line else lines[-1] == wanted[-1] or ends_line):
                places.append((start, end))
    return places


@given(code(), st.integers(1, 3))
def test_at_most_so_many(file: str, most: int) -> None:
    text = Text.of(file)
    for line in text.lines:
        if line.strip():
            every = extended(text, line, MOST)
            assert extended(text, line, most) == every[:most]
            assert exact(text, line, most) == exact(text, line, MOST)[:most]
