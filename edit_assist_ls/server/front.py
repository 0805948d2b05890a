"""What a client meets: hooks are answered here, and LSP proper by pygls, which is built when a client needs it.

Importing pygls and its types takes some 0.25 s, and an agent host sends hooks alone. A client that says it can do
nothing is greeted without it; the first message that only pygls can handle brings it in, and it is told then how the
client was greeted.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from edit_assist_ls.server.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    REQUEST_FAILED,
    InvalidParamsError,
    RequestFailedError,
)
from edit_assist_ls.server.greeting import GREETING, can_do_nothing
from edit_assist_ls.server.outgoing import Outgoing, nowhere
from edit_assist_ls.settings import Store, layer_of

if TYPE_CHECKING:
    from edit_assist_ls.engine.text import Text
    from edit_assist_ls.ledger import Ledger
    from edit_assist_ls.server.hooks import Desk
    from edit_assist_ls.server.server import Server

OWN_METHODS = "editAssist/"
OWN_REQUESTS = frozenset({"editAssist/calls", "editAssist/preview"})
"""Requests of ours that are no hooks: they are about what the client is shown."""

log = logging.getLogger(__name__)


class Front:
    """One client's counterpart: its settings, the desk for its hooks, and pygls behind it from when it is needed.

    `open_desk` imports the engine and is called when the desk is first needed; `build_server` imports pygls.
    """

    def __init__(self, open_desk: "Callable[[Front], Desk]", build_server: "Callable[[Front], Server]") -> None:
        self._open_desk, self._build_server = open_desk, build_server
        self._ledger: Ledger | None = None
        self.process_id: int | None = None
        self._desk: Desk | None = None
        self._server: Server | None = None
        self._greeted: list[dict[str, Any]] = []
        self._shut_down = False
        self.settings = Store()
        self.out = Outgoing()

    @property
    def initialized(self) -> bool:
        """Whether `initialize` was answered."""
        return bool(self._greeted) if self._server is None else self._server.protocol.initialized

    @property
    def shut_down(self) -> bool:
        """Whether `shutdown` was answered."""
        return self._shut_down if self._server is None else self._server.protocol.shut_down

    def ledger(self) -> "Ledger":
        """The user's ledger, opened when it is first needed."""
        if self._ledger is None:
            from edit_assist_ls.ledger import Ledger, default_folder

            self._ledger = Ledger.open(default_folder)
        return self._ledger

    def close(self) -> None:
        """The client is gone: what waits to be written to the ledger is."""
        if self._ledger is not None:
            self._ledger.close()

    def unsaved(self, real_path: str) -> "Text | None":
        """The text of a document that this client has open and that differs from the disk."""
        return None if self._server is None else self._server.unsaved.differing(real_path)

    def attach(self, write: Callable[[bytes], None]) -> None:
        """Say where messages to the client go."""
        self.out.write = write
        if self._server is not None:
            self._server.protocol.out.write = write

    def server(self) -> "Server":
        """pygls' part; built when it is first asked for, and told how the client was greeted meanwhile."""
        if self._server is None:
            server = self._build_server(self)
            server.protocol.out.write = nowhere
            for message in self._greeted:
                server.handle(message)
            server.protocol.out.write = self.out.write
            self._server = server
        return self._server

    def cancel(self, request_id: object) -> None:
        """Cancel a request that has begun and can be; any other id is of no interest."""
        if self._server is not None:
            self._server.protocol.cancel(request_id)

    def handle(self, message: dict[str, Any]) -> None:
        """Handle a well-formed message in its turn: a request gets exactly one answer."""
        request_id, method = message.get("id"), message.get("method")
        try:
            if method == "initialize":
                self._note_process(message.get("params"))
            if request_id is not None and method is not None and self._is_hook(method):
                self.out.answer(request_id, self._opened_desk().answer(method, message.get("params")))
            elif request_id is not None and method in OWN_REQUESTS:
                self.out.answer(request_id, self.server().answer(method, message.get("params")))
            elif self._server is not None or not self._handled_alone(message):
                self.server().handle(message)
            if method == "initialized":
                self._opened_desk()
        except InvalidParamsError as invalid:
            self._fail(message, INVALID_PARAMS, str(invalid))
        except RequestFailedError as failed:
            self._fail(message, REQUEST_FAILED, str(failed))
        except Exception:
            log.exception("%s failed", method)
            self._fail(message, INTERNAL_ERROR, "internal error")

    def _fail(self, message: dict[str, Any], code: int, why: str) -> None:
        if message.get("id") is not None and message.get("method") is not None:
            self.out.refuse(message["id"], code, f"{message['method']}: {why}")

    def _note_process(self, params: object) -> None:
        process_id = params.get("processId") if isinstance(params, dict) else None
        if isinstance(process_id, int) and not isinstance(process_id, bool) and process_id > 0:
            self.process_id = process_id

    def _opened_desk(self) -> "Desk":
        if self._desk is None:
            self._desk = self._open_desk(self)
        return self._desk

    def _is_hook(self, method: str) -> bool:
        return method.startswith(OWN_METHODS) and method in self._opened_desk().hooks

    def _handled_alone(self, message: dict[str, Any]) -> bool:
        """Whether a message was handled without pygls: the beginning and the end of a client that can do nothing."""
        method, request_id = message.get("method"), message.get("id")
        if method == "initialize" and request_id is not None and can_do_nothing(message.get("params")):
            options = message["params"].get("initializationOptions")
            self.settings.initialization = layer_of(options, self.settings.initialization.where)
            self._greeted.append(message)
            self.out.answer(request_id, GREETING)
            return True
        if method == "initialized" and request_id is None:
            self._greeted.append(message)
            return True
        if method == "shutdown" and request_id is not None and message.get("params") is None:
            self._shut_down = True
            self.out.answer(request_id, None)
            return True
        return False
