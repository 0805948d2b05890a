"""The notations in which one text is written down: with backslash escapes, with entities, or as it is."""

import re
from collections.abc import Callable, Iterable, Iterator

_BY_ESCAPE = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "/": "/", "`": "`"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([ntr\"'\\/`]))")
_BY_ENTITY = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&#x27;": "'",
    "&apos;": "'",
    "&nbsp;": "\u00a0",
    "&amp;": "&",
}
_ENTITY = re.compile("|".join(map(re.escape, _BY_ENTITY)))
_ESCAPES = (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ('"', '\\"'))
"""The backslash comes first: the others bring one."""
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")


def decoded(text: str) -> Iterator[tuple[str, str]]:
    """A text with one level of escapes undone, and with its entities written out; each with the first such sign."""
    if "\\" in text and (escape := _ESCAPE.search(text)) is not None:
        yield _ESCAPE.sub(_character, text), escape[0]
        if "\\n" in text:
            yield text.replace("\\n", "\n"), "\\n"
    if "&" in text and (entity := _ENTITY.search(text)) is not None:
        yield _ENTITY.sub(_of_entity, text), entity[0]


def encoded(text: str, signs: str) -> Iterator[tuple[str, str]]:
    """A text with characters written as escapes, those that stand somewhere in `signs`; each with the first of them."""
    there = [(plain, sign) for plain, sign in _ESCAPES if plain in text and sign in signs]
    for some in ([(p, s) for p, s in there if p in "\n\t"], *([one] for one in there if one[0] in '\\"'), there):
        if some:
            yield _written(text, some), min(some, key=lambda one: text.find(one[0]))[1]


def plain_lines(text: str, wanted: str) -> Iterator[tuple[str, str]]:
    """A text of a file with its entities written out, and with its `\\uXXXX` escapes; no line moves.

    Each with the first such sign; only where `wanted` has what these stand for.
    """
    if "&" in text and any(sign in text for sign, plain in _BY_ENTITY.items() if plain in wanted):
        yield from _plainly(_ENTITY, _of_entity, text)
    if "\\u" in text and not wanted.isascii():
        yield from _plainly(_UNICODE, _character, text)


def _plainly(pattern: re.Pattern[str], plain: Callable[[re.Match[str]], str], text: str) -> Iterator[tuple[str, str]]:
    if (found := pattern.search(text)) is not None:
        yield pattern.sub(plain, text), found[0]


def _written(text: str, signs: Iterable[tuple[str, str]]) -> str:
    for plain, sign in signs:
        text = text.replace(plain, sign)
    return text


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _BY_ESCAPE[found[2]]


def _of_entity(found: re.Match[str]) -> str:
    return _BY_ENTITY[found[0]]
