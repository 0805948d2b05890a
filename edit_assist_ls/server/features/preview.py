"""`editAssist/preview`: what a call, or one edit of it, would make of its file as it is now."""

from typing import Any

from edit_assist_ls.engine.text import Text
from edit_assist_ls.server import actions
from edit_assist_ls.server.errors import RequestFailedError
from edit_assist_ls.server.own import Own
from edit_assist_ls.server.server import Server
from edit_assist_ls.server.wire import PreviewParams, PreviewResult
from edit_assist_ls.showing.previews import preview, replaced


def handle(server: Server, params: PreviewParams) -> PreviewResult:
    """`edit` is there where everything that was asked for fits; what does not is said in `stale`."""
    board = server.board()
    ledger = board.ledger()
    call = None if ledger is None else ledger.call(params.id)
    if ledger is None or call is None or call.real_path is None:
        raise RequestFailedError("This call is not in the ledger any more: there is nothing to show.")
    if params.edit_index is not None and not 0 <= params.edit_index < len(call.edits):
        raise RequestFailedError(f"The call has {len(call.edits)} edits, counted from 0.")
    uri, text = board.scope.uri_of(call.real_path), board.text_of(call.real_path)
    if not isinstance(text, Text):
        return PreviewResult(uri=uri, before="", after="", stale="The file is gone, or is no text that can be read.")
    made = preview(call, params.edit_index, text, ledger.text_digest)
    edit: Any = None
    if made.offers and not made.unfit:
        edit = server.to_json(actions.workspace_edit(board, server.client, call.real_path, text, made.offers))
    stale = None if made.offers and not made.unfit else _stale(made.unfit, len(call.edits), kept=_has_texts(call.edits))
    return PreviewResult(uri=uri, before=text.raw, after=replaced(text, made.offers), edit=edit, stale=stale)


def _has_texts(edits: Any) -> bool:
    return any(edit.old_text is not None for edit in edits)


def _stale(unfit: tuple[int, ...], edit_count: int, *, kept: bool) -> str:
    if not kept:
        return "The texts of this call are not kept: it landed, or the setting edit-assist.ledger is minimal."
    if edit_count == 1 or not unfit:
        return actions.STALE
    named = ", ".join(f"edits[{index}]" for index in unfit[:10])
    return f"{named} no longer fit: the lines that they are about have changed. The others are shown."


OWN = Own("editAssist/preview", PreviewParams, handle)
