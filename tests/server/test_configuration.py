"""What the client says of settings: at initialize, pushed, or pulled; and that no hook waits for an answer."""

from pathlib import Path
from typing import Any

import pytest

from tests.server.client import InProcess, notification

PULLS = {"workspace": {"configuration": True}}
DRIFTED = [{"oldText": "\ta = 1", "newText": "\ta = 2"}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("if x:\n    a = 1\n")
    return tmp_path


def enabled(client: InProcess, folder: Path) -> bool:
    """Whether a drifted call is corrected."""
    params = {"toolCallId": "c", "toolName": "edit", "cwd": str(folder), "input": {"path": "a.py", "edits": DRIFTED}}
    return bool(client.ask("editAssist/toolCall", params)["corrections"])


def push(client: InProcess, settings: object) -> None:
    client.send(notification("workspace/didChangeConfiguration", {"settings": settings}))


def asked(client: InProcess, folder: Path) -> list[dict[str, Any]]:
    """What the server has asked so far, and not yet been answered."""
    enabled(client, folder)
    heard, client.heard = client.heard, []
    return heard


def answer(client: InProcess, asked_before: dict[str, Any], result: object) -> None:
    client.send({"jsonrpc": "2.0", "id": asked_before["id"], "result": result})


def test_a_client_that_cannot_be_asked_is_not_asked(raw: InProcess, folder: Path) -> None:
    raw.start()
    push(raw, None)
    push(raw, {"somebodyElse": 1})
    assert asked(raw, folder) == []


def test_initialization_options_and_then_what_is_pushed(raw: InProcess, folder: Path) -> None:
    raw.start(initializationOptions={"enabled": False, "callsChanged": True})
    assert not enabled(raw, folder)
    push(raw, {"editAssist": {"enabled": True}})
    assert enabled(raw, folder)
    push(raw, {"editAssist": {"enabled": None}})
    assert not enabled(raw, folder)
    push(raw, {"editAssist": {"enabled": True}})
    push(raw, {"editAssist": None})
    assert not enabled(raw, folder)


@pytest.mark.parametrize("options", [None, 5, [], "x", {"enabled": "no"}, {"editAssist": {"enabled": False}}])
def test_options_that_say_nothing_usable_change_nothing(raw: InProcess, folder: Path, options: object) -> None:
    raw.start(initializationOptions=options)
    assert enabled(raw, folder)
    problems = raw.ask("editAssist/sessionStart", {"cwd": str(folder)})["problems"]
    told = options is not None and options != {"editAssist": {"enabled": False}}
    assert len(problems) == told and all("the client's initializationOptions" in problem for problem in problems)


def test_it_pulls_once_initialized_and_no_hook_waits(raw: InProcess, folder: Path) -> None:
    raw.start(capabilities=PULLS)
    (pull,) = asked(raw, folder)
    assert pull["method"] == "workspace/configuration" and pull["params"] == {"items": [{"section": "editAssist"}]}
    answer(raw, pull, [{"enabled": False}])
    assert not enabled(raw, folder)


def test_a_push_without_our_section_makes_it_pull_and_the_newest_word_counts(raw: InProcess, folder: Path) -> None:
    raw.start(capabilities=PULLS)
    (first,) = asked(raw, folder)
    push(raw, None)
    (second,) = asked(raw, folder)
    answer(raw, second, [{"enabled": False}])
    answer(raw, first, [{"enabled": True}])
    assert not enabled(raw, folder), "an answer to an older question does not count over a newer one"
    push(raw, {"editAssist": {"enabled": True}})
    assert enabled(raw, folder)
    push(raw, {"other": 1})
    (third,) = asked(raw, folder)
    push(raw, {"editAssist": {"enabled": True}})
    answer(raw, third, [{"enabled": False}])
    assert enabled(raw, folder), "nor over what was pushed meanwhile"


@pytest.mark.parametrize("result", [None, [], [None], 5, "x", [[]], [5], {"enabled": False}])
def test_an_answer_that_says_nothing_leaves_the_defaults(raw: InProcess, folder: Path, result: object) -> None:
    raw.start(capabilities=PULLS)
    (pull,) = asked(raw, folder)
    answer(raw, pull, result)
    assert enabled(raw, folder)


def test_an_error_in_answer_changes_nothing(raw: InProcess, folder: Path) -> None:
    raw.start(capabilities=PULLS, initializationOptions={"enabled": False})
    (pull,) = asked(raw, folder)
    raw.send({"jsonrpc": "2.0", "id": pull["id"], "error": {"code": -32601, "message": "no"}})
    assert not enabled(raw, folder)


def test_an_answer_with_an_error_of_null_is_an_answer(raw: InProcess, folder: Path) -> None:
    raw.start(capabilities=PULLS)
    (pull,) = asked(raw, folder)
    raw.send({"jsonrpc": "2.0", "id": pull["id"], "result": [{"enabled": False}], "error": None})
    assert not enabled(raw, folder)


def test_it_registers_for_changes_where_the_client_wants_that(raw: InProcess, folder: Path) -> None:
    raw.start(capabilities={"workspace": {"didChangeConfiguration": {"dynamicRegistration": True}}})
    (registered,) = asked(raw, folder)
    assert registered["method"] == "client/registerCapability"
    (registration,) = registered["params"]["registrations"]
    assert registration["method"] == "workspace/didChangeConfiguration"
    answer(raw, registered, None)
    assert enabled(raw, folder)
