"""Agents and editors, each with a server process of its own, on one ledger: what came of it, and what it cost."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from edit_assist_ls.hosts import pi
from edit_assist_ls.ledger import Ledger
from tests.server.client import Client
from tests.server.people import CAPABILITIES

LINES = 400
SEEN_SECONDS = 10.0


@dataclass(slots=True)
class Process:
    """A server process and its client, which reads whatever comes on a thread of its own."""

    name: str
    child: "subprocess.Popen[bytes]"
    client: Client
    rss_kb: list[int] = field(default_factory=list)

    def note_memory(self) -> None:
        """Keep how much memory the process takes."""
        status = Path(f"/proc/{self.child.pid}/status").read_text("utf-8")
        self.rss_kb.append(next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")))


@dataclass(frozen=True, slots=True)
class Soak:
    """What came of it. Times are in milliseconds, of a toolCall with its toolResult."""

    sent: int
    kept: int
    seen_by_editors: int
    editors: int
    seconds: float
    memory_kb: dict[str, tuple[int, int]]
    with_ledger: list[float]
    without: list[float]


@contextmanager
def server(name: str, workspace: Path, state: Path, **start: Any) -> Iterator[Process]:
    """A server process, greeted."""
    environment = {**os.environ, "XDG_STATE_HOME": str(state), "PI_CODING_AGENT_DIR": str(state / "none")}
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "edit_assist_ls", "--stdio"],
        cwd=workspace,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdin and child.stdout
    stdin = child.stdin

    def write(data: bytes) -> None:
        stdin.write(data)
        stdin.flush()

    client = Client(write, child.stdout.readline, child.stdout.read)
    try:
        client.start(processId=os.getpid(), rootUri=workspace.as_uri(), **start)
        yield Process(name, child, client)
    finally:
        child.stdin.close()
        child.kill()
        child.wait(10)


def play(workspace: Path, state: Path, *, calls: int, agents: int = 4, editors: int = 3) -> Soak:
    """`calls` calls from so many agents at once, with so many editors attached; then as many without a ledger."""
    for number in range(agents):
        (workspace / f"f{number}.py").write_text(_text(number))
    began = time.monotonic()
    with_ledger, memory, seen, kept = _with_ledger(workspace, state, calls, agents, editors)
    seconds = time.monotonic() - began
    without = _without_ledger(workspace, state, min(calls, 8_000), agents, editors)
    return Soak(calls, kept, seen, editors, seconds, memory, with_ledger, without)


def _text(number: int) -> str:
    return "".join(f"def f{line}_{number}(x):\n    return x + {line}\n" for line in range(LINES // 2))


def _with_ledger(
    workspace: Path, state: Path, calls: int, agents: int, editors: int
) -> tuple[list[float], dict[str, tuple[int, int]], int, int]:
    with _all(
        [*(f"agent {n}" for n in range(agents)), *(f"editor {n}" for n in range(editors))], workspace, state
    ) as all_:
        playing, watching = all_[:agents], all_[agents:]
        latest: list[dict[str, list[Any]]] = [{} for _ in watching]
        for watcher, published in zip(watching, latest, strict=True):
            threading.Thread(target=_listen, args=(watcher.client, published), daemon=True).start()

        def note_memory() -> None:
            for one in all_:
                one.note_memory()

        quarters = threading.Barrier(agents, action=note_memory)
        times = _at_once(playing, workspace, calls, quarters)
        last = [f"the last call of agent {number}" for number in range(agents)]
        for number, agent in enumerate(playing):
            _call(agent.client, workspace, number, "last", (f"{last[number]}, which stands nowhere", "x"))
        seen = sum(_within(SEEN_SECONDS, partial(_all_last, published, agents)) for published in latest)
        memory = {one.name: (one.rss_kb[0], one.rss_kb[-1]) for one in all_}
        ledger = Ledger.open(state / "edit-assist-ls")
        kept = 0
        until = time.monotonic() + 30
        while kept < calls + agents and time.monotonic() < until:
            kept = len(ledger.calls(folders=None, limit=10 * calls))
            time.sleep(0.05)
        ledger.close()
        return times, memory, seen, kept - agents


def _all_last(published: dict[str, list[Any]], agents: int) -> bool:
    """Whether an editor shows the last failing call of each agent's file."""
    return len(published) == agents and all(
        any(one["range"]["start"]["line"] == 0 for one in found) for found in published.values()
    )


