"""What goes out to the client: messages as frames of compact ASCII JSON, answers and errors among them."""

import json
import logging
from collections.abc import Callable
from typing import Any

from edit_assist_ls.server.errors import INTERNAL_ERROR

MAX_ERROR_CHARS = 500

log = logging.getLogger(__name__)


class Outgoing:
    """The way out. `write` is where frames go; `default` makes JSON of values that are none (as `json` takes it)."""

    def __init__(self, default: Callable[[Any], Any] | None = None) -> None:
        self.write: Callable[[bytes], None] = nowhere
        self._encode = json.JSONEncoder(
            separators=(",", ":"), allow_nan=False, check_circular=False, default=default
        ).encode

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


def nowhere(_data: bytes) -> None:
    """Where messages go before there is a client."""
