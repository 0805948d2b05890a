"""The shapes that models send by mistake, folded onto `{path, edits: [{oldText, newText}]}`.

Every name and container that can mean one thing alone is folded; a `ShapeError` says in one sentence what arrived and
what to send where it could mean two.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edit_assist_ls.arguments import json_text, words
from edit_assist_ls.engine import folding

PATH_NAMES = ("path", "file_path", "filePath", "filename", "absolute_path", "target_file", "file")
OLD_NAMES = ("oldText", "old_string", "oldString", "old_str", "oldStr", "old_text", "search", "from")
NEW_NAMES = ("newText", "new_string", "newString", "new_str", "newStr", "new_text", "replace", "to")
LIST_NAMES = ("edits", "edit", "changes")
WRAPPERS = ("arguments", "args", "input", "params", "parameters")
BESIDE_A_WRAPPER = ("name", "tool", "tool_name", "toolName", "type", "id")
REPLACE_ALL_NAMES = ("replaceAll", "replace_all")
MAX_DEPTH = 4
MAX_NUMBER = 2**53 - 1
"""Up to here a host's number is the number that the model wrote."""

SamePath = Callable[[str, str], bool]


class ShapeError(Exception):
    """Arguments that could mean two things, or nothing; the message is for the model."""


class ContradictionError(ShapeError):
    """Arguments that say two different things, of which a host may take one and pass over the other."""


@dataclass(frozen=True, slots=True)
class FoldedEdit:
    """One edit. `more`: keys that are not known, kept. `replace_all`: the model asked for every place."""

    old_text: str
    new_text: str
    replace_all: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoldedCall:
    """A call in the host's shape, and what was folded to make it, in words; none: it had that shape."""

    path: str
    edits: tuple[FoldedEdit, ...]
    more: Mapping[str, Any]
    folded: tuple[str, ...]


@dataclass(slots=True)
class _Work:
    """What is found while a call is folded."""

    same_path: SamePath
    paths: dict[str, None] = field(default_factory=dict)
    folded: dict[str, None] = field(default_factory=dict)

    def note(self, what: str) -> None:
        self.folded[what] = None

    def path(self, value: object) -> None:
        """A further name of the file; what names another one is no single call."""
        if not isinstance(value, str):
            raise ShapeError(words.path_is_no_text(value))
        if value in self.paths:
            return
        for first in self.paths:
            if not self.same_path(first, value):
                raise ContradictionError(words.two_paths(first, value))
            break
        self.paths[value] = None


def fold(arguments: object, same_path: SamePath, *, collapse_repeats: bool) -> FoldedCall:
    """A call in the host's shape; raises `ShapeError`. `same_path` says whether two paths name one file."""
    work = _Work(same_path)
    call = _unwrapped(arguments, work)
    more: dict[str, Any] = {}
    for name in PATH_NAMES:
        if name in call and not _is_empty(call[name]):
            work.path(call[name])
            if name != "path":
                work.note(f"{name} is path")
    lists = _list_names(call)
    raw = _raw_edits(call, lists, work)
    pair = {name: call[name] for name in (*OLD_NAMES, *NEW_NAMES, *REPLACE_ALL_NAMES) if name in call}
    replace_all_of_call = _replace_all(pair, work) if not _has_text(pair) else False
    if raw and all(_is_empty(value) for name, value in pair.items() if name not in REPLACE_ALL_NAMES):
        for name in pair:
            if name not in REPLACE_ALL_NAMES:
                work.note(f"{name} beside edits was left out")
    elif _has_text(pair):
        raw.append(("The call", pair))
        work.note("oldText and newText beside path are an edit in edits")
    known = {*PATH_NAMES, "edits", *lists, *OLD_NAMES, *NEW_NAMES, *REPLACE_ALL_NAMES}
    for name, value in call.items():
        if name not in known:
            if _is_empty(value) or (isinstance(value, str) and value in work.paths):
                work.note(f"{name} was left out")
            else:
                more[name] = value
    edits = [edit for where, item in raw if (edit := _edit(where, item, work)) is not None]
    if replace_all_of_call:
        edits = [FoldedEdit(edit.old_text, edit.new_text, replace_all=True, more=edit.more) for edit in edits]
    if not edits:
        raise ShapeError(words.no_edits(call, PATH_NAMES, LIST_NAMES))
    if not work.paths:
        raise ShapeError(words.no_path(call))
    if not any(name in call and not _is_empty(call[name]) for name in PATH_NAMES):
        work.note("the path inside the edits is the call's")
    if collapse_repeats:
        unique = _once_each(edits)
        if len(unique) < len(edits):
            work.note("an edit that was sent twice was kept once")
            edits = unique
    return FoldedCall(next(iter(work.paths)), tuple(edits), more, tuple(work.folded))


