"""The server object, and the protocol below it: pygls, with its private parts kept to this module.

`editAssist/` hooks do not pass through pygls: their params are arbitrary JSON, which its typed messages would
change. Everything else does.
"""

import json
import logging
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

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
from edit_assist_ls.settings import Store

if TYPE_CHECKING:
    from edit_assist_ls.server.hooks import Desk

PROTOCOL_VERSION = 1
MAX_ERROR_CHARS = 500
OWN_METHODS = "editAssist/"

log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """pygls' protocol, writing compact ASCII frames to `write`, and errors without tracebacks."""

    _server: "Server"

    def __init__(self, server: "Server", converter: Any) -> None:
        super().__init__(server, converter)
        self.initialized = False
        self.shut_down = False
        self.write: Callable[[bytes], None] = _nowhere
        self._encode = json.JSONEncoder(
            separators=(",", ":"), allow_nan=False, check_circular=False, default=self._serialize_message
        ).encode

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answers `initialize`, and says which version of our own requests is spoken."""
        result = yield from super().lsp_initialize(params)
        result.capabilities.experimental = {"editAssist": {"protocol": PROTOCOL_VERSION}}
        self.initialized = True
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Answers `shutdown`; from then on only `exit` is heard."""
        yield from super().lsp_shutdown(*args)
        self.shut_down = True

    def send(self, message: dict[str, Any]) -> None:
        """Write one message. Lone surrogates travel as ASCII escapes."""
        body = self._encode(message).encode("ascii")
        self.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def answer(self, request_id: int | str, result: Any) -> None:
        """Answer a request; a result that cannot be written is answered as an internal error."""
        try:
            self.send({"jsonrpc": "2.0", "id": request_id, "result": result})
        except (TypeError, ValueError, RecursionError):
            log.exception("a result cannot be written as JSON")
            self.refuse(request_id, INTERNAL_ERROR, "the result cannot be written as JSON")

    def refuse(self, request_id: int | str | None, code: int, message: str) -> None:
        """Answer a request with an error; id None where the request's own is not known."""
        error = {"code": code, "message": message[:MAX_ERROR_CHARS]}
        self.send({"jsonrpc": "2.0", "id": request_id, "error": error})

    def dispatch(self, message: dict[str, Any]) -> None:
        """Give a request, notification or response to pygls; raises InvalidParamsError."""
        method = message.get("method")
        if method is not None and method not in self.fm.builtin_features and method not in self.fm.features:
            if "id" in message:
                self.refuse(message["id"], METHOD_NOT_FOUND, f"there is no method {method}")
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
            self.send(data if isinstance(data, dict) else self._serialize_message(data))

    def _send_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        if error is not None:
            self.refuse(msg_id, error.code, error.message)
        else:
            self._result_types.pop(msg_id, None)
            self.answer(msg_id, result)


class Server(LanguageServer):
    """One server: the settings, what its client can do, and the desk where its hooks are answered.

    `open_desk` is called when the desk is first needed: it imports the engine, which `initialize` need not wait for.
    """

    protocol: Protocol

    def __init__(self, open_desk: "Callable[[Store], Desk]") -> None:
        super().__init__(
            "edit-assist-ls",
            edit_assist_ls.__version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
            converter_factory=default_converter,
        )
        self._open_desk = open_desk
        self._desk: Desk | None = None
        self.settings = Store()
        self.client = Client()
        self.configuration_serial = 0

    def desk(self) -> "Desk":
        """Where hook requests are answered; opened when it is first asked for."""
        if self._desk is None:
            self._desk = self._open_desk(self.settings)
        return self._desk

    def handle(self, message: dict[str, Any]) -> None:
        """Handle a well-formed message of an initialized client: a request gets exactly one answer."""
        request_id, method = message.get("id"), message.get("method")
        try:
            if request_id is None or method is None or not self._is_hook(method):
                self.protocol.dispatch(message)
            else:
                self.protocol.answer(request_id, self.desk().answer(method, message.get("params")))
        except InvalidParamsError as invalid:
            if method is not None and request_id is not None:
                self.protocol.refuse(request_id, INVALID_PARAMS, f"{method}: {invalid}")
            else:
                log.warning("%s: %s", method or "a response", invalid)
        except Exception:
            log.exception("%s failed", method)
            if method is not None and request_id is not None:
                self.protocol.refuse(request_id, INTERNAL_ERROR, f"{method}: internal error")

    def _is_hook(self, method: str) -> bool:
        return method.startswith(OWN_METHODS) and method in self.desk().hooks

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Errors go to the log, never to a person's screen."""
        if source is FeatureNotificationError:
            log.error("a notification failed: %s", error)


def _nowhere(_data: bytes) -> None:
    """Where messages go before there is a client."""
