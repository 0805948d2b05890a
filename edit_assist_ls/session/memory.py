"""What is remembered of agent sessions between their hooks: all of it bounded; what is forgotten is unchanged."""

import hashlib
import json
import os
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from edit_assist_ls.engine.correction import Correction
from edit_assist_ls.engine.folding import comparable
from edit_assist_ls.engine.guards import Alarm
from edit_assist_ls.engine.placing import Block
from edit_assist_ls.engine.text import Text, decode
from edit_assist_ls.files import TextCache, within_guards
from edit_assist_ls.hosts.host import Host
from edit_assist_ls.ledger import Ledger
from edit_assist_ls.settings import Problems, Settings, Store

_MAX_SESSIONS = 256
MAX_CALLS = 1_024
_MAX_PREDICTED_FILES = 1_024
_MAX_PREDICTED_CHARS = 2_000_000
_MAX_FAILED_FILES = 64
_MAX_FAILED_CALLS = 256
_MAX_FAILURES_OF_A_FILE = 50


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a hook comes from: the host, its session if it has one, and the absolute folder it works in."""

    host: str
    session_id: str | None
    cwd: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool of the host. `arguments`: any JSON object; `message_id` None: it has no siblings."""

    origin: Origin
    tool_call_id: str
    tool_name: str
    arguments: Mapping[str, Any]
    message_id: str | None = None

    @property
    def key(self) -> bytes:
        """What tells a call from others of its session: its arguments."""
        arguments = json.dumps(self.arguments, sort_keys=True, default=repr)
        return hashlib.blake2b(arguments.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call without its result: its file's real path where it may have siblings, and its corrections.

    `landing`: the first and last line (from 1) of each edit's newText once it has landed, as far as that is known.
    """

    sibling_path: str | None
    path: str
    edit_count: int
    corrections: tuple[Correction, ...]
    warnings: tuple[Alarm, ...] = ()
    landing: tuple[tuple[int, int] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Remarks:
    """What was said of a call's arguments; `nulls` are the edits (from 0) that had a null for a text.

    `contradicts`: what was refused must not run, whatever the host makes of it.
    """

    notes: tuple[str, ...] = ()
    refusal: str | None = None
    nulls: tuple[int, ...] = ()
    contradicts: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """A call that failed: how often in a row for the same reason, what was said of it first, and its newest record."""

    times: int
    report: str
    call_id: str


@dataclass(slots=True)
class SessionMemory:
    """One session's memory. In `predicted`, None is a text that is not known; `lost`: none of them is."""

    trusted: bool = True
    begun: bool = False
    message_id: str | None = None
    lost: bool = False
    predicted: OrderedDict[str, Text | None] = field(default_factory=OrderedDict)
    pending: dict[str, set[str]] = field(default_factory=dict)
    open_calls: OrderedDict[str, OpenCall] = field(default_factory=OrderedDict)
    remarks: OrderedDict[str, Remarks] = field(default_factory=OrderedDict)
    failed: OrderedDict[bytes, Repeat] = field(default_factory=OrderedDict)
    """Failed calls by a digest of their arguments."""
    refused: OrderedDict[str, None] = field(default_factory=OrderedDict)
    """Calls that were refused under `strict` and have no result yet."""
    drafts: tuple[str | None, dict[str, str]] = (None, {})
    """What the calls of one message that were prepared so far are to write, by their files' absolute paths."""

    def drafts_of(self, message_id: str | None) -> dict[str, str]:
        """What calls of this message are to write; another message's are dropped, a call without one has none."""
        if message_id is None or message_id != self.drafts[0]:
            self.drafts = (message_id, {})
        return self.drafts[1]

    def remember(self, tool_call_id: str, remarks: Remarks) -> None:
        """Keep what was said of a call's arguments until its result is in, or until too many came after it."""
        self.remarks[tool_call_id] = remarks
        self.remarks.move_to_end(tool_call_id)
        if len(self.remarks) > MAX_CALLS:
            self.remarks.popitem(last=False)

    def failed_again(self, key: bytes, report: str, call_id: str) -> Repeat:
        """A call failed: the repeat that it is of itself, once more where the same was said of it before."""
        before = self.failed.pop(key, None)
        times = before.times + 1 if before is not None and before.report == report else 1
        self.failed[key] = Repeat(times, report, call_id)
        if len(self.failed) > _MAX_FAILED_CALLS:
            self.failed.popitem(last=False)
        return self.failed[key]

    def begin(self, message_id: str) -> None:
        """The calls from now on are this message's: what was predicted for another message's is dropped."""
        if message_id != self.message_id:
            self.message_id, self.lost = message_id, False
            self.predicted.clear()
            self.pending.clear()

    def predict(self, path: str, text: Text | None) -> None:
        """The file at `path` will hold `text` once the calls so far have run; None: nobody knows."""
        if text is not None and not comparable(text.raw):
            written = decode(text.encode())
            text = written if isinstance(written, Text) else None
        self.predicted[path] = text if text is not None and within_guards(text) else None
        self.predicted.move_to_end(path)
        self.lost = self.lost or len(self.predicted) > _MAX_PREDICTED_FILES
        chars = 0
        for known in reversed(self.predicted):
            chars += len(kept.raw) if (kept := self.predicted[known]) is not None else 0
            if self.lost or chars > _MAX_PREDICTED_CHARS:
                self.predicted[known] = None

    def open(self, tool_call_id: str, call: OpenCall) -> None:
        """Remember a call until its result is in, or until too many came after it."""
        self.open_calls[tool_call_id] = call
        self.open_calls.move_to_end(tool_call_id)
        if call.sibling_path is not None:
            self.pending.setdefault(call.sibling_path, set()).add(tool_call_id)
        if len(self.open_calls) > MAX_CALLS:
            self.open_calls.popitem(last=False)

    def close(self, tool_call_id: str) -> OpenCall | None:
        """The result of a call is in; with the last one of a file its prediction ends."""
        call = self.open_calls.pop(tool_call_id, None)
        if call is not None and call.sibling_path is not None:
            waiting = self.pending.get(call.sibling_path, set())
            waiting.discard(tool_call_id)
            if not waiting:
                self.pending.pop(call.sibling_path, None)
                self.predicted.pop(call.sibling_path, None)
        return call


@dataclass(frozen=True, slots=True)
class OpenFailure:
    """A place that an edit failed at, until an edit lands there; `block` None: it has none, and any edit answers it."""

    call_id: str
    edit_index: int
    block: Block | None


@dataclass(slots=True)
class Memory:
    """What a server process remembers: settings, the last texts read, sessions by (host, session id).

    `ledger` opens the ledger when it is first needed; `process_id` is the client's own, where it said so; `own_key`
    names the session of a host that names none; `buffers` gives the texts of this process's own open documents.
    """

    settings: Store = field(default_factory=Store)
    ledger: Callable[[], Ledger] = field(default_factory=lambda: cache(lambda: Ledger.open(None)))
    process_id: int | None = None
    own_key: str = field(default_factory=lambda: uuid.uuid4().hex)
    buffers: Callable[[str], Text | None] = lambda _real_path: None
    failures: OrderedDict[str, list[OpenFailure]] = field(default_factory=OrderedDict)
    texts: TextCache = field(default_factory=TextCache)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    sessions: OrderedDict[tuple[str, str | None], SessionMemory] = field(default_factory=OrderedDict)

    def session(self, origin: Origin) -> SessionMemory:
        """The session of a hook, a new one where it is not known (any more)."""
        key = (origin.host, origin.session_id)
        session = self.sessions.get(key)
        if session is None:
            session = self.sessions[key] = SessionMemory()
            if len(self.sessions) > _MAX_SESSIONS:
                self.sessions.popitem(last=False)
        self.sessions.move_to_end(key)
        return session

    def remember_failures(self, real_path: str, failures: Sequence[OpenFailure]) -> None:
        """Remember where edits of a file failed; the oldest are forgotten."""
        known = self.failures.pop(real_path, [])
        self.failures[real_path] = [*known, *failures][-_MAX_FAILURES_OF_A_FILE:]
        if len(self.failures) > _MAX_FAILED_FILES:
            self.failures.popitem(last=False)

    def settings_for(self, host: Host, origin: Origin) -> tuple[Settings, Problems]:
        """The effective settings: the user's file, the project's where the session trusts it, the client."""
        users, projects = host.settings_files(origin.cwd, self.environment)
        paths = (users, projects) if self.session(origin).trusted else (users,)
        return self.settings.resolve(paths, host.settings_section)
