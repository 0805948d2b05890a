"""The corpus of failing calls: nothing lands at another place than the agent's, and every refusal says why."""

import json
from typing import Any

import pytest

from tests.corpus.__main__ import FILES, FOLDER, Played, is_elsewhere, is_right, main, play


@pytest.fixture(params=FILES)
def entries(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    if not FOLDER.is_dir():
        pytest.skip(f"there is no corpus at {FOLDER}: it is no part of this project")
    found: list[dict[str, Any]] = json.loads((FOLDER / request.param).read_text("utf-8"))
    return found


@pytest.mark.parametrize("profile", ["assist", "strict"])
def test_no_edit_goes_elsewhere_and_no_refusal_is_without_its_reason(
    entries: list[dict[str, Any]], profile: str
) -> None:
    for entry in entries:
        played = play(entry, profile)
        if played.after is None:
            assert is_right(entry, played, profile), entry["name"]
        else:
            assert not is_elsewhere(entry["fileContent"] or "", played), entry["name"]


def test_a_call_that_went_elsewhere_would_be_seen() -> None:
    edits = [{"oldText": "b  = 1", "newText": "b = 2"}]
    before = "a = 1\n  b = 1\n"
    assert not is_elsewhere(before, Played("a = 1\n  b = 2\n", "", edits))
    assert is_elsewhere(before, Played("b = 2\n  b = 1\n", "", edits))
    assert is_elsewhere(before + before, Played("a = 1\n  b = 2\n" + before, "", edits))


def test_without_a_corpus_it_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    assert main(tmp_path / "none") == 0
    assert "not played: there is no corpus" in capsys.readouterr().out
