"""Session files written line by line in a test, in the host's own form."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edit_assist_ls.health.counts import Counts
from edit_assist_ls.health.survey import survey

NO_MATCH = (
    "Could not find the exact text in a.py. The old text must match exactly including all whitespace and newlines."
)
LANDED = "Successfully replaced 1 block(s) in a.py."

Entry = dict[str, Any]


def header(at: str = "2026-11-02T00:00:00.000Z", **rest: object) -> Entry:
    """The first line of a session."""
    return {"type": "session", "version": 3, "id": "s", "timestamp": at, "cwd": "/home/dev/project", **rest}


def entry(id_: str, parent: str | None, message: Entry, at: str = "2026-11-02T08:00:00.000Z") -> Entry:
    """An entry with a message, its keys in the host's order."""
    return {"type": "message", "id": id_, "parentId": parent, "timestamp": at, "message": message}


def answer(*calls: tuple[str, str, object], stop: str = "toolUse", tokens: int = 10) -> Entry:
    """An assistant message with calls (id, name, arguments)."""
    blocks = [{"type": "toolCall", "id": id_, "name": name, "arguments": made} for id_, name, made in calls]
    usage = {"input": tokens, "output": 1, "cacheRead": 0, "cacheWrite": 0}
    content = blocks or [{"type": "text", "text": "Done."}]
    return {
        "role": "assistant",
        "content": content,
        "provider": "lab",
        "model": "m",
        "usage": usage,
        "stopReason": stop,
    }


def result(id_: str, name: str, text: str, *, failed: bool = False, **rest: object) -> Entry:
    """A tool result message."""
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": id_, "toolName": name, "content": content, "isError": failed, **rest}


def edit(old: str = "x", new: str = "y", path: str = "a.py") -> Entry:
    """The arguments of an edit call with one edit."""
    return {"path": path, "edits": [{"oldText": old, "newText": new}]}


def chain(*messages: Entry) -> list[Entry]:
    """A session in which each entry follows the one before it."""
    entries = [header()]
    for place, message in enumerate(messages):
        entries.append(entry(f"e{place}", f"e{place - 1}" if place else None, message))
    return entries


def write(folder: Path, lines: Sequence[Entry | bytes], name: str = "s.jsonl") -> Path:
    """Writes a session file; bytes are lines as they are."""
    out = [
        line
        if isinstance(line, bytes)
        else json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        for line in lines
    ]
    path = folder / name
    path.write_bytes(b"".join(out))
    return path


def measured(counts: Counts, measure: str) -> dict[str | int, int]:
    """The values of one measure over all days and models."""
    values: dict[str | int, int] = {}
    for (_, _, name, value), number in counts.items():
        if name == measure:
            values[value] = values.get(value, 0) + number
    return values


def counted(folder: Path, lines: Sequence[Entry | bytes], measure: str) -> dict[str | int, int]:
    """One measure of a session made of these lines."""
    write(folder, lines)
    return measured(survey([str(folder)], jobs=1).counts, measure)
