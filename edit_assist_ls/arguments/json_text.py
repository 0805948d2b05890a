"""JSON that arrived as text: read with raw control characters in its strings and trailing commas, never completed."""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

MAX_CHARS = 600_000


@dataclass(frozen=True, slots=True)
class NoJson:
    """Why a text was not read, and where (line and column from 1). `cut-off`: it ends before its value does.

    `twice`: one object has two different values under one name. `too-long`: it was not looked at.
    """

    reason: Literal["cut-off", "unreadable", "twice", "too-long"]
    line: int = 1
    column: int = 1
    name: str = ""


class _TwiceError(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def read(text: str) -> Any | NoJson:
    """The value of a JSON text; `NoJson` where there is none, or more than one."""
    if len(text) > MAX_CHARS:
        return NoJson("too-long")
    try:
        return _loads(text)
    except _TwiceError as twice:
        return NoJson("twice", name=twice.name)
    except RecursionError:
        return NoJson("unreadable")
    except ValueError as error:
        first = error
    scanned = _scan(text)
    if scanned.without_commas is not None:
        try:
            return _loads(scanned.without_commas)
        except _TwiceError as twice:
            return NoJson("twice", name=twice.name)
        except (ValueError, RecursionError):
            pass
    if scanned.is_open and text.lstrip()[:1] in ("{", "[", '"'):
        return NoJson("cut-off")
    if isinstance(first, json.JSONDecodeError):
        return NoJson("unreadable", first.lineno, first.colno)
    return NoJson("unreadable")


def _loads(text: str) -> Any:
    return json.loads(text, strict=False, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found and found[name] != value:
            raise _TwiceError(name)
        found[name] = value
    return found


@dataclass(frozen=True, slots=True)
class _Scanned:
    """`is_open`: the text ends inside a string, list or object. `without_commas`: itself without trailing commas."""

    is_open: bool
    without_commas: str | None


_TOKEN = re.compile(r"""\"(?:[^"\\]|\\.)*+(?P<closed>"?)|[\[{]|[\]}]|,|[^\s"\[\]{},]++""", re.DOTALL)


def _scan(text: str) -> _Scanned:
    depth, is_open = 0, False
    commas: list[int] = []
    comma = -1
    for token in _TOKEN.finditer(text):
        match text[token.start()]:
            case '"':
                is_open, comma = not token["closed"], -1
            case "[" | "{":
                depth, comma = depth + 1, -1
            case "]" | "}":
                depth -= 1
                if comma >= 0:
                    commas.append(comma)
                comma = -1
            case ",":
                comma = token.start()
            case _:
                comma = -1
    if not commas:
        return _Scanned(is_open or depth > 0, None)
    pieces = [text[start + 1 : end] for start, end in zip([-1, *commas], [*commas, len(text)], strict=True)]
    return _Scanned(is_open or depth > 0, "".join(pieces))
