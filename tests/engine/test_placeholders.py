"""Lines that stand for text left out, marks of truncation, and notations: tables of what is one and what is none."""

import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.engine.foreign import foreign_in
from edit_assist_ls.engine.notation import decoded, encoded, plain_lines
from edit_assist_ls.engine.placeholders import Sureness, placeholder, trailing_dots, truncation_mark
from edit_assist_ls.engine.text import Text
from tests.engine.texts import messy, wild

SURE = """
# ... rest of the code ...
// existing code
// ...existing code...
...existing code...
    // ... other imports
/* ... */
{/* ... */}
<!-- rest of the file -->
// rest of your code here
// Other methods remain unchanged
# (rest of code unchanged)
[... rest of file ...]
# [...]
// <snip>
// ... 20 more lines ...
... (rest of file unchanged)
-- ... rest of query ...
<existing code>
// existing code above
#...
// ... (keep the rest unchanged)
# ... (truncated)
{# ... existing markup ... #}
<%# ... rest ... %>
; ... rest of file
% ... remaining sections ...
' ... existing code
// ... rest of switch statement
… rest of file …
[rest of file]
"""
LOOSE = """
# existing code here
# code omitted for brevity
# --- existing code ---
// existing fields
# remaining items
// previous code
# The rest of the code remains the same
// rest
## Existing code
* unchanged lines
(existing tests)
"""
NONE = """
...
[...]
(...)
...rest
    ...rest,
[...existing, item]
[ ...existing, item ]
(...args)
// [...existing, item]
{ ...rest }
const { a, ...rest } = bag;
return {...state, ...rest};
x = [...]
def f(): ...
* ...
- ...
'...'
print('...')
# etc
# the rest
// other cases are handled below
# existing users must log in again
# ...the remaining items are handled below
# see the rest of the docs
// TODO: rest of implementation
# Loading...
// no changes
<rest>
#rest;
--old-code)
#....................
rest of file
the rest ...
"""
MARKS = {
    "1,xx [truncated]": "[truncated]",
    "x [... truncated]": "[... truncated]",
    "x... [200 characters truncated] ...": "... [200 characters truncated] ...",
    '"x <truncated 200 chars>",': "<truncated 200 chars>",
    "x (line truncated to 100 chars)": "(line truncated to 100 chars)",
    "[Showing lines 1-7 of 20. Use offset=8 to continue.]": "[Showing lines 1-7 of 20. Use offset=8 to continue.]",
    "    ... (3 more lines)": "... (3 more lines)",
    "… +12 lines (ctrl+o to expand)": "… +12 lines (ctrl+o to expand)",
    "...[+500 chars]": "...[+500 chars]",
    "[... 2 lines omitted ...]": "[... 2 lines omitted ...]",
    "log('truncated')": None,
    "if (truncated) return": None,
    "foo(truncated, x)": None,
    "Vec<truncated>": None,
    "# 3 lines": None,
    "print(f'... {n} lines')": None,
    "[truncated] is what it says": None,
}


TABLES: tuple[tuple[str, Sureness | None], ...] = ((SURE, "sure"), (LOOSE, "loose"), (NONE, None))
LINES = [(line, sureness) for table, sureness in TABLES for line in table.strip("\n").split("\n")]


@pytest.mark.parametrize(("line", "sureness"), LINES)
def test_placeholder(line: str, sureness: Sureness | None) -> None:
    assert placeholder(line) == sureness
    assert placeholder("\t" + line + "  ") == sureness


@pytest.mark.parametrize(("line", "mark"), MARKS.items())
def test_truncation_mark(line: str, mark: str | None) -> None:
    found = truncation_mark(line)
    assert (None if found is None else found[1]) == mark


def test_dots_end_a_long_line() -> None:
    long = "a line that is long enough to be cut off"
    assert trailing_dots(long + "...") == (long, "...")
    assert trailing_dots(long + " …  ") == (long, "…")
    assert trailing_dots(long + '...",') == (long, "...")
    assert trailing_dots("Loading...") is None and trailing_dots("print('wait for the rest...')") is None
    assert trailing_dots(long + "....") is None


def test_code_that_people_wrote_has_hardly_a_placeholder() -> None:
    """Of the standard library's lines not one in ten thousand looks like one."""
    root = Path(sysconfig.get_paths()["stdlib"])
    lines = [line for path in sorted(root.glob("*.py")) for line in path.read_text("utf-8", "replace").split("\n")]
    found = [line for line in lines if placeholder(line) == "sure" or truncation_mark(line)]
    assert len(lines) > 50_000 and len(found) * 10_000 < len(lines)


PLAIN = st.text(st.sampled_from('ab <>&"\\\n\té’😀'), max_size=30)
SIGNS = '\\\\ \\n \\t \\"'


@given(PLAIN)
def test_what_is_escaped_is_found_again(text: str) -> None:
    """The form with all signs, undone, is the text; every form has the sign that it is said to have."""
    forms = list(encoded(text, SIGNS))
    assert all(sign in form and form != text for form, sign in forms)
    if forms:
        assert text in [plain for plain, _ in decoded(forms[-1][0])]


@given(PLAIN, PLAIN)
def test_no_line_moves_where_a_file_is_read_plainly(text: str, wanted: str) -> None:
    written = text.replace("&", "&amp;").replace("<", "&lt;").replace("é", "\\u00e9")
    for plain, sign in plain_lines(written, wanted):
        assert sign in written and plain.count("\n") == text.count("\n")


@given(st.one_of(wild, messy, PLAIN), st.one_of(wild, messy, PLAIN))
def test_what_is_foreign_stands_in_old_text_and_lines_are_those_of_the_file(file: str, old: str) -> None:
    text = Text.of(file)
    if not old or old in text.lf:
        return
    found = foreign_in(text, old)
    if found is not None:
        assert found.quoted in (old if found.cause != "unescaped" else text.lf)
        assert found.line is None or 1 <= found.line <= (found.end_line or found.line) <= len(text.lines)
