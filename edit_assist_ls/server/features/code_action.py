"""`textDocument/codeAction`: quick fixes for our diagnostics. There are none while nothing is published."""

from lsprotocol import types

from edit_assist_ls.server.server import Server


def register(server: Server) -> None:
    """Offers quick fixes, and answers with those there are."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def code_action(_params: types.CodeActionParams) -> list[types.CodeAction]:
        return []
