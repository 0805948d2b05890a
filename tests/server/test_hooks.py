"""The hook requests on the wire: shapes, arbitrary JSON kept as it is, errors that name the field."""

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from edit_assist_ls.engine.guard_names import GUARDS
from edit_assist_ls.server import wire
from edit_assist_ls.server.desk import HOOKS
from edit_assist_ls.server.errors import InvalidParamsError
from edit_assist_ls.server.front import OWN_REQUESTS
from tests.server.client import InProcess, request

TWO_LINES = "if x:\n    a = 1\n"
NOT_FOUND = (
    "Could not find the exact text in a.py. The old text must match exactly including all whitespace and newlines."
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(TWO_LINES)
    return tmp_path


def tool_call(folder: Path, old: str, new: str, **more: Any) -> dict[str, Any]:
    return {
        "toolCallId": "c1",
        "toolName": "edit",
        "cwd": str(folder),
        "input": {"path": "a.py", "edits": [{"oldText": old, "newText": new}], **more},
    }


def test_a_call_corrected_run_and_told(client: InProcess, folder: Path) -> None:
    params = tool_call(folder, "\ta = 1", "\ta = 2")
    result = client.ask("editAssist/toolCall", params)
    assert result == {
        "input": {"path": "a.py", "edits": [{"oldText": "    a = 1", "newText": "    a = 2"}]},
        "corrections": [{"editIndex": 0, "kind": "whitespace", "startLine": 2, "endLine": 2, "newText": "carried"}],
    }
    done = {**params, "input": result["input"], "content": [{"type": "text", "text": "Done."}], "isError": False}
    (block,) = client.ask("editAssist/toolResult", {**done, "details": {"diff": "…"}})["content"]
    assert block["text"].startswith("Done.\n\n")
    assert client.ask("editAssist/toolResult", done) == {}


def test_unchanged_is_absent(client: InProcess, folder: Path) -> None:
    params = tool_call(folder, "    a = 1", "    a = 2")
    assert client.ask("editAssist/toolCall", params) == {"corrections": []}
    result = {**params, "content": [{"type": "text", "text": "Operation aborted"}], "isError": True}
    assert client.ask("editAssist/toolResult", result) == {}
    assert client.ask("editAssist/messageEnd", {"cwd": str(folder), "message": {}}) == {}
    start = {"cwd": str(folder), "systemPrompt": "p", "activeTools": []}
    assert client.ask("editAssist/beforeAgentStart", start) == {}


def test_the_session_start_answers_the_effective_settings(client: InProcess, folder: Path) -> None:
    (folder / ".pi").mkdir()
    (folder / ".pi" / "settings.json").write_text('{"edit-assist": {"correction": "oldText", "profile": "loose"}}')
    start = {"cwd": str(folder), "sessionId": "s", "processId": 5, "projectTrusted": None}
    result = client.ask("editAssist/sessionStart", start)
    assert result["settings"] == {
        "enabled": True,
        "correction": "oldText",
        "arguments": "repair",
        "profile": "assist",
        "guards": dict.fromkeys(GUARDS, True),
        "ledger": "full",
    }
    (problem,) = result["problems"]
    assert "edit-assist.profile" in problem and str(folder / ".pi" / "settings.json") in problem
    untrusted = client.ask("editAssist/sessionStart", {**start, "projectTrusted": False})
    assert untrusted["problems"] == [] and untrusted["settings"]["correction"] == "carry"


def test_names_of_json_rpc_and_python_in_the_input_are_data(client: InProcess, folder: Path) -> None:
    odd = {
        "jsonrpc": "1.0",
        "id": 5,
        "method": {"jsonrpc": "2.0"},
        "class": 1,
        "_x": None,
        "old-text": [],
        "type_name": "T",
    }
    params = tool_call(folder, "\ta = 1", "\ta = 2", odd=odd, jsonrpc="2.0", error={"code": 1}, result=7)
    got = client.ask("editAssist/toolCall", {**params, "jsonrpc": "x", "\ud800": 1})["input"]
    assert {key: got[key] for key in ("odd", "jsonrpc", "error", "result")} == {
        "odd": odd,
        "jsonrpc": "2.0",
        "error": {"code": 1},
        "result": 7,
    }


def test_lone_surrogates_and_control_characters_survive(client: InProcess, folder: Path) -> None:
    new, odd = "\ta = '\0 \u2028 é 😀 \x7f'", {"\ud800": ["\udc00", "\udfff\ud800"]}
    got = client.ask("editAssist/toolCall", tool_call(folder, "\ta = 1", new, odd=odd))["input"]
    assert got["odd"] == odd
    assert got["edits"] == [{"oldText": "    a = 1", "newText": "    " + new[1:]}]
    content = [{"type": "text", "text": NOT_FOUND}, {"type": "text", "text": "\ud800"}]
    failed = {**tool_call(folder, "a = 7", "\ud800"), "content": content, "isError": True}
    assert client.ask("editAssist/toolResult", failed)["content"][1] == content[1]


def test_every_byte_of_an_answer_is_ascii(client: InProcess, folder: Path) -> None:
    client.last_id += 1
    client.send(request("é\ud800", "editAssist/toolCall", tool_call(folder, "\ta = 1", "\ta = 'é'")))
    head = client.read_line()
    client.read_line()
    body = client.read_bytes(int(head.split(b":")[1]))
    assert body.isascii() and json.loads(body)["id"] == "é\ud800"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"cwd": None}, "$.cwd"),
        ({"cwd": "relative/folder"}, "`cwd`"),
        ({"cwd": ""}, "`cwd`"),
        ({"toolCallId": 5}, "$.toolCallId"),
        ({"toolName": []}, "$.toolName"),
        ({"input": 3}, "$.input"),
        ({"input": None}, "$.input"),
        ({"input": [1]}, "$.input"),
        ({"host": 5}, "$.host"),
        ({"sessionId": {}}, "$.sessionId"),
        ({"messageId": 5}, "$.messageId"),
    ],
)
def test_params_of_the_wrong_shape_are_refused_by_the_fields_name(
    client: InProcess, folder: Path, change: dict[str, Any], field: str
) -> None:
    params = tool_call(folder, "\ta = 1", "\ta = 2")
    error = client.error("editAssist/toolCall", {**params, **change})
    assert error["code"] == -32602 and field in error["message"] and "editAssist/toolCall" in error["message"]
    assert len(client.ask("editAssist/toolCall", params)["corrections"]) == 1


