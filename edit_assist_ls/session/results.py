"""What is added to the result of a call. Nothing raises because of what a model sent."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from edit_assist_ls.engine import messages
from edit_assist_ls.engine.diagnosis import diagnose
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.hosts.host import Host
from edit_assist_ls.session.memory import Call, Memory, Origin


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
