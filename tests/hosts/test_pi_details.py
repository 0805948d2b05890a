"""What pi says of a change beside its text: the patch gives the file, however large the file is."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_assist_ls.engine.strict import Edited, StrictEdit, apply_strictly
from edit_assist_ls.engine.text import Text
from edit_assist_ls.hosts import pi_details


def patched(before: str, patch: str) -> str:
    """A text with a unified patch applied: a plain reader of them."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", before)
    out: list[str] = []
    position = 0
    rows = re.findall(r"[^\n]*\n", patch)[2:]
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        head = re.fullmatch(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n", row)
        if head:
            start = int(head[1]) - (head[2] != "0")
            out += lines[position:start]
            position = start
            continue
        line = row[1:-1] if following.startswith("\\ No newline") else row[1:]
        if row[0] in " -":
            assert lines[position] == line
            position += 1
        if row[0] in " +":
            out.append(line)
    return "".join(out + lines[position:])


_ending = st.sampled_from(["\n", "\n", "\r\n", "\r", ""])
_new = st.lists(st.sampled_from(["a", "b", "\n", "c\n", "\r\n", "\r", "<n>"]), max_size=5).map("".join)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, list[StrictEdit]]:
    """A file whose lines all have a name, and edits of some of them, by name, line ends now and then included."""
    rows = [f"<{at}>{draw(st.sampled_from(['', 'x']))}{draw(_ending)}" for at in range(draw(st.integers(1, 25)))]
    edits = []
    for at in draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=4, unique=True)):
        old = draw(st.sampled_from([rows[at], f"<{at}>"]))
        edits.append(StrictEdit(old, draw(_new)))
    return "".join(rows), edits


@pytest.mark.parametrize("most_pairs", [pi_details.MAX_PAIRS, 6, 0])
def test_the_patch_gives_the_file(most_pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi_details, "MAX_PAIRS", most_pairs)
    landed = []

    @given(calls())
    def play(call: tuple[str, list[StrictEdit]]) -> None:
        text, edits = call
        before = Text.of(text)
        done = apply_strictly(before, edits)
        if isinstance(done, Edited):
            landed.append(text)
            check(before, done)

    play()
    assert landed


def check(before: Text, done: Edited) -> None:
    details = pi_details.edit_details("a.py", before, done.text, done.changes)
    assert patched(before.raw, details["patch"]) == done.text.raw
    old, new = before.lf.split("\n"), done.text.lf.split("\n")
    assert shown(details["diff"], "+").items() <= dict(enumerate(new, 1)).items()
    assert shown(details["diff"], "-").items() <= dict(enumerate(old, 1)).items()
    if old != new and before.lf.removesuffix("\n") != done.text.lf.removesuffix("\n"):
        first = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
        assert first is None or details["firstChangedLine"] <= first + 1


def shown(diff: str, sign: str) -> dict[int, str]:
    """The lines that a diff shows with a sign before them, by their numbers."""
    rows = (re.fullmatch(rf"\{sign} *(\d+) (.*)", row) for row in diff.split("\n"))
    return {int(row[1]): row[2] for row in rows if row}


def numbered(lines: Sequence[str], changed: dict[int, str]) -> str:
    return "".join(f"{changed.get(at, line)}\n" for at, line in enumerate(lines))


def test_two_changes_far_apart_in_a_large_file_are_two_hunks() -> None:
    lines = [f"row {at % 7}" for at in range(30_000)]
    before = Text.of(numbered(lines, {10: "first", 29_990: "last"}))
    done = apply_strictly(before, [StrictEdit("first", "1st\n1b"), StrictEdit("last", "end")])
    assert isinstance(done, Edited)
    details = pi_details.edit_details("a.py", before, done.text, done.changes)
    assert details["firstChangedLine"] == 11 and details["patch"].count("@@ ") == 2
    assert patched(before.raw, details["patch"]) == done.text.raw
    assert len(details["diff"].split("\n")) < 30
