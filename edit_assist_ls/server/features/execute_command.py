"""`workspace/executeCommand`: dismiss, applied, difference, each with `[id, editIndex?]`."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from edit_assist_ls.server.errors import RequestFailedError
from edit_assist_ls.server.greeting import APPLIED, DIFFERENCE, DISMISS
from edit_assist_ls.server.server import Server

if TYPE_CHECKING:
    from edit_assist_ls.ledger import Ledger, State


def register(server: Server) -> None:
    """Offers the commands that quick fixes carry and that extensions call."""

    @server.command(DISMISS)
    def dismiss(*arguments: Any) -> None:
        _change(server, arguments, "dismissed")

    @server.command(APPLIED)
    def applied(*arguments: Any) -> None:
        _change(server, arguments, "applied")

    @server.command(DIFFERENCE)
    def difference(*arguments: Any) -> dict[str, str]:
        from edit_assist_ls.server import differences  # what makes them is not needed for a start

        call_id, edit_index = call_and_edit(arguments)
        uri = differences.keep(server.board(), _ledger(server), call_id, edit_index)
        if server.client.shows_documents:
            server.protocol.send_request(types.WINDOW_SHOW_DOCUMENT, types.ShowDocumentParams(uri=uri))
        return {"uri": uri}


def _change(server: Server, arguments: tuple[Any, ...], state: "State") -> None:
    call_id, edit_index = call_and_edit(arguments)
    ledger = _ledger(server)
    call = ledger.call(call_id)
    if call is None or (edit_index is not None and edit_index >= len(call.edits)):
        raise RequestFailedError("This call is not in the ledger any more.")
    ledger.change(call_id, edit_index, state=state)


def call_and_edit(arguments: tuple[Any, ...]) -> tuple[str, int | None]:
    """The arguments of a command: a call's id, and which of its edits; raises for any others."""
    call_id, edit_index = (*arguments, None, None)[:2]
    if not isinstance(call_id, str) or len(arguments) > 2:
        raise JsonRpcInvalidParams("the arguments must be [id, editIndex?]: id is a string")
    if edit_index is not None and (not isinstance(edit_index, int) or isinstance(edit_index, bool) or edit_index < 0):
        raise JsonRpcInvalidParams("the arguments must be [id, editIndex?]: editIndex is a number from 0")
    return call_id, edit_index


def _ledger(server: Server) -> "Ledger":
    ledger = server.board().ledger()
    if ledger is None:
        raise RequestFailedError("The ledger is off (setting edit-assist.ledger): there are no calls.")
    return ledger
