"""An agent's server and editors' servers, in this process, that meet at the ledger as two processes would."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from edit_assist_ls.engine.builtin import Applied, apply
from edit_assist_ls.engine.text import Text, decode
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import pi
from tests.server.client import InProcess, notification

Opening = Callable[..., Any]
SECONDS = 8.0
LOAD = "package main\n\nfunc load() {\n\tif err != nil {\n\t\treturn nil, err\n\t}\n}\n"
STALE = ("\tif err == nil {\n\t\treturn nil, err\n\t}", "\tif err != nil {\n\t\treturn nil, wrap(err)\n\t}")
WANTED = "\tif err != nil {\n\t\treturn nil, wrap(err)\n\t}"
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"workspaceEdit": {"documentChanges": True}, "workspaceFolders": True},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "dataSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
    },
}


class Agent(InProcess):
    """An agent host, whose edit tool is the model of pi's."""

    def __init__(self, cwd: Path, session_id: str = "s", **start: Any) -> None:
        super().__init__()
        self.cwd, self.session_id, self.calls = cwd, session_id, 0
        self.start(processId=os.getpid())
        self.ask("editAssist/sessionStart", {**self.common(), **start})

    def common(self) -> dict[str, Any]:
        return {"host": "pi", "sessionId": self.session_id, "cwd": str(self.cwd)}

    def edit(self, path: str, *edits: tuple[str, str]) -> list[Any]:
        """Play one call of the edit tool; gives the blocks of its result."""
        self.calls += 1
        arguments: dict[str, Any] = {"path": path, "edits": [{"oldText": old, "newText": new} for old, new in edits]}
        call = {**self.common(), "toolCallId": f"c{self.calls}", "toolName": "edit"}
        verdict = self.ask("editAssist/toolCall", {**call, "input": arguments})
        arguments = verdict.get("input", arguments)
        file = self.cwd / path
        text = decode(file.read_bytes())
        assert isinstance(text, Text)
        outcome = apply(text, pi.edits_of(arguments) or (), Work())
        if isinstance(outcome, Applied):
            file.write_bytes(outcome.text.encode())
            said = pi.success_text(path, len(edits))
        else:
            said = pi.stock_text(outcome, path, len(edits)) or ""
        content = [{"type": "text", "text": said}]
        failed = not isinstance(outcome, Applied)
        result = self.ask("editAssist/toolResult", {**call, "input": arguments, "content": content, "isError": failed})
        blocks: list[Any] = result.get("content", content)
        return blocks


class Editor(InProcess):
    """An editor with folders open; keeps the newest diagnostics of each URI."""

    def __init__(
        self, *folders: str | Path, capabilities: dict[str, Any] | None = None, options: dict[str, Any] | None = None
    ) -> None:
        super().__init__()
        self.published: dict[str, dict[str, Any]] = {}
        uris = [folder.as_uri() if isinstance(folder, Path) else folder for folder in folders]
        self.greeting = self.start(
            capabilities=CAPABILITIES if capabilities is None else capabilities,
            workspaceFolders=[{"uri": uri, "name": "w"} for uri in uris],
            initializationOptions=options or {},
        )

    def notify(self, method: str, params: object) -> None:
        self.send(notification(method, params))

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "x", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def type(self, uri: str, text: str, version: int) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def shown(self, uri: str) -> list[Any]:
        """The diagnostics of a URI by what was published so far."""
        self.ask("editAssist/calls", {"limit": 0})  # what was published before this answer has arrived with it
        for message in self.heard:
            if message["method"] == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]
        self.heard = [m for m in self.heard if m["method"] != "textDocument/publishDiagnostics"]
        found: list[Any] = self.published.get(uri, {"diagnostics": []})["diagnostics"]
        return found

    def sees(self, uri: str, wanted: Callable[[list[Any]], bool]) -> list[Any]:
        """The diagnostics of a URI, once they are as wanted."""
        until = time.monotonic() + SECONDS
        while not wanted(found := self.shown(uri)):
            assert time.monotonic() < until, f"it never came to that: {found}"
            time.sleep(0.02)
        return found

    def sees_one(self, uri: str) -> dict[str, Any]:
        """The one diagnostic of a URI, once there is one."""
        (one,) = self.sees(uri, lambda found: len(found) == 1)
        assert isinstance(one, dict)
        return one

    def sees_none(self, uri: str) -> None:
        """Once there is none; there must have been one."""
        self.sees(uri, lambda found: not found)

    def actions(self, uri: str, line0: int, **context: Any) -> list[dict[str, Any]]:
        at = {"line": line0, "character": 0}
        params = {
            "textDocument": {"uri": uri},
            "range": {"start": at, "end": at},
            "context": {"diagnostics": [], **context},
        }
        found: list[dict[str, Any]] = self.ask("textDocument/codeAction", params)
        return found

    def edit_of(self, action: dict[str, Any]) -> dict[str, Any]:
        edit: dict[str, Any] = self.ask("codeAction/resolve", action)["edit"]
        return edit


def forget() -> None:
    """Delete what the ledger holds; running servers notice."""
    shutil.rmtree(Path(os.environ["XDG_STATE_HOME"]) / "edit-assist-ls", ignore_errors=True)
