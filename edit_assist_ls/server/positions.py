"""Lines and offsets of a text as LSP positions in the client's encoding. Nowhere else is a position made."""

from typing import Literal

from lsprotocol import types

from edit_assist_ls.engine.text import BOM, Text
from edit_assist_ls.showing.findings import Lines

Encoding = Literal["utf-8", "utf-16", "utf-32"]


def units(part: str, encoding: Encoding) -> int:
    """How many code units of an encoding a piece of a line is; a lone surrogate counts as what it stands for."""
    if encoding == "utf-32":
        return len(part)
    if encoding == "utf-8":
        return len(part.encode("utf-8", "surrogatepass"))
    return len(part.encode("utf-16-le", "surrogatepass")) // 2


def position(text: Text, offset: int, encoding: Encoding) -> types.Position:
    """The position of an offset of the LF view; that of the text's end where the offset is."""
    line0 = text.line0_at(offset)
    start = text.line_starts[line0]
    return types.Position(line0, _mark_units(text, line0, encoding) + units(text.lf[start:offset], encoding))


def span(text: Text, start: int, end: int, encoding: Encoding) -> types.Range:
    """The range of two offsets of the LF view."""
    return types.Range(position(text, start, encoding), position(text, end, encoding))


def whole_lines(text: Text | None, lines: Lines, encoding: Encoding) -> types.Range:
    """From column 0 of the first line to the end of the last, without its ending. A line that is not there is empty."""
    known = text.lines if text is not None else []
    last = known[lines.last_line0] if lines.last_line0 < len(known) else ""
    mark = 0 if text is None else _mark_units(text, lines.last_line0, encoding)
    return types.Range(types.Position(lines.line0, 0), types.Position(lines.last_line0, mark + units(last, encoding)))


def _mark_units(text: Text, line0: int, encoding: Encoding) -> int:
    """How many code units a byte order mark that is part of a document takes in a line."""
    return units(BOM, encoding) if text.bom and line0 == 0 else 0
