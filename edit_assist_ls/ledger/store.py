"""The ledger's file: one SQLite database, private to the user, shared by all of the user's server processes.

The file name bears the schema's major version: processes of different majors do not meet. Within one, `user_version`
counts additions; a file with later additions is used as it is. Everything here may raise `sqlite3.Error` or `OSError`;
`ledger.py` lives with that.
"""

import contextlib
import errno
import fcntl
import os
import secrets
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from edit_assist_ls.ledger import rows
from edit_assist_ls.ledger.processes import is_alive

MAJOR = 1
FILE_NAME = f"ledger-{MAJOR}.sqlite3"
DIFFERENCES = "differences"
"""The folder beside the file in which differences are kept for editors."""
LOCK_NAME = f"ledger-{MAJOR}.lock"
DAMAGED_KEPT = 2
UNSEEN_MS = 86_400_000
"""How long a session whose process nobody here can see is kept without a sign of it."""
SIDE_FILES = ("", "-wal", "-shm")

_ADDITIONS = (
    """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE calls (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, rev INTEGER NOT NULL, at_ms INTEGER NOT NULL,
        real_path TEXT, failing INTEGER NOT NULL, record TEXT NOT NULL
    );
    CREATE INDEX calls_by_path ON calls (real_path, seq);
    CREATE INDEX calls_failing ON calls (seq) WHERE failing;
    CREATE INDEX calls_by_rev ON calls (rev);
    CREATE TABLE sessions (
        session_key TEXT PRIMARY KEY, rev INTEGER NOT NULL, process_id INTEGER NOT NULL, started TEXT NOT NULL,
        machine TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0, seen_ms INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE buffers (
        owner TEXT NOT NULL, real_path TEXT NOT NULL, digests BLOB NOT NULL, process_id INTEGER NOT NULL,
        started TEXT NOT NULL, machine TEXT NOT NULL, seen_ms INTEGER NOT NULL, PRIMARY KEY (owner, real_path)
    ) WITHOUT ROWID;
    """,
)


class UnusableFolderError(OSError):
    """A folder or file that cannot be used as it is; the message says why."""


class ReplacedError(OSError):
    """The file is not the one that was opened."""


