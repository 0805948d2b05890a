"""MessagePack read from a stream: one value after another, with nothing that says beforehand where one ends."""

import struct
from collections.abc import Callable
from typing import Any

Take = Callable[[int], bytes]

_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS = dict(enumerate((">f", ">d", ">B", ">H", ">I", ">Q", ">b", ">h", ">i", ">q"), 0xCA))
_TEXTS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_BYTES = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I"}
_LISTS = {0xDC: ">H", 0xDD: ">I"}
_MAPS = {0xDE: ">H", 0xDF: ">I"}
_EXTENSIONS = {0xC7: ">B", 0xC8: ">H", 0xC9: ">I"}
_FIXED_EXTENSIONS = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}


def read(take: Take) -> Any:
    """The next value; `take(n)` gives exactly n bytes. A text that is no UTF-8 keeps its bytes as surrogates.

    An extension, which Neovim's handles of buffers, windows and tabs are, is the value that it holds.
    """
    mark = take(1)[0]
    if mark < 0x80:
        return mark
    if mark >= 0xE0:
        return mark - 0x100
    if mark < 0x90:
        return _map(take, mark & 0x0F)
    if mark < 0xA0:
        return _list(take, mark & 0x0F)
    if mark < 0xC0:
        return _text(take, mark & 0x1F)
    return _CONSTANTS[mark] if mark in _CONSTANTS else _long(take, mark)


def _long(take: Take, mark: int) -> Any:
    if mark in _NUMBERS:
        return _number(take, _NUMBERS[mark])
    if mark in _FIXED_EXTENSIONS:
        return _extension(take, _FIXED_EXTENSIONS[mark])
    for forms, make in ((_TEXTS, _text), (_BYTES, _bytes), (_LISTS, _list), (_MAPS, _map), (_EXTENSIONS, _extension)):
        if mark in forms:
            return make(take, _number(take, forms[mark]))
    raise ValueError(f"no MessagePack: a value begins with {mark:#x}")


def _number(take: Take, form: str) -> Any:
    return struct.unpack(form, take(struct.calcsize(form)))[0]


def _text(take: Take, size: int) -> str:
    return take(size).decode("utf-8", "surrogateescape")


def _bytes(take: Take, size: int) -> bytes:
    return take(size)


def _list(take: Take, size: int) -> list[Any]:
    return [read(take) for _ in range(size)]


def _map(take: Take, size: int) -> dict[Any, Any]:
    return {read(take): read(take) for _ in range(size)}


def _extension(take: Take, size: int) -> Any:
    _kind, data = take(1), take(size)
    return read(iter_take(data))


def iter_take(data: bytes) -> Take:
    """A `take` from bytes at hand; EOFError where they end."""
    at = 0

    def take(size: int) -> bytes:
        nonlocal at
        part = data[at : at + size]
        if len(part) < size:
            raise EOFError
        at += size
        return part

    return take
