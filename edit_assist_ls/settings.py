"""Settings: what may be set, how layers of it make one value, and the files that it is read from.

A layer is what one place says (a file, the client); a later layer counts over an earlier one, key by key. A
value that is malformed, or that asks for what this version cannot do, leaves the key to the layers below and
is told in one sentence. What nobody set makes no sentence.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from edit_assist_ls import files
from edit_assist_ls.engine.guard_names import GUARDS

Problems = tuple[str, ...]

_MAX_SHOWN_CHARS = 60
_MAX_FILES_KEPT = 32
_SETTLED_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """The effective settings: what really happens.

    `correction`: "carry" replaces oldText and carries newText along, "oldText" replaces oldText alone, "off"
    corrects nothing. `arguments`: malformed arguments are folded ("repair") or commented on. `profile`: "assist"
    stands around the host's own edit tool, "strict" in its place. `guards`: which of them are on. `ledger`: what is
    kept of calls: with texts, without, nothing.
    """

    enabled: bool = True
    correction: Literal["carry", "oldText", "off"] = "carry"
    arguments: Literal["repair", "hint"] = "repair"
    profile: Literal["assist", "strict"] = "assist"
    guards: Mapping[str, bool] = field(default_factory=lambda: dict.fromkeys(GUARDS, True))
    ledger: Literal["full", "minimal", "off"] = "full"


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place says: `where` names it, `values` is its section, `problems` those of reading it."""

    where: str
    values: Mapping[str, Any] = field(default_factory=dict)
    problems: Problems = ()


_CHOICES: dict[str, tuple[str, ...]] = {
    "correction": ("carry", "oldText", "off"),
    "arguments": ("repair", "hint"),
    "profile": ("assist", "strict"),
    "ledger": ("full", "minimal", "off"),
}


def layer_of(section: object, where: str) -> Layer:
    """A layer from a section as it was found: null sets nothing, what is no object is a problem."""
    if section is None:
        return Layer(where)
    if not isinstance(section, dict):
        return Layer(where, problems=(f"edit-assist is {_shown(section)} in {where}; it must be an object.",))
    return Layer(where, section)


def resolve(layers: Sequence[Layer]) -> tuple[Settings, Problems]:
    """The settings that the layers make, lowest first, and every problem in the order of the layers."""
    settings = Settings()
    problems: list[str] = []
    for layer in layers:
        problems += layer.problems
        changes: dict[str, Any] = {}
        for key in ("enabled", *_CHOICES, "guards"):
            value = layer.values.get(key)
            if value is None:
                continue
            problem = _problem_with(key, value)
            if problem is not None:
                used = f"{_shown(getattr(settings, key))} is used"
                problems.append(f"edit-assist.{key} is {_shown(value)} in {layer.where}; {problem}, so {used}.")
            elif key == "guards":
                changes[key] = {**settings.guards, **value}
            else:
                changes[key] = value
        settings = replace(settings, **changes) if changes else settings
    return settings, tuple(problems)


def _problem_with(key: str, value: object) -> str | None:
    """Why a value that somebody set does not count; None where it does."""
    if key == "enabled":
        return None if isinstance(value, bool) else "it must be true or false"
    if key == "guards":
        if not isinstance(value, dict) or not all(isinstance(flag, bool) for flag in value.values()):
            return "it must be an object whose values are true or false"
        unknown = sorted(value.keys() - set(GUARDS))
        return f"there is no guard {_shown(unknown[0])} (there are {', '.join(GUARDS)})" if unknown else None
    choices = _CHOICES[key]
    if not isinstance(value, str) or value not in choices:
        return f"it must be {', '.join(map(_shown, choices[:-1]))} or {_shown(choices[-1])}"
    return None


def _shown(value: object) -> str:
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= _MAX_SHOWN_CHARS else text[:_MAX_SHOWN_CHARS] + "…"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file's layer, the stamp (mtime, size, inode) it was read under, and whether that may be relied on."""

    stamp: tuple[int, int, int] | None
    settled: bool
    layer: Layer


class Store:
    """Settings for requests: files are read again when they changed, what the client says is kept here."""

    def __init__(self) -> None:
        self.initialization = Layer("the client's initializationOptions")
        self.configuration = Layer("the client's configuration")
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._resolved: OrderedDict[tuple[int, ...], tuple[tuple[Layer, ...], tuple[Settings, Problems]]] = (
            OrderedDict()
        )

    def resolve(self, paths: Sequence[str], section: str) -> tuple[Settings, Problems]:
        """The settings that hold now: of the files at `paths`, lowest first, and of the client over them."""
        layers = (
            *(self._file_layer(path, section) for path in paths),
            self.initialization,
            self.configuration,
        )
        key = tuple(map(id, layers))
        if (known := self._resolved.get(key)) is not None:
            return known[1]
        resolved = resolve(layers)
        self._resolved[key] = (layers, resolved)
        if len(self._resolved) > _MAX_FILES_KEPT:
            self._resolved.popitem(last=False)
        return resolved

    def _file_layer(self, path: str, section: str) -> Layer:
        stamp = files.stamp_of(path)
        kept = self._kept.get((path, section))
        if kept is not None and kept.settled and kept.stamp == stamp:
            return kept.layer
        layer = Layer(path) if stamp is None else _read_layer(path, section)
        if kept is not None and kept.layer == layer:
            layer = kept.layer
        # A file that was written a moment ago may be written again under the same time and size.
        settled = stamp is None or time.time_ns() - stamp[0] > _SETTLED_NS
        self._kept[path, section] = _Kept(stamp, settled, layer)
        self._kept.move_to_end((path, section))
        if len(self._kept) > _MAX_FILES_KEPT:
            self._kept.popitem(last=False)
        return layer


def _read_layer(path: str, section: str) -> Layer:
    data = files.read(path)
    if isinstance(data, files.Unreadable):
        if data.reason == "missing":
            return Layer(path)
        return Layer(path, problems=(f"The settings file {path} cannot be read ({_UNREADABLE[data.reason]}).",))
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return Layer(path, problems=(f"The settings file {path} is not JSON; nothing in it counts.",))
    if not isinstance(content, dict):
        return Layer(path, problems=(f"The settings file {path} is not a JSON object; nothing in it counts.",))
    return layer_of(content.get(section), path)


_UNREADABLE: dict[files.Reason, str] = {
    "not-a-file": "it is no regular file",
    "no-permission": "no permission",
    "too-large": f"it is larger than {files.MAX_BYTES} bytes",
    "too-many-lines": f"it has more than {files.MAX_LINES} lines",
    "unreadable": "the system refuses",
}
