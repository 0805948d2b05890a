"""One workspace, one agent folder, and runs of the real pi in them, each with a scripted model on loopback."""

import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import edit_assist_ls
from tests.pi.installed import Installed
from tests.pi.scripted_model import ScriptedModel, Turn
from tests.pi.terminal import Terminal

Json = dict[str, Any]

CHECKOUT = Path(edit_assist_ls.__file__).parent.parent
CLIENT = Path(__file__).resolve().parents[2] / "clients" / "pi"
SERVER = f"{sys.executable} -m edit_assist_ls"
FAKE = Path(__file__).with_name("fake_server.py")
LIMIT_S = 60.0
_MARK = "EDIT_ASSIST_TEST_RUN"


def fake(*behaviour: str) -> str:
    """The command of a server of ours that misbehaves, see fake_server.py; `-I`, as it is none of the suite's own."""
    return f"{sys.executable} -I {FAKE} {' '.join(behaviour)}"


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of pi left: its end, its output, what the model was sent."""

    status: int
    stdout: str
    stderr: str
    seconds: float
    requests: list[Json]
    mark: str

    @property
    def events(self) -> list[Json]:
        """pi's own event stream (json mode)."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]

    def tool_texts(self, request: int = -1) -> list[str]:
        """The results of the tools that the model had been told by its n-th request."""
        return [text_of(message) for message in self.requests[request]["messages"] if message["role"] == "tool"]

    def system_text(self, request: int = 0) -> str:
        """The leading system prompt of the model's n-th request."""
        return text_of(self.requests[request]["messages"][0])


