"""The notations in which one text is written down: with backslash escapes, with entities, or as it is."""

import re
from collections.abc import Iterator, Mapping

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
_TO_ESCAPE = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")


def decoded(text: str) -> Iterator[tuple[str, str]]:
    """A text with one level of escapes undone, and with its entities written out; each with the first such sign."""
    if (escape := _ESCAPE.search(text)) is not None:
        yield _ESCAPE.sub(_character, text), escape[0]
        if "\\n" in text:
            yield text.replace("\\n", "\n"), "\\n"
    if (entity := _ENTITY.search(text)) is not None:
        yield _ENTITY.sub(_of_entity, text), entity[0]


def encoded(text: str) -> Iterator[tuple[str, str]]:
    """A text with characters written as escapes; each with the first sign that is written so."""
    for table in ({c: _TO_ESCAPE[c] for c in "\n\t"}, {"\\": "\\\\"}, {'"': '\\"'}, _TO_ESCAPE):
        yield from _written(text, table)


def plain_lines(text: str) -> Iterator[tuple[str, str]]:
    """A text of a file with its entities written out, and with its `\\uXXXX` escapes; no line moves.

    Each with the first such sign.
    """
    for pattern, plain in ((_ENTITY, _of_entity), (_UNICODE, _character)):
        if (found := pattern.search(text)) is not None:
            yield pattern.sub(plain, text), found[0]


def _written(text: str, table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    first = next((c for c in text if c in table), None)
    if first is not None:
        yield text.translate({ord(c): sign for c, sign in table.items()}), table[first]


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _BY_ESCAPE[found[2]]


def _of_entity(found: re.Match[str]) -> str:
    return _BY_ENTITY[found[0]]
