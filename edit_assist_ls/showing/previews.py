"""What an edit of a call would make of a text: pieces to replace in it, and the text that comes out."""

from collections.abc import Sequence
from dataclasses import dataclass

from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.offer import Offer, offer
from edit_assist_ls.engine.text import Text, well_formed
from edit_assist_ls.ledger import CallRecord
from edit_assist_ls.showing.findings import DigestOf, Lines, finding_of, places_now


@dataclass(frozen=True, slots=True)
class Preview:
    """What is to be replaced, in order and apart from each other. `unfit`: the edits (from 0) that fit nowhere now."""

    offers: tuple[Offer, ...]
    unfit: tuple[int, ...] = ()


def preview(
    call: CallRecord, edit_index: int | None, text: Text, digest_of: DigestOf, place: int | None = None
) -> Preview:
    """What an edit (None: every edit that has not landed) would replace; `place`: which of its places, by its
    order in the record."""
    wanted = range(len(call.edits)) if edit_index is None else [edit_index]
    offers: list[Offer] = []
    unfit: list[int] = []
    for index in wanted:
        if edit_index is None and call.edits[index].state not in ("failed", "dismissed"):
            continue
        made = _offer(call, index, text, digest_of, place)
        if made is None or any(made.start < other.end and other.start < made.end for other in offers):
            unfit.append(index)
        else:
            offers.append(made)
    return Preview(tuple(sorted(offers, key=lambda made: made.start)), tuple(unfit))


def _offer(call: CallRecord, index: int, text: Text, digest_of: DigestOf, place: int | None) -> Offer | None:
    edit = call.edits[index]
    if edit.old_text is None or edit.new_text is None:
        return None
    lines = _place(call, index, text, digest_of, place)
    if lines is None:
        return None
    return offer(text, Edit(edit.old_text, well_formed(edit.new_text)), lines.line0, lines.last_line0)


def _place(call: CallRecord, index: int, text: Text, digest_of: DigestOf, place: int | None) -> Lines | None:
    """The place that was asked for; the first one where none was, and the one of an edit that was shown for nothing."""
    finding = finding_of(call, index, text, digest_of)
    if finding is None:
        places = {at: lines for at, lines in enumerate(places_now(call.edits[index], text, digest_of)) if lines}
    else:
        places = finding.places
    return next(iter(places.values()), None) if place is None else places.get(place)


def newline_at(text: Text, offset: int) -> str:
    """The line ending that a new line at an offset gets: that of the line there, else of the one above it."""
    end = text.lf.find("\n", offset)
    if end < 0:
        end = text.lf.rfind("\n", 0, offset)
    if end < 0:
        return "\n"
    start, after = text.raw_offset(end), text.raw_offset(end + 1)
    return text.raw[start:after]


def replaced(text: Text, offers: Sequence[Offer]) -> str:
    """The raw text after the replacements, without its byte order mark; other lines keep the endings that they have."""
    out: list[str] = []
    at = 0
    for made in offers:
        out.append(text.raw[at : text.raw_offset(made.start)])
        out.append(made.new_text.replace("\n", newline_at(text, made.start)))
        at = text.raw_offset(made.end)
    return "".join(out) + text.raw[at:]
