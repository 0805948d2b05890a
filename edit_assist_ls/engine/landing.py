"""An edit as it landed: where it was in the text that the call met, and where its newText is in what the call left.

What an edit does at its edges is read off the text around newText afterwards, so that what other edits of the call did
there counts too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.text import Text, line_end, line_start
from edit_assist_ls.engine.work import Work


@dataclass(frozen=True, slots=True)
class Landing:
    """`old` and `new` are LF texts; `start` is old's offset in `before`, `at` new's in `after` (both LF texts)."""

    edit_index: int
    old: str
    new: str
    before: str
    start: int
    after: str
    at: int

    @property
    def end(self) -> int:
        """Where old ends in `before`."""
        return self.start + len(self.old)

    @property
    def to(self) -> int:
        """Where new ends in `after`."""
        return self.at + len(self.new)

    @property
    def prefix(self) -> str:
        """What stands before old on its line."""
        return self.before[line_start(self.before, self.start) : self.start]


def landings(text: Text, edits: Sequence[Edit], work: Work) -> tuple[Landing, ...]:
    """Where the edits of a call that the built-in takes are, in order of place; none where that is not plain.

    A call with an edit that only the built-in's folding finds is placed in the folded text.
    """
    pairs = [(folding.lf(edit.old_text), folding.lf(edit.new_text)) for edit in edits]
    size = len(text.lf)
    places: list[int] = []
    for old, _ in pairs:
        if not work.spend(size + len(old)):
            return ()
        places.append(text.lf.find(old))
    before = text.lf
    if min(places, default=0) < 0:
        if not work.spend(len(pairs) * 2 * size):
            return ()
        before, places = text.folded, []
        for index, (old, new) in enumerate(pairs):
            key = old if old in before else folding.fuzzy(old)
            pairs[index] = (key, new)
            places.append(before.find(key))
    order = sorted(range(len(pairs)), key=places.__getitem__)
    parts: list[str] = []
    position = length = 0
    starts: list[int] = []
    for index in order:
        old, new = pairs[index]
        if places[index] < position or not old:
            return ()
        parts += (before[position : places[index]], new)
        length += places[index] - position
        starts.append(length)
        length += len(new)
        position = places[index] + len(old)
    after = "".join((*parts, before[position:]))
    return tuple(
        Landing(index, *pairs[index], before, places[index], after, at) for index, at in zip(order, starts, strict=True)
    )


def glued(landing: Landing) -> tuple[int, int] | None:
    """The half-open range in `after` of a line that was two lines; None where no line break went at an edge.

    old took a line break at an edge of it along, new did not bring one, and text stands on both sides now. A blank
    that new has there says that the lines were meant to be joined.
    """
    old, new, after = landing.old, landing.new, landing.after
    if old.endswith("\n") and not new.endswith(("\n", " ", "\t")) and _meet(after, landing.to):
        return line_start(after, landing.to), line_end(after, landing.to)
    if old.startswith("\n") and not new.startswith(("\n", " ", "\t")) and _meet(after, landing.at):
        return line_start(after, landing.at), line_end(after, landing.at)
    return None


def _meet(text: str, offset: int) -> bool:
    """Whether a line has text before and after an offset."""
    return bool(text[line_start(text, offset) : offset].strip() and text[offset : line_end(text, offset)].strip())


_OPENERS = (":", "{", "(", "[", "=>", "->", " do", " then")
_CLOSERS = ")]}"
_ENDS = frozenset({"end", "fi", "done", "esac", "else", "else:", "endif", "endfor", "endwhile"})
_LITERALS = ('"""', "'''", "`", "<<")


def misplaced(landing: Landing) -> str | None:
    """The first further line of new that stands at another depth beside its first line than new says.

    That is so where old begins inside the indentation of its line: the first line of new gets what is before it, its
    other lines do not. None where they have it by themselves, or belong to an outer block.
    """
    prefix, old, new = landing.prefix, landing.old, landing.new
    if not prefix or prefix.strip(folding.LEADING) or old.startswith("\n") or "\n" not in new:
        return None
    first, *further = new.split("\n")
    if not first.strip() or any(mark in first for mark in _LITERALS):
        return None
    written = folding.indentation(first)
    real = folding.width(prefix + written)
    lines = [line for line in further if line.strip()]
    if not lines:
        return None
    depth = folding.width(folding.indentation(lines[0]))
    inside = first.rstrip().endswith(_OPENERS) and not _closes(lines[0])
    if inside and folding.width(written) < depth <= real and not (depth == real and lines[0].lstrip()[0] == "-"):
        return lines[0]
    if any(folding.width(folding.indentation(line)) >= real for line in lines):
        return None
    known = set(old.split("\n"))
    for above, line in zip([first, *further], further, strict=False):
        if not line.strip() or folding.indentation(line) != written or line in known or _closes(line):
            continue
        if written or above.strip():
            return line
        return None
    return None


def _closes(line: str) -> bool:
    """Whether a line ends a block, or stands at the margin by its nature."""
    text = line.strip()
    return text[0] in _CLOSERS or text in _ENDS or text.startswith(("#if", "#el", "#end", "#define", "#include", "</"))


def stood_there(landing: Landing) -> tuple[int, int] | None:
    """The half-open range in `before` where new, which is old and more, stood already; None where it did not."""
    old, new, before = landing.old, landing.new, landing.before
    if len(new) <= len(old) or not "".join(new.split(old, 1)).strip():
        return None
    within = new.find(old)
    start = landing.start - within
    if within < 0 or start < 0 or not before.startswith(new, start):
        return None
    return start, start + len(new)


def endings_written(text: Text, landing: Landing, after: Text) -> str | None:
    """The line ending of the lines that an edit wrote, where more of them end so than ended so before.

    None too where `after` is not what the edit left.
    """
    if "\n" not in landing.new or landing.before is not text.lf or after.lf != landing.after:
        return None
    was = _endings(text, landing.start, landing.end)
    wrote = _endings(after, landing.at, landing.to)
    return wrote[0] if wrote and wrote.count(wrote[0]) > was.count(wrote[0]) else None


def _endings(text: Text, start: int, end: int) -> list[str]:
    return re.findall(r"\r\n|\r|\n", text.raw[text.raw_offset(start) : text.raw_offset(end)])
