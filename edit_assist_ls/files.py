"""Reading files, bytes first: never for writing, never waiting, never more than a bound.

A path that cannot be read is a value that says why; nothing here raises because of what lies at a path.
"""

import os
import stat
from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

from edit_assist_ls.engine.text import NotUtf8, Text, decode

MAX_BYTES = 307_200
MAX_LINES = 20_000

Reason = Literal["missing", "not-a-file", "no-permission", "too-large", "too-many-lines", "unreadable"]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a path gave no bytes; `detail` is the system's own word for it, where there is one."""

    reason: Reason
    detail: str = ""


Stamp = tuple[int, int, int] | None


def stamp_of(path: str) -> Stamp:
    """What changes when a file does: its time in nanoseconds, its size, its inode; None where there is no file."""
    try:
        status = os.stat(path)  # noqa: PTH116  # half the time of Path.stat, and it is asked for in every call
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def read(path: str, max_bytes: int = MAX_BYTES) -> bytes | Unreadable:
    """The bytes of a regular file of at most `max_bytes`; of a folder, FIFO or device nothing is read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (FileNotFoundError, NotADirectoryError) as error:
        return Unreadable("missing", str(error.strerror))
    except PermissionError as error:
        return Unreadable("no-permission", str(error.strerror))
    except (OSError, ValueError) as error:
        return Unreadable("unreadable", str(error))
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return Unreadable("not-a-file")
        return _read_open(fd, status.st_size, max_bytes)
    except (OSError, MemoryError) as error:
        return Unreadable("unreadable", str(error))
    finally:
        os.close(fd)


def _read_open(fd: int, size: int, max_bytes: int) -> bytes | Unreadable:
    """What the open file holds now: it may have grown or shrunk since its size was asked for."""
    if size > max_bytes:
        return Unreadable("too-large")
    parts: list[bytes] = []
    room = max_bytes + 1
    while room and (part := os.read(fd, min(room, max(size, 65_536)))):
        parts.append(part)
        room -= len(part)
    return b"".join(parts) if room else Unreadable("too-large")


def within_guards(text: Text) -> bool:
    """True for a text that a file may hold and still be read: its size in UTF-8 and its number of lines."""
    if len(text.raw) > MAX_BYTES or (len(text.raw) * 4 > MAX_BYTES and len(text.encode()) > MAX_BYTES):
        return False
    return len(text.raw) <= MAX_LINES or text.line_count <= MAX_LINES


class TextCache:
    """The last few texts by path. A file is read each time; where its bytes did not change, its text is kept.

    A failing call is looked at twice, before and after it ran; the second look finds the views of the first.
    """

    def __init__(self, max_entries: int = 8, max_total_bytes: int = 8 * MAX_BYTES) -> None:
        self._entries: OrderedDict[str, tuple[bytes, Text]] = OrderedDict()
        self._max_entries = max_entries
        self._max_total_bytes = max_total_bytes

    def __len__(self) -> int:
        return len(self._entries)

    def read(self, path: str) -> Text | NotUtf8 | Unreadable:
        """The text of the file at `path` (a real path) as it is now."""
        data = read(path)
        if isinstance(data, Unreadable):
            self._entries.pop(path, None)
            return data
        known = self._entries.pop(path, None)
        if known is not None and known[0] == data:
            self._entries[path] = known
            return known[1]
        text = decode(data)
        if isinstance(text, NotUtf8):
            return text
        if not within_guards(text):
            return Unreadable("too-many-lines")
        self._entries[path] = (data, text)
        self._trim()
        return text

    def _trim(self) -> None:
        total_bytes = sum(len(data) for data, _ in self._entries.values())
        while len(self._entries) > self._max_entries or total_bytes > self._max_total_bytes:
            _, (data, _) = self._entries.popitem(last=False)
            total_bytes -= len(data)
