"""`workspace/didChangeWorkspaceFolders` and `workspace/didChangeWatchedFiles`: which files concern the client, and
that some of them have changed."""

from lsprotocol import types

from edit_assist_ls.server.server import Server


def register(server: Server) -> None:
    """Follows the client's folders, and hears of changed files."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        board = server.board()
        board.scope.remove(folder.uri for folder in params.event.removed)
        board.scope.add(folder.uri for folder in params.event.added)
        board.calls_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(params: types.DidChangeWatchedFilesParams) -> None:
        server.board().files_heard_of(change.uri for change in params.changes)
