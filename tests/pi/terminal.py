"""pi in a terminal, as a person has it: keys in, what the screen is told out."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

LIMIT_S = 60.0
_ESCAPES = re.compile(rb"\x1b(?:\[[0-9;:?<=>!]*[ -/]*[@-~]|[\]_P^][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_=>])")


class Terminal:
    """A program in a terminal of 120 columns, for the length of a `with`. `text` is all it wrote, without escapes."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**env, "TERM": "xterm-256color", "COLORTERM": ""},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._written = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(LIMIT_S)
        os.close(self._ours)

    @property
    def text(self) -> str:
        """Everything written so far."""
        return _ESCAPES.sub(b"", self._written).decode("utf-8", "replace")

    def keys(self, keys: str) -> None:
        """Types."""
        os.write(self._ours, keys.encode())

    def until(self, wanted: str) -> None:
        """Reads until the screen has been told `wanted`."""
        deadline = time.monotonic() + LIMIT_S
        while wanted not in self.text:
            if not self._read(deadline - time.monotonic()):
                raise AssertionError(f"no {wanted!r} on the screen: {self.text[-3000:]}")

    def end(self) -> int:
        """Reads to the program's end; its exit status."""
        deadline = time.monotonic() + LIMIT_S
        while self._read(deadline - time.monotonic()):
            continue
        return self._process.wait(max(0.0, deadline - time.monotonic()))

    def _read(self, limit_s: float) -> bool:
        if limit_s <= 0 or not select.select([self._ours], [], [], limit_s)[0]:
            return False
        try:
            part = os.read(self._ours, 65_536)
        except OSError:
            return False
        self._written += part
        return bool(part)
