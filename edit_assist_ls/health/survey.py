"""Many session files into one survey: where they lie, which are read, and on how many processes."""

import json
import multiprocessing
import os
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from edit_assist_ls.health.counts import Survey, add, newest
from edit_assist_ls.health.session import read_session
from edit_assist_ls.hosts.pi import HOST

SUFFIX = ".jsonl"
TASK_BYTES = 8 * 1024 * 1024
"""About how much one process is handed at a time."""

WORTH_PROCESSES_BYTES = 48 * 1024 * 1024
"""Less than this is read sooner than further processes start."""

BUFFER_BYTES = 1024 * 1024
"""Read at once; of a file that is smaller, no more than it holds."""

Progress = Callable[[int], None]
"""Told the number of bytes read since it was last told."""


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A session file and its size in bytes when it was found."""

    path: str
    size: int


class UnusableError(Exception):
    """A path that a person named and that cannot be read; the text is one clear line."""


def default_folder(environment: Mapping[str, str]) -> str:
    """Where pi keeps its sessions: its own variable, its user settings, else `sessions` beside them."""
    named = environment.get("PI_CODING_AGENT_SESSION_DIR")
    settings = Path(HOST.settings_files("/", environment)[0])
    if not named:
        try:
            value = json.loads(settings.read_bytes().removeprefix(b"\xef\xbb\xbf"))
        except (OSError, ValueError, RecursionError):
            value = None
        setting = value.get("sessionDir") if isinstance(value, dict) else None
        named = setting if isinstance(setting, str) else None
    return os.path.expanduser(named) if named else str(settings.parent / "sessions")  # noqa: PTH111


def roots_of(paths: Sequence[str]) -> list[str]:
    """The named paths without those that lie inside another; raises UnusableError for one that cannot be read."""
    found: dict[str, str] = {}
    for path in paths:
        try:
            mode = Path(path).stat().st_mode
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a path"
            raise UnusableError(f"{path}: {reason}") from error
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            raise UnusableError(f"{path}: neither a file nor a folder")
        if not os.access(path, os.R_OK | (os.X_OK if stat.S_ISDIR(mode) else 0)):
            raise UnusableError(f"{path}: no permission to read it")
        found.setdefault(os.path.realpath(path), path)
    return [path for real, path in found.items() if not any(_inside(real, other) for other in found)]


def _inside(path: str, folder: str) -> bool:
    return path != folder and path.startswith(folder.rstrip("/") + "/")


def session_files(roots: Sequence[str]) -> Iterator[SessionFile]:
    """The session files under the roots, in order of name; links to folders are not followed."""
    for root in roots:
        if os.path.isdir(root):  # noqa: PTH112
            yield from _files_in(root)
        else:
            yield SessionFile(root, Path(root).stat().st_size)


def _files_in(folder: str) -> Iterator[SessionFile]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(entry.path)
            elif entry.name.endswith(SUFFIX) and entry.is_file():
                yield SessionFile(entry.path, entry.stat().st_size)
        except OSError:
            continue


def survey(roots: Sequence[str], *, jobs: int = 0, with_text: bool = False, progress: Progress | None = None) -> Survey:
    """Everything that the session files under `roots` hold.

    `jobs` is the number of processes, 0 for as many as are worth it. Memory does not grow with the number of files:
    what comes back from each is added to one counter, and only a few files are on their way at a time.
    """
    real_roots = tuple(os.path.realpath(root) for root in roots)
    if jobs == 0:
        jobs = _worthwhile(roots)
    whole = Survey()
    if jobs == 1:
        for file in session_files(roots):
            _read_file(file, whole, real_roots, with_text=with_text)
            if progress:
                progress(file.size)
        whole.examples = newest(whole.examples)
        return whole
    # Forking is quick, and safe as long as this is the only thread.
    method = "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
    with ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context(method), initializer=_ignore_interrupts
    ) as pool:
        running: dict[Future[Survey], int] = {}
        try:
            for task in _tasks(session_files(roots)):
                running[pool.submit(read_files, task, real_roots, with_text=with_text)] = sum(f.size for f in task)
                if len(running) > 2 * jobs:
                    _collect(running, whole, progress)
            while running:
                _collect(running, whole, progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return whole


def _worthwhile(roots: Sequence[str]) -> int:
    total = 0
    for file in session_files(roots):
        total += file.size
        if total >= WORTH_PROCESSES_BYTES:
            return min(os.cpu_count() or 1, 8)
    return 1


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _tasks(files: Iterator[SessionFile]) -> Iterator[list[SessionFile]]:
    task: list[SessionFile] = []
    size = 0
    for file in files:
        task.append(file)
        size += file.size
        if size >= TASK_BYTES:
            yield task
            task, size = [], 0
    if task:
        yield task


def _collect(running: dict[Future[Survey], int], whole: Survey, progress: Progress | None) -> None:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        size = running.pop(future)
        add(whole, future.result())
        if progress:
            progress(size)


def read_files(files: Sequence[SessionFile], real_roots: Sequence[str], *, with_text: bool = False) -> Survey:
    """The survey of some files; one that cannot be read is counted as unreadable."""
    found = Survey()
    for file in files:
        _read_file(file, found, real_roots, with_text=with_text)
    found.examples = newest(found.examples)
    return found


def _read_file(file: SessionFile, found: Survey, real_roots: Sequence[str], *, with_text: bool) -> None:
    try:
        # A FIFO that took a file's place since it was found is not waited on.
        descriptor = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb", buffering=min(BUFFER_BYTES, max(file.size + 1, 4096))) as stream:  # noqa: PTH123
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError
            is_read = partial(_is_read, beside=file.path, real_roots=real_roots)
            read_session(stream, found, with_text=with_text, is_read=is_read)
    except OSError:
        found.reading["unreadable"] += 1


def _is_read(parent: str, beside: str, real_roots: Sequence[str]) -> bool:
    """Whether a session that another was forked from lies under the roots, where it was or beside its fork."""
    places = (parent, str(Path(beside).parent / os.path.basename(parent)))  # noqa: PTH119
    for place in map(os.path.realpath, places):
        under = any(place == root or _inside(place, root) for root in real_roots)
        if under and os.path.isfile(place) and place != os.path.realpath(beside):  # noqa: PTH113
            return True
    return False
