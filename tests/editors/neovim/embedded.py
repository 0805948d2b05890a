"""A real Neovim with a screen of its own: keys are typed, Lua is asked, what is drawn is read."""

import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec

from tests.editors.neovim import messagepack
from tests.editors.neovim.screen import Screen

LIMIT_S = 30.0
ROUND_S = 0.02


class NeovimError(Exception):
    """Neovim answered a request with an error."""


class Neovim:
    """For the length of a `with`. `screen` is what a person would see; columns and rows as given."""

    def __init__(
        self,
        command: Sequence[str | Path],
        cwd: Path,
        env: Mapping[str, str],
        columns: int = 100,
        rows: int = 30,
    ) -> None:
        self._process = subprocess.Popen(
            [*command, "--embed"], cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.screen = Screen()
        self._last_id = 0
        self._heard: queue.Queue[Any] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._size = (columns, rows)

    def __enter__(self) -> Self:
        columns, rows = self._size
        self.request("nvim_ui_attach", columns, rows, {"ext_linegrid": True, "rgb": True})
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(LIMIT_S)
        # It reads by the number of the pipe, which is another pipe's as soon as this one is closed.
        self._listener.join(LIMIT_S)
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()

    @property
    def process_id(self) -> int:
        return self._process.pid

    def request(self, method: str, *arguments: object) -> Any:
        """The result of an API function; NeovimError where it fails. Waits for one that a prompt holds up."""
        self._last_id += 1
        self._send([0, self._last_id, method, arguments])
        deadline = time.monotonic() + LIMIT_S
        while True:
            message = self._take(deadline - time.monotonic())
            if message is None:
                raise AssertionError(f"Neovim does not answer {method}{arguments}:\n{self.picture()}")
            if message[0] == 1 and message[1] == self._last_id:
                if message[2] is not None:
                    raise NeovimError(message[2])
                return message[3]

    def lua(self, code: str, *arguments: object) -> Any:
        """What a piece of Lua returns; its arguments are `...`."""
        return self.request("nvim_exec_lua", code, arguments)

    def command(self, line: str) -> None:
        self.request("nvim_command", line)

    def keys(self, keys: str) -> None:
        """Types, with keys such as <CR> and <Esc> by their names."""
        self.request("nvim_input", keys)

    def is_waiting_for_a_key(self) -> bool:
        """Whether a prompt holds everything up, such as one that asks for Enter."""
        return bool(self.request("nvim_get_mode")["blocking"])

    def picture(self) -> str:
        """The screen as text, for a message."""
        return "\n".join(self.screen.lines())

    def shows(self, wanted: str) -> bool:
        """Whether a line of the screen has it."""
        return any(wanted in line for line in self.screen.lines())

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Waits until `holds()` is true; gives what it gave. `what` is said when it does not come."""
        deadline = time.monotonic() + LIMIT_S
        while not (found := holds()):
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {what}; the screen:\n{self.picture()}")
            self._take(ROUND_S)
        return found

    def until_lua(self, code: str, *arguments: object) -> Any:
        """Waits until a piece of Lua returns something true."""
        return self.until(lambda: self.lua(code, *arguments), code)

    def until_shown(self, wanted: str) -> None:
        """Waits until a line of the screen has it."""
        self.until(lambda: self.shows(wanted), f"{wanted!r} on the screen")

    def lines(self) -> list[str]:
        """The lines of the current buffer."""
        lines: list[str] = self.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
        return lines

    def edit(self, path: Path) -> None:
        """Opens a file."""
        self.lua("vim.cmd.edit(vim.fn.fnameescape(...))", str(path))

    def _send(self, message: object) -> None:
        assert self._process.stdin
        left = memoryview(msgspec.msgpack.encode(message))
        while left:
            left = left[self._process.stdin.write(left) or 0 :]

    def _take(self, limit_s: float) -> Any:
        """The next message, drawn already where it is a drawing; None where none comes in time."""
        try:
            message = self._heard.get(timeout=max(0.0, limit_s))
        except queue.Empty:
            return None
        if message is None:
            raise AssertionError(f"Neovim has ended; the screen was:\n{self.picture()}")
        if message[0] == 2 and message[1] == "redraw":
            self.screen.draw(message[2])
        return message

    def _listen(self) -> None:
        assert self._process.stdout
        descriptor, rest = self._process.stdout.fileno(), bytearray()

        def take(size: int) -> bytes:
            while len(rest) < size:
                part = os.read(descriptor, 65_536)
                if not part:
                    raise EOFError
                rest.extend(part)
            taken = bytes(rest[:size])
            del rest[:size]
            return taken

        try:
            while True:
                self._heard.put(messagepack.read(take))
        except (EOFError, OSError):
            self._heard.put(None)