def _once_each(edits: Sequence[FoldedEdit]) -> list[FoldedEdit]:
    """The edits without exact repeats; one of spaces alone may be two to a host, whose folding makes it nothing."""
    seen: set[tuple[str, str]] = set()
    out: list[FoldedEdit] = []
    for edit in edits:
        key = (edit.old_text, edit.new_text)
        if key not in seen or not edit.old_text.strip(folding.TRAILING):
            out.append(edit)
        seen.add(key)
    return out


def _unwrapped(arguments: object, work: _Work) -> dict[str, Any]:
    """The object that holds the call: read from text, taken out of a wrapper, or made of a bare list of edits."""
    for _ in range(MAX_DEPTH):
        if isinstance(arguments, str):
            if not arguments.strip():
                raise ShapeError(words.empty())
            value = _from_text("The call", arguments, arguments)
            if value is arguments:
                break
            arguments = value
            work.note("the arguments were JSON as text")
        elif isinstance(arguments, list):
            arguments = {"edits": arguments}
            work.note("the list is edits")
        elif isinstance(arguments, dict) and (wrapper := _wrapper(arguments)) is not None:
            arguments = arguments[wrapper]
            work.note("the arguments were wrapped in another object")
        else:
            break
    if not isinstance(arguments, dict):
        raise ShapeError(words.no_object(arguments))
    if not arguments or all(_is_empty(value) for value in arguments.values()):
        raise ShapeError(words.empty())
    return arguments


def _wrapper(call: Mapping[str, Any]) -> str | None:
    """The one name under which an object holds a whole call, beside no more than the names of the tool and the call."""
    inside = [name for name in call if name in WRAPPERS]
    if len(inside) != 1 or not isinstance(call[inside[0]], dict | list | str):
        return None
    beside = [name for name in call if name != inside[0]]
    named = all(name in BESIDE_A_WRAPPER and isinstance(call[name], str) for name in beside)
    return inside[0] if named else None


def _from_text(what: str, text: str, unread: object) -> Any:
    """The value of a JSON text, `unread` where it is no JSON of an object or a list at all."""
    value = json_text.read(text)
    if not isinstance(value, json_text.NoJson):
        return value
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return unread
    if value.reason == "cut-off":
        raise ShapeError(words.cut_off(what))
    if value.reason == "twice":
        raise ShapeError(words.twice(value.name))
    if value.reason == "too-long":
        raise ShapeError(words.too_long(what, json_text.MAX_CHARS))
    raise ShapeError(words.unreadable(what, value.line, value.column))


def _list_names(call: Mapping[str, Any]) -> list[str]:
    """The names under which a call has its edits: what may hold some, else, without a pair, what says anything."""
    present = [name for name in LIST_NAMES if name in call and not _is_empty(call[name])]
    holding = [name for name in present if name == "edits" or _may_hold_edits(call[name])]
    return holding or ([] if _has_text(call) else present)


def _raw_edits(call: Mapping[str, Any], present: Sequence[str], work: _Work) -> list[tuple[str, Any]]:
    """The items of the one list of edits, whatever its name and container, each with its name in messages."""
    if len(present) > 1 and any(call[name] != call[present[0]] for name in present):
        raise ContradictionError(words.two_lists(present[0], present[1]))
    if not present:
        return []
    if present[0] != "edits":
        work.note(f"{present[0]} is edits")
    items = _items(present[0], call[present[0]], work, MAX_DEPTH)
    kept = [(f"edits[{at}]", item) for at, item in enumerate(items) if not _is_placeholder(item)]
    if len(kept) < len(items):
        work.note("empty edits were left out")
    return kept


def _items(name: str, value: object, work: _Work, depth: int) -> list[Any]:
    if depth == 0:
        raise ShapeError(words.not_a_list(name, value))
    if isinstance(value, str):
        read = _from_text(name, value, value)
        if read is value:
            raise ShapeError(words.not_a_list(name, value))
        work.note(f"{name} was JSON as text")
        return _items(name, read, work, depth - 1)
    if isinstance(value, dict):
        inside = _inside(name, value, work, depth)
        if inside is None:
            work.note(f"one object as {name} is a list of one")
        return [value] if inside is None else inside
    if not isinstance(value, list):
        raise ShapeError(words.not_a_list(name, value))
    items: list[Any] = []
    for at, item in enumerate(value):
        where = f"edits[{at}]"
        found = [item]
        if isinstance(item, str) and item.strip():
            read = _from_text(where, item, item)
            if not isinstance(read, dict | list):
                raise ShapeError(words.not_an_edit(where, item))
            work.note("edits that were JSON as text were read")
            found = read if isinstance(read, list) else [read]
        elif isinstance(item, list) and item:
            work.note("a list inside the list of edits was opened")
            found = item
        for one in found:
            inside = _inside(where, one, work, depth) if isinstance(one, dict) else None
            items += [one] if inside is None else inside
    return items


