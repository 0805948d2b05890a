"""`textDocument/didOpen`, `didChange`, `didSave`, `didClose`: the client's documents, in our own store."""

from lsprotocol import types

from edit_assist_ls.server.server import Server

Whole = types.TextDocumentContentChangeWholeDocument


def register(server: Server) -> None:
    """Keeps the text of each open document; what is shown and what is told of unsaved buffers follows it."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        board = server.board()
        document = board.documents.put(item.uri, item.version, item.text)
        if document is not None:
            board.opened_or_closed(document.real_path)
            server.unsaved.changed(document.real_path)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        board, identifier = server.board(), params.text_document
        whole = [change for change in params.content_changes if isinstance(change, Whole)]
        if whole and board.documents.of_uri(identifier.uri) is not None:
            document = board.documents.put(identifier.uri, identifier.version, whole[-1].text)
            if document is not None:
                board.text_changed(document.real_path)
                server.unsaved.changed(document.real_path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        document = server.board().documents.of_uri(params.text_document.uri)
        if document is not None:
            server.unsaved.saved(document.real_path)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        board = server.board()
        document = board.documents.close(params.text_document.uri)
        if document is not None:
            server.unsaved.saved(document.real_path)
            board.opened_or_closed(document.real_path)
