"""Edit calls that went wrong the way agents' calls do, made from a seed, with what is right for each.

An agent wants to change one line of a block. What it believes the block to be drifts from the file:

    shifted, dedented, tabbed   the block's indentation: deeper, without what all lines share, tabs for spaces
    (or back) grown                       as shifted or tabbed, and newText gains lines one and two levels
    deeper styled                      as these, but newText already has the file's own indentation trailing
    the file has blanks at a line's end that oldText lacks crlf                        as shifted, in a file
    with CRLF line endings typo, dropped               one character differs, one line is missing: no match,
    and the region is known foreign                     the block is of another file: no match, and nothing
    resembles it twin, misread               two places fit, or one line stands at another depth: to be
    refused
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tests.bench.sources import MADE, Source

SIZES = (1, 5, 30, 120, 300)
CORRECTABLE = ("shifted", "dedented", "tabbed", "grown", "styled", "trailing", "crlf")
RESEMBLING = ("typo", "dropped")
FOREIGN = ("foreign",)
REFUSED = ("twin", "misread")
ATTEMPTS = 40
UNIT = 4
LARGEST_NAME = f"{MADE}largest"

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Case:
    """One call on one file: the file's text, the edit, and what is right.

    `want` is the file's text after the true edit, None where the call is to be refused; `start_line` and
    `end_line` (1-based, inclusive) are the block's; `size` is the number of its lines; `source` names the file.
    """

    kind: str
    size: int
    source: str
    text: str
    old_text: str
    new_text: str
    want: str | None
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class File:
    """A file's text, its lines, and these as one text without the blanks at their ends, as `_bare` makes it."""

    text: str
    lines: Lines
    bare: str


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of a file: the file's, where the block starts, its own, and those after the true edit.

    `changed` is the place in the block of the line that the edit changes.
    """

    file: Lines
    line0: int
    lines: Lines
    true: Lines
    changed: int

    def want(self, true: Sequence[str] | None = None) -> str:
        """The file's text after the edit."""
        return _text([*self.file[: self.line0], *(true or self.true), *self.file[self.line0 + len(self.lines) :]])

    def with_lines(self, lines: Lines) -> str:
        """The file's text with other lines in the block's place."""
        return self.want(lines)


Drift = tuple[str, str, str, str | None]  # the file's text, oldText, newText, the text wanted


def exact_cases(text: str, count: int, rng: random.Random) -> Iterator[Case]:
    """Calls of five lines on one file that match as they are."""
    file = _file(text)
    made = 0
    while made < count:
        block = _block(file, 5, rng)
        if block:
            made += 1
            start = block.line0 + 1
            yield Case(
                "exact",
                5,
                LARGEST_NAME,
                text,
                "\n".join(block.lines),
                "\n".join(block.true),
                block.want(),
                start,
                start + 4,
            )


def cases(sources: Sequence[Source], rng: random.Random) -> Iterator[Case]:
    """A case of each kind and size for each file, where the file has a block for it."""
    files = [_file(source.text) for source in sources]
    for number, file in enumerate(files):
        other = files[(number + 1 + rng.randrange(len(files) - 1)) % len(files)]
        for kind in (*CORRECTABLE, *RESEMBLING, *FOREIGN, *REFUSED):
            for size in SIZES:
                if size <= _most(kind) and (size >= 5 or kind in ("shifted", "typo", "foreign")):
                    case = _case(kind, size, file, other, rng)
                    if case:
                        yield replace(case, source=sources[number].name)


def _most(kind: str) -> int:
    return 300 if kind in (*RESEMBLING, *FOREIGN, "shifted", "dedented", "tabbed") else 30


def _case(kind: str, size: int, file: File, other: File, rng: random.Random) -> Case | None:
    for _ in range(ATTEMPTS):
        block = _block(file, size, rng)
        if block is None:
            continue
        made = _foreign(block, other, rng) if kind == "foreign" else MAKERS[kind](block, rng)
        if made is None:
            continue
        text, old, new, want = made
        if old != new and old.strip() and old not in text.replace("\r\n", "\n"):
            return Case(kind, size, "", text, old, new, want, block.line0 + 1, block.line0 + size)
    return None


