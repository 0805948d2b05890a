"""What the ledger keeps of a call: plain values, and their form as JSON.

JSON is written in ASCII, so that any text of a model survives, lone surrogates among them. A field that is not known
is passed over; one that is absent takes its default: a record of a later version can be read.
"""

import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from typing import Any, Literal, get_args

State = Literal["exact", "corrected", "failed", "applied", "dismissed"]
STATES: frozenset[str] = frozenset(get_args(State))
_WORST_FIRST: tuple[State, ...] = ("failed", "dismissed", "applied", "corrected", "exact")

MAX_TEXT_CHARS = 65_536
"""A longer text of an edit or a place is not kept."""


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """Lines of the file as the call met them, from 1, inclusive.

    `text`: the lines, a line feed between them; None where no text is kept, and `digest` stands for it. `above` and
    `below`: the lines beside them, None at an end of the file.
    """

    start_line: int
    end_line: int
    text: str | None = None
    digest: str = ""
    above: str | None = None
    below: str | None = None


@dataclass(frozen=True, slots=True)
class EditRecord:
    """One edit of a call: what became of it, and where it failed what the model was told and which lines that names.

    `cleared`: it failed, and a later edit has answered it.
    """

    state: State
    code: str | None = None
    cause: str | None = None
    message: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    places: tuple[PlaceRecord, ...] = ()
    old_text: str | None = None
    new_text: str | None = None
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call. `path` is as the model wrote it, `real_path` the file's own; `at_ms` counts from 1970 in UTC.

    `bare_state` is the state of a call of which no edit is known; `session_key` names the session in the ledger.
    """

    id: str
    host: str
    session_key: str
    tool_call_id: str
    at_ms: int
    session_id: str | None = None
    cwd: str = ""
    path: str = ""
    real_path: str | None = None
    summary: str = ""
    edits: tuple[EditRecord, ...] = ()
    bare_state: State = "failed"

    @property
    def state(self) -> State:
        """The worst state of its edits."""
        states = {edit.state for edit in self.edits} or {self.bare_state}
        return next(state for state in _WORST_FIRST if state in states)

    @property
    def failing(self) -> bool:
        """Whether an edit of it may have something to be shown for it."""
        return any(edit.state == "failed" and edit.code is not None and not edit.cleared for edit in self.edits)


def changed(
    call: CallRecord, edit_index: int | None, state: State | None = None, *, cleared: bool | None = None
) -> CallRecord:
    """The call with an edit (None: every edit that failed) in another state, or answered; what landed has landed."""

    def one(index: int, edit: EditRecord) -> EditRecord:
        landed = edit.state in ("exact", "corrected")
        if landed or (index != edit_index and (edit_index is not None or edit.state != "failed")):
            return edit
        return replace(
            edit, state=edit.state if state is None else state, cleared=edit.cleared if cleared is None else cleared
        )

    return replace(call, edits=tuple(one(index, edit) for index, edit in enumerate(call.edits)))


def minimal(call: CallRecord, digest: Callable[[str], str]) -> CallRecord:
    """The call without any text of the file or the model: places are known by their digests."""

    def bare(place: PlaceRecord) -> PlaceRecord:
        kept = place.digest if place.text is None else digest(place.text)
        return PlaceRecord(place.start_line, place.end_line, digest=kept)

    edits = tuple(
        replace(
            edit,
            message=None if edit.message is None else f"{edit.code or edit.state}: the text is not kept",
            places=tuple(map(bare, edit.places)),
            old_text=None,
            new_text=None,
        )
        for edit in call.edits
    )
    code = next((edit.code for edit in edits if edit.code is not None), None)
    return replace(call, edits=edits, summary=code or ("edit failed" if call.state == "failed" else "edit landed"))


def bounded(call: CallRecord, digest: Callable[[str], str]) -> CallRecord:
    """The call without its longest texts; a place whose text goes keeps its digest."""

    def place_of(place: PlaceRecord) -> PlaceRecord:
        if place.text is None or len(place.text) <= MAX_TEXT_CHARS:
            return replace(place, above=_short(place.above), below=_short(place.below))
        return PlaceRecord(place.start_line, place.end_line, digest=digest(place.text))

    edits = tuple(
        replace(
            edit,
            places=tuple(map(place_of, edit.places)),
            old_text=_short(edit.old_text),
            new_text=_short(edit.new_text),
        )
        for edit in call.edits
    )
    return replace(call, edits=edits)


def _short(text: str | None) -> str | None:
    return None if text is None or len(text) > MAX_TEXT_CHARS else text


def to_json(call: CallRecord) -> str:
    """A record as ASCII JSON."""
    return _encode(call)


def _fields(record: Any) -> dict[str, Any]:
    """What JSON is made of where a record stands; what has its default is left out, and comes back by it."""
    if not is_dataclass(record):
        raise TypeError(f"no JSON is made of {type(record).__name__}")
    return {
        field.name: value
        for field in fields(record)
        if (value := getattr(record, field.name)) != field.default or field.default is MISSING
    }


_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False, default=_fields).encode


def from_json(text: str) -> CallRecord | None:
    """The record of a JSON text; None where it is none."""
    try:
        found = json.loads(text)
        edits = []
        for edit in found.get("edits", ()):
            places = tuple(PlaceRecord(**_known(PlaceRecord, place)) for place in edit.get("places", ()))
            edits.append(EditRecord(**{**_known(EditRecord, edit), "places": places}))
        call = CallRecord(**{**_known(CallRecord, found), "edits": tuple(edits)})
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return call if {edit.state for edit in call.edits} | {call.bare_state} <= STATES else None


def _known(record: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in record.__dataclass_fields__ if name in values}
