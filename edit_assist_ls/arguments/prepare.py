"""One call's arguments, made ready for the host: its shape, its path, and the marks that its texts bear."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from edit_assist_ls.arguments import json_text, paths, words
from edit_assist_ls.arguments.shape import (
    NEW_NAMES,
    OLD_NAMES,
    ContradictionError,
    FoldedCall,
    FoldedEdit,
    ShapeError,
    fold,
)
from edit_assist_ls.engine import folding
from edit_assist_ls.engine.builtin import Edit
from edit_assist_ls.engine.marks import undo
from edit_assist_ls.engine.matching import exact
from edit_assist_ls.engine.text import Text, cuts_a_word
from edit_assist_ls.engine.work import Work
from edit_assist_ls.hosts.host import Host

MAX_PLACES = 1_000
MARK_LIMIT = 200
"""How many edits of a call are looked at for marks."""

TextAt = Callable[[str], Text | None]
"""A path as the call names it → the text of its file; None where there is none that can be read."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """`arguments`: the whole call in the host's shape, None where it is to be left as it is.

    `notes` say what was folded, `refusal` what arrived and what to send; `nulls` are the edits (from 0) that have a
    null for a text, which a host may take for the word. `contradicts`: what was refused says two different things, and
    a host that knows one of the two names might run it.
    """

    arguments: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()
    refusal: str | None = None
    nulls: tuple[int, ...] = ()
    contradicts: bool = False


def prepare(
    arguments: object,
    host: Host,
    cwd: str,
    text_at: TextAt,
    *,
    strict: bool,
    work: Work,
    written_before: Callable[[str], str] = lambda _path: "",
) -> Prepared:
    """A call as the host should be given it. Nothing raises for what a model sent.

    `written_before`: a path as the call names it → what earlier calls of the same message are to write into the file.
    """

    def resolve(path: str) -> str | None:
        return host.resolve_path(path, cwd)

    def same_path(one: str, other: str) -> bool:
        return one == other or (resolve(one) is not None and resolve(one) == resolve(other))

    nulls = _nulls(arguments)
    try:
        call = fold(arguments, same_path, collapse_repeats=not strict)
    except ShapeError as error:
        return Prepared(refusal=str(error), nulls=nulls, contradicts=isinstance(error, ContradictionError))
    except RecursionError:
        return Prepared()
    folded = list(call.folded)
    found = paths.meant(call.path, cwd, resolve)
    if isinstance(found, paths.Meant):
        folded.append(words.path_form(call.path, found.path))
        call = replace(call, path=found.path)
    elif isinstance(found, paths.NoFile) and found.near:
        refusal = words.no_file(call.path, found.near)
        return _ready(call, folded, refusal=refusal) if folded else Prepared(refusal=refusal)
    text = text_at(call.path)
    if any(edit.replace_all for edit in call.edits):
        refused = _every_place(call.edits, text, work)
        if refused is not None:
            return Prepared(refusal=refused)
    if text is not None and not strict:
        written = written_before(call.path)
        call = replace(call, edits=_without_marks(call.edits, text, written, folded, work))
    return _ready(call, folded) if folded else Prepared()


def _ready(call: FoldedCall, folded: Sequence[str], refusal: str | None = None) -> Prepared:
    edits = [{"oldText": edit.old_text, "newText": edit.new_text, **edit.more} for edit in call.edits]
    arguments = {"path": call.path, "edits": edits, **call.more}
    return Prepared(arguments, (words.folded(folded),), refusal)


def _every_place(edits: Sequence[FoldedEdit], text: Text | None, work: Work) -> str | None:
    """Why an edit that asks for every place is refused; None where it has one place, or none that is known."""
    for at, edit in enumerate(edits):
        if not edit.replace_all or text is None:
            continue
        old = folding.lf(edit.old_text)
        if not work.spend(len(text.lf) + len(old)):
            return None
        places = exact(text, old, MAX_PLACES) if old else []
        if len(places) > 1:
            lines = [text.line0_at(place) + 1 for place in places]
            inside = [
                line for line, place in zip(lines, places, strict=True) if cuts_a_word(text.lf, place, place + len(old))
            ]
            inside = inside if len(inside) < len(lines) else []
            return words.replace_all(f"edits[{at}]", lines, inside, is_whole=len(places) < MAX_PLACES)
    return None


def _without_marks(
    edits: Sequence[FoldedEdit], text: Text, written: str, folded: list[str], work: Work
) -> tuple[FoldedEdit, ...]:
    out: list[FoldedEdit] = []
    for at, edit in enumerate(edits):
        first = edit.old_text.strip().partition("\n")[0].strip()
        is_the_files = at >= MARK_LIMIT or (written != "" and first in written)
        undone = None if is_the_files else undo(text, Edit(edit.old_text, edit.new_text), work)
        if undone is None:
            out.append(edit)
            continue
        if (said := words.MARKS[undone.mark]) not in folded:
            folded.append(said)
        out.append(replace(edit, old_text=undone.edit.old_text, new_text=undone.edit.new_text))
    return tuple(out)


def _nulls(arguments: object) -> tuple[int, ...]:
    """The edits of a call that have a null for a text, in the containers that a host may take."""
    edits = arguments.get("edits") if isinstance(arguments, dict) else None
    if isinstance(edits, str) and "null" in edits:
        edits = json_text.read(edits)
    listed = [edits] if isinstance(edits, dict) else edits if isinstance(edits, list) else []
    names = (*NEW_NAMES, *OLD_NAMES)
    return tuple(
        at
        for at, edit in enumerate(listed)
        if isinstance(edit, dict) and any(name in edit and edit[name] is None for name in names)
    )
