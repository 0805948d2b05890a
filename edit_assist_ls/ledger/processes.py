"""Processes as other processes know them: alive, or gone, or of a machine that nothing can be known of."""

import os
import socket
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Mark:
    """A process: its id, when it started (in the system's own measure, "" where that is not known), its machine."""

    process_id: int
    started: str
    machine: str


def mark_of(process_id: int) -> Mark:
    """The mark of a process of this machine."""
    return Mark(process_id, _started(process_id), machine())


@cache
def machine() -> str:
    """What is the same for processes that can see each other: host name, boot and process namespace."""
    boot = _read("/proc/sys/kernel/random/boot_id")
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        namespace = ""
    return "/".join((socket.gethostname(), boot, namespace))


def is_alive(mark: Mark) -> bool | None:
    """Whether a process is there still; None where nobody here can know."""
    if mark.machine != machine():
        return None
    if mark.process_id <= 0:
        return False
    try:
        os.kill(mark.process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    except (OSError, OverflowError):
        return False
    return not mark.started or _started(mark.process_id) in ("", mark.started)


def _started(process_id: int) -> str:
    """The start time of a process as Linux counts it; a zombie has none of its own, and counts as gone."""
    fields = _read(f"/proc/{process_id}/stat").rpartition(")")[2].split()
    if len(fields) < 20:
        return ""
    return "gone" if fields[0] in ("Z", "X") else fields[19]


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8", "replace").strip()
    except OSError:
        return ""
