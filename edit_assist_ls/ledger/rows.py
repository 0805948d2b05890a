"""Rows of the ledger's tables: what a change writes, what a question reads."""

import json
import sqlite3
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from edit_assist_ls.ledger.processes import Mark, is_alive
from edit_assist_ls.ledger.records import CallRecord, State, changed, from_json, to_json

BUFFER_MISSED_SECONDS = 20.0
SESSION_MISSED_SECONDS = 200.0

_CALLS = "SELECT id, rev, record FROM calls"


@dataclass(frozen=True, slots=True)
class Add:
    """A call is new."""

    call: CallRecord
    minimal: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """An edit of a call (None: every one that failed) has another state, or is answered."""

    call_id: str
    edit_index: int | None
    state: State | None = None
    cleared: bool | None = None

    def of(self, call: CallRecord) -> CallRecord:
        """The call after the change."""
        return changed(call, self.edit_index, self.state, cleared=self.cleared)


@dataclass(frozen=True, slots=True)
class Session:
    """A session, the process that it lives in, and when that was last heard of."""

    session_key: str
    mark: Mark
    ended: bool
    seen_ms: int

    def is_over(self) -> bool:
        """Whether it has ended or its process has; where nobody can know, whether it was not heard of for long."""
        if self.ended:
            return True
        alive = is_alive(self.mark)
        return not alive if alive is not None else now_ms() - self.seen_ms > SESSION_MISSED_SECONDS * 1000


@dataclass(frozen=True, slots=True)
class Buffer:
    """An unsaved buffer of an editor: the digests of its lines; `digests` None: it is gone."""

    owner: str
    real_path: str
    digests: bytes | None
    mark: Mark
    seen_ms: int

    def is_there(self) -> bool:
        """Whether its process was heard of of late, and is not known to be gone."""
        return now_ms() - self.seen_ms <= BUFFER_MISSED_SECONDS * 1000 and is_alive(self.mark) is not False


Op = Add | Change | Session | Buffer


def now_ms() -> int:
    """Now, as rows have it."""
    return time.time_ns() // 1_000_000


def write(connection: sqlite3.Connection, rev: int, op: Op) -> None:
    """Write one change, inside a transaction."""
    match op:
        case Add(call):
            connection.execute(
                "INSERT OR IGNORE INTO calls (id, rev, at_ms, real_path, failing, record) VALUES (?, ?, ?, ?, ?, ?)",
                (call.id, rev, call.at_ms, as_text(call.real_path), call.failing, to_json(call)),
            )
        case Change():
            call_now = read_call(connection, op.call_id)
            if call_now is not None:
                after = op.of(call_now)
                connection.execute(
                    "UPDATE calls SET rev = ?, failing = ?, record = ? WHERE id = ?",
                    (rev, after.failing, to_json(after), op.call_id),
                )
        case Session(key, mark, ended, seen_ms):
            connection.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session_key) DO UPDATE SET "
                "rev = excluded.rev, process_id = excluded.process_id, started = excluded.started, "
                "machine = excluded.machine, ended = excluded.ended, seen_ms = excluded.seen_ms",
                (key, rev, mark.process_id, mark.started, mark.machine, ended, seen_ms),
            )
        case Buffer(owner, real_path, None):
            connection.execute("DELETE FROM buffers WHERE owner = ? AND real_path = ?", (owner, as_text(real_path)))
        case Buffer(owner, real_path, digests, mark, seen_ms):
            connection.execute(
                "INSERT OR REPLACE INTO buffers VALUES (?, ?, ?, ?, ?, ?, ?)",
                (owner, as_text(real_path), digests, mark.process_id, mark.started, mark.machine, seen_ms),
            )


def as_text(path: str | None) -> str | None:
    """A path as SQLite takes it: bytes of a name that are no UTF-8 stand as escapes."""
    return None if path is None else path.encode("utf-8", "backslashreplace").decode()


def read_calls(
    connection: sqlite3.Connection,
    folders: Sequence[str] | None,
    paths: Collection[str],
    limit: int,
    *,
    failing: bool,
) -> list[tuple[str, int, str]]:
    """(id, rev, JSON) of calls on files under folders (None: all calls), or at paths; newest first."""
    wheres: list[str] = ["1"] if folders is None else ["0"]
    values: list[str] = []
    for folder in folders or ():
        inside = f"{as_text(folder.rstrip('/'))}/"
        wheres.append("(real_path >= ? AND real_path < ?)")
        values += [inside, inside[:-1] + "0"]  # "0" is what comes after "/"
    if paths:
        wheres.append("real_path IN (SELECT value FROM json_each(?))")
        values.append(json.dumps([as_text(path) for path in paths]))
    only = "failing AND " if failing else ""
    query = f"{_CALLS} WHERE {only}{_any_of(wheres)} ORDER BY seq DESC LIMIT ?"
    return connection.execute(query, (*values, limit)).fetchall()


def _any_of(wheres: Sequence[str]) -> str:
    """One condition of many, as shallow as can be: SQLite takes no expression that is a thousand deep."""
    if len(wheres) == 1:
        return wheres[0]
    half = len(wheres) // 2
    return f"({_any_of(wheres[:half])} OR {_any_of(wheres[half:])})"


def read_call(connection: sqlite3.Connection, call_id: str) -> CallRecord | None:
    """The call of an id."""
    row = connection.execute(f"{_CALLS} WHERE id = ?", (call_id,)).fetchone()
    return None if row is None else from_json(row[2])


def read_sessions(connection: sqlite3.Connection) -> dict[str, Session]:
    """The sessions by their keys."""
    rows = connection.execute("SELECT session_key, process_id, started, machine, ended, seen_ms FROM sessions")
    return {key: Session(key, Mark(pid, at, where), bool(ended), seen) for key, pid, at, where, ended, seen in rows}


def read_buffers(connection: sqlite3.Connection) -> list[Buffer]:
    """Every unsaved buffer that was told of and not taken back."""
    rows = connection.execute("SELECT owner, real_path, digests, process_id, started, machine, seen_ms FROM buffers")
    return [Buffer(owner, path, bytes(d), Mark(pid, at, where), seen) for owner, path, d, pid, at, where, seen in rows]


def beat(connection: sqlite3.Connection, owner: str, session_keys: Collection[str]) -> None:
    """Say that this process is there still, for those who cannot see it."""
    now = now_ms()
    connection.execute("UPDATE buffers SET seen_ms = ? WHERE owner = ?", (now, owner))
    connection.executemany("UPDATE sessions SET seen_ms = ? WHERE session_key = ?", [(now, k) for k in session_keys])
