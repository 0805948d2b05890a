"""LSP proper, on pygls, with its private parts kept to this module. `editAssist/` hooks do not pass through it: their
params are arbitrary JSON, which its typed messages would change.
"""

import logging
from collections.abc import Generator
from typing import Any

from cattrs import BaseValidationError, transform_error
from lsprotocol import types
from pygls.exceptions import FeatureNotificationError, JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer
from pygls.protocol import (
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    default_converter,
    lsp_method,
)

import edit_assist_ls
from edit_assist_ls.server.capabilities import Client
from edit_assist_ls.server.errors import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, InvalidParamsError
from edit_assist_ls.server.greeting import EXPERIMENTAL
from edit_assist_ls.server.outgoing import Outgoing
from edit_assist_ls.settings import Store

log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """pygls' protocol, writing to `out`, and errors without tracebacks."""

    _server: "Server"

    def __init__(self, server: "Server", converter: Any) -> None:
        super().__init__(server, converter)
        self.initialized = False
        self.shut_down = False
        self.out = Outgoing(self._serialize_message)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answers `initialize`, and says which version of our own requests is spoken."""
        result = yield from super().lsp_initialize(params)
        result.capabilities.experimental = EXPERIMENTAL
        self.initialized = True
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Answers `shutdown`; from then on only `exit` is heard."""
        yield from super().lsp_shutdown(*args)
        self.shut_down = True

    def dispatch(self, message: dict[str, Any]) -> None:
        """Give a request, notification or response to pygls; raises InvalidParamsError."""
        method = message.get("method")
        if method is not None and method not in self.fm.builtin_features and method not in self.fm.features:
            if "id" in message:
                self.out.refuse(message["id"], METHOD_NOT_FOUND, f"there is no method {method}")
            return
        if message.get("error") is None:
            message.pop("error", None)
        try:
            self.handle_message(self._converter.structure(message, self._type_of(message)))
        except BaseValidationError as error:
            raise InvalidParamsError("; ".join(transform_error(error)[:3])) from None

    def cancel(self, request_id: object) -> None:
        """Cancel a request that has begun and can be; any other id is of no interest."""
        if isinstance(request_id, int | str) and request_id in self._request_futures:
            self._handle_cancel_notification(request_id)

    def _type_of(self, message: dict[str, Any]) -> type[Any]:
        if (method := message.get("method")) is not None:
            return self.get_message_type(method) or JsonRPCRequestMessage
        if "error" in message:
            return types.ResponseErrorMessage
        return self._result_types.pop(message["id"], None) or JsonRPCResponseMessage

    def _send_data(self, data: Any) -> None:
        if data:
            self.out.send(data if isinstance(data, dict) else self._serialize_message(data))

    def _send_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        if error is not None:
            self.out.refuse(msg_id, error.code, error.message)
        else:
            self._result_types.pop(msg_id, None)
            self.out.answer(msg_id, result)


class Server(LanguageServer):
    """One pygls server: what its client can do, and the settings that it may change."""

    protocol: Protocol

    def __init__(self, settings: Store) -> None:
        super().__init__(
            "edit-assist-ls",
            edit_assist_ls.__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
            converter_factory=default_converter,
        )
        self.settings = settings
        self.client = Client()
        self.configuration_serial = 0

    def handle(self, message: dict[str, Any]) -> None:
        """Handle a well-formed message in its turn: a request gets exactly one answer."""
        request_id, method = message.get("id"), message.get("method")
        try:
            self.protocol.dispatch(message)
        except InvalidParamsError as invalid:
            if method is not None and request_id is not None:
                self.protocol.out.refuse(request_id, INVALID_PARAMS, f"{method}: {invalid}")
            else:
                log.warning("%s: %s", method or "a response", invalid)
        except Exception:
            log.exception("%s failed", method)
            if method is not None and request_id is not None:
                self.protocol.out.refuse(request_id, INTERNAL_ERROR, f"{method}: internal error")

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Errors go to the log, never to a person's screen."""
        if source is FeatureNotificationError:
            log.error("a notification failed: %s", error)
