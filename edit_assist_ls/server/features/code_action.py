"""`textDocument/codeAction` and `codeAction/resolve`: quick fixes for what is shown, and their edits.

What makes them is imported when they are first asked for: a start does without.
"""

from collections.abc import Sequence

from lsprotocol import types

from edit_assist_ls.server.documents import real_path_of
from edit_assist_ls.server.server import Server


def register(server: Server) -> None:
    """Offers quick fixes, and answers with those there are."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix], resolve_provider=True),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        from edit_assist_ls.server import actions

        board = server.board()
        document = board.documents.of_uri(params.text_document.uri)
        real_path = document.real_path if document is not None else real_path_of(params.text_document.uri)
        ledger = board.ledger()
        if real_path is None or ledger is None or not _wants_quick_fixes(params.context.only):
            return []
        return actions.actions(board, server.client, ledger, real_path, params.range, server.difference_command)

    @server.feature(types.CODE_ACTION_RESOLVE)
    def code_action_resolve(action: types.CodeAction) -> types.CodeAction:
        from edit_assist_ls.server import actions

        board = server.board()
        ledger = board.ledger()
        return action if ledger is None else actions.resolved(board, server.client, ledger, action)


def _wants_quick_fixes(only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether the kinds that were asked for, if any, take in quick fixes."""
    quick_fix = types.CodeActionKind.QuickFix.value
    return only is None or any(kind in ("", quick_fix) for kind in map(_value, only))


def _value(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind
