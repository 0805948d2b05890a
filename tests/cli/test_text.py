"""How texts are shown: escaped, coloured only where that is wanted, and as diffs that are true."""

import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.cli_text import (
    JOINERS,
    Style,
    escape,
    escape_line,
    lines_to_show,
    shown_diff,
    unified,
    visible_ends,
    wants_colour,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("caf\u00e9 \u65e5\u672c \U0001f600", "caf\u00e9 \u65e5\u672c \U0001f600"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\r\0\b\f\v", "\\r\\0\\b\\f\\v"),
        ("\x7f\x9b", "\\x7f\\x9b"),
        ("\u202e\u2066\u200f\u061c", "\\u202e\\u2066\\u200f\\u061c"),
        ("\ufeff\u2028\u200b\u00ad", "\\ufeff\\u2028\\u200b\\xad"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_escape(text: str, shown: str) -> None:
    assert escape(text) == shown


@given(st.text(st.characters()))
def test_nothing_escaped_is_invisible(text: str) -> None:
    bad = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    shown = escape(text)
    assert all(c in "\t\n" or c in JOINERS or unicodedata.category(c) not in bad for c in shown)
    assert not set(escape_line(text)) & set("\t\n")


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  a"]), max_size=14)


def patched(before: list[str], diff: list[str]) -> list[str]:
    """`before` with the hunks of a unified diff applied, as the format's own rules say."""
    out, at = [], 0
    for line in diff:
        if head := re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line):
            start = int(head[1]) - (head[2] != "0")
            out += before[at:start]
            at = start
            assert int(head[3]) - (head[4] != "0") == len(out)
        elif line[0] == "+":
            out.append(line[1:])
        else:
            assert before[at] == line[1:]
            at += 1
            out += [line[1:]] if line[0] == " " else []
    return out + before[at:]


@given(LINES, LINES, st.integers(0, 4))
def test_a_diff_applied_gives_the_other_text(before: list[str], after: list[str], context: int) -> None:
    diff = unified(before, after, context=context)
    assert patched(before, diff) == after
    assert bool(diff) == (before != after)


def test_a_diff_of_a_long_text_with_frequent_lines_is_true_too() -> None:
    before = [line for number in range(5_000) for line in (f"line {number}", "")]
    after = ["first", *before[1:-2], "last", ""]
    assert patched(before, unified(before, after)) == after


@given(LINES, LINES, LINES)
def test_a_diff_shows_context_only_around_changes(head: list[str], before: list[str], after: list[str]) -> None:
    marks = "".join(line[0] for line in unified([*head, *before], [*head, *after], context=2))
    for hunk in marks.split("@")[1:]:
        changed = hunk.strip(" ")
        assert changed and len(hunk) - len(hunk.lstrip(" ")) <= 2 and len(hunk) - len(hunk.rstrip(" ")) <= 2


def test_a_missing_final_newline_is_said() -> None:
    assert lines_to_show("a\nb\n") == ["a", "b"]
    diff = unified(lines_to_show("a\n"), lines_to_show("a"))
    assert diff == ["@@ -1 +1 @@", "-a", "+a\n\\ no newline at the end"]


def test_whitespace_at_the_ends_is_visible() -> None:
    assert visible_ends("\tx = 1 \t") == "\u2192   x = 1\u00b7\u2192   "
    assert visible_ends("  x") == "  x"
    assert visible_ends("  x", leading_dots=True) == "\u00b7\u00b7x"
    assert visible_ends("  ") == "\u00b7\u00b7"
    assert list(shown_diff([" \tx ", "-y ", "@@ -1 +1 @@"], Style())) == [" \tx ", "-y\u00b7", "@@ -1 +1 @@"]


def test_colour_is_put_around_whole_lines() -> None:
    assert list(shown_diff(["-a\x1b", "+b"], Style(colour=True))) == ["\x1b[31m-a\\x1b\x1b[0m", "\x1b[32m+b\x1b[0m"]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "terminal", "wanted"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_when_there_is_colour(environ: dict[str, str], terminal: bool, wanted: bool) -> None:
    assert wants_colour(Terminal() if terminal else io.StringIO(), environ) is wanted
