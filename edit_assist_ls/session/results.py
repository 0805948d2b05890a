"""What is added to the result of a call. Nothing raises because of what a model sent."""

from collections.abc import Mapping, Sequence
from typing import Any

from edit_assist_ls.engine import folding, guard_words, messages
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.diagnosis import Diagnosis, diagnose, only_in_a_buffer
from edit_assist_ls.engine.text import Text
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.hosts.host import Host
from edit_assist_ls.session import recording
from edit_assist_ls.session.memory import Call, Memory, Origin, Remarks
from edit_assist_ls.settings import Settings
from edit_assist_ls.unsaved import holds


def tool_result(
    memory: Memory, call: Call, content: Sequence[Any], *, is_error: bool, details: object = None
) -> list[Any] | None:
    """The blocks of a call's result with what edit assist adds to the first text block; None: unchanged.

    A corrected call that landed gets its honesty line, once; one that the built-in refused its Diagnosis.
    `details` is what the host knows of the result beside its text, in its own shape.
    """
    host = HOSTS.get(call.origin.host)
    if host is None:
        return None
    session = memory.session(call.origin)
    opened = session.close(call.tool_call_id)
    remarks = session.remarks.pop(call.tool_call_id, Remarks())
    if call.tool_name != host.edit_tool:
        return None
    settings, _ = memory.settings_for(host, call.origin)
    if not settings.enabled:
        return None
    if settings.profile == "strict":
        _keep_strict(memory, host, call, settings, is_error=is_error, stock_text=_first_text(content), details=details)
        return _with_added(content, _joined(remarks.refusal if is_error else None, *remarks.notes))
    if is_error:
        diagnosed = _diagnosed(memory, host, call, _first_text(content), settings)
        return _with_added(content, _joined(diagnosed, remarks.refusal, *remarks.notes))
    corrections = () if opened is None else opened.corrections
    landing = () if opened is None else opened.landing
    recording.landed(memory, call, host, corrections, landing, details, settings)
    line = messages.honesty(opened.path, corrections, opened.edit_count) if opened and corrections else ""
    warned = guard_words.warning(opened.path, opened.warnings) if opened and opened.warnings else ""
    line = _joined(line, warned, *remarks.notes)
    if not line:
        return None
    return _with_added(content, line) or [*content, {"type": "text", "text": line}]


def _keep_strict(
    memory: Memory, host: Host, call: Call, settings: Settings, *, is_error: bool, stock_text: str, details: object
) -> None:
    """Keep what a call under `strict` came to, where that was not known before it ran."""
    refused = memory.session(call.origin).refused
    known = call.tool_call_id in refused
    refused.pop(call.tool_call_id, None)
    if not is_error:
        recording.landed(memory, call, host, (), (), details, settings)
    elif not known:
        recording.failed(memory, call, host, None, (), stock_text, settings)


def _diagnosed(memory: Memory, host: Host, call: Call, stock_text: str, settings: Settings) -> str:
    """What is said of a failed edit call; empty where the text is no refusal that the file bears out."""
    refused = host.refusal_in(stock_text)
    edits, path = host.edits_of(call.arguments), host.path_of(call.arguments)
    real_path = recording.real_path_of(host, call.arguments, call.origin)
    read = None if real_path is None else memory.texts.read(real_path)
    text = read if isinstance(read, Text) else None
    diagnoses: tuple[Diagnosis, ...] = ()
    if refused is not None and edits is not None and text is not None and real_path is not None:
        diagnoses = diagnose(text, edits, refused, Work())
        diagnoses = tuple(_in_a_buffer(memory, real_path, edits, diagnosis) for diagnosis in diagnoses)
    record_id = recording.failed(memory, call, host, text, diagnoses, stock_text, settings)
    if not diagnoses or path is None:
        return ""
    report = messages.report(path, diagnoses)
    times = recording.times_said(memory, call, report, record_id)
    return report if times == 1 else messages.again(path, diagnoses, times)


def _in_a_buffer(memory: Memory, real_path: str, edits: Sequence[Edit], diagnosis: Diagnosis) -> Diagnosis:
    """The Diagnosis; that the text is in an unsaved buffer of an editor where it is there and not on the disk."""
    if diagnosis.code not in ("no-match", "whitespace-only"):
        return diagnosis
    old = folding.lf(edits[diagnosis.edit_index].old_text)
    own = memory.buffers(real_path)
    ledger = memory.ledger()
    if (own is not None and old in own.lf) or any(
        holds(digests, old, ledger.line_digest) for digests in ledger.buffers(real_path)
    ):
        return only_in_a_buffer(diagnosis)
    return diagnosis


def message_end(memory: Memory, origin: Origin, message: Mapping[str, Any]) -> dict[str, Any] | None:
    """The message of an edit call that failed validation, with the hint for its shape; None: unchanged."""
    host = HOSTS.get(origin.host)
    if host is None or message.get("role") != "toolResult":
        return None
    tool_call_id, content = message.get("toolCallId"), message.get("content")
    remarks = Remarks()
    if isinstance(tool_call_id, str):
        memory.session(origin).close(tool_call_id)
        remarks = memory.session(origin).remarks.pop(tool_call_id, Remarks())
    if message.get("toolName") != host.edit_tool or message.get("isError") is not True:
        return None
    settings, _ = memory.settings_for(host, origin)
    if not isinstance(content, list) or not settings.enabled:
        return None
    text = _first_text(content)
    arguments = host.rejected_in(text)
    if not isinstance(tool_call_id, str):
        return None
    if arguments is None:
        added = _with_added(content, _joined(remarks.refusal, *remarks.notes))
        return None if added is None else {**message, "content": added}
    hint = _joined(remarks.refusal or _hint(host, text), *remarks.notes)
    call = Call(origin, tool_call_id, host.edit_tool, arguments)
    recording.never_ran(memory, call, host, "malformed-arguments", hint or text, settings)
    added = _with_added(content, hint)
    return None if added is None else {**message, "content": added}


def _hint(host: Host, text: str) -> str:
    match host.malformed_in(text):
        case "read-shaped":
            return messages.read_tool_hint()
        case "edits-string":
            return messages.edits_string_hint()
        case _:
            return ""


def _joined(*parts: str | None) -> str:
    """Parts of what is added, a blank line between them; those that say nothing are left out."""
    return "\n\n".join(part for part in parts if part)


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
