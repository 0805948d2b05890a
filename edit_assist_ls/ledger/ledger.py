"""One process's hand on the ledger: it never waits for the disk where a call does, and never fails because of it.

What is new is kept in memory and written by a thread of its own, which also watches for what other processes write.
Questions are answered from the file with what is not yet written laid over it; without a file, from memory.
"""

import hashlib
import logging
import os
import sqlite3
import threading
import time
import uuid
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

from edit_assist_ls.ledger import rows, store
from edit_assist_ls.ledger.overlay import Unfiled, concerns, lay_over, parsed
from edit_assist_ls.ledger.processes import Mark, mark_of
from edit_assist_ls.ledger.records import CallRecord, State, bounded, minimal

MAX_DAYS = 30.0
MAX_BYTES = 64 * 1024 * 1024
MEMORY_CALLS = 1_000
MAX_WAITING = 20_000
BATCH = 500
POLL_SECONDS = 0.2
GATHER_SECONDS = 0.02
MOST_GATHERING_SECONDS = 0.15
"""What is new is written when nothing more has come for a moment, and after so long at the latest."""
LOOK_SECONDS = 1.0
BEAT_SECONDS = 5.0
SESSION_BEAT_SECONDS = 60.0
PRUNE_SECONDS = 600.0
RETRY_SECONDS = 20.0
BUSY_SECONDS = 2.0
READ_BUSY_SECONDS = 0.2
OPEN_SECONDS = 0.5
CLOSE_SECONDS = 0.5

_Answer = TypeVar("_Answer")

log = logging.getLogger(__name__)


