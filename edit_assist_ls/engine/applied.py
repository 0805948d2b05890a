"""Whether an edit has been made already: its newText stands in the file, and no chance put it there."""

import re

from rapidfuzz import fuzz

from edit_assist_ls.engine.matching import exact, extended
from edit_assist_ls.engine.placing import stands_at
from edit_assist_ls.engine.text import Text, cuts_a_word
from edit_assist_ls.engine.work import Work

Lines = tuple[int, int]
"""The first and the last line, from 1."""

TELLING_CHARS = 8
"""How many letters and digits newText has beyond oldText at least, if it is not where the Nearest region is."""
CONVINCING_CHARS = 24
"""With so many of them newText need not be like oldText."""
LIKE = 0.5
LIKE_ELSEWHERE = 0.75
"""A region that is so much like oldText says that the edit is still to be made there."""
_COMPARED_CHARS = 2_000


def already_applied(text: Text, old: str, new: str, region: Lines | None, likeness: float, work: Work) -> Lines | None:
    """Where newText (LF) stands once: as whole lines, at whatever depth, or as a piece of a line.

    `region` is the Nearest region of oldText (LF), which does not stand in the file, `likeness` how much it is like it.
    None where newText is not there, or may be there by chance. A piece of a line counts only where there is no region.
    """
    new = new.strip("\n")
    if not new or not work.spend(8 * len(text.lf) + 4 * len(new)):
        return None
    places = [(at + 1, at + 1 + new.count("\n")) for at in stands_at(text, new.split("\n"))]
    places = places or [(span.line0 + 1, span.last_line0 + 1) for span in extended(text, new, 2)]
    if not places and region is None:
        pieces = [at for at in exact(text, new, 2) if not cuts_a_word(text.lf, at, at + len(new))]
        places = [(text.line0_at(at) + 1, text.line0_at(at + len(new) - 1) + 1) for at in pieces]
    if len(places) != 1:
        return None
    known = _letters(old)
    added = sum(len(letters) for line in set(new.split("\n")) if (letters := _letters(line)) not in known)
    there = region is not None and region[0] <= places[0][0] and places[0][1] <= region[1]
    if added >= CONVINCING_CHARS or (there and added):
        return places[0]
    alike = fuzz.ratio(old[:_COMPARED_CHARS], new[:_COMPARED_CHARS]) / 100 >= LIKE
    return places[0] if added >= TELLING_CHARS and alike and likeness < LIKE_ELSEWHERE else None


def _letters(text: str) -> str:
    """The letters and digits of a text alone: what is left of it under any mark, space or quote."""
    return _NO_LETTERS.sub("", text)


_NO_LETTERS = re.compile(r"[\W_]+")
