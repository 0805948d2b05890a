"""What models read about the arguments of a call: what was folded, or what arrived and what to send instead."""

from collections.abc import Sequence

from edit_assist_ls.engine.messages import short_path

EXAMPLE = '{"path": "src/app.py", "edits": [{"oldText": "text in the file", "newText": "text instead"}]}'
SHOWN_CHARS = 60


def shown(value: object) -> str:
    """What kind of JSON value arrived, in two words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"


def _quoted(text: str) -> str:
    one_line = " ".join(text.split())
    return f'"{one_line if len(one_line) <= SHOWN_CHARS else one_line[: SHOWN_CHARS - 1] + "…"}"'


def no_object(value: object) -> str:
    return f"The arguments arrived as {shown(value)}, not as an object. Send {EXAMPLE}."


def empty() -> str:
    return (
        "The arguments arrived empty: the call was lost on its way, as happens to very long ones. "
        f"Send a smaller edit as {EXAMPLE}."
    )


def cut_off(what: str) -> str:
    return f"{what} is cut off: it ends in the middle of its JSON. Nothing was completed. Send a smaller edit, whole."


def unreadable(what: str, line: int, column: int) -> str:
    return (
        f"{what} is text that is no JSON (line {line}, column {column}). "
        'Send edits as a list of objects: "edits": [{"oldText": "...", "newText": "..."}].'
    )


def two_values(name: str, one: str, other: str) -> str:
    return (
        f"There are two different values for {name}: {_quoted(one)} and {_quoted(other)}. Send one of them, as {name}."
    )


def twice(name: str) -> str:
    return f"One object of the call has two different values for {name}. Send the one that you mean."


def two_paths(one: str, other: str) -> str:
    return (
        f"The call names two files, {short_path(one)} and {short_path(other)}. "
        "An edit call changes one file: send a call for each, with its own path."
    )


def path_is_no_text(value: object) -> str:
    return f"path arrived as {shown(value)}, not as text. Send one path, as a string."


def no_path() -> str:
    return f"The call has no path. Send the file's path beside edits: {EXAMPLE}."


def no_edits() -> str:
    return f"The call has no edits. Send {EXAMPLE}."


def two_lists(one: str, other: str) -> str:
    return f"The call has two lists of edits, {one} and {other}. Send one list, as edits."


def not_a_list(name: str, value: object) -> str:
    return (
        f'{name} arrived as {shown(value)}. Send a list of objects: "edits": [{{"oldText": "...", "newText": "..."}}].'
    )


def missing(edit: str, name: str) -> str:
    other = "the text that is to stand there instead, empty to delete" if name == "newText" else "the text in the file"
    return f"{edit} has no {name}. Send it: {name} is {other}."


def not_text(edit: str, name: str, value: object) -> str:
    return f"{edit}.{name} arrived as {shown(value)}, not as text. Send {name} as a string."


def not_an_edit(edit: str, value: object) -> str:
    return f'{edit} arrived as {shown(value)}. Send an object: {{"oldText": "...", "newText": "..."}}.'


def replace_all(edit: str, lines: Sequence[int], inside_words: Sequence[int]) -> str:
    """`lines`: those of all places; `inside_words`: those where the text is a part of a longer word."""
    named = ", ".join(f"line {line}" for line in lines[:10]) + (
        f" and {len(lines) - 10} more" if len(lines) > 10 else ""
    )
    inside = (
        " In " + ", ".join(f"line {line}" for line in inside_words[:5]) + " it is part of a longer word."
        if inside_words
        else ""
    )
    return (
        f"replaceAll is not supported, and oldText of {edit} occurs {len(lines)} times: {named}.{inside} "
        "Send one edit for each place that you mean, each with a neighbouring line in oldText."
    )


def folded(what: Sequence[str]) -> str:
    """One note on everything that was folded."""
    return f"edit-assist: the arguments were put into the tool's own shape: {'; '.join(what)}. Send them so next time."


def path_form(written: str, used: str) -> str:
    return f"the path {short_path(used)} was taken for {_quoted(written)}"


def no_file(path: str, near: Sequence[str]) -> str:
    """There is no such file; `near` are names that are like it, one at least and at most a few."""
    return f"There is no file {short_path(path)}. Names like it: {', '.join(map(short_path, near))}."


MARKS = {
    "line-numbers": "the line numbers of a reader were taken off oldText and newText",
    "code-fence": "the code fence around oldText was taken off",
    "diff-marks": "the diff marks at the line starts were taken off",
    "html-entities": "HTML entities were written out",
    "escapes": "one level of backslash escapes was undone",
}
