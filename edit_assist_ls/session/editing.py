"""A call of the edit tool under the profile `strict`: the file's next content is computed, and written by the host."""

import hashlib
import os
from dataclasses import dataclass, replace
from typing import Any

from edit_assist_ls import files
from edit_assist_ls.engine import strict, strict_words
from edit_assist_ls.engine.builtin import Edit, Refused
from edit_assist_ls.engine.diagnosis import Code, Diagnosis, diagnose
from edit_assist_ls.engine.strict import FailureCode, StrictEdit
from edit_assist_ls.engine.text import NotUtf8, Text, decode
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import HOSTS
from edit_assist_ls.hosts.host import Host
from edit_assist_ls.session import recording
from edit_assist_ls.session.memory import MAX_CALLS, Call, Memory

MAX_BYTES = 4 * 1024 * 1024

_UNREADABLE: dict[files.Reason, str] = {
    "missing": "there is no such file",
    "not-a-file": "it is no regular file",
    "no-permission": "it may not be read",
    "too-large": f"it is larger than {MAX_BYTES:,} bytes",
    "too-many-lines": "it has too many lines",
    "unreadable": "the system refuses to read it",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call. `code` None: `content`, as UTF-8, is to be written where the bytes still have `sha256`."""

    text: str
    code: FailureCode | None = None
    details: dict[str, Any] | None = None
    sha256: str | None = None
    content: str | None = None


def edit_strictly(memory: Memory, call: Call) -> Outcome:
    """Compute a call; a failure is kept for people, a success when its result is in."""
    host = HOSTS.get(call.origin.host)
    path = None if host is None else host.path_of(call.arguments)
    if host is None or path is None:
        return Outcome("The call has no path. Send the file's path beside edits. Nothing was changed.", "invalid-edit")
    resolved = host.resolve_path(path, call.origin.cwd)
    data = files.Unreadable("missing") if resolved is None else files.read(os.path.realpath(resolved), MAX_BYTES)
    edits = strict.read_edits(call.arguments)
    if isinstance(edits, strict.Failed):
        return _failed(memory, host, call, path, (), edits, None)
    if isinstance(data, files.Unreadable):
        return _unreadable(memory, host, call, path, _UNREADABLE[data.reason], "no-match")
    text = decode(data)
    if isinstance(text, NotUtf8):
        return _unreadable(memory, host, call, path, strict_words.no_utf8(text), "not-utf8")
    outcome = strict.apply_strictly(text, edits)
    if isinstance(outcome, strict.Failed):
        return _failed(memory, host, call, path, edits, outcome, text)
    matched = [
        {"matchedVia": one.matched_via, "startLine": one.start_line, "endLine": one.end_line} for one in outcome.matched
    ]
    return Outcome(
        strict_words.landed(path, edits, outcome.matched),
        details={**host.edit_details(path, text, outcome.text, outcome.changes), "edits": matched},
        sha256=hashlib.sha256(data).hexdigest(),
        content=outcome.text.encode().decode("utf-8"),
    )


def _unreadable(memory: Memory, host: Host, call: Call, path: str, why: str, code: str) -> Outcome:
    said = strict_words.unreadable(path, why)
    settings, _ = memory.settings_for(host, call.origin)
    _remember_refused(memory, call)
    recording.never_ran(memory, call, host, code, said, settings)
    return Outcome(said, "unreadable")


def _failed(
    memory: Memory,
    host: Host,
    call: Call,
    path: str,
    edits: tuple[StrictEdit, ...],
    failed: strict.Failed,
    text: Text | None,
) -> Outcome:
    said = strict_words.failure(path, edits, failed, Work())
    settings, _ = memory.settings_for(host, call.origin)
    _remember_refused(memory, call)
    diagnosis = _diagnosis(edits, failed, text)
    if diagnosis is None:
        recording.never_ran(memory, call, host, _CODES.get(failed.code, "malformed-arguments"), said, settings)
    else:
        recording.failed(memory, call, host, text, [diagnosis], said, settings, told=said)
    return Outcome(said, failed.code)


_CODES: dict[FailureCode, str] = {"no-changes": "no-change"}


def _diagnosis(edits: tuple[StrictEdit, ...], failed: strict.Failed, text: Text | None) -> Diagnosis | None:
    """What people see of a failed edit: its places where there are some, else the Nearest region on the disk."""
    index = failed.edit_index
    if index is None or text is None or not edits:
        return None
    match failed.code:
        case "empty-old-text":
            return Diagnosis(index, "empty-old-text", "no-region")
        case "no-op-edit" | "duplicate-edit":
            return Diagnosis(index, "no-change", "no-region")
        case "not-unique" | "ambiguous" | "disproportionate" if failed.met is text:
            spans = failed.places
            first = spans[0]
            code: Code = "no-match" if failed.code == "disproportionate" else "ambiguous"
            return Diagnosis(
                index, code, "ambiguous", *first, places=recording.places_at(text, spans), place_count=failed.count
            )
        case _:
            edit = edits[index]
            found = diagnose(text, [Edit(edit.old_text, edit.new_text)], Refused("not-found", 0), Work())
            return replace(found[0], edit_index=index) if found else Diagnosis(index, "no-match", "no-region")


def _remember_refused(memory: Memory, call: Call) -> None:
    refused = memory.session(call.origin).refused
    refused[call.tool_call_id] = None
    if len(refused) > MAX_CALLS:
        refused.popitem(last=False)