@pytest.mark.parametrize("method", sorted(wire.REQUESTS))
def test_a_missing_field_is_named(client: InProcess, method: str) -> None:
    params_type, _ = wire.REQUESTS[method]
    required = [f.encode_name for f in msgspec.structs.fields(params_type) if f.required]
    if not required:
        assert client.ask(method, {}) == ({"calls": []} if method == "editAssist/calls" else {})
        return
    assert f"`{required[0]}`" in client.error(method, {})["message"]


def test_a_struct_for_each_hook_and_an_unchanged_answer_of_its_type() -> None:
    assert {hook.method for hook in HOOKS} | OWN_REQUESTS == wire.REQUESTS.keys()
    for hook in HOOKS:
        params_type, result_type = wire.REQUESTS[hook.method]
        assert hook.params_type is params_type and type(hook.unchanged) is result_type
        msgspec.json.schema(params_type), msgspec.json.schema(result_type)


@pytest.mark.parametrize("params", [None, 5, [], "x", True])
def test_params_that_are_no_object_are_invalid(params: object) -> None:
    with pytest.raises(InvalidParamsError, match="object"):
        wire.params_of(params, wire.ToolCallParams)


def test_bad_files_and_hostile_arguments_over_the_wire(client: InProcess, folder: Path) -> None:
    os.mkfifo(folder / "fifo")
    (folder / "latin.py").write_bytes(b"\xe9")
    paths: list[Any] = ["missing.py", ".", "fifo", "latin.py", "a\0b", "\ud800", "x" * 100_000, None, 5, {}]
    for path in paths:
        params = tool_call(folder, "x", "y")
        params["input"]["path"] = path
        answer = client.ask("editAssist/toolCall", params)
        assert answer.pop("block", None) is None or path == "latin.py"
        assert answer == {"corrections": []}
        failed = {**params, "content": [{"type": "text", "text": NOT_FOUND}], "isError": True}
        assert client.ask("editAssist/toolResult", failed) == {}
    for edits in (
        [{"oldText": "z" * 1_000_000, "newText": ""}],
        [{"oldText": f"z{i}", "newText": ""} for i in range(10_000)],
    ):
        params = tool_call(folder, "x", "y")
        params["input"]["edits"] = edits
        assert client.ask("editAssist/toolCall", params) == {"corrections": []}


def test_arguments_nested_too_deep_to_copy_are_left_as_they_are(client: InProcess, folder: Path) -> None:
    deep: Any = 1
    for _ in range(900):
        deep = [deep]
    params = tool_call(folder, "\ta = 1", "\ta = 2", deep=deep)
    assert client.ask("editAssist/toolCall", params) == {"corrections": []}
    del params["input"]["deep"]
    assert len(client.ask("editAssist/toolCall", params)["corrections"]) == 1
