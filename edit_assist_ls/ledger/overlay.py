"""Calls with what no file holds laid over what one does: what waits to be written, and what has to do without."""

from collections import OrderedDict, deque
from collections.abc import Collection, Iterable
from functools import lru_cache

from edit_assist_ls.ledger import rows
from edit_assist_ls.ledger.records import CallRecord, from_json

Calls = OrderedDict[str, CallRecord]
"""Calls by their ids, the newest last."""


class Unfiled:
    """What is kept while there is no file: the newest calls, and changes of calls that only a file would know."""

    def __init__(self, max_calls: int) -> None:
        self._max_calls = max_calls
        self._calls: Calls = OrderedDict()
        self._changes_elsewhere: deque[rows.Change] = deque(maxlen=max_calls)

    def put(self, op: rows.Add | rows.Change) -> None:
        """Keep a call or a change."""
        if isinstance(op, rows.Change) and op.call_id not in self._calls:
            self._changes_elsewhere.append(op)
            return
        lay_over(self._calls, [op])
        while len(self._calls) > self._max_calls:
            self._calls.popitem(last=False)

    def calls(self) -> list[CallRecord]:
        """The calls, the oldest first."""
        return list(self._calls.values())

    def call(self, call_id: str) -> CallRecord | None:
        """The call of an id."""
        return self._calls.get(call_id)

    def taken(self) -> list[rows.Op]:
        """All that is kept, as it is to be written; it is not kept any more."""
        ops: list[rows.Op] = [*(rows.Add(call) for call in self._calls.values()), *self._changes_elsewhere]
        self._calls.clear()
        self._changes_elsewhere.clear()
        return ops


@lru_cache(maxsize=512)
def parsed(_call_id: str, _rev: int, record: str) -> CallRecord | None:
    """The call of a row that `rows.read_calls` gave."""
    return from_json(record)


def lay_over(known: Calls, ops: Iterable[rows.Op]) -> None:
    """Bring calls up to date; one that is there is not added again."""
    for op in ops:
        if isinstance(op, rows.Add):
            known.setdefault(op.call.id, op.call)
        elif isinstance(op, rows.Change) and (call := known.get(op.call_id)) is not None:
            known[op.call_id] = op.of(call)


def concerns(call: CallRecord, inside: tuple[str, ...], paths: Collection[str]) -> bool:
    """Whether a call's file lies in real folders, each with its final slash, or is at one of the real paths."""
    path = call.real_path
    return path is not None and (path in paths or path.startswith(inside))
