"""What models read about the arguments of a call: what was folded, or what arrived and what to send instead."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from edit_assist_ls.engine.messages import read_tool_hint, short_path

EXAMPLE = '{"path": "src/app.py", "edits": [{"oldText": "text in the file", "newText": "text instead"}]}'
SHOWN_CHARS = 60
SHOWN_NAMES = 6
SHOWN_FOLDED = 10
SHOWN_FOLDED_CHARS = 240
SHOWN_NAME_CHARS = 40
SHOWN_CALL_CHARS = 600


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
    return f'"{_cut(" ".join(text.split()), SHOWN_CHARS)}"'


def _path(path: str) -> str:
    return short_path(" ".join(path.split())) or '""'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _names(names: Iterable[str]) -> str:
    """Names of keys, the first few."""
    known = list(names)
    more = f" and {len(known) - SHOWN_NAMES} more" if len(known) > SHOWN_NAMES else ""
    return ", ".join(_cut(" ".join(name.split()), SHOWN_NAME_CHARS) or '""' for name in known[:SHOWN_NAMES]) + more


def no_object(value: object) -> str:
    return f"The arguments arrived as {shown(value)}, not as an object: send {EXAMPLE}."


def empty() -> str:
    return f"The arguments arrived empty, as those of very long calls do: send a smaller edit, {EXAMPLE}."


def cut_off(what: str) -> str:
    return f"{what} is cut off (its JSON ends in the middle) and was not completed: send a smaller edit, whole."


def too_long(what: str, most: int) -> str:
    return (
        f"{what} arrived as text of more than {most:,} characters, which was not read: send a smaller edit, {EXAMPLE}."
    )


def unreadable(what: str, line: int, column: int) -> str:
    return f"{what} arrived as text that is no JSON (line {line}, column {column}): send {EXAMPLE}."


def two_values(name: str, one: str, other: str) -> str:
    return (
        f"{name} arrived with two different values, {_quoted(one)} and {_quoted(other)}: "
        f"send the one that you mean, as {name}."
    )


def twice(name: str) -> str:
    return f"One object of the call arrived with two different values for {_names([name])}: send the one that you mean."


def two_paths(one: str, other: str) -> str:
    return f"The call names two files, {_path(one)} and {_path(other)}: send one call for each file."


def path_is_no_text(value: object) -> str:
    return f"path arrived as {shown(value)}, not as text: send one path, as a string."


def no_path(call: Mapping[str, Any]) -> str:
    arrived = _names(name for name, value in call.items() if value not in (None, ""))
    return f"The call arrived with {arrived} and no path: send the file's path beside edits, {EXAMPLE}."


def no_edits(call: Mapping[str, Any], path_names: Collection[str], list_names: Collection[str]) -> str:
    """`path_names`: those that a path goes by, `list_names` those of edits; two other tools are known by theirs."""
    others = {name for name in call if name not in path_names}
    if others and others <= {"offset", "limit"}:
        return read_tool_hint()
    if set(call) & set(list_names):
        return f"The call arrived with an empty list of edits: send {EXAMPLE}."
    whole = ", or use the write tool for a whole file" if "content" in others else ""
    return f"The call arrived with {_names(call)} and no edits: send {EXAMPLE}{whole}."


def two_lists(one: str, other: str) -> str:
    return f"The call arrived with two different lists of edits, {one} and {other}: send one list, as edits."


def edits_inside(what: str, keys: Iterable[str]) -> str:
    return f"{what} arrived as an object with {_names(keys)}, edits inside an edit: send one list of edits, {EXAMPLE}."


def not_a_list(name: str, value: object) -> str:
    return (
        f'{name} arrived as {shown(value)}: send a list of objects, "edits": [{{"oldText": "...", "newText": "..."}}].'
    )


def missing(edit: str, name: str, keys: Iterable[str]) -> str:
    meaning = (
        "the text that is to stand there instead, empty to delete" if name == "newText" else "the text in the file"
    )
    return f"{edit} has no {name}, it arrived with {_names(keys)} alone: send {name}, {meaning}."


def not_text(edit: str, name: str, value: object) -> str:
    return f"{edit}.{name} arrived as {shown(value)}, not as text: send {name} as a string."


def not_an_edit(edit: str, value: object) -> str:
    return f'{edit} arrived as {shown(value)}: send an object, {{"oldText": "...", "newText": "..."}}.'


def replace_all(edit: str, lines: Sequence[int], inside_words: Sequence[int], *, is_whole: bool = True) -> str:
    """`lines`: those of all places; `inside_words`: those where the text is a part of a longer word.

    Not `is_whole`: there may be more places.
    """
    places = list(dict.fromkeys(lines))
    named = ", ".join(f"line {line}" for line in places[:10]) + (
        f" and {len(places) - 10} lines more" if len(places) > 10 else ""
    )
    inside = (
        " (in "
        + ", ".join(f"line {line}" for line in dict.fromkeys(inside_words[:5]))
        + " it is part of a longer word)"
        if inside_words
        else ""
    )
    times = f"{len(lines)} times" if is_whole else f"{len(lines)} times or more"
    return (
        f"replaceAll is not supported, and oldText of {edit} occurs {times}, in {named}{inside}: "
        "send one edit for each place that you mean, each with a neighbouring line in oldText."
    )


def not_run(refusal: str) -> str:
    """Why a call is stopped that the host would have run."""
    return f"Not run: {refusal}"


def send_instead(arguments: Mapping[str, Any]) -> str:
    """What is said where nothing may be folded, of a call that could be."""
    try:
        meant = json.dumps(arguments, ensure_ascii=False)
        meant.encode()
    except (ValueError, RecursionError):
        meant = ""
    if not meant or len(meant) > SHOWN_CALL_CHARS:
        return (
            f"The arguments are not in the tool's own shape: send {EXAMPLE}, with the path and the texts that you mean."
        )
    return f"The arguments are not in the tool's own shape, or are not what the file has: send {meant}."


def folded(what: Sequence[str]) -> str:
    """One note on everything that was folded, the first few by name."""
    named = "; ".join(_cut(" ".join(one.split()), SHOWN_FOLDED_CHARS) for one in what[:SHOWN_FOLDED])
    more = f"; and {len(what) - SHOWN_FOLDED} more" if len(what) > SHOWN_FOLDED else ""
    return f"edit-assist: the arguments were put into the tool's own shape: {named}{more}. Send them so next time."


def path_form(written: str, used: str) -> str:
    return f"the path {_path(used)} was taken for {json.dumps(_cut(written, SHOWN_CHARS), ensure_ascii=False)}"


def no_file(path: str, near: Sequence[str]) -> str:
    """There is no such file; `near` are names that are like it, one at least and at most a few."""
    names = ", ".join(map(_path, near))
    are = "the name most like it is" if len(near) == 1 else "the names most like it are"
    return f"There is no file {_path(path)}, {are} {names}: send the path that you mean."


MARKS = {
    "line-numbers": "the line numbers of a reader were taken off",
    "code-fence": "the code fence around oldText was taken off",
    "diff-marks": "the diff marks at the line starts were taken off",
    "html-entities": "HTML entities were written out",
    "escapes": "one level of backslash escapes was undone",
}