class Ledger:
    """The ledger as one process has it; every method may be called from any thread, and none raises for the disk."""

    def __init__(self, folder: Callable[[], Path | None]) -> None:
        self._folder_of = folder
        self._owner = uuid.uuid4().hex
        self._key = os.urandom(16)
        self._changed = threading.Condition()
        self._waiting: deque[rows.Op] = deque()
        self._unfiled = Unfiled(MEMORY_CALLS)
        self._sessions: dict[str, rows.Session] = {}
        self._live_sessions: set[str] = set()
        self._own_sessions: dict[str, Mark] = {}
        self._buffers: list[rows.Buffer] = []
        self._own_buffers: set[str] = set()
        self._watchers: list[Callable[[], None]] = []
        self._reader: sqlite3.Connection | None = None
        self._reading = threading.Lock()
        self._opened = threading.Event()
        self._closing = self._memory_only = False
        self._thread: threading.Thread | None = None
        self.notice: str | None = None

    @staticmethod
    def open(folder: Path | Callable[[], Path | None] | None) -> "Ledger":
        """The ledger in a folder, made where there is none; None: in memory alone. Returns before the file is open."""
        ledger = Ledger(folder if callable(folder) else lambda: folder)
        if folder is None:
            ledger._memory_only = True
            ledger._opened.set()
        else:
            ledger._thread = threading.Thread(target=ledger._run, name="ledger", daemon=True)
            ledger._thread.start()
        return ledger

    def add(self, call: CallRecord, *, texts: bool = True) -> None:
        """Keep a call; without `texts` neither a text of the file nor of the model."""
        self._put(rows.Add(call, minimal=not texts))
        self._tell()

    def change(
        self, call_id: str, edit_index: int | None, *, state: State | None = None, cleared: bool | None = None
    ) -> None:
        """Give an edit of a call (None: every one that failed) another state, or say that it is answered."""
        self._put(rows.Change(call_id, edit_index, state, cleared))
        self._tell()

    def begin_session(self, session_key: str, process_id: int) -> None:
        """A session is there; it ends at the latest with its process."""
        with self._changed:
            self._own_sessions[session_key] = mark_of(process_id)
            self._put(rows.Session(session_key, mark_of(process_id), ended=False, seen_ms=rows.now_ms()))

    def end_session(self, session_key: str) -> None:
        """A session has ended: what is shown for it goes."""
        with self._changed:
            self._own_sessions.pop(session_key, None)
            self._put(rows.Session(session_key, mark_of(os.getpid()), ended=True, seen_ms=rows.now_ms()))
        self._tell()

    def ended(self, session_key: str) -> bool:
        """Whether a session has ended, or its process has."""
        ended = self._is_ended(session_key)
        if not ended:
            self._live_sessions.add(session_key)
        return ended

    def _is_ended(self, session_key: str) -> bool:
        session = self._session(session_key)
        return session is None or session.is_over()

    def set_buffer(self, real_path: str, digests: bytes | None) -> None:
        """Tell of an unsaved buffer of this process by the digests of its lines; None: there is none (any more)."""
        if digests is None and real_path not in self._own_buffers:
            return
        if digests is None:
            self._own_buffers.discard(real_path)
        else:
            self._own_buffers.add(real_path)
        self._put(rows.Buffer(self._owner, real_path, digests, mark_of(os.getpid()), rows.now_ms()))

    def buffers(self, real_path: str) -> tuple[bytes, ...]:
        """The digests of the unsaved buffers that other processes have of a file; answered from memory."""
        path = rows.as_text(real_path)
        others = [one for one in self._buffers if one.real_path == path and one.owner != self._owner]
        return tuple(one.digests for one in others if one.digests is not None and one.is_there())

    def line_digest(self, line: str) -> bytes:
        """The digest of a line, 8 bytes: the same for all processes that share the file."""
        self._await_file()
        return hashlib.blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8, key=self._key).digest()

    def text_digest(self, text: str) -> str:
        """The digest of a text, as hexadecimal digits."""
        self._await_file()
        return self._text_digest(text)

    def _text_digest(self, text: str) -> str:
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=self._key).hexdigest()

    def calls(
        self,
        *,
        folders: Sequence[str] | None = (),
        paths: Collection[str] = (),
        failing: bool = False,
        limit: int = 200,
    ) -> list[CallRecord]:
        """The newest calls on files under real folders (None: all calls) or at real paths, newest first.

        `failing`: only those with an edit that there may be something to show for.
        """
        self._await_file()
        found = self._read(lambda reader: rows.read_calls(reader, folders, paths, limit, failing=failing)) or []
        with self._changed:
            waiting, kept = list(self._waiting), self._unfiled.calls()
        known = OrderedDict((call.id, call) for call in kept)
        known.update((call.id, call) for row in reversed(found) if (call := parsed(*row)) is not None)
        lay_over(known, waiting)
        inside = tuple(folder.rstrip("/") + "/" for folder in folders or ())
        wanted = [
            call
            for call in reversed(known.values())
            if (not failing or call.failing) and (folders is None or concerns(call, inside, paths))
        ]
        return wanted[:limit]

    def call(self, call_id: str) -> CallRecord | None:
        """The call of an id."""
        self._await_file()
        found = self._read(lambda reader: rows.read_call(reader, call_id))
        with self._changed:
            waiting, kept = list(self._waiting), self._unfiled.call(call_id)
        known = OrderedDict((call.id, call) for call in (found, kept) if call is not None)
        lay_over(known, waiting)
        return known.get(call_id)

    def watch(self, on_change: Callable[[], None]) -> None:
        """Have a function called, on some thread, whenever calls or sessions are new or have changed."""
        self._watchers.append(on_change)

    def flush(self, timeout_seconds: float) -> bool:
        """Wait until everything is written; False where it is not, in that time or without a file."""
        with self._changed:
            self._changed.notify_all()
            written = self._changed.wait_for(lambda: not self._waiting, timeout_seconds)
            return written and not self._memory_only

    def close(self) -> None:
        """Write what waits, within `CLOSE_SECONDS`, and take back what was told of this process's buffers."""
        for real_path in list(self._own_buffers):
            self.set_buffer(real_path, None)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(CLOSE_SECONDS)

    def _await_file(self) -> None:
        """Let the file be opened; where that takes long, nobody waits for it again."""
        if not self._opened.wait(OPEN_SECONDS):
            self._opened.set()

    def _put(self, op: rows.Op) -> None:
        with self._changed:
            if self._memory_only:
                self._put_in_memory(op)
                return
            self._waiting.append(op)
            if len(self._waiting) > MAX_WAITING:
                self._put_in_memory(self._waiting.popleft())
            self._changed.notify_all()

    def _put_in_memory(self, op: rows.Op) -> None:
        match op:
            case rows.Session():
                self._sessions[op.session_key] = op
            case rows.Add():
                self._unfiled.put(self._kept(op))
            case rows.Change():
                self._unfiled.put(op)
            case rows.Buffer():
                pass

    def _kept(self, op: rows.Add) -> rows.Add:
        """A call without the texts that are not to be kept."""
        call = minimal(op.call, self._text_digest) if op.minimal else bounded(op.call, self._text_digest)
        return rows.Add(call)

    def _tell(self) -> None:
        for watcher in list(self._watchers):
            watcher()

    def _session(self, session_key: str) -> rows.Session | None:
        with self._changed:
            for op in reversed(self._waiting):
                if isinstance(op, rows.Session) and op.session_key == session_key:
                    return op
            return self._sessions.get(session_key)

    def _read(self, question: Callable[[sqlite3.Connection], _Answer]) -> _Answer | None:
        with self._reading:
            if self._reader is None:
                return None
            try:
                return question(self._reader)
            except sqlite3.Error as error:
                log.warning("the ledger cannot be read: %s", error)
                return None

    def _run(self) -> None:
        """The thread: with the file while it can be used, without it and trying again where it cannot."""
        folder: Path | None = None
        while not self._over():
            try:
                folder = self._folder_of()
                if folder is None:
                    raise store.UnusableFolderError("there is no folder for it")
                self._serve(folder)
            except store.ReplacedError:
                continue
            except (sqlite3.Error, OSError) as error:
                if store.is_busy(error) or store.is_moved(error):
                    self._pause(POLL_SECONDS)
                elif not (store.is_damage(error) and folder is not None and self._put_aside(folder)):
                    self._do_without(error)

    def _over(self) -> bool:
        """Whether it is closing, and has nothing more to write."""
        with self._changed:
            return self._closing and (self._memory_only or not self._waiting)

    def _put_aside(self, folder: Path) -> bool:
        try:
            aside = store.set_aside(folder)
        except (OSError, sqlite3.Error) as error:
            log.warning("the damaged ledger cannot be put aside: %s", error)
            return False
        if aside is not None:
            self.notice = f"The ledger was damaged. It was put aside as {aside}, and a new one begun."
            log.warning("%s", self.notice)
        return True

    def _do_without(self, error: Exception) -> None:
        self._let_go()
        self.notice = f"The ledger cannot be used ({error}): calls are kept in memory, unseen by other processes."
        log.warning("%s", self.notice)
        with self._changed:
            self._memory_only = True
            while self._waiting:
                self._put_in_memory(self._waiting.popleft())
            self._opened.set()
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closing, RETRY_SECONDS)
            self._memory_only = self._closing

    def _pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait(seconds)

    def _let_go(self) -> None:
        with self._reading:
            reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def _serve(self, folder: Path) -> None:
        """Write and watch until closing; raises where the file cannot be used (any more)."""
        connection = store.connect(folder, BUSY_SECONDS)
        try:
            opened = os.stat(folder / store.FILE_NAME)  # noqa: PTH116  # the same call as the later looks
            reader = store.connect(folder, READ_BUSY_SECONDS)
            with self._reading:
                self._reader = reader
            self._key = store.digest_key(connection)
            self._look_around(connection)
            with self._changed:
                self._waiting.extendleft(reversed(self._unfiled.taken()))
            self._opened.set()
            store.prune(connection, MAX_DAYS, MAX_BYTES)
            self._work(connection, folder / store.FILE_NAME, opened.st_ino)
        finally:
            self._let_go()
            connection.close()

    def _work(self, connection: sqlite3.Connection, file: Path, inode: int) -> None:
        seen = (-1, -1)
        looked = beaten = sessions_beaten = pruned = time.monotonic()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing, POLL_SECONDS)
            if self._waiting:
                self._gather()
                store.check_is_still(file, inode)
                self._write(connection)
            elif self._closing:
                return
            version = store.data_version(connection)
            if version != seen[0]:
                rev = store.last_rev(connection)
                self._look_around(connection)
                if rev != seen[1]:
                    self._tell()
                seen = (version, rev)
            now = time.monotonic()
            if now - looked >= LOOK_SECONDS:
                looked = now
                store.check_is_still(file, inode)
                self._look_for_ends()
            if now - beaten >= BEAT_SECONDS and self._own_buffers:
                beaten = now
                self._beat(connection, [])
            if now - sessions_beaten >= SESSION_BEAT_SECONDS and self._own_sessions:
                sessions_beaten = now
                self._beat(connection, list(self._own_sessions))
            if now - pruned >= PRUNE_SECONDS:
                pruned = now
                store.prune(connection, MAX_DAYS, MAX_BYTES)

    def _gather(self) -> None:
        """Let more come, while more comes."""
        until, count = time.monotonic() + MOST_GATHERING_SECONDS, 0
        while len(self._waiting) > count and time.monotonic() < until and not self._closing:
            count = len(self._waiting)
            time.sleep(GATHER_SECONDS)

    def _write(self, connection: sqlite3.Connection) -> None:
        """Write what waits in one transaction; where the file is busy it goes on waiting."""
        with self._changed:
            batch = [self._waiting[at] for at in range(min(BATCH, len(self._waiting)))]
        try:
            with store.writing(connection):
                only_buffers = all(isinstance(op, rows.Buffer) for op in batch)  # no news to those who watch calls
                rev = store.last_rev(connection) if only_buffers else store.next_rev(connection)
                for op in batch:
                    self._write_one(connection, rev, op)
        except sqlite3.OperationalError as error:
            if not store.is_busy(error):
                raise
            return
        with self._changed:
            for op in batch:
                if self._waiting and self._waiting[0] is op:
                    self._waiting.popleft()
                if isinstance(op, rows.Session):
                    self._sessions[op.session_key] = op
            self._changed.notify_all()

    def _write_one(self, connection: sqlite3.Connection, rev: int, op: rows.Op) -> None:
        """Write one change; what no file can take is let go, and holds up nothing else."""
        try:
            rows.write(connection, rev, self._kept(op) if isinstance(op, rows.Add) else op)
        except (ValueError, OverflowError, RecursionError, sqlite3.DataError) as error:
            log.warning("something cannot be kept in the ledger: %s", error)

    def _look_around(self, connection: sqlite3.Connection) -> None:
        """Read what others say of themselves; say again of one's own sessions what is not there any more."""
        sessions, buffers = rows.read_sessions(connection), rows.read_buffers(connection)
        with self._changed:
            self._sessions, self._buffers = sessions, buffers
            for key, mark in self._own_sessions.items():
                if key not in sessions and all(getattr(op, "session_key", None) != key for op in self._waiting):
                    self._waiting.append(rows.Session(key, mark, ended=False, seen_ms=rows.now_ms()))

    def _look_for_ends(self) -> None:
        over = {key for key in list(self._live_sessions) if self._is_ended(key)}
        if over:
            self._live_sessions -= over
            self._tell()

    def _beat(self, connection: sqlite3.Connection, session_keys: Sequence[str]) -> None:
        try:
            with store.writing(connection):
                rows.beat(connection, self._owner, session_keys)
        except sqlite3.OperationalError as error:
            if not store.is_busy(error):
                raise
