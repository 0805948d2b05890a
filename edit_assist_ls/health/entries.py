"""The lines of a session file of the pi host, read no further than the report needs.

A session file is JSON Lines: a header, then entries that form a tree by `id` and `parentId`. Only lines that hold a
tool call or a tool result are decoded, and of these only the fields named here; the head of every other line is
matched by a pattern, which also says where in the tree it stands.
"""

import json
import re
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

ENTRY_HEAD = re.compile(
    rb'\{"type":"\w+","id":"(?P<id>[^"\\]*)","parentId":(?:"(?P<parent>[^"\\]*)"|null),'
    rb'"timestamp":"(?P<at>[^"\\]*)"(?:,"message":\{"role":"(?P<role>\w+)")?'
)
"""The beginning of an entry as the host writes it; lines in another key order are decoded instead."""

CALL_MARK = b'"toolCall"'
"""Stands unescaped in every line with a tool call: inside a JSON string its quotes would carry backslashes."""

Struct = TypeVar("Struct")


class Role(msgspec.Struct, gc=False):
    """The role of an entry's message: `user`, `assistant`, `toolResult`, …"""

    role: str = ""


class Head(msgspec.Struct, rename={"parent_id": "parentId", "parent_session": "parentSession"}, gc=False):
    """What every line has: a session header has no `parentId`, an entry of the first format has no `id` either."""

    type: str
    id: str | None = None
    parent_id: str | None = None
    timestamp: str = ""
    message: Role | None = None
    cwd: str = ""
    parent_session: str | None = None

    @property
    def role(self) -> str:
        """The role of the message, or the empty string."""
        return self.message.role if self.message else ""


class Usage(msgspec.Struct, rename="camel", gc=False):
    """Tokens of one model answer, as the provider counted them."""

    input: float = 0
    output: float = 0
    cache_read: float = 0
    cache_write: float = 0


class Block(msgspec.Struct, rename={"arguments_error": "argumentsError"}, gc=False):
    """A content block: of interest as a tool call (`arguments` undecoded) and as text."""

    type: str = ""
    id: str = ""
    name: str = ""
    arguments: Raw = Raw()
    arguments_error: Raw = Raw()


class Assistant(msgspec.Struct, rename={"stop_reason": "stopReason"}, gc=False):
    """An assistant message."""

    content: list[Block] | str = ""
    provider: str = ""
    model: str = ""
    usage: Usage | None = None
    stop_reason: str = ""


class AssistantEntry(msgspec.Struct, gc=False):
    """An entry with an assistant message."""

    message: Assistant


class Nested(msgspec.Struct, gc=False):
    """A call that a tool made of another tool; `status` is `ok`, `error` or `unfinished`."""

    id: str = ""
    name: str = ""
    arguments: Raw = Raw()
    status: str = ""
    error: str = ""


class NestedCalls(msgspec.Struct, gc=False):
    """The calls that ran inside one call, as far as the host recorded them."""

    calls: list[Nested] = []
    complete: bool = True


class Result(
    msgspec.Struct,
    rename={
        "tool_call_id": "toolCallId",
        "tool_name": "toolName",
        "is_error": "isError",
        "nested_calls": "nestedCalls",
    },
    gc=False,
):
    """A tool result message, its content undecoded."""

    tool_call_id: str = ""
    tool_name: str = ""
    content: Raw = Raw()
    is_error: bool = False
    nested_calls: NestedCalls | None = None


class ResultEntry(msgspec.Struct, gc=False):
    """An entry with a tool result message."""

    message: Result


class TextBlock(msgspec.Struct, gc=False):
    """A content block read for its text."""

    type: str = ""
    text: str = ""


_DECODERS: dict[object, msgspec.json.Decoder[Any]] = {}


def _decoder(shape: type[Struct]) -> msgspec.json.Decoder[Struct]:
    found = _DECODERS.get(shape)
    if found is None:
        found = _DECODERS[shape] = msgspec.json.Decoder(shape)
    return found


def decoded(data: bytes | Raw, shape: type[Struct]) -> Struct | None:
    """`data` as a value of `shape`, or None where it is no JSON or has another shape."""
    decoder = _decoder(shape)
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError):
        pass
    except RecursionError:
        return None
    try:
        return decoder.decode(_without_lone_surrogates(bytes(data)))
    except (ValueError, RecursionError):
        return None


def _without_lone_surrogates(data: bytes) -> bytes:
    """The same JSON with a question mark for each lone surrogate, which JavaScript writes and msgspec refuses."""
    return json.dumps(json.loads(data), ensure_ascii=False).encode("utf-8", "replace")


def texts_of(content: bytes | Raw) -> list[str]:
    """The text of each text block of a message's content."""
    if not content:
        return []
    blocks = decoded(content, list[TextBlock])
    if blocks is None:
        return []
    return [block.text for block in blocks if block.type == "text"]


def is_whole(line: bytes) -> bool:
    """Whether a line that is not decoded at least ends as an object does; a torn one does not."""
    return line.endswith(b"}\n") or line.rstrip().endswith(b"}")