def text_of(message: Json) -> str:
    """A message's text, whether sent as one or in parts."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


@dataclass(frozen=True, slots=True)
class Lab:
    """Where pi runs: `workspace` is its current folder, `agent` its folder for settings and sessions."""

    pi: Installed
    workspace: Path
    agent: Path

    @classmethod
    def make(cls, pi: Installed, base: Path) -> Self:
        """Two empty folders under `base`."""
        lab = cls(pi, base / "workspace", base / "agent")
        lab.workspace.mkdir()
        lab.agent.mkdir()
        return lab

    def write(self, name: str, text: str | bytes) -> Path:
        """A file of the workspace."""
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def settings(self, content: Json) -> None:
        """The user's own settings."""
        (self.agent / "settings.json").write_text(json.dumps(content))

    def project_settings(self, content: Json) -> None:
        """The project's settings."""
        self.write(".pi/settings.json", json.dumps(content))

    def run(
        self,
        turns: Sequence[Turn],
        *,
        mode: str = "json",
        server: str | None = SERVER,
        with_extension: bool = True,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> Run:
        """pi from start to end on one prompt. `server`: what EDIT_ASSIST_LS says."""
        with ScriptedModel(turns) as model:
            options = ["-p"] if mode == "print" else ["--mode", mode]
            extension = ["-e", str(CLIENT)] if with_extension else []
            mark, environment = self._environment(model, server, env)
            started = time.perf_counter()
            process = subprocess.run(
                [*self.pi.command, *_MODEL, *options, *extension, *args, "go"],
                cwd=self.workspace,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=LIMIT_S,
                check=False,
            )
            seconds = time.perf_counter() - started
        return Run(process.returncode, process.stdout, process.stderr, seconds, model.requests, mark)

    @contextmanager
    def rpc(
        self,
        turns: Sequence[Turn],
        *,
        server: str | None = SERVER,
        first: Sequence[str] = (),
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> "Iterator[Rpc]":
        """pi in rpc mode, for as long as the `with` lasts; `first` are arguments before the extension's."""
        with ScriptedModel(turns) as model:
            mark, environment = self._environment(model, server, env)
            process = subprocess.Popen(
                [*self.pi.command, *_MODEL, "--mode", "rpc", *first, "-e", str(CLIENT), *args],
                cwd=self.workspace,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            rpc = Rpc(process, model, mark)
            try:
                yield rpc
            finally:
                process.kill()
                process.wait(LIMIT_S)

    @contextmanager
    def terminal(self, turns: Sequence[Turn], *, server: str | None = SERVER) -> Iterator[tuple[Terminal, str]]:
        """pi in a terminal with a first prompt, for as long as the `with` lasts, and the mark of its processes."""
        with ScriptedModel(turns) as model:
            mark, environment = self._environment(model, server, None)
            command = [*self.pi.command, *_MODEL, "-e", str(CLIENT), "go"]
            with Terminal(command, self.workspace, environment) as terminal:
                yield terminal, mark

    def session_entries(self) -> list[Json]:
        """Every line of every session file that pi has written here."""
        files = sorted((self.agent / "sessions").rglob("*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]

    def _environment(
        self, model: ScriptedModel, server: str | None, env: Mapping[str, str] | None
    ) -> tuple[str, dict[str, str]]:
        (self.agent / "models.json").write_text(json.dumps(_models(model.port)))
        mark = uuid.uuid4().hex
        search = os.pathsep.join([str(self.pi.node.parent), "/usr/local/bin", "/usr/bin", "/bin"])
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("EDIT_ASSIST_LS", "PI_"))},
            "PATH": search,
            "HOME": str(self.agent.parent),
            "PYTHONPATH": os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH")])),
            "PI_CODING_AGENT_DIR": str(self.agent),
            "PI_OFFLINE": "1",
            "PI_TELEMETRY": "0",
            "PI_SKIP_VERSION_CHECK": "1",
            _MARK: mark,
            **({"EDIT_ASSIST_LS": server} if server else {}),
            **(env or {}),
        }
        return mark, environment


_MODEL = ["--provider", "lab", "--model", "scripted"]


def _models(port: int) -> Json:
    free = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    model = {"id": "scripted", "name": "Scripted", "reasoning": False, "input": ["text"], "cost": free}
    provider = {
        "baseUrl": f"http://127.0.0.1:{port}/v1",
        "api": "openai-completions",
        "apiKey": "none",
        "models": [{**model, "contextWindow": 128_000, "maxTokens": 4_096}],
    }
    return {"providers": {"lab": provider}}


class Rpc:
    """A pi in rpc mode: commands in, everything it says out, in order, kept in `seen`."""

    def __init__(self, process: "subprocess.Popen[bytes]", model: ScriptedModel, mark: str) -> None:
        self.process, self.model, self.mark = process, model, mark
        self.seen: list[Json] = []
        self._lines: queue.Queue[Json | None] = queue.Queue()
        self.stderr = b""
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def send(self, **command: object) -> None:
        """One command."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()

    def until(self, wanted: Callable[[Json], bool], what: str) -> Json:
        """The next thing said that is `wanted`."""
        deadline = time.monotonic() + LIMIT_S
        while (left := deadline - time.monotonic()) > 0:
            try:
                event = self._lines.get(timeout=left)
            except queue.Empty:
                break
            if event is None:
                raise AssertionError(f"pi ended before {what}: {self.stderr.decode()}")
            self.seen.append(event)
            if wanted(event):
                return event
        raise AssertionError(f"no {what} within {LIMIT_S} s; last: {self.seen[-3:]}")

    def prompt(self, message: str = "go") -> None:
        """Prompts, and waits until the agent is done with it."""
        self.send(type="prompt", message=message)
        self.settled()

    def settled(self) -> None:
        """Waits until the agent is done."""
        self.until(lambda event: event["type"] == "agent_settled", "end of the run")

    def command(self, **command: object) -> Json:
        """One command and its response."""
        self.send(id="command", **command)
        return self.until(lambda event: event.get("id") == "command", f"response to {command}")

    def finish(self) -> int:
        """Closes its input, reads it out and waits for its end; the exit status."""
        assert self.process.stdin
        self.process.stdin.close()
        while (event := self._lines.get(timeout=LIMIT_S)) is not None:
            self.seen.append(event)
        return self.process.wait(LIMIT_S)

    @property
    def notices(self) -> list[str]:
        """What the extension has told the person so far."""
        return [event["message"] for event in self.seen if event.get("method") == "notify"]

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.stderr += line


def processes(mark: str, of: str = "edit_assist_ls") -> list[int]:
    """The live processes that a run has started whose command line holds `of`."""
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if wanted in environment and of.encode() in command:
            found.append(int(folder.name))
    return found


def send_signal(pid: int, number: signal.Signals) -> None:
    """One signal to one process that a test has started."""
    os.kill(pid, number)


def has_ended(pid: int) -> bool:
    """Waits for a process to end; whether it did."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], LIMIT_S)[0])
    finally:
        os.close(descriptor)
