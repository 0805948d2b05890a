"""A slow, plain reference of the pi host's edit tool (1.6.0), to hold `engine.builtin` against.

It works on lists of UTF-16 code units, as the host's language does, and goes through the rules one by one; nothing is
cached, mapped lazily or shared with the engine.
"""

import itertools
import struct
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

Units = tuple[int, ...]

CR, LF = 0x0D, 0x0A
WHITE = (*range(9, 14), 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF)
QUOTE = (0x2018, 0x2019, 0x201A, 0x201B)
DOUBLE_QUOTE = (0x201C, 0x201D, 0x201E, 0x201F)
DASH = (0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212)
SPACE = (0xA0, *range(0x2002, 0x200B), 0x202F, 0x205F, 0x3000)


@dataclass(frozen=True, slots=True)
class Landed:
    """The file's next text, byte order mark included."""

    text: str


@dataclass(frozen=True, slots=True)
class Failed:
    """Why it fails; the numbers that the host's sentence names."""

    kind: str
    numbers: tuple[int, ...] = ()


def units(text: str) -> Units:
    raw = text.encode("utf-16-le", "surrogatepass")
    return struct.unpack(f"<{len(raw) // 2}H", raw)


def string(code_units: Sequence[int]) -> str:
    return struct.pack(f"<{len(code_units)}H", *code_units).decode("utf-16-le", "surrogatepass")


def to_lf(text: str) -> str:
    out: list[str] = []
    for at, character in enumerate(text):
        if character == "\n" and at and text[at - 1] == "\r":
            continue
        out.append("\n" if character == "\r" else character)
    return "".join(out)


def fold(text: str) -> str:
    lines = unicodedata.normalize("NFKC", text).split("\n")
    for at, line in enumerate(lines):
        while line and ord(line[-1]) in WHITE:
            line = line[:-1]
        lines[at] = line
    folded = ""
    for character in "\n".join(lines):
        code = ord(character)
        if code in QUOTE:
            folded += "'"
        elif code in DOUBLE_QUOTE:
            folded += '"'
        elif code in DASH:
            folded += "-"
        elif code in SPACE:
            folded += " "
        else:
            folded += character
    return folded


def index_of(content: Units, part: Units) -> int:
    for at in range(len(content) - len(part) + 1):
        if content[at : at + len(part)] == part:
            return at
    return -1


def count_of(content: Units, part: Units) -> int:
    """As many as splitting at it gives pieces, less one."""
    if not part:
        return len(content) - 1
    count, at = 0, 0
    while at <= len(content) - len(part):
        if content[at : at + len(part)] == part:
            count += 1
            at += len(part)
        else:
            at += 1
    return count


def search(content: str, old: str) -> tuple[int, int, bool] | None:
    """Where `old` starts and ends in code units, and whether only the folding found it."""
    at = index_of(units(content), units(old))
    if at >= 0:
        return at, at + len(units(old)), False
    at = index_of(units(fold(content)), units(fold(old)))
    if at >= 0:
        return at, at + len(units(fold(old))), True
    return None


def line_spans(content: Units) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for at, unit in enumerate(content):
        if unit == LF:
            spans.append((start, at + 1))
            start = at + 1
    if start < len(content):
        spans.append((start, len(content)))
    return spans


def replaced(content: Units, changes: Sequence[tuple[int, int, Units]], shift: int = 0) -> Units:
    for start, end, new in reversed(changes):
        content = content[: start - shift] + new + content[end - shift :]
    return content


def run(file: str, edits: Sequence[tuple[str, str]]) -> Landed | Failed:
    """One call on a file whose decoded text, byte order mark included, is `file`."""
    bom, body = ("\ufeff", file[1:]) if file.startswith("\ufeff") else ("", file)
    if not edits:
        return Failed("no-edits")
    content = to_lf(body)
    call = [(to_lf(old), to_lf(new)) for old, new in edits]
    for index, (old, _) in enumerate(call):
        if not old:
            return Failed("empty-old-text", (index,))
    first_tries = [search(content, old) for old, _ in call]
    folding = any(hit is not None and hit[2] for hit in first_tries)
    base = fold(content) if folding else content
    matches: list[tuple[int, int, Units, int]] = []
    for index, (old, new) in enumerate(call):
        hit = search(base, old)
        if hit is None:
            return Failed("not-found", (index,))
        count = count_of(units(fold(base)), units(fold(old)))
        if count > 1:
            return Failed("ambiguous", (index, count))
        matches.append((hit[0], hit[1], units(new), index))
    matches.sort(key=lambda match: match[0])
    for before, after in itertools.pairwise(matches):
        if before[1] > after[0]:
            return Failed("overlap", (before[3], after[3]))
    changes = [(start, end, new) for start, end, new, _ in matches]
    if folding:
        widened = by_whole_lines(units(content), units(base), changes)
        if isinstance(widened, Failed):
            return widened
        changes = widened
    if replaced(units(content), changes) == units(content):
        return Failed("no-change")
    return Landed(bom + string(into_original(units(body), changes)))


def by_whole_lines(
    content: Units, base: Units, changes: Sequence[tuple[int, int, Units]]
) -> list[tuple[int, int, Units]] | Failed:
    own, folded = line_spans(content), line_spans(base)
    if len(own) != len(folded):
        return Failed("line-count")
    groups: list[tuple[int, int, list[tuple[int, int, Units]]]] = []
    for start, end, new in changes:
        first = next((n for n, (a, b) in enumerate(folded) if a <= start < b), None)
        if first is None:
            return Failed("out-of-range")
        last = next((n for n in range(first, len(folded)) if folded[n][1] >= end), None)
        if last is None:
            return Failed("out-of-range")
        if groups and first <= groups[-1][1]:
            groups[-1] = (groups[-1][0], max(groups[-1][1], last), [*groups[-1][2], (start, end, new)])
        else:
            groups.append((first, last, [(start, end, new)]))
    out: list[tuple[int, int, Units]] = []
    for first, last, inner in groups:
        from_unit, to_unit = folded[first][0], folded[last][1]
        out.append((own[first][0], own[last][1], replaced(base[from_unit:to_unit], inner, from_unit)))
    return out


def ending_at(original: Units, at: int) -> Units:
    """The ending of the line that holds unit `at`; where that line has none, of the line before; CR alone last."""
    feeds = [n for n, unit in enumerate(original) if unit == LF]
    following = [n for n in feeds if n >= at]
    preceding = [n for n in feeds if n <= at]
    feed = following[0] if following else preceding[-1] if preceding else None
    if feed is None:
        return (CR,) if CR in original else (LF,)
    return (CR, LF) if feed and original[feed - 1] == CR else (LF,)


def into_original(original: Units, changes: Sequence[tuple[int, int, Units]]) -> Units:
    """The changes of the LF view made in the original text."""
    place: list[int] = []
    for at, unit in enumerate(original):
        if unit == LF and at and original[at - 1] == CR:
            continue
        place.append(at)
    place.append(len(original))
    pieces: list[Units] = []
    position = 0
    for start, end, new in changes:
        begin = place[start]
        pieces.append(original[position:begin])
        ending = ending_at(original, begin)
        pieces.append(tuple(u for unit in new for u in (ending if unit == LF else (unit,))))
        position = place[end]
    pieces.append(original[position:])
    out: list[int] = []
    for piece in pieces:
        if piece and out and out[-1] == CR and piece[0] == LF:
            out.append(LF)
        out.extend(piece)
    return tuple(out)
