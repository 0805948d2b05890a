"""pygls comes in when a client needs it, and no client can tell."""

import subprocess
import sys
from typing import Any

import pytest

from edit_assist_ls.server import app
from edit_assist_ls.server.greeting import GREETING, can_do_nothing
from tests.server.client import InProcess, initialize, notification, request

HOOK = "editAssist/sessionShutdown"


def has_pygls(client: InProcess) -> bool:
    return client.server._server is not None


def test_the_greeting_is_what_pygls_answers() -> None:
    front = app.build()
    front.server()
    client = InProcess(front)
    assert client.start() == GREETING
    assert has_pygls(client)
    client.end()


def test_an_agent_host_never_waits_for_pygls() -> None:
    client = InProcess()
    assert client.start(initializationOptions={"enabled": False}) == GREETING
    assert client.ask(HOOK, {}) == {}
    settings = client.ask("editAssist/sessionStart", {"cwd": "/nowhere", "host": "pi"})["settings"]
    assert settings["enabled"] is False
    assert client.error("editAssist/toolCall", {})["code"] == -32602
    assert client.error("initialize", initialize())["code"] == -32600
    assert client.ask("shutdown") is None
    assert client.error(HOOK, {})["code"] == -32600
    client.send(notification("exit"))
    assert not has_pygls(client)
    assert client.end() == 0


def test_pygls_is_not_imported_for_an_agent_host() -> None:
    program = """
import sys
from edit_assist_ls.server.app import serve_stdio
status = serve_stdio()
print(status, sorted({name.split(".")[0] for name in sys.modules} & {"pygls", "lsprotocol", "cattrs", "rapidfuzz"}))
"""
    messages = [request(1, "initialize", initialize()), notification("initialized", {}), request(2, HOOK, {})]
    messages += [request(3, "shutdown"), notification("exit")]
    from tests.server.client import frame

    command = [sys.executable, "-P", "-c", program]
    done = subprocess.run(command, input=b"".join(map(frame, messages)), capture_output=True, check=False)
    assert done.stderr.strip().endswith(b"0 ['rapidfuzz']"), done.stderr
    assert done.stdout.endswith(b'{"jsonrpc":"2.0","id":3,"result":null}')


def test_what_only_pygls_handles_brings_it_in_and_it_knows_the_client() -> None:
    client = InProcess()
    client.start(rootUri="file:///somewhere", initializationOptions={"enabled": False})
    where: dict[str, Any] = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    params = {"textDocument": {"uri": "file:///a"}, "range": where, "context": {"diagnostics": []}}
    assert client.ask("textDocument/codeAction", params) == []
    assert has_pygls(client)
    assert client.server.server().workspace.root_uri == "file:///somewhere"
    assert client.heard == [], "the second greeting is not heard"
    assert client.error("initialize", initialize())["code"] == -32600
    assert client.ask("editAssist/sessionStart", {"cwd": "/nowhere"})["settings"]["enabled"] is False
    pushed = {"settings": {"editAssist": {"enabled": True}}}
    client.send(notification("workspace/didChangeConfiguration", pushed))
    assert client.ask("editAssist/sessionStart", {"cwd": "/nowhere"})["settings"]["enabled"] is True
    assert client.ask("shutdown") is None
    client.send(notification("exit"))
    assert client.end() == 0


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {},
        {"capabilities": None},
        {"capabilities": {"workspace": {}}},
        {"capabilities": {}, "processId": "5"},
        {"capabilities": {}, "processId": True},
        {"capabilities": {}, "workspaceFolders": [5]},
        {"capabilities": {}, "somethingNew": 1},
    ],
)
def test_any_other_initialize_is_for_pygls_to_judge(params: Any) -> None:
    assert not can_do_nothing(params)


def test_an_editor_meets_pygls_at_once() -> None:
    client = InProcess()
    assert client.ask("initialize", initialize(capabilities={"workspace": {"configuration": True}}))["serverInfo"]
    assert has_pygls(client)
    client.end()
