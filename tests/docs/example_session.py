"""The worked example of `docs/protocol.md`: one session of a client, played against the real server.

The client's messages stand here, the server's are its own, and what the host's edit tool says and does comes from the
model of it. Only the folder in which it is played gets another name.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from edit_assist_ls.engine.builtin import Applied, apply
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import pi

SHOWN_FOLDER = "/home/dev/lamp"
WIDTH = 100
LAMP = (
    "class Lamp:\n"
    "    def __init__(self):\n"
    "        self.on = False\n"
    "\n"
    "    def press(self):\n"
    "        self.on = not self.on\n"
    "        return self.on\n"
)
DRIFTED = {
    "oldText": "def press(self):\n    self.on = not self.on\n",
    "newText": "def press(self):\n    if self.broken:\n        return False\n    self.on = not self.on\n",
}
STALE = {
    "oldText": "        self.on = not self.lit\n        return self.lit\n",
    "newText": "        return self.toggle()\n",
}

_VARYING_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
_VARYING_TIME = re.compile(r'"at": "[^"]*"')

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One message of the session, or a remark between two of them (`message` None)."""

    sender: Literal["client", "server", "nobody"]
    text: str = ""
    message: Message | None = None


class _Wire:
    """The server as a child process, and messages to and from it."""

    def __init__(self, folder: Path) -> None:
        environment = {
            **os.environ,
            "PI_CODING_AGENT_DIR": str(folder / "no-agent-folder"),
            "XDG_STATE_HOME": str(folder.parent / f"{folder.name}-state"),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "edit_assist_ls", "--stdio"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def send(self, message: Message) -> None:
        assert self.process.stdin
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> Message:
        assert self.process.stdout
        header = self.process.stdout.readline()
        assert self.process.stdout.readline() == b"\r\n", header
        answer: Message = json.loads(self.process.stdout.read(int(header.removeprefix(b"Content-Length:"))))
        return answer


def play() -> list[Step]:
    """Plays the session in a folder of its own; the messages in the order in which they went over the wire."""
    with tempfile.TemporaryDirectory(prefix="edit-assist-docs-") as name:
        folder = Path(name).resolve()
        (folder / "lamp.py").write_text(LAMP)
        wire = _Wire(folder)
        try:
            return [_renamed(step, str(folder)) for step in _session(wire, folder)]
        finally:
            wire.process.kill()
            wire.process.communicate()
            shutil.rmtree(f"{folder}-state", ignore_errors=True)


def _session(wire: _Wire, folder: Path) -> Iterator[Step]:
    cwd = str(folder)
    last_id = 0

    def ask(method: str, params: Message | None) -> Iterator[Step]:
        nonlocal last_id
        last_id += 1
        request: Message = {"jsonrpc": "2.0", "id": last_id, "method": method}
        yield from tell(request if params is None else {**request, "params": params})
        yield Step("server", message=wire.receive())

    def tell(message: Message) -> Iterator[Step]:
        wire.send(message)
        yield Step("client", message=message)

    def remark(text: str) -> Step:
        return Step("nobody", text)

    yield remark("The client starts the server in any folder and greets it. It needs no capabilities.")
    yield from ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
    yield from tell({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    session = {"host": "pi", "sessionId": "s1", "cwd": cwd}
    yield remark("A session of the agent begins, in a folder whose settings files say nothing.")
    yield from ask("editAssist/sessionStart", {**session, "projectTrusted": True})
    yield remark("A run begins. The client gives the model the prompt that comes back.")
    prompt = {"systemPrompt": "You are a coding agent.", "activeTools": ["read", "bash", "edit", "write"]}
    yield from ask("editAssist/beforeAgentStart", {**session, **prompt})
    yield remark(
        f"The folder holds `lamp.py`:\n\n```python\n{LAMP}```\n\n"
        "The model sends an edit that lacks the class's level of indentation. The client asks before the tool runs, "
        "and is given other arguments."
    )
    call = {**session, "messageId": "m1", "toolCallId": "c1", "toolName": "edit"}
    arguments: Message = {"path": "lamp.py", "edits": [DRIFTED]}
    answer = yield from _watched(ask("editAssist/toolCall", {**call, "input": arguments}))
    said, failed = _run_edit_tool(folder, answer["input"])
    yield remark("The host's edit tool runs with the arguments that came back, and lands.")
    result = {"content": [{"type": "text", "text": said}], "isError": failed}
    yield from ask("editAssist/toolResult", {**call, "input": answer["input"], **result})
    yield remark(
        "The next edit is from memory. No correction would be provably what the agent meant: `input` is absent, "
        "the call runs as it is, fails, and the Diagnosis goes behind the tool's own text."
    )
    call = {**call, "messageId": "m2", "toolCallId": "c2"}
    arguments = {"path": "lamp.py", "edits": [STALE]}
    yield from ask("editAssist/toolCall", {**call, "input": arguments})
    said, failed = _run_edit_tool(folder, arguments)
    result = {"content": [{"type": "text", "text": said}], "isError": failed}
    yield from ask("editAssist/toolResult", {**call, "input": arguments, **result})
    yield remark("What people see of these calls, an editor asks its own server for; this one answers just as well.")
    answer = yield from _watched(ask("editAssist/calls", {"limit": 1}))
    yield from ask("editAssist/preview", {"id": answer["calls"][0]["id"]})
    yield remark(
        "A model sends other names than the host's. The client asks before the host validates the call, and gives it "
        "the arguments that come back."
    )
    named_otherwise = {"file_path": "lamp.py", "old_string": "        self.on = False\n", "new_string": ""}
    prepared = {"toolCallId": "c4", "toolName": "edit", "messageId": "m4", "arguments": named_otherwise}
    answer = yield from _watched(ask("editAssist/prepareArguments", {**session, **prepared}))
    yield remark("Under the profile `strict` the server computes such a call, and the client writes the file.")
    strict = {**session, "toolCallId": "c5", "toolName": "edit", "input": answer["arguments"]}
    yield from ask("editAssist/edit", strict)
    yield remark("A call whose arguments the host refuses never reaches those hooks: its message does.")
    received = json.dumps({"path": "lamp.py", "offset": 1, "limit": 20}, indent=2)
    refusal = f'Validation failed for tool "edit":\n  - edits: missing\n\nReceived arguments:\n{received}'
    message = {
        "role": "toolResult",
        "toolCallId": "c3",
        "toolName": "edit",
        "isError": True,
        "content": [{"type": "text", "text": refusal}],
    }
    yield from ask("editAssist/messageEnd", {**session, "message": message})
    yield remark("Params of the wrong shape are an error that names the field; the server goes on.")
    yield from ask("editAssist/toolCall", {**call, "input": [STALE]})
    yield remark("The session ends, then the server.")
    yield from ask("editAssist/sessionShutdown", {"host": "pi", "sessionId": "s1"})
    yield from ask("shutdown", None)
    yield from tell({"jsonrpc": "2.0", "method": "exit"})
    yield remark(f"The process ends with exit status {wire.process.wait()}.")


def _watched(steps: Iterator[Step]) -> Generator[Step, None, Any]:
    """Passes the steps on; its value is the result that the last of them carries."""
    step = Step("nobody")
    for step in steps:
        yield step
    assert step.message is not None
    return step.message["result"]


def _run_edit_tool(folder: Path, arguments: Message) -> tuple[str, bool]:
    """What the host's edit tool says of a call that it runs in `folder`, and whether it failed."""
    file = folder / arguments["path"]
    edits = pi.edits_of(arguments)
    assert edits is not None
    outcome = apply(Text.of(file.read_text()), edits, Work())
    if isinstance(outcome, Applied):
        file.write_bytes(outcome.text.encode())
        return pi.success_text(arguments["path"], len(edits)), False
    said = pi.stock_text(outcome, arguments["path"], len(edits))
    assert said is not None
    return said, True


def _renamed(step: Step, folder: str) -> Step:
    if step.message is None:
        return step
    text = _VARYING_ID.sub("0123456789abcdef0123456789abcdef", json.dumps(step.message))
    text = _VARYING_TIME.sub('"at": "2026-12-01T12:00:00.000Z"', text)
    return Step(step.sender, step.text, json.loads(text.replace(json.dumps(folder)[1:-1], SHOWN_FOLDER)))


def markdown(steps: list[Step]) -> str:
    """The session as a document shows it: each message under the name of its sender."""
    out: list[str] = []
    for step in steps:
        if step.message is None:
            out.append(step.text)
        else:
            arrow = "client → server" if step.sender == "client" else "server → client"
            out.append(f"**{arrow}**\n```json\n{pretty(step.message)}\n```")
    return "\n\n".join(out)


def pretty(value: Any, indent: str = "", before: int = 0) -> str:
    """JSON to be read: what fits on a line, `before` characters of which are taken, stands on one."""
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + before + len(short) <= WIDTH or not isinstance(value, dict | list) or not value:
        return short
    inner = indent + "  "
    if isinstance(value, dict):
        rows = [f"{inner}{json.dumps(key)}: {pretty(item, inner, len(key) + 4)}" for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + pretty(item, inner) for item in value) + f"\n{indent}]"
