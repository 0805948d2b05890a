"""What an editor does with an answer that another reader would take otherwise."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.server.people import CAPABILITIES, Agent, Editor, Opening

TEXT = "one = 1\ntwo = two(2)\nthree = 3\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "a.py"
    file.write_text(TEXT)
    return file


def capabilities(*resolved: str) -> dict[str, Any]:
    """An editor's, with the properties of an action that it has resolved."""
    made = deepcopy(CAPABILITIES)
    made["textDocument"]["codeAction"]["resolveSupport"]["properties"] = list(resolved)
    return made


@pytest.mark.parametrize(("resolved", "has_command"), [(("edit",), True), (("edit", "command"), False)])
def test_the_command_that_counts_an_edit_as_applied_comes_as_late_as_the_client_allows(
    file: Path, started: Opening, resolved: tuple[str, ...], has_command: bool
) -> None:
    """Neovim runs the command of an action that it could not resolve: it must not have one."""
    agent = started(Agent(file.parent))
    editor = started(Editor(file.parent, capabilities=capabilities(*resolved)))
    agent.edit("a.py", ("two = too(2)", "two = 22"))
    editor.sees_one(file.as_uri())
    action = editor.actions(file.as_uri(), 1)[0]
    assert ("command" in action) == has_command
    done = editor.ask("codeAction/resolve", action)
    call_id = editor.ask("editAssist/calls", {})["calls"][0]["id"]
    assert (done["command"]["command"], done["command"]["arguments"]) == ("editAssist.applied", [call_id, 0])


def test_half_a_character_reaches_no_editor(file: Path, started: Opening) -> None:
    """Neovim drops a message whose JSON has one, and waits for an answer that it has dropped."""
    agent, editor = started(Agent(file.parent)), started(Editor(file.parent))
    agent.edit("a.py", ("two = too(2)", "two = '\ud83d'"))
    said = [{"type": "text", "text": "It failed: \udc00"}]
    call = {**agent.common(), "toolCallId": "\ud83d", "toolName": "edit", "input": {"path": "a.py", "edits": []}}
    agent.ask("editAssist/toolResult", {**call, "content": said, "isError": True})
    editor.sees(file.as_uri(), lambda found: found != [])
    answers = [
        editor.published,
        editor.ask("editAssist/calls", {}),
        editor.edit_of(editor.actions(file.as_uri(), 1)[0]),
        *(editor.ask("editAssist/preview", {"id": call["id"]}) for call in editor.ask("editAssist/calls", {})["calls"]),
    ]
    for answer in answers:
        json.dumps(answer, ensure_ascii=False).encode()
    assert "two = '\ufffd'" in str(answers[2])
    assert "It failed: \ufffd" in str(answers[1])
