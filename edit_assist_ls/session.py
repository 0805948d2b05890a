"""What is remembered of an agent session between its hooks, and what each hook answers.

Every function here takes what a hook was asked and gives a value; "unchanged" is None, or no corrections.
Nothing raises because of what a model sent. All memory is bounded; what is forgotten is answered "unchanged".
"""

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edit_assist_ls.engine import messages
from edit_assist_ls.engine.builtin import Applied, Edit
from edit_assist_ls.engine.correction import Correction, correct
from edit_assist_ls.engine.diagnosis import diagnose
from edit_assist_ls.engine.folding import comparable
from edit_assist_ls.engine.text import NotUtf8, Text, decode
from edit_assist_ls.engine.work import Work
from edit_assist_ls.files import TextCache, Unreadable, within_guards
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.hosts.host import Host
from edit_assist_ls.settings import Problems, Settings, Store

_MAX_SESSIONS = 256
_MAX_CALLS = 1_024
_MAX_PREDICTED_FILES = 1_024
_MAX_PREDICTED_CHARS = 2_000_000


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


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a call before it runs: the whole corrected arguments where there are corrections."""

    arguments: dict[str, Any] | None = None
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """The system prompt with the rule appended, and the rule alone."""

    system_prompt: str
    rule: str


@dataclass(frozen=True, slots=True)
class _OpenCall:
    """A call without its result: its file's real path where it may have siblings, and its corrections."""

    sibling_path: str | None
    path: str
    edit_count: int
    corrections: tuple[Correction, ...]


@dataclass(slots=True)
class _Session:
    """One session's memory. In `predicted`, None is a text that is not known; `lost`: none of them is."""

    trusted: bool = True
    message_id: str | None = None
    lost: bool = False
    predicted: OrderedDict[str, Text | None] = field(default_factory=OrderedDict)
    pending: dict[str, set[str]] = field(default_factory=dict)
    open_calls: OrderedDict[str, _OpenCall] = field(default_factory=OrderedDict)

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

    def open(self, tool_call_id: str, call: _OpenCall) -> None:
        """Remember a call until its result is in, or until too many came after it."""
        self.open_calls[tool_call_id] = call
        self.open_calls.move_to_end(tool_call_id)
        if call.sibling_path is not None:
            self.pending.setdefault(call.sibling_path, set()).add(tool_call_id)
        if len(self.open_calls) > _MAX_CALLS:
            self.open_calls.popitem(last=False)

    def close(self, tool_call_id: str) -> _OpenCall | None:
        """The result of a call is in; with the last one of a file its prediction ends."""
        call = self.open_calls.pop(tool_call_id, None)
        if call is not None and call.sibling_path is not None:
            waiting = self.pending.get(call.sibling_path, set())
            waiting.discard(tool_call_id)
            if not waiting:
                self.pending.pop(call.sibling_path, None)
                self.predicted.pop(call.sibling_path, None)
        return call


@dataclass(slots=True)
class Memory:
    """What a server process remembers: settings, the last texts read, sessions by (host, session id)."""

    settings: Store = field(default_factory=Store)
    texts: TextCache = field(default_factory=TextCache)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    sessions: OrderedDict[tuple[str, str | None], _Session] = field(default_factory=OrderedDict)

    def session(self, origin: Origin) -> _Session:
        """The session of a hook, a new one where it is not known (any more)."""
        key = (origin.host, origin.session_id)
        session = self.sessions.get(key)
        if session is None:
            session = self.sessions[key] = _Session()
            if len(self.sessions) > _MAX_SESSIONS:
                self.sessions.popitem(last=False)
        self.sessions.move_to_end(key)
        return session

    def settings_for(self, host: Host, origin: Origin) -> tuple[Settings, Problems]:
        """The effective settings: the user's file, the project's where the session trusts it, the client."""
        users, projects = host.settings_files(origin.cwd, self.environment)
        paths = (users, projects) if self.session(origin).trusted else (users,)
        return self.settings.resolve(paths, host.settings_section)


def session_start(memory: Memory, origin: Origin, *, project_trusted: bool) -> tuple[Settings, Problems]:
    """A session begins, or begins anew: its effective settings and each problem with them in one sentence."""
    host = HOSTS.get(origin.host)
    if host is None:
        return memory.settings.resolve((), "")
    memory.sessions.pop((origin.host, origin.session_id), None)
    memory.session(origin).trusted = project_trusted
    return memory.settings_for(host, origin)


def session_shutdown(memory: Memory, host: str, session_id: str | None) -> None:
    """Forget the session's state."""
    memory.sessions.pop((host, session_id), None)


def before_agent_start(
    memory: Memory, origin: Origin, system_prompt: str, active_tools: Sequence[str]
) -> Prompt | None:
    """The prompt with the rule, once, while the edit tool is active."""
    host = HOSTS.get(origin.host)
    if host is None or host.edit_tool not in active_tools or messages.RULE in system_prompt:
        return None
    if not memory.settings_for(host, origin)[0].enabled:
        return None
    prompt = f"{system_prompt}\n\n{messages.RULE}" if system_prompt else messages.RULE
    return Prompt(prompt, messages.RULE)


