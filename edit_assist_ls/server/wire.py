"""The wire types of the `editAssist/` requests, and the conversion between them and JSON values.

Names are camelCase on the wire; a field that is not known is ignored; a result leaves out what is absent.
"""

from typing import Any, Literal, TypeVar

import msgspec

from edit_assist_ls.server.errors import InvalidParamsError
from edit_assist_ls.settings import Settings

CallState = Literal["exact", "corrected", "failed", "applied", "dismissed"]
Params = TypeVar("Params", bound=msgspec.Struct)


class SessionShutdownParams(msgspec.Struct, kw_only=True, frozen=True, rename="camel"):
    """Which session ends."""

    host: str | None = None
    session_id: str | None = None


class HookParams(msgspec.Struct, kw_only=True, frozen=True, rename="camel"):
    """What every hook says: the host (pi where it says none), its session, its absolute working folder."""

    cwd: str
    host: str | None = None
    session_id: str | None = None


class SessionStartParams(HookParams, kw_only=True, frozen=True, rename="camel"):
    """`project_trusted` false: the project's settings file does not count. `process_id`: the host's own."""

    project_trusted: bool | None = None
    process_id: int | None = None


class SessionStartResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel"):
    """The effective settings, and each malformed setting in one sentence."""

    settings: Settings
    problems: list[str]


class BeforeAgentStartParams(HookParams, kw_only=True, frozen=True, rename="camel"):
    """The prompt of the run that begins, and the names of the tools that the model may call."""

    system_prompt: str
    active_tools: list[str]


class BeforeAgentStartResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """The prompt with the rule appended, and the rule alone; both absent: unchanged."""

    system_prompt: str | None = None
    rule: str | None = None


class CallParams(HookParams, kw_only=True, frozen=True, rename="camel"):
    """One call of a tool of the host; `message_id` names the assistant message that it came in."""

    tool_call_id: str
    tool_name: str
    message_id: str | None = None


class PrepareArgumentsParams(CallParams, kw_only=True, frozen=True, rename="camel"):
    """A call as the model sent it; its arguments may be any JSON value."""

    arguments: Any


class PrepareArgumentsResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """The whole call in the host's shape, absent where it is to be left; what was folded; why it was not."""

    notes: list[str]
    arguments: dict[str, Any] | None = None
    refusal: str | None = None


class ToolCallParams(CallParams, kw_only=True, frozen=True, rename="camel"):
    """A call that is about to run, with its arguments."""

    input: dict[str, Any]


class Correction(msgspec.Struct, kw_only=True, frozen=True, rename="camel"):
    """One edit that was corrected; lines are 1-based and inclusive."""

    edit_index: int
    kind: Literal["whitespace", "widened"]
    start_line: int
    end_line: int
    new_text: Literal["carried", "verbatim"]


class Block(msgspec.Struct, kw_only=True, frozen=True, rename="camel"):
    """Why a call must not run."""

    reason: str


class ToolCallResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """The whole corrected argument object, absent where nothing was corrected; `block`: the call must not run."""

    corrections: list[Correction]
    input: dict[str, Any] | None = None
    block: Block | None = None


class EditParams(CallParams, kw_only=True, frozen=True, rename="camel"):
    """A call that is to be computed, with its arguments."""

    input: dict[str, Any]


class EditResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """`ok`: `content`, as UTF-8, is the file's next bytes, where it still has those of `sha256`; else `code` says why.

    `text` is what the model reads of it.
    """

    ok: bool
    text: str
    code: str | None = None
    details: dict[str, Any] | None = None
    sha256: str | None = None
    content: str | None = None


class ToolResultParams(CallParams, kw_only=True, frozen=True, rename="camel"):
    """What a call came to: its arguments as they ran, and the blocks of its result."""

    input: dict[str, Any]
    content: list[Any]
    is_error: bool
    details: Any = None


class ToolResultResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """The whole list of blocks; absent: unchanged."""

    content: list[Any] | None = None


class MessageEndParams(HookParams, kw_only=True, frozen=True, rename="camel"):
    """A message of the host's transcript that is complete."""

    message: dict[str, Any]


class MessageEndResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """The message in its place; absent: unchanged."""

    message: dict[str, Any] | None = None


class CallsParams(msgspec.Struct, kw_only=True, frozen=True, rename="camel"):
    """Which calls: those on one file, where `uri` names it; at most `limit`."""

    uri: str | None = None
    limit: int | None = None


class EditOnWire(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """One edit of a call; lines are 1-based and inclusive."""

    state: CallState
    code: str | None = None
    start_line: int | None = None
    end_line: int | None = None


class CallOnWire(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """One call as a list shows it: its lines are those of its first edit in the call's state."""

    id: str
    host: str
    tool_call_id: str
    uri: str
    state: CallState
    summary: str
    at: str
    edits: list[EditOnWire]
    start_line: int | None = None
    end_line: int | None = None


class CallsResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel"):
    """The calls, newest first."""

    calls: list[CallOnWire]


class PreviewParams(msgspec.Struct, kw_only=True, frozen=True, rename="camel"):
    """Which call, and which of its edits; every edit that has not landed where `edit_index` is absent."""

    id: str
    edit_index: int | None = None


class PreviewResult(msgspec.Struct, kw_only=True, frozen=True, rename="camel", omit_defaults=True):
    """The whole text as it is and as the agent wanted it; `edit` makes the one of the other; `stale` says what no
    longer fits."""

    uri: str
    before: str
    after: str
    edit: dict[str, Any] | None = None
    stale: str | None = None


class Empty(msgspec.Struct, frozen=True):
    """A result that says nothing but that the request was done."""


REQUESTS: dict[str, tuple[type[msgspec.Struct], type[msgspec.Struct]]] = {
    "editAssist/sessionStart": (SessionStartParams, SessionStartResult),
    "editAssist/sessionShutdown": (SessionShutdownParams, Empty),
    "editAssist/beforeAgentStart": (BeforeAgentStartParams, BeforeAgentStartResult),
    "editAssist/prepareArguments": (PrepareArgumentsParams, PrepareArgumentsResult),
    "editAssist/toolCall": (ToolCallParams, ToolCallResult),
    "editAssist/edit": (EditParams, EditResult),
    "editAssist/toolResult": (ToolResultParams, ToolResultResult),
    "editAssist/messageEnd": (MessageEndParams, MessageEndResult),
    "editAssist/calls": (CallsParams, CallsResult),
    "editAssist/preview": (PreviewParams, PreviewResult),
}
"""Every request of ours by its method: the types of its params and of its result."""


def params_of(params: object, params_type: type[Params]) -> Params:
    """The params of a request; raises `InvalidParamsError` where their shape is wrong."""
    if not isinstance(params, dict):
        raise InvalidParamsError("the params must be an object")
    known = {name: params[name] for name in params_type.__struct_encode_fields__ if name in params}
    try:
        typed = msgspec.convert(known, params_type)
    except msgspec.ValidationError as error:
        raise InvalidParamsError(str(error)) from None
    if isinstance(typed, HookParams) and not typed.cwd.startswith("/"):
        raise InvalidParamsError("`cwd` must be an absolute path")
    return typed


def to_json(result: msgspec.Struct) -> Any:
    """A result as a JSON value: what is absent is left out."""
    return msgspec.to_builtins(result)
