"""A slow, plain reference of what is harmless, to hold `engine.guards` against.

Each function says of one edit that lands literally whether a guard has any business with it, straight from what the
harm is: it goes character by character and line by line, and shares nothing with the engine.
"""

import re
from collections.abc import Sequence

Spot = tuple[int, str, str]
"""Where an edit's old text starts in the text before (LF), its old text, its new text (LF)."""


def places(text: str, old: str) -> list[int]:
    return [at for at in range(len(text)) if text[at : at + len(old)] == old]


def place_matters(text: str, old: str, new: str) -> bool:
    """Whether it makes a difference at which of its places an old text is replaced."""
    return len({text[:at] + new + text[at + len(old) :] for at in places(text, old)}) > 1


SEAM = ""


def lines_meet(text: str, spots: Sequence[Spot]) -> bool:
    """Whether a line break at an edge of an edit is gone, and there is text to its left and its right on one line."""
    cells: list[str] = []
    position = 0
    for start, old, new in sorted(spots):
        cells += text[position:start]
        if old.startswith("\n") and not new.startswith("\n"):
            cells.append(SEAM)
        cells += new
        if old.endswith("\n") and not new.endswith("\n"):
            cells.append(SEAM)
        position = start + len(old)
    cells += text[position:]
    line: list[str] = []
    for cell in [*cells, "\n"]:
        if cell != "\n":
            line.append(cell)
            continue
        for at, one in enumerate(line):
            if one == SEAM and "".join(line[:at]).strip() and "".join(line[at:]).strip():
                return True
        line = []
    return False


def columns(line: str) -> int:
    """How far the indentation of a line reaches, tab stops every eight."""
    column = 0
    for character in line:
        if character == "\t":
            column = (column // 8 + 1) * 8
        elif character == " ":
            column += 1
        else:
            break
    return column


def depth_changes(text: str, start: int, new: str) -> bool:
    """Whether a line of a new text stands at another depth beside the first one than the new text says."""
    before = text[:start].split("\n")[-1]
    first, *further = new.split("\n")
    for line in further:
        if line.strip():
            written = columns(line) - columns(first)
            real = columns(line) - columns(before + first)
            if (written > 0) - (written < 0) != (real > 0) - (real < 0):
                return True
    return False


def stood_already(text: str, start: int, old: str, new: str) -> bool:
    """Whether the new text stood in the text before, around the place of the old one."""
    return any(at <= start and start + len(old) <= at + len(new) for at in places(text, new))


def endings(raw: str) -> list[str]:
    """The line endings of a raw text, one after the other."""
    found: list[str] = []
    at = 0
    while at < len(raw):
        if raw[at : at + 2] == "\r\n":
            found.append("\r\n")
            at += 2
            continue
        if raw[at] in "\r\n":
            found.append(raw[at])
        at += 1
    return found


def mixes(raw_before: str, raw_after: str) -> bool:
    """Whether a text has several kinds of line endings, and more of one kind than before."""
    was, now = endings(raw_before), endings(raw_after)
    return len(set(now)) > 1 and any(now.count(kind) > was.count(kind) for kind in set(now))


def new_lines(old: str, new: str) -> list[str]:
    """The lines of a new text that the old one has not, at whatever depth."""
    known = [line.strip() for line in old.split("\n")]
    return [line for line in new.split("\n") if line.strip() not in known]


TELLING = re.compile(
    r"\.\.\.|…|rest|remain|exist|unchanged|omit|elide|truncat|snip|same|previous|other|original|current|old|more|etc|keep"
    r"|kept|[0-9]",
    re.IGNORECASE,
)


def could_stand_for_text(line: str) -> bool:
    """Whether a line has dots, or a word that says that something is left out: without either it is none."""
    return TELLING.search(line) is not None