def _inside(name: str, value: Mapping[str, Any], work: _Work, depth: int) -> list[Any] | None:
    """The edits inside an object that is no edit itself but holds a list of them; None for one that holds none."""
    inner = [key for key in LIST_NAMES if _may_hold_edits(value.get(key))]
    if not inner:
        return None
    rest = {key: item for key, item in value.items() if key not in LIST_NAMES and not _is_empty(item)}
    for key in list(rest):
        if key in PATH_NAMES:
            work.path(rest.pop(key))
    if len(inner) > 1 or rest:
        raise ContradictionError(words.edits_inside(name, value))
    work.note("the object around the edits was taken off")
    return _items(inner[0], value[inner[0]], work, depth - 1)


def _may_hold_edits(value: object) -> bool:
    return bool(value) and (isinstance(value, dict | list) or (isinstance(value, str) and value.lstrip()[:1] in "[{"))


def _edit(where: str, item: object, work: _Work) -> FoldedEdit | None:
    """One edit; None for one that says nothing but which file it is about."""
    if not isinstance(item, dict):
        raise ShapeError(words.not_an_edit(where, item))
    for name in PATH_NAMES:
        if name in item and not _is_empty(item[name]):
            work.path(item[name])
            work.note("a path inside an edit was left out")
    replace_all = _replace_all(item, work)
    if not _has_text(item):
        others = [name for name, value in item.items() if name not in PATH_NAMES and not _is_empty(value)]
        if not others:
            return None
    old = _text(where, "oldText", OLD_NAMES, item, work)
    new = _text(where, "newText", NEW_NAMES, item, work)
    if not old and not new:
        work.note("empty edits were left out")
        return None
    known = {*PATH_NAMES, *OLD_NAMES, *NEW_NAMES, *REPLACE_ALL_NAMES}
    more: dict[str, Any] = {}
    for name, value in item.items():
        if name in known:
            continue
        if _is_empty(value) or (isinstance(value, str) and (value in (old, new) or value in work.paths)):
            work.note(f"{name} was left out of the edit")
        else:
            more[name] = value
    return FoldedEdit(old, new, replace_all, more)


def _text(where: str, name: str, names: tuple[str, ...], item: Mapping[str, Any], work: _Work) -> str:
    """The text under any of its names; two that differ are no guess of ours.

    An empty one beside another says nothing, but for newText itself: it may be a deletion.
    """
    there = [key for key in names if key in item]
    if item.get(name) or name == "oldText":
        empty = [key for key in there if item[key] == ""]
        if len(empty) < sum(item[key] is not None for key in there):
            there = [key for key in there if key not in empty]
            for key in empty:
                work.note(f"{key} was left out of the edit")
    given = [key for key in there if item[key] is not None] or there
    if not given:
        raise ShapeError(words.missing(where, name, item))
    values = [item[key] for key in given]
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_NUMBER:
            continue
        if not isinstance(value, str):
            raise ShapeError(words.not_text(where, name, value))
    texts = [str(value) for value in values]
    if any(text != texts[0] for text in texts):
        raise ContradictionError(words.two_values(name, texts[0], next(text for text in texts if text != texts[0])))
    if not isinstance(values[0], str):
        work.note(f"the number as {name} is text")
    for key in there:
        if key != name:
            work.note(f"{key} is {name}")
    return texts[0]


def _replace_all(item: Mapping[str, Any], work: _Work) -> bool:
    """Whether an edit asks for every place, by anything but a no; the key itself goes."""
    wanted = False
    for name in REPLACE_ALL_NAMES:
        if name in item:
            work.note(f"{name} was left out")
            wanted = wanted or item[name] not in (None, False, 0, "", "false", "False")
    return wanted


def _has_text(item: Mapping[str, Any]) -> bool:
    """Whether an object has an oldText or a newText, by any name, that is not null."""
    return any(item.get(name) is not None for name in (*OLD_NAMES, *NEW_NAMES))


def _is_empty(value: object) -> bool:
    return value is None or value == "" or value == [] or value == {}


def _is_placeholder(item: object) -> bool:
    """Whether an item of the list says nothing."""
    return _is_empty(item) or (isinstance(item, str) and not item.strip())
