"""What a quick fix puts in a file: the edit, there, and nothing else."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.offer import Offer, offer
from edit_assist_ls.engine.text import Text
from edit_assist_ls.showing.previews import replaced
from tests.engine import texts

Case = tuple[Text, Edit, int, int]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A file, an edit, and any lines of the file."""
    file, edits = draw(st.one_of(texts.code_calls(1), texts.messy_calls()))
    text = Text.of(file)
    assume(text.lines)
    line0 = draw(st.integers(0, len(text.lines) - 1))
    return text, edits[0], line0, draw(st.integers(line0, min(len(text.lines) - 1, line0 + 5)))


def after(text: Text, made: Offer) -> str:
    return text.lf[: made.start] + made.new_text + text.lf[made.end :]


@given(cases())
def test_nothing_but_the_lines_of_the_place_changes(case: Case) -> None:
    text, edit, line0, last_line0 = case
    made = offer(text, edit, line0, last_line0)
    assume(made is not None)
    assert made is not None
    end = text.line_starts[last_line0] + len(text.lines[last_line0])
    assert made.start == text.line_starts[line0] and made.end in (end, end + 1) and made.end <= len(text.lf)
    raw = replaced(text, [made])
    assert raw.startswith(text.raw[: text.raw_offset(made.start)])
    assert raw.endswith(text.raw[text.raw_offset(made.end) :])
    assert folding.lf(raw) == after(text, made)


@given(cases())
def test_an_old_text_that_stands_once_in_the_place_is_spliced_to_the_letter(case: Case) -> None:
    text, edit, line0, last_line0 = case
    old, new = folding.lf(edit.old_text), folding.lf(edit.new_text)
    start, end = text.line_starts[line0], text.line_starts[last_line0 + 1]
    region = text.lf[start:end]
    assume(old.strip("\n") and sum(region.startswith(old, at) for at in range(len(region))) == 1)
    made = offer(text, edit, line0, last_line0)
    assert made is not None
    at = start + region.index(old)
    assert after(text, made) == text.lf[:at] + new + text.lf[at + len(old) :]


@given(cases())
def test_an_edit_that_changes_nothing_changes_nothing_anywhere(case: Case) -> None:
    text, edit, line0, last_line0 = case
    made = offer(text, Edit(edit.old_text, edit.old_text), line0, last_line0)
    assert made is None or after(text, made) == text.lf


@given(st.data())
def test_lines_that_the_edit_leaves_alone_stay_as_the_file_has_them(data: st.DataObject) -> None:
    """oldText is the place in other whitespace, its lines all different: one of them is changed, the others stay."""
    words = data.draw(st.lists(texts.words, min_size=2, max_size=6, unique=True))
    there = [data.draw(texts.indents) + word + data.draw(texts.trails) for word in words]
    old = [data.draw(texts.indents) + word for word in words]
    at = data.draw(st.integers(0, len(words) - 1))
    new = [*old[:at], folding.indentation(old[at]) + "changed()", *old[at + 1 :]]
    above, below = data.draw(st.sampled_from(["", "top\n"])), data.draw(st.sampled_from(["", "\n", "\nend\n"]))
    text = Text(above + "\n".join(there) + below)
    line0 = above.count("\n")
    assume("\n".join(old) not in text.lf)
    made = offer(text, Edit("\n".join(old), "\n".join(new)), line0, line0 + len(words) - 1)
    assert made is not None
    lines = made.new_text.split("\n")
    assert len(lines) == len(there) and lines[at].strip(" \t") == "changed()"
    assert lines[:at] + lines[at + 1 :] == there[:at] + there[at + 1 :]


@given(cases())
@example((Text("a\n"), Edit("b\nc", "d"), 0, 4))
def test_lines_that_are_not_there_are_no_place(case: Case) -> None:
    text, edit, line0, _ = case
    assert offer(text, edit, line0, len(text.lines)) is None
    assert offer(text, edit, -1, line0) is None
    assert offer(text, edit, line0 + 1, line0) is None


def test_indentation_is_carried_and_deleted_lines_go_whole() -> None:
    text = Text("def f():\n\tif x:\n\t\treturn 1\n\tend()\n")
    made = offer(text, Edit("if x:\n    return 2", "if x:\n    log()\n    return 3"), 1, 2)
    assert made is not None and made.new_text == "\tif x:\n\t\tlog()\n\t\treturn 3"
    gone = offer(text, Edit("  if x:\n      return 1\n", ""), 1, 2)
    assert gone is not None and after(text, gone) == "def f():\n\tend()\n"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("price  * count", "price  * amount", "    total = price  * amount  # sum"),
        ("price *count", "price * amount", "    total = price * amount  # sum"),
        ("total  = price", "total  = 2", "    total  = 2 * count  # sum"),
        ("price * cuont", "price * amount", None),
        ("total = price * cuont", "total = 1", None),
        ("total = price * cuont  # sum", "total = 1  # sum", "    total = 1  # sum"),
    ],
)
def test_the_rest_of_a_line_is_kept_or_nothing_offered(old: str, new: str, line: str | None) -> None:
    made = offer(Text("    total = price * count  # sum\n"), Edit(old, new), 0, 0)
    assert (made.new_text if made else None) == line


def test_the_rest_of_the_first_and_last_line_is_kept() -> None:
    text = Text("    total = price * count\n  if a:\n    b(name)  # d\n")
    edit = Edit("price  * count\n  if a :\n    b(name )", "price  * amount\n  if a :\n    b(x)")
    made = offer(text, edit, 0, 2)
    assert made is not None and made.new_text == "    total = price  * amount\n  if a:\n    b(x)  # d"
    assert offer(text, Edit("price * cuont\n  if a :\n    b(c)", "price\n  if a :\n    b(c)"), 0, 2) is None
    assert offer(text, Edit("total = price * count\n  if a :\n    b(nmae)", "total\n  if a :\n    b"), 0, 2) is None
