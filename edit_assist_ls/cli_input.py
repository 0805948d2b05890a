"""What `check` is given: a file and an edit call as JSON, read into values or refused in one line."""

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from edit_assist_ls import files
from edit_assist_ls.arguments import Prepared, prepare
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.text import NotUtf8, Text, decode
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts import HOSTS

CALL_BYTES = 64 * 1024 * 1024
STDIN = "-"


class UnusableError(Exception):
    """Input of which nothing can be said; the text is the one line that tells the person why."""


@dataclass(frozen=True, slots=True)
class Call:
    """An edit call as the host would get it: the path that it names (the file's own where it names none), its edits,
    and what of its arguments was repaired."""

    path: str
    edits: tuple[Edit, ...]
    notes: tuple[str, ...] = ()


def read_text(file: str) -> Text:
    """The text of `file`, or of standard input for `-`. Raises UnusableError."""
    data = _from_stdin() if file == STDIN else files.read(file)
    name = _name(file)
    if isinstance(data, files.Unreadable):
        raise UnusableError(f"{name}: {_why(file, data)}")
    text = decode(data)
    if isinstance(text, NotUtf8):
        raise UnusableError(f"{name}: not UTF-8 at byte {text.byte_offset} (counted from 0), line {text.line}")
    if not files.within_guards(text):
        raise UnusableError(f"{name}: more than {files.MAX_LINES:,} lines, which the server leaves alone")
    return text


def _from_stdin() -> bytes | files.Unreadable:
    data = sys.stdin.buffer.read(files.MAX_BYTES + 1)
    return data if len(data) <= files.MAX_BYTES else files.Unreadable("too-large")


def _why(file: str, unreadable: files.Unreadable) -> str:
    match unreadable.reason:
        case "missing":
            return "no such file"
        case "no-permission":
            return "no permission to read it"
        case "not-a-file":
            return "a folder, not a file" if Path(file).is_dir() else "not a regular file"
        case "too-large":
            return f"more than {files.MAX_BYTES:,} bytes, which the server leaves alone"
        case _:
            return unreadable.detail


def _name(source: str) -> str:
    return "standard input" if source == STDIN else source


def read_call(source: str, default_path: str, text: Text, *, strict: bool) -> Call:
    """The call on `text` in the JSON file `source`, or on standard input for `-`. Raises UnusableError."""
    name = _name(source)
    try:
        if source == STDIN:
            data = sys.stdin.buffer.read(CALL_BYTES + 1)
        else:
            with Path(source).open("rb") as stream:
                data = stream.read(CALL_BYTES + 1)
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise UnusableError(f"{name}: {why[:1].lower()}{why[1:]}") from error
    if len(data) > CALL_BYTES:
        raise UnusableError(f"{name}: more than {CALL_BYTES:,} bytes of JSON")
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UnusableError(f"{name}: not UTF-8 at byte {error.start} (counted from 0)") from error
    except json.JSONDecodeError as error:
        raise UnusableError(f"{name}: not JSON: {error.msg}, line {error.lineno}, column {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise UnusableError(f"{name}: JSON that cannot be read: {error}") from error
    return _repaired(value, name, default_path, text, strict=strict)


def _repaired(value: Any, name: str, default_path: str, text: Text, *, strict: bool) -> Call:
    """The call with its arguments repaired as they are before they reach a host, where they can be."""
    bare = value
    for wrapper in ("input", "arguments"):
        if isinstance(bare, dict) and "edits" not in bare and isinstance(bare.get(wrapper), dict):
            bare = bare[wrapper]
    prepared = _prepared(bare, text, strict=strict)
    if prepared.arguments is None and isinstance(bare, dict) and "path" not in bare:
        prepared = _prepared({"path": default_path, **bare}, text, strict=strict)
    if prepared.arguments is not None:
        return replace(call_of(prepared.arguments, name, default_path), notes=prepared.notes)
    try:
        return call_of(value, name, default_path)
    except UnusableError as unusable:
        said = "" if prepared.refusal is None else f"; the agent reads: {prepared.refusal}"
        raise UnusableError(f"{unusable}{said}") from unusable


def _prepared(value: Any, text: Text, *, strict: bool) -> Prepared:
    return prepare(value, HOSTS["pi"], str(Path.cwd()), lambda _path: text, strict=strict, work=Work())


def call_of(value: Any, name: str, default_path: str) -> Call:
    """The call in a JSON value: the bare arguments, or an object that holds them as `input` or `arguments`.

    Raises UnusableError with the name of the first field that has the wrong shape.
    """
    if not isinstance(value, dict):
        raise UnusableError(f"{name}: an edit call must be an object, not {_kind(value)}")
    field = ""
    for wrapper in ("input", "arguments"):
        if "edits" not in value and wrapper in value:
            value, field = value[wrapper], f"{wrapper}."
            if not isinstance(value, dict):
                raise UnusableError(f"{name}: {wrapper} must be an object, not {_kind(value)}")
            break
    path = value.get("path", default_path)
    if not isinstance(path, str):
        raise UnusableError(f"{name}: {field}path must be a string, not {_kind(path)}")
    if "edits" not in value:
        raise UnusableError(f"{name}: {field}edits is missing")
    edits = value["edits"]
    if not isinstance(edits, list):
        raise UnusableError(f"{name}: {field}edits must be a list, not {_kind(edits)}")
    return Call(path, tuple(_edit(edit, name, f"{field}edits[{index}]") for index, edit in enumerate(edits)))


def _edit(value: Any, name: str, field: str) -> Edit:
    if not isinstance(value, dict):
        raise UnusableError(f"{name}: {field} must be an object, not {_kind(value)}")
    for key in ("oldText", "newText"):
        if key not in value:
            raise UnusableError(f"{name}: {field}.{key} is missing")
        if not isinstance(value[key], str):
            raise UnusableError(f"{name}: {field}.{key} must be a string, not {_kind(value[key])}")
    return Edit(value["oldText"], value["newText"])


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"
