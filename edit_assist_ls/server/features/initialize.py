"""`initialize` and `initialized`: what the client can do, and what it says of settings before anything else."""

from pathlib import PurePath

from lsprotocol import types

from edit_assist_ls.server.capabilities import resolved
from edit_assist_ls.server.features import configuration
from edit_assist_ls.server.server import Server
from edit_assist_ls.settings import layer_of


def register(server: Server) -> None:
    """Resolves the client's capabilities once; asks for its configuration once it may be asked."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.client = resolved(params.capabilities)
        store = server.settings
        options = params.initialization_options
        store.initialization = layer_of(options, store.initialization.where)
        board = server.board()
        board.scope.add(_folders(params))
        if isinstance(options, dict):
            board.tells_of_calls = options.get("callsChanged") is True
            own = options.get("clientCommands")
            difference = own.get("difference") if isinstance(own, dict) else None
            server.difference_command = difference if isinstance(difference, str) else server.difference_command

    @server.feature(types.INITIALIZED)
    def initialized(_params: types.InitializedParams) -> None:
        configuration.subscribe(server)
        configuration.pull(server)
        server.board().calls_changed()


def _folders(params: types.InitializeParams) -> list[str]:
    """The URIs of the client's folders, in the newest of the ways in which it may say so."""
    if params.workspace_folders is not None:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri is not None:
        return [params.root_uri]
    return [PurePath(params.root_path).as_uri()] if params.root_path and params.root_path.startswith("/") else []
