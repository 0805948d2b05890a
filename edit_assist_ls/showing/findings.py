"""Where the failing edits of a call stand in the text that people look at: the buffer, or the disk.

A place is found again by its own lines. An edit that has lost its place, or that stands as its newText already, has
nothing to be shown for it any more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from edit_assist_ls.engine import folding
from edit_assist_ls.engine.matching import exact, lines_of
from edit_assist_ls.engine.placing import Block, follow
from edit_assist_ls.engine.text import Text

if TYPE_CHECKING:
    from edit_assist_ls.ledger import CallRecord, EditRecord, PlaceRecord

DigestOf = Callable[[str], str]
TELLING_CHARACTERS = 8
"""How many characters that are no blanks make a newText telling: standing in the file it is no chance."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines `line0`..`last_line0` of a text, from 0, inclusive."""

    line0: int
    last_line0: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One failing edit in a text: the lines that it is shown at, the places that it may be put in, what else it names.

    `places` are those where the edit may be applied, by what names them as long as the call is kept: their order in
    its record. `related` are those that are listed beside `shown`.
    """

    call: "CallRecord"
    edit_index: int
    shown: Lines
    places: dict[int, Lines]
    related: tuple[Lines, ...]

    @property
    def edit(self) -> "EditRecord":
        """The edit as the ledger keeps it."""
        return self.call.edits[self.edit_index]

    @property
    def preferred(self) -> bool:
        """Whether the quick fix is the obvious one: one place, and whitespace is all that differs."""
        return self.edit.code == "whitespace-only" and len(self.places) == 1


def findings(call: "CallRecord", text: Text | None, digest_of: DigestOf) -> list[Finding]:
    """The failing edits of a call that are to be shown; `text` None: the file is there but cannot be read as text."""
    found: list[Finding] = []
    for index in range(len(call.edits)):
        finding = finding_of(call, index, text, digest_of)
        if finding is not None:
            found.append(finding)
    return found


def finding_of(call: "CallRecord", edit_index: int, text: Text | None, digest_of: DigestOf) -> Finding | None:
    """One failing edit; None where there is nothing to be shown for it (any more)."""
    edit = call.edits[edit_index]
    if edit.state != "failed" or edit.cleared or edit.code is None:
        return None
    first_line = Finding(call, edit_index, Lines(0, 0), {}, ())
    if text is None or not text.lines:
        return first_line if not edit.places else None
    if edit.cause == "unsaved":
        return _literal(call, edit_index, text) or first_line
    if not edit.places:
        return None if _stands_already(edit, text) else first_line
    places = {at: lines for at, lines in enumerate(places_now(edit, text, digest_of)) if lines is not None}
    if edit.code != "already-applied":
        places = {at: lines for at, lines in places.items() if not _is_moot(edit, text, lines)}
    standing = list(places.values())
    if not standing or (edit.code == "overlap" and len(standing) < len(edit.places)):
        return None
    if edit.code == "overlap":
        return _overlap(call, edit_index, standing)
    related = standing if edit.code == "ambiguous" else standing[1:]
    return Finding(call, edit_index, standing[0], places, tuple(related))


def places_now(edit: "EditRecord", text: Text, digest_of: DigestOf) -> list[Lines | None]:
    """Where each of an edit's places stands now, in their order; None for one that is gone."""
    blocks = [_block(place, text, digest_of) for place in edit.places]
    known = [block for block in blocks if block is not None]
    following = iter(follow(text, known))
    lines: list[Lines | None] = []
    for block in blocks:
        line0 = None if block is None else next(following)
        lines.append(None if block is None or line0 is None else Lines(line0, line0 + len(block.lines) - 1))
    return lines


def _block(place: "PlaceRecord", text: Text, digest_of: DigestOf) -> Block | None:
    """The lines of a place; where the ledger keeps no text, those of the file that have the place's digest."""
    if place.text is not None:
        return Block(place.start_line - 1, tuple(place.text.split("\n")), place.above, place.below)
    height, line0 = place.end_line - place.start_line + 1, place.start_line - 1
    starts = range(len(text.lines) - height + 1)
    for at in sorted(starts, key=lambda at: abs(at - line0)):
        lines = text.lines[at : at + height]
        if digest_of("\n".join(lines)) == place.digest:
            return Block(at, tuple(lines))
    return None


def _literal(call: "CallRecord", edit_index: int, text: Text) -> Finding | None:
    """The place of an edit that stands literally and once."""
    old = folding.lf(call.edits[edit_index].old_text or "")
    places = exact(text, old, 2)
    if len(places) != 1:
        return None
    lines = Lines(text.line0_at(places[0]), text.line0_at(places[0] + max(0, len(old) - 1)))
    return Finding(call, edit_index, lines, {0: lines}, ())


def _overlap(call: "CallRecord", edit_index: int, places: Sequence[Lines]) -> Finding | None:
    shared = Lines(max(place.line0 for place in places), min(place.last_line0 for place in places))
    if shared.line0 > shared.last_line0:
        return None
    return Finding(call, edit_index, shared, {0: places[0]}, tuple(places))


def _is_moot(edit: "EditRecord", text: Text, lines: Lines) -> bool:
    """Whether newText stands at the place already, its lines counted from the place's first or last one.

    A newText of fewer lines than the place, which still stands, has not taken the others away.
    """
    if not edit.new_text:
        return False
    new, _ = lines_of(folding.lf(edit.new_text))
    return len(new) > lines.last_line0 - lines.line0 and new in (
        text.lines[lines.line0 : lines.line0 + len(new)],
        text.lines[max(0, lines.last_line0 + 1 - len(new)) : lines.last_line0 + 1],
    )


def _stands_already(edit: "EditRecord", text: Text) -> bool:
    """Whether the newText of an edit that had no place stands in the file by now; a part of oldText tells nothing."""
    new = folding.lf(edit.new_text or "").strip("\n")
    telling = len("".join(new.split())) >= TELLING_CHARACTERS and new not in folding.lf(edit.old_text or "")
    return telling and new in text.lf
