"""`initialize` and `initialized`: what the client can do, and what it says of settings before anything else."""

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
        store.initialization = layer_of(params.initialization_options, store.initialization.where)

    @server.feature(types.INITIALIZED)
    def initialized(_params: types.InitializedParams) -> None:
        configuration.subscribe(server)
        configuration.pull(server)
