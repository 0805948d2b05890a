"""LSP proper, on pygls, with its private parts kept to this module. `editAssist/` hooks do not pass through it: their
params are arbitrary JSON, which its typed messages would change.
"""

import logging
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, cast

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
from edit_assist_ls.server.board import Board
from edit_assist_ls.server.capabilities import Client
from edit_assist_ls.server.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REQUEST_FAILED,
    InvalidParamsError,
    RequestFailedError,
)
from edit_assist_ls.server.greeting import DIFFERENCE, EXPERIMENTAL
from edit_assist_ls.server.outgoing import Outgoing
from edit_assist_ls.server.unsaved import Unsaved
from edit_assist_ls.settings import Store

if TYPE_CHECKING:
    from concurrent.futures import Future

    from edit_assist_ls.ledger import Ledger
    from edit_assist_ls.server.positions import Encoding

Own = dict[str, "Callable[[Server, object], Any]"]

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

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Documents are kept in our own store; pygls' would split lines elsewhere than clients do."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """As for `didOpen`."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """As for `didOpen`."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

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

    def _send_handler_result(self, future: "Future[Any]", *, msg_id: Any) -> None:
        failure = None if future.cancelled() else future.exception()
        if isinstance(failure, RequestFailedError):
            self._request_futures.pop(msg_id, None)
            self.out.refuse(msg_id, REQUEST_FAILED, str(failure))
        else:
            super()._send_handler_result(future, msg_id=msg_id)

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
    """One pygls server: what its client can do, and the settings that it may change.

    `open_own` gives what answers each request of ours that is no hook, when one is first asked.
    """

    protocol: Protocol

    def __init__(self, settings: Store, open_ledger: "Callable[[], Ledger]", open_own: "Callable[[], Own]") -> None:
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
        self.difference_command = DIFFERENCE
        self._open_own = open_own
        self._own: Own = {}
        self._open_ledger = open_ledger
        self._board: Board | None = None
        self._unsaved: Unsaved | None = None

    def board(self) -> Board:
        """What the client is shown; made when it is first asked for."""
        if self._board is None:
            encoding = cast("Encoding", self.protocol.workspace.position_encoding)
            self._board = Board(
                self._ledger_shown, self.client, encoding, self.protocol.notify, self.protocol.send_request
            )
        return self._board

    @property
    def unsaved(self) -> Unsaved:
        """What other processes are told of the client's unsaved buffers."""
        if self._unsaved is None:
            self._unsaved = Unsaved(self._ledger_shown, self.board().documents)
        return self._unsaved

    def _ledger_shown(self) -> "Ledger | None":
        """The ledger, where the client's settings let it be looked at."""
        settings, _ = self.settings.resolve((), "")
        return self._open_ledger() if settings.enabled and settings.ledger != "off" else None

    def answer(self, method: str, params: object) -> Any:
        """The JSON result of a request of ours; raises `InvalidParamsError` and `RequestFailedError`."""
        if not self._own:
            self._own = self._open_own()
        return self._own[method](self, params)

    def to_json(self, value: Any) -> Any:
        """An LSP value as JSON has it."""
        return self.protocol._converter.unstructure(value)

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