def connect(folder: Path, busy_seconds: float) -> sqlite3.Connection:
    """A connection to the folder's ledger, made where there is none: the folder 0700, the file 0600."""
    _private_folder(folder)
    file = folder / FILE_NAME
    _private_file(file)
    # The path of a folder that is reached through a link is resolved once, here.
    real_file = os.path.realpath(file)
    connection = sqlite3.connect(real_file, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _private_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid != os.geteuid():
        raise UnusableFolderError(f"{folder} belongs to another user")
    if status.st_mode & 0o077:
        folder.chmod(0o700)


def _private_file(file: Path) -> None:
    """Make the file where there is none. One that is there is not opened: closing it would end SQLite's locks on it."""
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            raise UnusableFolderError(f"{file} is no regular file of this user") from None
        if status.st_mode & 0o177:
            file.chmod(0o600)


def _prepare(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA journal_size_limit = 4194304")
    if version < len(_ADDITIONS):
        with writing(connection):
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            for addition in _ADDITIONS[version:]:
                for statement in filter(str.strip, addition.split(";")):
                    connection.execute(statement)
            if version < len(_ADDITIONS):
                connection.execute(f"PRAGMA user_version = {len(_ADDITIONS)}")
    with contextlib.closing(connection.execute("SELECT count(*) FROM meta")) as rows:
        (known,) = rows.fetchone()
    if not known:
        with writing(connection):
            values = (("digest-key", secrets.token_bytes(16)), ("rev", 0))
            connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", values)


@contextlib.contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One write transaction: all of it, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def next_rev(connection: sqlite3.Connection) -> int:
    """The number of the change that a transaction makes; what has a higher one is news."""
    rows = connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'rev' RETURNING value").fetchall()
    return int(rows[0][0])


def last_rev(connection: sqlite3.Connection) -> int:
    """The number of the last change."""
    return int(connection.execute("SELECT value FROM meta WHERE name = 'rev'").fetchone()[0])


def digest_key(connection: sqlite3.Connection) -> bytes:
    """The key of this ledger's digests."""
    return bytes(connection.execute("SELECT value FROM meta WHERE name = 'digest-key'").fetchone()[0])


def is_damage(error: BaseException) -> bool:
    """Whether an error says that the file is no sound database: not that it is busy, full or forbidden."""
    code = getattr(error, "sqlite_errorcode", None)
    return (
        isinstance(error, sqlite3.Error)
        and code is not None
        and code & 0xFF
        in (
            sqlite3.SQLITE_CORRUPT,
            sqlite3.SQLITE_NOTADB,
        )
    )


def is_busy(error: BaseException) -> bool:
    """Whether an error says that another process has the file for the moment."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_moved(error: BaseException) -> bool:
    """Whether an error says that the file is no longer where it was opened."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_DBMOVED


def set_aside(folder: Path) -> Path | None:
    """Put a damaged file aside, under a lock; None where the file is sound (another process was faster)."""
    with locked(folder):
        file = folder / FILE_NAME
        if _is_sound(file):
            return None
        aside = folder / f"ledger-{MAJOR}.damaged-{time.time_ns()}.sqlite3"
        for side in SIDE_FILES:
            with contextlib.suppress(FileNotFoundError):
                Path(f"{file}{side}").rename(f"{aside}{side}")
        for old in damaged_files(folder)[:-DAMAGED_KEPT]:
            for side in SIDE_FILES:
                Path(f"{old}{side}").unlink(missing_ok=True)
        return aside


def damaged_files(folder: Path) -> list[Path]:
    """The files that were set aside, oldest first."""
    return sorted(folder.glob(f"ledger-{MAJOR}.damaged-*.sqlite3"))


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Alone among the processes that put files aside or delete them."""
    descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _is_sound(file: Path) -> bool:
    if not file.exists():
        return True
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=1.0, isolation_level=None)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
            connection.execute("SELECT count(*) FROM meta").fetchone()
    except sqlite3.OperationalError:
        return not _lacks_tables(file)
    except sqlite3.DatabaseError:
        return False
    return bool(found == ("ok",))


def _lacks_tables(file: Path) -> bool:
    """Whether the file calls itself a ledger of some version and has not its tables."""
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=1.0, isolation_level=None)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()
    except sqlite3.Error:
        return False
    return bool(version and not tables)


def prune(connection: sqlite3.Connection, max_days: float, max_bytes: int) -> int:
    """Delete calls that are too old, then the oldest until the file is small enough; gives how many went.

    Sessions that are there still, or may be, are kept whatever their age.
    """
    oldest_ms = int((time.time() - max_days * 86_400) * 1000)
    with writing(connection):
        gone = connection.execute("DELETE FROM calls WHERE at_ms < ?", (oldest_ms,)).rowcount
        over = [(key,) for key, session in rows.read_sessions(connection).items() if _may_go(session, oldest_ms)]
        connection.executemany("DELETE FROM sessions WHERE session_key = ?", over)
    while used_bytes(connection) > max_bytes:
        with writing(connection):
            (count,) = connection.execute("SELECT count(*) FROM calls").fetchone()
            deleted = connection.execute(
                "DELETE FROM calls WHERE seq IN (SELECT seq FROM calls ORDER BY seq LIMIT ?)", (max(1, count // 10),)
            ).rowcount
        gone += deleted
        if not deleted:
            break
    if gone:
        with writing(connection):
            next_rev(connection)
        connection.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return gone


def _may_go(session: rows.Session, oldest_ms: int) -> bool:
    if session.seen_ms >= oldest_ms:
        return False
    alive = is_alive(session.mark)
    return session.ended or alive is False or (alive is None and time.time() * 1000 - session.seen_ms > UNSEEN_MS)


def data_version(connection: sqlite3.Connection) -> int:
    """A number that is another one once another connection has written."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def check_is_still(file: Path, inode: int) -> None:
    """Raises `ReplacedError` where the file was deleted or is another by now."""
    try:
        now = file.stat().st_ino
    except FileNotFoundError:
        now = None
    if now != inode:
        raise ReplacedError(errno.ESTALE, "the ledger's file was replaced")


def used_bytes(connection: sqlite3.Connection) -> int:
    """How many bytes the file's rows take, freed pages not counted."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    return int((pages - free) * page_bytes)
