"""A client that speaks raw frames: to a server in this process over pipes, or to one of its own over any wire."""

import json
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from edit_assist_ls.server import app, transport
from edit_assist_ls.server.front import Front
from edit_assist_ls.server.transport import Channel


def frame(message: object) -> bytes:
    """A message as it travels."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def request(request_id: int | str, method: str, params: object = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def notification(method: str, params: object = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def initialize(**params: Any) -> dict[str, Any]:
    """The params of `initialize` from a client that can do nothing, but for what `params` says."""
    return {"processId": None, "rootUri": None, "capabilities": {}, **params}


@dataclass
class Client:
    """Sends and reads messages; what the server asks or tells meanwhile is kept in `heard`."""

    write: Callable[[bytes], Any]
    read_line: Callable[[], bytes]
    read_bytes: Callable[[int], bytes]
    heard: list[dict[str, Any]] = field(default_factory=list)
    last_id: int = 0

    def send(self, *messages: object) -> None:
        self.write(b"".join(map(frame, messages)))

    def receive(self) -> dict[str, Any]:
        """The next message from the server; EOFError where there is none."""
        size = None
        while (line := self.read_line()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            assert name in (b"Content-Length", b"Content-Type"), f"not LSP: {line!r}"
            if name == b"Content-Length":
                size = int(value)
        if size is None:
            raise EOFError
        message = json.loads(self.read_bytes(size))
        assert isinstance(message, dict)
        return message

    def answer(self) -> dict[str, Any]:
        """The next answer to a request of ours."""
        while "method" in (message := self.receive()):
            self.heard.append(message)
        return message

    def ask(self, method: str, params: object = None) -> Any:
        """The result of a request; an error is an AssertionError."""
        self.last_id += 1
        self.send(request(self.last_id, method, params))
        answer = self.answer()
        assert answer["id"] == self.last_id and "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, params: object = None) -> dict[str, Any]:
        """The error of a request that must fail."""
        self.last_id += 1
        self.send(request(self.last_id, method, params))
        answer = self.answer()
        assert answer["id"] == self.last_id and "result" not in answer, answer
        assert answer["error"].keys() == {"code", "message"}
        error: dict[str, Any] = answer["error"]
        return error

    def start(self, **params: Any) -> Any:
        """Initialize; gives the server's answer."""
        result = self.ask("initialize", initialize(**params))
        self.send(notification("initialized", {}))
        return result


class InProcess(Client):
    """A server on a thread of this process, at the other end of two pipes."""

    def __init__(self, server: Front | None = None) -> None:
        self.server = server or app.build()
        their_in, self._out = os.pipe()
        our_in, their_out = os.pipe()
        self._in = os.fdopen(our_in, "rb")
        self._ends = (their_in, their_out)
        super().__init__(self._write_all, self._in.readline, self._in.read)
        self.status: int | None = None
        self.closed = False
        channel = Channel(lambda size: os.read(their_in, size), lambda data: self._their_write(their_out, data))
        self._thread = threading.Thread(target=self._run, args=(channel,), daemon=True)
        self._thread.start()

    def _run(self, channel: Channel) -> None:
        self.status = transport.run(self.server, channel)
        os.close(self._ends[1])

    @staticmethod
    def _their_write(descriptor: int, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]

    def _write_all(self, data: bytes) -> None:
        self._their_write(self._out, data)

    def close_input(self) -> None:
        """No more messages come."""
        if not self.closed:
            os.close(self._out)
            self.closed = True

    def rest(self) -> bytes:
        """Everything that the server still says, up to its end."""
        return self._in.read()

    def end(self) -> int | None:
        """The exit status, once the server has ended."""
        self.close_input()
        self._thread.join(20)
        assert not self._thread.is_alive(), "the server does not end"
        return self.status
