"""JSON-RPC's and LSP's own rules: every request gets exactly one answer, whatever else arrives."""

import json
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from edit_assist_ls import __version__
from edit_assist_ls.server.app import _build_server
from edit_assist_ls.server.front import Front
from edit_assist_ls.server.hooks import Desk, Hook
from edit_assist_ls.server.transport import MAX_BODY_BYTES, MAX_WAITING
from edit_assist_ls.session import Memory
from tests.server.client import InProcess, frame, initialize, notification, request

SHUTDOWN_HOOK = "editAssist/sessionShutdown"


def test_it_names_itself_and_says_what_it_offers(raw: InProcess) -> None:
    result = raw.start()
    assert result["serverInfo"] == {"name": "edit-assist-ls", "version": __version__}
    capabilities = result["capabilities"]
    assert capabilities["experimental"] == {"editAssist": {"protocol": 1}}
    assert capabilities["textDocumentSync"]["change"] == 1
    assert capabilities["codeActionProvider"]["codeActionKinds"] == ["quickfix"]


def test_code_actions_are_answered_with_none(client: InProcess) -> None:
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    params = {"textDocument": {"uri": "file:///a.py"}, "range": where, "context": {"diagnostics": []}}
    assert client.ask("textDocument/codeAction", params) == []


def test_before_initialize_requests_are_refused_and_notifications_dropped(raw: InProcess) -> None:
    raw.send(notification("textDocument/didClose", {}), notification("workspace/didChangeConfiguration", {}))
    for method in (SHUTDOWN_HOOK, "shutdown", "no/such"):
        assert raw.error(method, {})["code"] == -32002
    raw.start()
    assert raw.ask(SHUTDOWN_HOOK, {}) == {}


def test_initialize_that_fails_may_be_tried_again_and_a_second_one_is_refused(raw: InProcess) -> None:
    error = raw.error("initialize", {"processId": "five", "capabilities": 7})
    assert error["code"] == -32602 and ("processId" in error["message"] or "capabilities" in error["message"])
    assert raw.error("initialize")["code"] == -32602
    raw.start()
    assert raw.error("initialize", initialize())["code"] == -32600


def test_after_shutdown_requests_are_refused_and_exit_is_heard(client: InProcess) -> None:
    assert client.ask("shutdown") is None
    client.send(notification("textDocument/didClose", {}))
    assert client.error(SHUTDOWN_HOOK, {})["code"] == -32600
    assert client.error("shutdown")["code"] == -32600
    client.send(notification("exit"))
    assert client.rest() == b""
    assert client.end() == 0


@pytest.mark.parametrize("messages", [[], [notification("exit")], [request(1, "initialize", initialize())]])
def test_without_shutdown_the_status_is_1(raw: InProcess, messages: list[Any]) -> None:
    raw.send(*messages)
    raw.close_input()
    raw.rest()
    assert raw.end() == 1


def test_exit_before_initialize_ends_it_while_the_input_stays_open(raw: InProcess) -> None:
    raw.send(notification("exit"))
    assert raw.rest() == b""
    raw._thread.join(20)
    assert raw.status == 1


def test_the_input_ending_after_shutdown_is_an_ordinary_end(client: InProcess) -> None:
    client.ask("shutdown")
    assert client.end() == 0


def test_what_came_before_the_end_of_the_input_is_answered(raw: InProcess) -> None:
    raw.send(request(1, "initialize", initialize()), *(request(i, SHUTDOWN_HOOK, {}) for i in range(2, 50)))
    raw.close_input()
    assert [raw.answer()["id"] for _ in range(1, 50)] == list(range(1, 50))
    assert raw.rest() == b""


