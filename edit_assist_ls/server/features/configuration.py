"""`workspace/didChangeConfiguration` and `workspace/configuration`: the client's settings, pushed or pulled.

A push that holds our section is taken as it is; any other push makes us pull. An answer to a pull counts unless
something newer was said meanwhile. Nothing waits for an answer: until it is there, what was known before holds.
"""

import logging
from concurrent.futures import Future
from typing import Any

from lsprotocol import types

from edit_assist_ls.server.server import Server
from edit_assist_ls.settings import layer_of

SECTION = "editAssist"
log = logging.getLogger(__name__)


def register(server: Server) -> None:
    """Takes pushed settings, and pulls where a push holds none."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        pushed = params.settings
        section = pushed.get(SECTION) if isinstance(pushed, dict) else None
        if section is None and server.client.answers_configuration:
            pull(server)
        else:
            _take(server, section)


def subscribe(server: Server) -> None:
    """Ask to be told of changes, where the client wants to be asked."""
    if server.client.registers_configuration:
        registration = types.Registration(
            id="edit-assist-configuration", method=types.WORKSPACE_DID_CHANGE_CONFIGURATION
        )
        server.protocol.send_request(
            types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations=[registration])
        )


def pull(server: Server) -> None:
    """Ask for the section, where the client answers such a request."""
    if not server.client.answers_configuration:
        return
    server.configuration_serial += 1
    serial = server.configuration_serial
    items = [types.ConfigurationItem(section=SECTION)]
    answer = server.protocol.send_request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=items))

    def answered(future: Future[Any]) -> None:
        if future.cancelled() or future.exception() is not None:
            log.warning("the client did not answer workspace/configuration")
        elif serial == server.configuration_serial:
            sections = future.result()
            _take(server, sections[0] if sections else None)

    answer.add_done_callback(answered)


def _take(server: Server, section: object) -> None:
    server.configuration_serial += 1
    store = server.settings
    store.configuration = layer_of(section, store.configuration.where)
    server.board().calls_changed()
