"""Every case of `fixtures/cases`, played through the engine and held to what its file says."""

from pathlib import Path

import pytest

from edit_assist_ls.engine.builtin import Applied
from edit_assist_ls.engine.text import Text
from tests.engine import cases
from tests.engine.reference_builtin import Landed, run

CASES = cases.paths()


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", CASES, ids=named)
def test_case(path: Path, request: pytest.FixtureRequest) -> None:
    source = path.read_bytes().decode()
    case = cases.parse(source)
    corrected, out = cases.play(case)
    if request.config.getoption("--update-fixtures", default=False):
        path.write_bytes(cases.written(case, out, cases.header_of(source)).encode())
        return
    assert out == case.expected, case.why
    by_reference = run(case.file, [(edit.old_text, edit.new_text) for edit in corrected.edits])
    if isinstance(corrected.outcome, Applied):
        assert by_reference == Landed(case.expected["after"])
    else:
        assert not isinstance(by_reference, Landed)


@pytest.mark.parametrize("path", CASES, ids=named)
def test_case_is_written_as_it_is_read(path: Path) -> None:
    """No byte of a case is left to chance: writing what was read gives the file again, in plain characters."""
    source = path.read_bytes().decode()
    case = cases.parse(source)
    assert case.why.endswith("."), "a case says in a sentence why it must be so"
    assert cases.written(case, case.expected, cases.header_of(source)) == source
    assert Text.of(case.file).encode().decode() == case.file


def test_there_are_cases() -> None:
    assert len(CASES) >= 120
    assert {path.parent.name for path in CASES} == {path.name for path in cases.ROOT.iterdir() if path.is_dir()}


@pytest.mark.parametrize(
    "text",
    ["", "a", "a\n", "\\n\n", "a \t\n \n", "\ufeffx\r\ny\rz", "-- call --\n", "e\u0301\u00a0\U0001f600\\\n", "x\\"],
)
def test_escapes_survive(text: str) -> None:
    held = cases.escaped(text)
    assert cases.unescaped(held) == text
    assert all(" " <= c <= "~" or c in "\n\t" + cases.PLAIN for c in held)
    assert not any(line != line.rstrip() for line in held.split("\n"))
