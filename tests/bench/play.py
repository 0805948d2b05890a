"""Plays cases against the server over stdio, a bare echo between them, and notes what came out and when."""

import os
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edit_assist_ls.cli_client import Client
from edit_assist_ls.engine.builtin import Applied, Edit, apply
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import pi
from tests.bench.drift import RESEMBLING, Case

HERE = Path(__file__).parent
ECHOES = 3
EDITOR = {"workspace": {"configuration": True}, "general": {"positionEncodings": ["utf-16"]}}
UNLIMITED = 10**12
REGION = re.compile(r"nearest region\D*(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """One played case. `outcome`: exact, true (as the true edit), wrong (applied otherwise), refused.

    `call_ms` is the toolCall, `total_ms` with the toolResult of a refused call; `region_found` is None where
    the case has no region to find.
    """

    kind: str
    size: int
    source: str
    outcome: str
    call_ms: float
    total_ms: float
    region_found: bool | None


def server_command() -> list[str]:
    """The server as it is installed beside this interpreter, else as a module of it."""
    script = Path(sys.executable).with_name("edit-assist-ls")
    return [str(script), "--stdio"] if script.exists() else [sys.executable, "-P", "-m", "edit_assist_ls", "--stdio"]


def environment(folder: Path) -> dict[str, str]:
    """No settings and no state but those in `folder`."""
    return {
        **os.environ,
        "PI_CODING_AGENT_DIR": str(folder / "agent"),
        "XDG_STATE_HOME": str(folder / "state"),
    }


@contextmanager
def echo(folder: Path) -> Iterator[Client]:
    """The bare echo, running."""
    client = Client([sys.executable, "-S", "-E", str(HERE / "echo.py")], folder)
    try:
        yield client
    finally:
        client.kill()


def play(cases: Iterable[Case], folder: Path) -> tuple[list[Row], list[float]]:
    """The rows of the cases, in order, and the round trips of the echo between them, in milliseconds."""
    rows: list[Row] = []
    echo_ms: list[float] = []
    with Client(server_command(), folder, environment(folder)) as server, echo(folder) as bare:
        for number, case in enumerate(cases):
            for _ in range(ECHOES):
                began = time.perf_counter()
                bare.ask("echo", {"number": number})
                echo_ms.append((time.perf_counter() - began) * 1000)
            rows.append(_play_one(server, case, number, folder))
    return rows, echo_ms


def _play_one(server: Client, case: Case, number: int, folder: Path) -> Row:
    """One case on a file that the server has never seen: its name is new, and so is its last line."""
    ending = "\r\n" if "\r\n" in case.text else "\n"
    mark = f"-- {number}{ending}"
    text = Text.of(case.text + mark)
    name = f"file-{number}.txt"
    file = folder / name
    file.write_bytes(text.encode())
    common = {
        "host": "pi",
        "sessionId": "bench",
        "messageId": f"m{number}",
        "toolCallId": f"c{number}",
        "toolName": "edit",
        "cwd": str(folder),
    }
    arguments = {"path": name, "edits": [{"oldText": case.old_text, "newText": case.new_text}]}
    began = time.perf_counter()
    answer = server.ask("editAssist/toolCall", {**common, "input": arguments})
    call_ms = total_ms = (time.perf_counter() - began) * 1000
    sent = answer.get("input", arguments)
    edit = Edit(sent["edits"][0]["oldText"], sent["edits"][0]["newText"])
    outcome = apply(text, [edit], Work(UNLIMITED))
    said, found = "", None
    if isinstance(outcome, Applied):
        right = case.want is not None and outcome.text.raw == case.want + mark
        came_out = ("true" if answer["corrections"] else "exact") if right else "wrong"
        told = pi.success_text(name, 1)
    else:
        came_out, told = "refused", pi.stock_text(outcome, name, 1) or ""
    failed = came_out == "refused"
    began = time.perf_counter()
    content = [{"type": "text", "text": told}]
    result = server.ask("editAssist/toolResult", {**common, "input": sent, "content": content, "isError": failed})
    if failed:
        total_ms += (time.perf_counter() - began) * 1000
        said = "".join(block.get("text", "") for block in result.get("content", ()))[len(told) :]
    if case.kind in RESEMBLING:
        match = REGION.search(said)
        found = match is not None and abs(int(match[1]) - case.start_line) <= 1
    file.unlink()
    return Row(case.kind, case.size, case.source, came_out, call_ms, total_ms, found)


def starts_ms(count: int, folder: Path) -> tuple[list[float], list[float], list[float]]:
    """From spawn to the answer of `initialize`, `count` times, interleaved: ours to an agent host (which has no
    capabilities), ours to an editor, and bare pygls."""
    bare = [sys.executable, str(HERE / "bare_pygls.py")]
    starts: tuple[tuple[list[str], Any], ...] = (
        (server_command(), None),
        (server_command(), EDITOR),
        (bare, None),
    )
    for command, capabilities in starts:
        # Byte code is written, files are in the system's cache.
        Client(command, folder, environment(folder), capabilities).stop()
    taken: tuple[list[float], list[float], list[float]] = ([], [], [])
    rng = random.Random(0)
    for _ in range(count):
        for which in rng.sample((0, 1, 2), 3):
            command, capabilities = starts[which]
            began = time.perf_counter()
            client = Client(command, folder, environment(folder), capabilities)
            taken[which].append((time.perf_counter() - began) * 1000)
            client.stop()
    return taken