def _block(file: File, size: int, rng: random.Random) -> Block | None:
    """A block of `size` lines that stands once and begins and ends with text, and one line of it changed."""
    lines = file.lines
    if len(lines) < size + 10:
        return None
    line0 = rng.randrange(len(lines) - size)
    block = lines[line0 : line0 + size]
    if not block[0].strip() or not block[-1].strip():
        return None
    wordy = [place for place, line in enumerate(block) if len(line.strip()) >= 12 and re.search(r"[A-Za-z]{3}", line)]
    bare = _bare(block)
    if not wordy or not _once(bare, file.bare) or not _once("\n".join(block), file.text):
        return None
    place = rng.choice(wordy)
    words = re.findall(r"[A-Za-z]{3,}", block[place])
    changed = block[place].replace(rng.choice(words), "renamed_thing", 1)
    return Block(lines, line0, block, [*block[:place], changed, *block[place + 1 :]], place)


def _text(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def _once(piece: str, text: str) -> bool:
    return text.find(piece, text.index(piece) + 1) < 0


def _file(text: str) -> File:
    lines = text.split("\n")[:-1]
    return File(text, lines, _bare(lines))


def _bare(lines: Sequence[str]) -> str:
    """The lines without the blanks at their ends, each between line feeds."""
    return "\n" + "\n".join(line.strip(" \t") for line in lines) + "\n"


def _lead(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _common_prefix(leads: Sequence[str]) -> str:
    low, high = min(leads), max(leads)
    return next((low[:at] for at in range(len(low)) if low[at] != high[at]), low)


def _regular(lines: Sequence[str]) -> str | None:
    """The unit of indentation of lines that have some, all of whole units; else None."""
    leads = {_lead(line) for line in lines if line.strip()}
    if not any(leads):
        return None
    if all(set(lead) <= {"\t"} for lead in leads):
        return "\t"
    return " " * UNIT if all(set(lead) <= {" "} and len(lead) % UNIT == 0 for lead in leads) else None


def _drift(kind: str, block: Block, rng: random.Random) -> Callable[[str], str] | None:
    """How the agent writes a line of the block in a case of this kind; None where that is not possible."""
    unit = _regular(block.lines)
    shared = len(_common_prefix([_lead(line) for line in block.lines if line.strip()]))
    if kind == "dedented":
        return (lambda line: line[shared:] if line.strip() else line) if shared else None
    if kind == "tabbed":
        if unit is None:
            return None
        one, other = (unit, " " * UNIT) if unit == "\t" else (unit, "\t")
        return lambda line: other * (len(_lead(line)) // len(one)) + line.lstrip(" \t")
    more = rng.choice(("  ", "    "))
    return lambda line: more + line if line.strip() else line


def _indented(kind: str) -> Callable[[Block, random.Random], Drift | None]:
    def make(block: Block, rng: random.Random) -> Drift | None:
        write = _drift(kind, block, rng)
        if write is None:
            return None
        return (
            _text(block.file),
            "\n".join(map(write, block.lines)),
            "\n".join(map(write, block.true)),
            block.want(),
        )

    return make


def _grown(block: Block, rng: random.Random) -> Drift | None:
    unit = _regular(block.lines)
    write = _drift(rng.choice(("shifted", "tabbed")), block, rng)
    if unit is None or write is None:
        return None
    lead = _lead(block.true[block.changed])
    more = [f"{lead}{unit}first_new_line()", f"{lead}{unit * 2}second_new_line()", f"{lead}third_new_line()"]
    true = [*block.true[: block.changed + 1], *more, *block.true[block.changed + 1 :]]
    return (
        _text(block.file),
        "\n".join(map(write, block.lines)),
        "\n".join(map(write, true)),
        block.want(true),
    )


def _styled(block: Block, rng: random.Random) -> Drift | None:
    write = _drift(rng.choice(("shifted", "dedented", "tabbed")), block, rng)
    if write is None:
        return None
    kept = [line for line, true in zip(block.lines, block.true, strict=True) if line == true and line.strip()]
    if sum(write(line) != line for line in kept) < 2:
        return None  # nothing would show whose indentation newText has
    return _text(block.file), "\n".join(map(write, block.lines)), "\n".join(block.true), block.want()


def _trailing(block: Block, rng: random.Random) -> Drift | None:
    places = [
        place
        for place, line in enumerate(block.lines)
        if place != block.changed and line.strip() and line == line.rstrip()
    ]
    if not places:
        return None
    place = rng.choice(places)
    blanks = rng.choice(("  ", "\t"))
    own = [line + blanks if at == place else line for at, line in enumerate(block.lines)]
    true = [line + blanks if at == place else line for at, line in enumerate(block.true)]
    return block.with_lines(own), "\n".join(block.lines), "\n".join(block.true), block.want(true)


def _crlf(block: Block, rng: random.Random) -> Drift | None:
    made = _indented("shifted")(block, rng)
    if made is None:
        return None
    text, old, new, want = made
    return text.replace("\n", "\r\n"), old, new, (want or "").replace("\n", "\r\n")


def _typo(block: Block, rng: random.Random) -> Drift | None:
    line = block.lines[block.changed]
    start = len(_lead(line))
    place = start + 1 + rng.randrange(len(line.strip()) - 2)
    wrong = "q" if line[place] != "q" else "z"
    lines = [
        *block.lines[: block.changed],
        line[:place] + wrong + line[place + 1 :],
        *block.lines[block.changed + 1 :],
    ]
    return _text(block.file), "\n".join(lines), "\n".join(block.true), None


def _dropped(block: Block, rng: random.Random) -> Drift | None:
    places = [p for p in range(1, len(block.lines) - 1) if p != block.changed and block.lines[p].strip()]
    if not places:
        return None
    place = rng.choice(places)
    old, new = (lines[:place] + lines[place + 1 :] for lines in (block.lines, block.true))
    return _text(block.file), "\n".join(old), "\n".join(new), None


def _foreign(block: Block, other: File, rng: random.Random) -> Drift | None:
    theirs = _block(other, len(block.lines), rng)
    if theirs is None:
        return None
    return _text(block.file), "\n".join(theirs.lines), "\n".join(theirs.true), None


def _twin(block: Block, rng: random.Random) -> Drift | None:
    made = _indented("shifted")(block, rng)
    if made is None:
        return None
    text, old, new, _ = made
    return text + _text(["   " + line if line.strip() else line for line in block.lines]), old, new, None


def _misread(block: Block, rng: random.Random) -> Drift | None:
    """One of the lines at a depth is written deeper, and another one of them is changed."""
    lead = _lead(block.lines[block.changed])
    alike = [p for p, line in enumerate(block.lines) if p != block.changed and line.strip() and _lead(line) == lead]
    if not alike:
        return None
    place = rng.choice(alike)
    deeper = "\t" if "\t" in lead else " " * UNIT
    old, new = (
        [deeper + line if at == place else line for at, line in enumerate(lines)] for lines in (block.lines, block.true)
    )
    return _text(block.file), "\n".join(old), "\n".join(new), None


MAKERS: dict[str, Callable[[Block, random.Random], Drift | None]] = {
    "shifted": _indented("shifted"),
    "dedented": _indented("dedented"),
    "tabbed": _indented("tabbed"),
    "grown": _grown,
    "styled": _styled,
    "trailing": _trailing,
    "crlf": _crlf,
    "typo": _typo,
    "dropped": _dropped,
    "twin": _twin,
    "misread": _misread,
}
