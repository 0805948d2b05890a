"""How the command line shows texts: escaped, coloured where the terminal has colour, and as diffs to read.

Whatever a file or an agent wrote is shown through `escape`, so that no text can move the cursor, hide a piece
of itself or change the order in which it is read.
"""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

CONTEXT_LINES = 3
MINIMAL_DIFF_LINES = 1_000
JOINERS = "\u200c\u200d"  # visible in what they join, and part of how some scripts and emoji are written

_SHORT = {"\r": "\\r", "\b": "\\b", "\f": "\\f", "\v": "\\v", "\0": "\\0"}
_PLAIN = re.compile(r"[\n\t\x20-\x7e]*")
_TAB, _SPACE = "\u2192   ", "\u00b7"


def escape(text: str) -> str:
    """`text` with control, bidirectional and other invisible characters written out: `\\x1b`, `\\u202e`.

    Tabs, line feeds and the two joiners stay.
    """
    if _PLAIN.fullmatch(text):
        return text
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    if character in "\n\t" or character in JOINERS:
        return character
    if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return character
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x1_0000 else f"\\U{code:08x}"


def escape_line(text: str) -> str:
    """`escape` for a piece of a line: tabs and line feeds are written out too."""
    return escape(text).replace("\n", "\\n").replace("\t", "\\t")


def wants_colour(stream: IO[str], environ: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour what goes to `stream`: by NO_COLOR, FORCE_COLOR, else if it is a terminal, not dumb."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return environ["FORCE_COLOR"] != "0"
    return stream.isatty() and environ.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True)
class Style:
    """Pieces of text in colour, or as they are where `colour` is off. They must be escaped already."""

    colour: bool = False

    def bold(self, text: str) -> str:
        return self._in("1", text)

    def dim(self, text: str) -> str:
        return self._in("2", text)

    def good(self, text: str) -> str:
        return self._in("32", text)

    def bad(self, text: str) -> str:
        return self._in("31", text)

    def warn(self, text: str) -> str:
        return self._in("33", text)

    def place(self, text: str) -> str:
        return self._in("36", text)

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def unified(before: Sequence[str], after: Sequence[str], *, context: int = CONTEXT_LINES) -> list[str]:
    """A unified diff of two lists of lines without its two file lines: hunks of ` `, `-` and `+` lines.

    What both texts begin and end with is cut off first, so that one edit in a long file costs little. Beyond
    MINIMAL_DIFF_LINES frequent lines anchor nothing: the diff stays true, but may be longer than it need be.
    """
    import difflib

    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    head, tail = max(0, head - context), max(0, tail - context)
    one, other = before[head : len(before) - tail], after[head : len(after) - tail]
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=len(one) > MINIMAL_DIFF_LINES)
    hunks = matcher.get_grouped_opcodes(context)
    out: list[str] = []
    for group in hunks:
        first, last = group[0], group[-1]
        out.append(f"@@ -{_span(head, first[1], last[2])} +{_span(head, first[3], last[4])} @@")
        for tag, a_start, a_end, b_start, b_end in group:
            if tag == "equal":
                out += [" " + line for line in one[a_start:a_end]]
                continue
            out += ["-" + line for line in one[a_start:a_end]]
            out += ["+" + line for line in other[b_start:b_end]]
    return out


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _span(offset: int, start: int, end: int) -> str:
    if end - start == 1:
        return str(offset + start + 1)
    return f"{offset + start + (end > start)},{end - start}"


def shown_diff(diff: Iterable[str], style: Style, *, leading_dots: bool = False) -> Iterator[str]:
    """A unified diff's lines, escaped and coloured, with the whitespace at the ends of changed lines visible.

    Leading spaces show as dots with `leading_dots`, for a diff that is about indentation.
    """
    for line in diff:
        mark, text = line[:1], line[1:]
        if mark == "@":
            yield style.place(escape(line))
        elif mark in ("+", "-"):
            shown = visible_ends(escape(text), leading_dots=leading_dots)
            yield (style.good if mark == "+" else style.bad)(mark + shown)
        else:
            yield escape(line)


def visible_ends(text: str, *, leading_dots: bool = False) -> str:
    """`text` with its leading tabs as arrows and its trailing spaces and tabs as dots and arrows.

    A tab keeps the width of four columns that it has in most editors.
    """
    body = text.strip(" \t")
    leading, _, trailing = text.partition(body) if body else ("", "", text)
    leading = leading.replace(" ", _SPACE) if leading_dots else leading
    return leading.replace("\t", _TAB) + body + trailing.replace(" ", _SPACE).replace("\t", _TAB)


def lines_to_show(text: str) -> list[str]:
    """The lines of a text with LF endings; one that does not end its last line says so, as diffs do."""
    lines = text.split("\n")
    if not lines[-1]:
        return lines[:-1]
    lines[-1] += "\n\\ no newline at the end"
    return lines


def indented(lines: Iterable[str], by: str = "  ") -> str:
    """The lines as one block, each behind `by`."""
    return "\n".join(by + line if line else line for line in lines)
