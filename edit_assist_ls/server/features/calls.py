"""`editAssist/calls`: the recent calls that concern the client, newest first."""

from datetime import UTC, datetime

from edit_assist_ls.engine.text import well_formed
from edit_assist_ls.ledger import CallRecord, EditRecord
from edit_assist_ls.server.documents import real_path_of
from edit_assist_ls.server.own import Own
from edit_assist_ls.server.server import Server
from edit_assist_ls.server.wire import CallOnWire, CallsParams, CallsResult, EditOnWire

LIMIT = 100
MOST = 1_000


def handle(server: Server, params: CallsParams) -> CallsResult:
    """`uri` asks for the calls on one file, which concerns the client if it is open or lies under a folder of it."""
    board = server.board()
    ledger = board.ledger()
    if ledger is None:
        return CallsResult(calls=[])
    limit = LIMIT if params.limit is None else max(0, min(params.limit, MOST))
    if params.uri is None:
        found = board.calls_here(ledger, failing=False, limit=limit)
    else:
        real_path = real_path_of(params.uri)
        concerns = real_path is not None and (board.scope.contains(real_path) or real_path in board.documents.paths())
        found = ledger.calls(paths=[real_path], limit=limit) if concerns and real_path is not None else []
    return CallsResult(calls=[_on_wire(board.scope.uri_of(call.real_path), call) for call in found if call.real_path])


def _on_wire(uri: str, call: CallRecord) -> CallOnWire:
    lines = [edit for edit in call.edits if edit.start_line is not None and edit.state == call.state]
    first = lines[0] if lines else next((edit for edit in call.edits if edit.start_line is not None), None)
    return CallOnWire(
        id=call.id,
        host=call.host,
        tool_call_id=well_formed(call.tool_call_id),
        uri=uri,
        state=call.state,
        start_line=first.start_line if first else None,
        end_line=first.end_line if first else None,
        summary=well_formed(call.summary),
        at=datetime.fromtimestamp(call.at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        edits=[_edit_on_wire(edit) for edit in call.edits],
    )


def _edit_on_wire(edit: EditRecord) -> EditOnWire:
    return EditOnWire(state=edit.state, code=edit.code, start_line=edit.start_line, end_line=edit.end_line)


OWN = Own("editAssist/calls", CallsParams, handle)