def _without_ledger(workspace: Path, state: Path, calls: int, agents: int, editors: int) -> list[float]:
    names = [*(f"agent {n}" for n in range(agents)), *(f"editor {n}" for n in range(editors))]
    with _all(names, workspace, state, initializationOptions={"ledger": "off"}) as all_:
        return _at_once(all_[:agents], workspace, calls, None)


@contextmanager
def _all(names: list[str], workspace: Path, state: Path, **start: Any) -> Iterator[list[Process]]:
    if not names:
        yield []
        return
    options = {**start, "capabilities": CAPABILITIES} if names[0].startswith("editor") else start
    with server(names[0], workspace, state, **options) as first, _all(names[1:], workspace, state, **start) as others:
        yield [first, *others]


def _at_once(playing: list[Process], workspace: Path, calls: int, quarters: threading.Barrier | None) -> list[float]:
    """Every agent plays its share; gives the time of each call in milliseconds."""
    share = calls // len(playing)
    times: list[list[float]] = [[] for _ in playing]
    threads = [
        threading.Thread(target=_play_share, args=(one.client, workspace, number, share, times[number], quarters))
        for number, one in enumerate(playing)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [time_ms for one in times for time_ms in one]


def _play_share(
    client: Client, workspace: Path, number: int, share: int, times: list[float], quarters: threading.Barrier | None
) -> None:
    for at in range(share):
        line = at % (LINES // 2)
        began = time.perf_counter()
        _call(client, workspace, number, f"{at}", _edit(number, at, line))
        times.append((time.perf_counter() - began) * 1000)
        if quarters is not None and (at + 1) % max(1, share // 4) == 0 and (at + 1) // max(1, share // 4) <= 4:
            quarters.wait(120)


def _edit(number: int, at: int, line: int) -> tuple[str, str]:
    """In turn: exact, drifted in its indentation, and one that fails."""
    literal = f"def f{line}_{number}(x):\n    return x + {line}\n"
    if at % 4 in (0, 1):
        return literal, literal.replace("return x +", "return  x +")
    if at % 4 == 2:
        return literal.replace("    ", "\t"), literal.replace("    ", "\t").replace("+", "-")
    return literal.replace("return x", "return y"), literal.replace("return x", "return z")


def _call(client: Client, workspace: Path, number: int, call_id: str, edit: tuple[str, str]) -> None:
    """One call with its result, which the host says landed or not; the file itself stays as it is."""
    path = f"f{number}.py"
    arguments: Any = {"path": path, "edits": [{"oldText": edit[0], "newText": edit[1]}]}
    call = {"cwd": str(workspace), "sessionId": f"s{number}", "toolCallId": call_id, "toolName": "edit"}
    verdict = client.ask("editAssist/toolCall", {**call, "input": arguments})
    arguments = verdict.get("input", arguments)
    found = edit[0] in _text(number) or "input" in verdict
    said = pi.success_text(path, 1) if found else _NOT_FOUND.format(path=path)
    content = [{"type": "text", "text": said}]
    client.ask("editAssist/toolResult", {**call, "input": arguments, "content": content, "isError": not found})


_NOT_FOUND = (
    "Could not find the exact text in {path}. The old text must match exactly including all whitespace and newlines."
)


def _listen(client: Client, published: dict[str, list[Any]]) -> None:
    """Read whatever an editor is sent; keeps the newest diagnostics of each file, and answers nothing."""
    try:
        while True:
            message = client.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                published[message["params"]["uri"]] = message["params"]["diagnostics"]
    except (EOFError, OSError, ValueError, json.JSONDecodeError):
        return


def _within(seconds: float, wanted: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not wanted():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