@pytest.mark.parametrize(
    ("message", "request_id", "code"),
    [
        (b"", None, -32700),
        (b"{oops", None, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"shutdown"', None, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":NaN}}', None, -32700),
        (b'"\xff"', None, -32700),
        (b"\xef\xbb\xbf{}", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, None, -32700),
        (b"9" * 10_000, None, -32700),
        ([], None, -32600),
        ([request(1, "shutdown")], None, -32600),
        (5, None, -32600),
        ("text", None, -32600),
        (None, None, -32600),
        (True, None, -32600),
        ({}, None, -32600),
        ({"jsonrpc": "2.0"}, None, -32600),
        ({"jsonrpc": "2.0", "id": 7}, 7, -32600),
        ({"id": 7, "method": "shutdown"}, 7, -32600),
        ({"jsonrpc": "1.0", "id": "a", "method": "shutdown"}, "a", -32600),
        ({"jsonrpc": "2.0", "id": 7, "method": 5}, 7, -32600),
        ({"jsonrpc": "2.0", "id": 7, "method": None}, 7, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "shutdown"}, None, -32600),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}, None, -32600),
        ({"jsonrpc": "2.0", "id": True, "method": "shutdown"}, None, -32600),
        ({"jsonrpc": "2.0", "id": [1], "method": "shutdown"}, None, -32600),
        ({"jsonrpc": "2.0", "id": {}, "method": "shutdown"}, None, -32600),
        ({"jsonrpc": "2.0", "id": 7, "method": SHUTDOWN_HOOK, "params": 5}, 7, -32602),
        ({"jsonrpc": "2.0", "id": 7, "method": SHUTDOWN_HOOK, "params": [5]}, 7, -32602),
        ({"jsonrpc": "2.0", "id": 7, "method": SHUTDOWN_HOOK}, 7, -32602),
        ({"jsonrpc": "2.0", "id": 7, "method": "editAssist/noSuchThing", "params": {}}, 7, -32601),
        ({"jsonrpc": "2.0", "id": 7, "method": "$/noSuchThing"}, 7, -32601),
        ({"jsonrpc": "2.0", "id": 7, "method": "", "params": {"a": 1}, "more": 1}, 7, -32601),
        ({"jsonrpc": "2.0", "id": 7, "method": "textDocument/codeAction", "params": {}}, 7, -32602),
    ],
)
def test_what_is_no_request_gets_its_error_and_the_server_goes_on(
    client: InProcess, message: object, request_id: object, code: int
) -> None:
    client.send(message)
    answer = client.answer()
    assert answer.keys() == {"jsonrpc", "id", "error"}
    assert (answer["id"], answer["error"]["code"]) == (request_id, code)
    assert 0 < len(answer["error"]["message"]) <= 500 and "Traceback" not in answer["error"]["message"]
    assert client.ask(SHUTDOWN_HOOK, {}) == {}


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 99, "result": None},
        {"jsonrpc": "2.0", "id": "nobody", "result": {"jsonrpc": "2.0"}},
        {"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "id": 99, "error": 5},
        {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "result": 5},
        {"jsonrpc": "1.0", "id": 99, "result": 5},
        notification("no/such/notification", {"a": {"b": 1}}),
        notification("$/setTrace", {"value": "no such value"}),
        notification("$/cancelRequest", {"id": 4711}),
        notification("$/cancelRequest", {"id": ["x"]}),
        notification("$/cancelRequest"),
        notification("$/cancelRequest", [1]),
        notification("textDocument/didClose", {}),
        notification(
            "textDocument/didChange", {"textDocument": {"uri": "file:///x", "version": 1}, "contentChanges": []}
        ),
        notification("textDocument/didChange", 5),
        notification("workspace/didChangeConfiguration", {}),
        notification("workspace/didChangeConfiguration", {"settings": 5}),
        notification("initialized", {}),
    ],
)
def test_what_asks_nothing_is_not_answered_and_the_server_goes_on(client: InProcess, message: object) -> None:
    client.send(message)
    assert client.ask(SHUTDOWN_HOOK, {}) == {}
    assert client.heard == [], "and no person is bothered"


@pytest.mark.parametrize("size", [b"", b"x", b"-5", b"1e3", b"0x10", b"12345678901234567890"])
def test_after_a_bad_header_the_next_message_is_found(client: InProcess, size: bytes) -> None:
    body = json.dumps(request(1, SHUTDOWN_HOOK, {})).encode()
    client.write(b"Content-Length: %b\r\n\r\n%b" % (size, body) + frame(request("next", SHUTDOWN_HOOK, {})))
    lost = client.answer()
    assert (lost["id"], lost["error"]["code"]) == (None, -32700)
    assert client.answer() == {"jsonrpc": "2.0", "id": "next", "result": {}}


def test_a_body_beyond_the_limit_is_passed_over(client: InProcess) -> None:
    client.write(b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1))
    assert client.answer()["error"]["code"] == -32700
    left = MAX_BODY_BYTES + 1
    while left:
        part = min(left, 1 << 20)
        client.write(b" " * part)
        left -= part
    assert client.ask(SHUTDOWN_HOOK, {}) == {}


def test_headers_in_any_case_and_order_and_bytes_one_by_one(client: InProcess) -> None:
    body = json.dumps(request("é", SHUTDOWN_HOOK, {}), ensure_ascii=False).encode()
    header = b"content-TYPE: application/vscode-jsonrpc; charset=utf-8\r\nX-Other: Content-Length: 3\r\n"
    for byte in header + b"CONTENT-length:%d\r\n\r\n" % len(body) + body:
        client.write(bytes([byte]))
    assert client.answer() == {"jsonrpc": "2.0", "id": "é", "result": {}}
    client.write(b"Content-Length: %d\n\n" % len(body) + body)
    assert client.answer()["result"] == {}


def test_a_body_cut_short_ends_it(client: InProcess) -> None:
    client.write(b"Content-Length: 100\r\n\r\n{}")
    client.close_input()
    assert client.rest() == b""
    assert client.end() == 1


class Gate(msgspec.Struct):
    """Params of the hook below."""

    wait: bool = False


class Passed(msgspec.Struct):
    """Its result."""

    count: int


