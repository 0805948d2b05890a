"""The guards: every case of `fixtures/guards`, the golden texts, and what holds for any call."""

from dataclasses import replace
from pathlib import Path

import pytest

from edit_assist_ls.engine.builtin import Applied
from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.engine.text import NotUtf8, decode
from tests.engine import guard_cases
from tests.engine.guard_cases import HARMLESS, in_full
from tests.engine.reference_builtin import Landed, run

CASES = guard_cases.paths()


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", CASES, ids=named)
def test_case(path: Path, update_fixtures: bool) -> None:
    source = path.read_bytes().decode()
    case = guard_cases.parse(source)
    out = guard_cases.play(case)
    if update_fixtures:
        path.write_bytes(guard_cases.written(case, out, source).encode())
        return
    assert out == case.expected, case.why
    edits, outcome, _ = guard_cases.judged(case)
    met = decode(case.data)
    if isinstance(outcome, Applied) and not isinstance(met, NotUtf8):
        by_reference = run(in_full(met), [(edit.old_text, edit.new_text) for edit in edits])
        assert by_reference == Landed(in_full(outcome.text))


@pytest.mark.parametrize("path", CASES, ids=named)
def test_case_is_named_after_its_guard_and_written_as_it_is_read(path: Path) -> None:
    source = path.read_bytes().decode()
    case = guard_cases.parse(source)
    assert case.why.endswith("."), "a case says in a sentence why it must be so"
    assert guard_cases.written(case, case.expected, source) == source
    if path.parent.name == HARMLESS:
        assert case.expected["guards"] == "none\n"
    else:
        assert all(f" by {path.parent.name}" in line for line in case.expected["guards"].splitlines())


@pytest.mark.parametrize("path", [path for path in CASES if path.parent.name != HARMLESS], ids=named)
def test_a_guard_that_is_off_says_nothing(path: Path) -> None:
    case = guard_cases.parse(path.read_bytes().decode())
    _, _, found = guard_cases.judged(case, set(GUARDS) - {path.parent.name})
    assert found.refused is None and found.warnings == ()


def test_every_guard_has_cases_and_harmless_ones_are_the_most() -> None:
    counts = {name: sum(path.parent.name == name for path in CASES) for name in (*GUARDS, HARMLESS)}
    assert min(counts.values()) >= 3
    assert counts[HARMLESS] == max(counts.values())
    assert {path.parent.name for path in CASES} == {*GUARDS, HARMLESS}


def test_a_text_is_cut_where_a_line_is_long() -> None:
    case = guard_cases.parse((guard_cases.ROOT / "gluedLines" / "at-the-end.txt").read_bytes().decode())
    long = replace(case, file="a = 1\n" + "b" * 5_000 + "\n")
    said = guard_cases.play(long)["says"]
    assert "…" in said and len(said) < 400
