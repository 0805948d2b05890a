"""What an agent host is to the rest: a value of names and functions, one for each host."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from edit_assist_ls.engine.builtin import Edit, Refused
from edit_assist_ls.engine.strict_changes import Change
from edit_assist_ls.engine.text import Text

Malformed = Literal["read-shaped", "edits-string"]


@dataclass(frozen=True, slots=True)
class Host:
    """One agent host: its tools' names, how it reads their arguments, its stock texts, its settings files.

    `arguments` below is a tool call's argument object as the model or the host gives it: any JSON.
    """

    name: str
    edit_tool: str
    write_tool: str
    path_of: Callable[[Mapping[str, Any]], str | None]
    """arguments → the path that the call names, as written; None where it names none."""
    resolve_path: Callable[[str, str], str | None]
    """(path as written, cwd) → the absolute path that the host opens; None where the host would fail."""
    edits_of: Callable[[Mapping[str, Any]], tuple[Edit, ...] | None]
    """arguments of the edit tool → its edits; None where they do not have the host's shape."""
    with_edits: Callable[[Mapping[str, Any], Sequence[Edit]], dict[str, Any]]
    """(arguments, as many edits) → a deep copy of the arguments in which only the edits' texts differ."""
    written_by: Callable[[Mapping[str, Any]], str | None]
    """arguments of the write tool → the text that it writes; None where that is not known."""
    refusal_in: Callable[[str], Refused | None]
    """A failed edit call's result text → what the built-in refused; None for any other text."""
    stock_text: Callable[[Refused, str, int], str | None]
    """(refusal, path as written, number of edits) → the host's own words; None where it has none for it."""
    success_text: Callable[[str, int], str]
    """(path as written, number of edits) → what the host says when the call has landed."""
    is_success: Callable[[str], bool]
    """True for a result text that says that the edit call landed."""
    rejected_in: Callable[[str], Mapping[str, Any] | None]
    """The error text of an edit call that failed validation → its arguments as received; None for any other text."""
    malformed_in: Callable[[str], Malformed | None]
    """The error text of an edit call that failed validation → which known malformed shape it had."""
    edit_details: Callable[[str, Text, Text, Sequence[Change]], dict[str, Any]]
    """(path, text before, text after) → what the edit tool's result says of a change beside its text."""
    settings_files: Callable[[str, Mapping[str, str]], tuple[str, str]]
    """(cwd, environment) → the paths of the user's and of the project's settings file."""
    settings_section: str
    """The key under which edit assist's settings stand in these files."""