def gated() -> tuple[Front, threading.Event, threading.Event]:
    """A server with one hook that counts its calls, and waits at the gate if it is told to."""
    arrived, gate = threading.Event(), threading.Event()
    count = 0

    def handle(_memory: Memory, params: Gate) -> Passed:
        nonlocal count
        count += 1
        if params.wait:
            arrived.set()
            assert gate.wait(20)
        return Passed(count)

    hook = Hook("editAssist/gate", Gate, handle, unchanged=Passed(-1))
    return Front(lambda front: Desk(Memory(front.settings), {hook.method: hook}), _build_server), arrived, gate


def test_a_request_that_is_cancelled_before_it_begins_is_not_run() -> None:
    server, arrived, gate = gated()
    client = InProcess(server)
    client.start()
    client.send(request("first", "editAssist/gate", {"wait": True}))
    assert arrived.wait(20)
    client.send(
        *(request(i, "editAssist/gate", {}) for i in (10, 11, "11", 12)),
        notification("$/cancelRequest", {"id": 11}),
        notification("$/cancelRequest", {"id": "first"}),
        notification("$/cancelRequest", {"id": 10}),
        request("read", "editAssist/gate", {}),
    )
    # Nothing is handled while the gate is closed; the reader has noted the cancellations once it has read this.
    while "read" not in (read := _waiting(server)):
        assert read is not None
    gate.set()
    answers = {answer["id"]: answer for answer in (client.answer() for _ in range(6))}
    assert answers["first"]["result"] == {"count": 1}, "what has begun is finished"
    assert answers[10]["error"]["code"] == answers[11]["error"]["code"] == -32800
    assert [answers[i]["result"]["count"] for i in ("11", 12, "read")] == [2, 3, 4]
    client.send(request(11, "editAssist/gate", {}))
    assert client.answer()["result"] == {"count": 5}, "an old cancellation is not held against a new request"
    client.end()


def _waiting(server: Front) -> dict[int | str, bool]:
    connection = server.out.write.__self__  # type: ignore[attr-defined]
    waiting: dict[int | str, bool] = connection._waiting
    return dict(waiting)


def test_a_flood_is_answered_in_order_and_leaves_nothing_behind(client: InProcess) -> None:
    count = 3 * MAX_WAITING
    flood = b"".join(frame(request(i, SHUTDOWN_HOOK, {})) for i in range(count))
    writer = threading.Thread(target=client.write, args=(flood,))
    writer.start()
    assert [client.answer()["id"] for _ in range(count)] == list(range(count))
    writer.join()
    assert _waiting(client.server) == {}


def test_a_hook_that_breaks_answers_unchanged_and_the_server_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_memory: Memory, params: Gate) -> Passed:
        raise RecursionError if params.wait else ValueError("broken")

    hook = Hook("editAssist/gate", Gate, broken, unchanged=Passed(-1))
    client = InProcess(Front(lambda front: Desk(Memory(front.settings), {hook.method: hook}), _build_server))
    client.start()
    for wait in (True, False):
        assert client.ask("editAssist/gate", {"wait": wait}) == {"count": -1}
    assert "editAssist/gate failed" in caplog.text
    assert client.error("editAssist/gate", {"wait": 5}) == {
        "code": -32602,
        "message": "editAssist/gate: Expected `bool`, got `int` - at `$.wait`",
    }
    client.end()


def test_a_result_that_is_no_json_and_a_feature_that_breaks_are_answered_shortly() -> None:
    class Endless(msgspec.Struct):
        value: Any

    hook = Hook("editAssist/gate", Gate, lambda *_: Endless(float("inf")), unchanged=Passed(-1))
    server = Front(lambda front: Desk(Memory(front.settings), {hook.method: hook}), _build_server)

    @server.server().feature("textDocument/hover")
    def hover(_params: object) -> None:
        raise ZeroDivisionError("a long story\n" * 100)

    client = InProcess(server)
    client.start()
    assert client.error("editAssist/gate", {})["code"] == -32603
    where = {"textDocument": {"uri": "file:///a"}, "position": {"line": 0, "character": 0}}
    error = client.error("textDocument/hover", where)
    assert error["code"] == -32603 and len(error["message"]) <= 500
    assert client.error("editAssist/gate", {})["code"] == -32603
    client.end()


def test_a_desk_that_cannot_be_opened_is_an_error_of_each_request(caplog: pytest.LogCaptureFixture) -> None:
    def cannot(_settings: object) -> Desk:
        raise ImportError("no engine")

    client = InProcess(Front(cannot, _build_server))
    client.start()
    for _ in range(2):
        assert client.error(SHUTDOWN_HOOK, {})["code"] == -32603
    assert client.heard == [] and "no engine" in caplog.text
    client.end()


def test_an_initialize_without_workspace_folders_works_in_any_folder(raw: InProcess, tmp_path: Path) -> None:
    raw.start(workspaceFolders=None, rootPath=str(tmp_path), clientInfo={"name": "x"}, locale="de", unknown=[1])
    assert raw.ask(SHUTDOWN_HOOK, {"host": None, "sessionId": None, "more": 1}) == {}
