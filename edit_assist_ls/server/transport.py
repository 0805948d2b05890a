"""How messages come and go: framing, the reader thread, the loop, and JSON-RPC's own rules.

One thread reads, parses and notes cancellations at once; the loop's thread handles messages in order. Every
request that arrives gets exactly one answer, as long as there is somebody to read it.
"""

import asyncio
import contextlib
import json
import logging
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

from edit_assist_ls.server.errors import (
    CANCELLED,
    INVALID_PARAMS,
    INVALID_REQUEST,
    NOT_INITIALIZED,
    PARSE_ERROR,
)
from edit_assist_ls.server.front import Front

MAX_BODY_BYTES = 64 * 1024 * 1024
MAX_HEADER_BYTES = 8 * 1024
MAX_WAITING = 1_000
READ_BYTES = 256 * 1024

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,15})[ \t]*\r?\n\Z", re.IGNORECASE)
_OWN_HEADER = re.compile(rb"content-(?:length[ \t]*:[ \t]*[0-9]{1,15}|type[ \t]*:[^\r\n]*)[ \t]*\r?\n\Z", re.IGNORECASE)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Channel:
    """Bytes to and from one client. `read(n)` gives 1 to n bytes, b"" at the end; both raise OSError when cut.

    `strict`: the first header that is not LSP's own ends the connection, before anything more is read.
    """

    read: Callable[[int], bytes]
    write: Callable[[bytes], None]
    strict: bool = False


class _Refused(Exception):  # noqa: N818  # the end of a connection, no failure of ours
    """A strict channel's client sent what is no LSP."""


def frames(channel: Channel) -> Iterator[bytes | None]:
    """The bodies that arrive, and None for each header that has no usable length.

    After such a header the next line that ends in a length begins the next message. Ends at the end of the input;
    raises `_Refused` on a strict channel.
    """
    lines = _Buffer(channel.read)
    find_length = _LENGTH.match
    while True:
        size = None
        header_bytes = 0
        while (line := lines.line(MAX_HEADER_BYTES)) not in (b"\r\n", b"\n"):
            if not line:
                return
            header_bytes += len(line)
            if channel.strict and (not is_own_header(line) or header_bytes > MAX_HEADER_BYTES):
                raise _Refused
            if found := find_length(line):
                size = int(found[1])
                find_length = _LENGTH.match
        if size is None or size > MAX_BODY_BYTES:
            if channel.strict:
                raise _Refused
            yield None
            if size is not None and not lines.skip(size):
                return
            find_length = _LENGTH.search if size is None else _LENGTH.match
            continue
        body = lines.take(size)
        if body is None:
            return
        yield body


def is_own_header(line: bytes) -> bool:
    """True for a header line of LSP's own: Content-Length or Content-Type."""
    return _OWN_HEADER.match(line) is not None


