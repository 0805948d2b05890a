"""Forbids what edit-assist-ls never does: write, create, rename or remove anything in a workspace.

An audit hook sees every such act of the interpreter. A workspace is any folder under ROOTS (the checkout and
all the folders that a test run makes), less those under ALLOWED, which a test names when it asks for a log or
a report to be written. In the test process itself only acts under a frame of the package count, since the
tests lay the workspaces out; in a process that runs our code (every Python that the tests start finds this
file as its `sitecustomize`) all of them do.
"""

# Paths here are what the interpreter was given: texts, bytes and numbers.
# ruff: noqa: PTH109, PTH115, PTH118

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOTS = "EDIT_ASSIST_AUDIT_ROOTS"
ALLOWED = "EDIT_ASSIST_AUDIT_ALLOWED"
RECORD = "EDIT_ASSIST_AUDIT_RECORD"
EXIT_STATUS = 86

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Which arguments of an audit event are paths that it changes, each with the argument that holds its `dir_fd`.
_CHANGED: dict[str, tuple[tuple[int, int | None], ...]] = {
    "os.chflags": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.link": ((1, 3),),
    "os.mkdir": ((0, 2),),
    "os.remove": ((0, 1),),
    "os.removexattr": ((0, None),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.setxattr": ((0, None),),
    "os.symlink": ((1, 2),),
    "os.truncate": ((0, None),),
    "os.utime": ((0, 3),),
    "sqlite3.connect": ((0, None),),
}


class WroteInWorkspaceError(RuntimeError):
    """An act that the house forbids; nothing was changed yet."""


def install(counts: Callable[[FrameType], bool], ends: bool) -> None:
    """Hooks the interpreter for the rest of its life.

    Acts under a frame for which `counts` is false are let pass. A forbidden one is recorded in the file that
    RECORD names, then raises WroteInWorkspaceError, or ends the process at once with EXIT_STATUS where
    `ends`.
    """
    busy = False

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal busy
        if busy or (event != "open" and event not in _CHANGED):
            return
        if event == "open" and not (isinstance(args[2], int) and args[2] & _WRITING):
            return
        busy = True
        try:
            for path in _paths(event, args):
                if in_workspace(path) and counts(sys._getframe(1)):
                    _forbid(event, path, ends)
        finally:
            busy = False

    sys.addaudithook(hook)


def in_workspace(path: str) -> bool:
    """Whether `path` (absolute, no links) is one that may not be written: byte code and coverage data may."""
    parts = Path(path).parts
    if "__pycache__" in parts[-2:] or parts[-1].startswith(".coverage"):
        return False
    return any(_within(path, root) for root in _folders(ROOTS)) and not any(
        _within(path, folder) for folder in _folders(ALLOWED)
    )


def recorded() -> list[str]:
    """The forbidden acts of this test run so far, a line each."""
    return Path(os.environ[RECORD]).read_text("utf-8", "backslashreplace").splitlines()


def _folders(variable: str) -> list[str]:
    return [folder for folder in os.environ.get(variable, "").split(os.pathsep) if folder]


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _paths(event: str, args: tuple[Any, ...]) -> list[str]:
    """The paths that an event changes, absolute and without links (but for a last part that is one itself)."""
    if event == "open":
        return [] if isinstance(args[0], int) else [os.path.realpath(os.fsdecode(args[0]))]
    out = []
    for place, dir_fd_place in _CHANGED[event]:
        value = args[place]
        if isinstance(value, int):
            continue
        base = os.getcwd()
        if dir_fd_place is not None and isinstance(args[dir_fd_place], int) and args[dir_fd_place] >= 0:
            base = os.readlink(f"/proc/self/fd/{args[dir_fd_place]}")
        folder, name = os.path.split(os.path.normpath(os.path.join(base, os.fsdecode(value))))
        out.append(os.path.join(os.path.realpath(folder), name))
    return out


def _forbid(event: str, path: str, ends: bool) -> None:
    line = f"{event} {path!r} in process {os.getpid()}\n".encode("utf-8", "backslashreplace")
    record = os.open(os.environ[RECORD], os.O_WRONLY | os.O_APPEND)
    os.write(record, line)
    os.close(record)
    if ends:
        os.write(2, b"edit-assist-ls wrote in a workspace: " + line)
        os._exit(EXIT_STATUS)
    raise WroteInWorkspaceError(line.decode())


def _runs_our_code() -> bool:
    return any("edit_assist_ls" in word or "edit-assist-ls" in word for word in sys.orig_argv[1:])


if __name__ == "sitecustomize" and os.environ.get(ROOTS) and _runs_our_code():
    install(counts=lambda frame: True, ends=True)