def tool_call(memory: Memory, call: Call) -> Verdict:
    """What becomes of a call before it runs, judged against the file as its earlier siblings leave it."""
    host = HOSTS.get(call.origin.host)
    if host is None:
        return Verdict()
    session = memory.session(call.origin)
    if call.message_id is not None:
        session.begin(call.message_id)
    if call.tool_name not in (host.edit_tool, host.write_tool):
        return Verdict()
    settings, _ = memory.settings_for(host, call.origin)
    path = host.path_of(call.arguments)
    resolved = None if path is None else host.resolve_path(path, call.origin.cwd)
    if not settings.enabled or path is None or resolved is None:
        return Verdict()
    real_path = os.path.realpath(resolved)
    sibling_path = None if call.message_id is None else real_path
    if call.tool_name == host.write_tool:
        if sibling_path is not None:
            session.open(call.tool_call_id, _OpenCall(sibling_path, path, 0, ()))
            content = host.written_by(call.arguments)
            session.predict(sibling_path, None if content is None else Text.of(content))
        return Verdict()
    edits = host.edits_of(call.arguments)
    corrected, corrections = _corrected(memory, session, real_path, sibling_path, edits, settings)
    if sibling_path is not None or corrections:
        session.open(call.tool_call_id, _OpenCall(sibling_path, path, len(corrected), corrections))
    return Verdict(host.with_edits(call.arguments, corrected), corrections) if corrections else Verdict()


def _corrected(
    memory: Memory,
    session: _Session,
    real_path: str,
    sibling_path: str | None,
    edits: tuple[Edit, ...] | None,
    settings: Settings,
) -> tuple[tuple[Edit, ...], tuple[Correction, ...]]:
    """A call's edits as they will be sent, and the corrections; predicts the text for its siblings."""
    if edits is None or settings.correction == "off":
        if sibling_path is not None:
            session.predict(sibling_path, None)
        return (), ()
    text: Text | NotUtf8 | Unreadable | None
    if sibling_path is not None and (session.lost or sibling_path in session.predicted):
        text = session.predicted.get(sibling_path)
    else:
        text = memory.texts.read(real_path)
    if not isinstance(text, Text):
        return (), ()
    corrected = correct(text, edits, settings.correction, Work())
    if sibling_path is not None:
        if isinstance(corrected.outcome, Applied):
            session.predict(sibling_path, corrected.outcome.text)
        elif corrected.outcome.kind == "unsearched":
            session.predict(sibling_path, None)
    return corrected.edits, corrected.corrections


def tool_result(memory: Memory, call: Call, content: Sequence[Any], *, is_error: bool) -> list[Any] | None:
    """The blocks of a call's result with what edit assist adds to the first text block; None: unchanged.

    A corrected call that landed gets its honesty line, once; one that the built-in refused its Diagnosis.
    """
    host = HOSTS.get(call.origin.host)
    if host is None:
        return None
    opened = memory.session(call.origin).close(call.tool_call_id)
    if call.tool_name != host.edit_tool or not memory.settings_for(host, call.origin)[0].enabled:
        return None
    if is_error:
        return _with_added(content, _diagnosed(memory, host, call, _first_text(content)))
    if opened is None or not opened.corrections:
        return None
    line = messages.honesty(opened.path, opened.corrections, opened.edit_count)
    return _with_added(content, line) or [*content, {"type": "text", "text": line}]


def _diagnosed(memory: Memory, host: Host, call: Call, stock_text: str) -> str:
    """What is said of a failed edit call; empty where the text is no refusal that the file bears out."""
    refused = host.refusal_in(stock_text)
    edits, path = host.edits_of(call.arguments), host.path_of(call.arguments)
    if refused is None or edits is None or path is None:
        return ""
    resolved = host.resolve_path(path, call.origin.cwd)
    text = None if resolved is None else memory.texts.read(os.path.realpath(resolved))
    if not isinstance(text, Text):
        return ""
    diagnoses = diagnose(text, edits, refused, Work())
    return messages.report(path, diagnoses) if diagnoses else ""


def message_end(memory: Memory, origin: Origin, message: Mapping[str, Any]) -> dict[str, Any] | None:
    """The message of an edit call that failed validation, with the hint for its shape; None: unchanged."""
    host = HOSTS.get(origin.host)
    if host is None or message.get("role") != "toolResult":
        return None
    tool_call_id, content = message.get("toolCallId"), message.get("content")
    if isinstance(tool_call_id, str):
        memory.session(origin).close(tool_call_id)
    if message.get("toolName") != host.edit_tool or message.get("isError") is not True:
        return None
    if not isinstance(content, list) or not memory.settings_for(host, origin)[0].enabled:
        return None
    shape = host.malformed_in(_first_text(content))
    if shape is None:
        return None
    hint = messages.read_tool_hint() if shape == "read-shaped" else messages.edits_string_hint()
    added = _with_added(content, hint)
    return None if added is None else {**message, "content": added}


def _first_text(content: Sequence[Any]) -> str:
    index = _first_text_index(content)
    return "" if index is None else content[index]["text"]


def _first_text_index(content: Sequence[Any]) -> int | None:
    for index, block in enumerate(content):
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
            return index
    return None


def _with_added(content: Sequence[Any], addition: str) -> list[Any] | None:
    """The blocks with `addition` after the first text; None where there is nothing to add, or to add to."""
    index = _first_text_index(content)
    if not addition or index is None:
        return None
    block = content[index]
    return [*content[:index], {**block, "text": f"{block['text']}\n\n{addition}"}, *content[index + 1 :]]