class _Buffer:
    """Lines and counted bytes from a read function, without a lock that could outlive the interpreter."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._data = bytearray()

    def line(self, max_bytes: int) -> bytes:
        """The next line with its line feed, or `max_bytes` of it; b"" at the end, also in the middle of a line."""
        at = self._data.find(b"\n")
        while at < 0 and len(self._data) < max_bytes:
            searched = len(self._data)
            if not self._fill():
                return b""
            at = self._data.find(b"\n", searched)
        return self._cut(min(at + 1 if at >= 0 else max_bytes, max_bytes))

    def take(self, size: int) -> bytes | None:
        """The next `size` bytes; None where the input ends before."""
        while len(self._data) < size:
            if not self._fill(size - len(self._data)):
                return None
        return self._cut(size)

    def skip(self, size: int) -> bool:
        """Pass over `size` bytes; False where the input ends before."""
        while size:
            if not self._data and not self._fill():
                return False
            passed = min(size, len(self._data))
            del self._data[:passed]
            size -= passed
        return True

    def _cut(self, size: int) -> bytes:
        out = bytes(self._data[:size])
        del self._data[:size]
        return out

    def _fill(self, wanted: int = 0) -> bool:
        data = self._read(max(READ_BYTES, min(wanted, MAX_BODY_BYTES)))
        self._data += data
        return bool(data)


AtEnd = Callable[[threading.Event, int], None]


def run(front: Front, channel: Channel, at_end: AtEnd | None = None) -> int:
    """Serve one client until it exits or its channel ends. The exit status: 0 after `shutdown`, 1 without.

    `at_end` is called on the reader's thread once nothing more will be read, with an event that is set when the
    loop has ended, and the status.
    """
    return asyncio.run(_Connection(front, channel, at_end).serve())


class _Connection:
    """One client's traffic: `_pump` and what it calls run on the reader's thread, the rest on the loop's."""

    def __init__(self, front: Front, channel: Channel, at_end: AtEnd | None) -> None:
        self._front = front
        self._channel = channel
        self._at_end = at_end
        self._lock = threading.Lock()
        self._waiting: dict[int | str, bool] = {}
        """The requests that are read and not yet handled, by id: whether they have been cancelled."""
        self._room = threading.Semaphore(MAX_WAITING)
        self._ended = threading.Event()

    async def serve(self) -> int:
        """Runs until the end of the traffic; gives the exit status."""
        self._loop = asyncio.get_running_loop()
        self._over = self._loop.create_future()
        self._front.attach(self._write)
        threading.Thread(target=self._pump, name="reader", daemon=True).start()
        try:
            await self._over
        finally:
            self._ended.set()
        return self._status()

    def _status(self) -> int:
        return 0 if self._front.shut_down else 1

    def _finish(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    def _write(self, data: bytes) -> None:
        if self._over.done():
            return
        try:
            self._channel.write(data)
        except OSError:
            self._finish()

    def _pump(self) -> None:
        try:
            for body in frames(self._channel):
                message = _parsed(body)
                self._note(message)
                self._room.acquire()
                self._loop.call_soon_threadsafe(self._receive, message)
                if isinstance(message, dict) and message.get("method") == "exit":
                    break
        except _Refused:
            log.warning("the client speaks something else than LSP; its connection is closed")
        except OSError as error:
            log.info("the client's end was cut: %s", error.strerror)
        except RuntimeError:
            return  # the loop has ended
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._finish)
        if self._at_end is not None:
            self._at_end(self._ended, self._status())

    def _note(self, message: object) -> None:
        """Keep which requests wait, and which of them are cancelled while they do."""
        if not isinstance(message, dict):
            return
        request_id = message.get("id")
        if "method" in message and _is_id(request_id):
            with self._lock:
                self._waiting[request_id] = False
        elif message.get("method") == "$/cancelRequest" and isinstance(message.get("params"), dict):
            cancelled_id = message["params"].get("id")
            with self._lock:
                if _is_id(cancelled_id) and cancelled_id in self._waiting:
                    self._waiting[cancelled_id] = True

    def _receive(self, message: object) -> None:
        self._room.release()
        if self._over.done():
            return
        fault = _fault(message)
        if not isinstance(message, dict) or fault is not None:
            request_id = message.get("id") if isinstance(message, dict) else None
            self._forget(request_id)
            if fault is not None and not (isinstance(message, dict) and _is_response(message)):
                self._front.out.refuse(request_id if _is_id(request_id) else None, *fault)
        elif _is_response(message):
            self._front.handle(message)
        elif "id" in message:
            self._receive_request(message["id"], message)
        else:
            self._receive_notification(message)

    def _receive_request(self, request_id: int | str, message: dict[str, Any]) -> None:
        initializes = message["method"] == "initialize"
        if self._forget(request_id):
            self._front.out.refuse(request_id, CANCELLED, "cancelled before it was begun")
        elif self._front.shut_down:
            self._front.out.refuse(request_id, INVALID_REQUEST, "the server is shutting down")
        elif not self._front.initialized and not initializes:
            self._front.out.refuse(request_id, NOT_INITIALIZED, "the server is not initialized")
        elif self._front.initialized and initializes:
            self._front.out.refuse(request_id, INVALID_REQUEST, "the server is initialized already")
        else:
            self._front.handle(message)

    def _receive_notification(self, message: dict[str, Any]) -> None:
        method = message["method"]
        if method == "exit":
            self._finish()
        elif not self._front.initialized or self._front.shut_down:
            log.info("%s comes out of turn and is not heard", method)
        elif method == "$/cancelRequest":
            params = message.get("params")
            self._front.cancel(params.get("id") if isinstance(params, dict) else None)
        else:
            self._front.handle(message)

    def _forget(self, request_id: object) -> bool:
        """A request waits no longer; True where it was cancelled meanwhile."""
        if not _is_id(request_id):
            return False
        with self._lock:
            return self._waiting.pop(request_id, False)


class Unparsable:
    """Stands for a message that could not be read as JSON."""


def _parsed(body: bytes | None) -> object:
    if body is None:
        return Unparsable()
    try:
        return _decode(body.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return Unparsable()


def _no_constant(name: str) -> float:
    raise ValueError(name)


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


def _fault(message: object) -> tuple[int, str] | None:
    """The code and sentence of what makes a message none of JSON-RPC's; None where it is one."""
    if isinstance(message, Unparsable):
        return PARSE_ERROR, "the message is not JSON in UTF-8, or its header has no usable Content-Length"
    if not isinstance(message, dict):
        return INVALID_REQUEST, "a message must be an object; there are no batches"
    if message.get("jsonrpc") != "2.0":
        return INVALID_REQUEST, 'the field "jsonrpc" must be "2.0"'
    if "id" in message and not _is_id(message["id"]):
        return INVALID_REQUEST, 'the field "id" must be an integer or a string'
    if _is_response(message):
        return None if "id" in message else (INVALID_REQUEST, "a response must have an id")
    if not isinstance(message.get("method"), str):
        return INVALID_REQUEST, 'the field "method" must be a string'
    if "id" in message and not isinstance(message.get("params"), dict | list | None):
        return INVALID_PARAMS, 'the field "params" must be an object or an array'
    return None


def _is_response(message: dict[str, Any]) -> bool:
    return "method" not in message and ("result" in message or "error" in message)


def _is_id(value: object) -> TypeGuard[int | str]:
    return type(value) in (int, str)
