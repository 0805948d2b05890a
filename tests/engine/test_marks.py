"""Marks of readers and encoders: what was put on comes off, alike on both texts, where the file bears it out."""

import html
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from edit_assist_ls.engine import marks
from edit_assist_ls.engine.builtin import Applied, Edit, apply, occurrences
from edit_assist_ls.engine.marks import Undone, undo
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work

_code = st.text(st.sampled_from("abcxyz =()<>&\"'.,"), min_size=1, max_size=12).filter(str.strip)
_lines = st.lists(_code, min_size=3, max_size=8, unique_by=str.strip)


def undone(text: str, old: str, new: str) -> Undone | None:
    return undo(Text.of(text), Edit(old, new), Work())


def numbered(lines: list[str], separator: str, first: int) -> str:
    return "\n".join(f"{first + at:>4}{separator}{line}" for at, line in enumerate(lines))


@given(
    _lines,
    st.lists(_code, min_size=1, max_size=3),
    st.sampled_from(["→", "\t", ": ", ":", "| ", "|", " | ", ":a3|", "#KT:"]),
    st.integers(1, 900),
)
def test_line_numbers_come_off_both_texts_or_stay_on_both(
    lines: list[str], new: list[str], separator: str, first: int
) -> None:
    text, taken = "\n".join(lines) + "\n", lines[1:-1]
    assume(occurrences(Text.of(text), "\n".join(taken)) == 1)
    found = undone(text, numbered(taken, separator, first), numbered(new, separator, first))
    if found is not None:
        assert found == Undone(Edit("\n".join(taken), "\n".join(new)), "line-numbers")
    else:
        assert separator in (":", "|"), "a blank at the start of a line could be the separator's"


@given(_lines, st.lists(_code, min_size=1, max_size=3))
def test_entities_come_off_both_texts(lines: list[str], new: list[str]) -> None:
    text, taken, meant = "\n".join(lines) + "\n", "\n".join(lines[1:-1]), "\n".join(new)
    old = html.escape(taken)
    assume(old != taken and occurrences(Text.of(text), taken) == 1)
    assert undone(text, old, html.escape(meant)) == Undone(Edit(taken, meant), "html-entities")


@given(_lines, _lines)
def test_escapes_come_off_both_texts_or_the_edit_is_left(lines: list[str], new: list[str]) -> None:
    text, taken, meant = "\n".join(lines) + "\n", "\n".join(lines[1:]), "\n".join(new)

    def escaped(plain: str) -> str:
        return plain.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"').replace("'", "\\'")

    assume(occurrences(Text.of(text), taken) == 1)
    found = undone(text, escaped(taken), escaped(meant))
    assert found is None or found == Undone(Edit(taken, meant), "escapes")
    if not set("\"'") & set(meant):
        assert found is not None


_any = st.text(st.sampled_from("ab \t\n→12:|`-+&<>;\\\"'ntlgta#0f"), max_size=20)


@given(_any, _any, _any)
def test_what_is_undone_was_absent_and_is_there_once(text: str, old: str, new: str) -> None:
    found = undone(text, old, new)
    if found is None:
        return
    assert old not in text
    assert occurrences(Text.of(text), found.edit.old_text) == 1 and found.edit.old_text in text
    assert undone(text, found.edit.old_text, found.edit.new_text) is None, "a fixed point"
    if found.edit.old_text != found.edit.new_text:
        assert isinstance(apply(Text.of(text), [found.edit], Work()), Applied)


@given(_any, _any, _any)
def test_nothing_is_undone_without_work_to_spend(text: str, old: str, new: str) -> None:
    assert undo(Text.of(text), Edit(old, new), Work(0)) is None


@given(st.text(st.sampled_from("ab\"'`\\\n"), max_size=24))
def test_literals_are_those_of_a_slow_reading(text: str) -> None:
    found: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 2
            continue
        body = r"(?:\\.|[^`\\])*`" if sign == "`" else rf"(?:\\.|[^{sign}\\\n])*{sign}"
        literal = re.compile(re.escape(sign) + body, re.DOTALL).match(text, at) if sign in "\"'`" else None
        if literal is not None:
            found.append(literal[0])
        at = literal.end() if literal is not None else at + 1
    assert marks._literals(text) == found


@pytest.mark.parametrize("signs", ["'", '"', "`", "'\\\\", "\"'`"])
def test_very_many_quotes_are_read_in_one_pass(signs: str) -> None:
    quotes = signs * 60_000
    assert undone("a\nb\n", "a\\nb", f"x{quotes}\\") is None, "a backslash at the end escapes nothing"
    assert sum(map(len, marks._literals(quotes))) <= len(quotes)
