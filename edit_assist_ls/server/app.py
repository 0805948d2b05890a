"""The server as a process: one client, on standard input and output or on a loopback socket.

Imports are most of a start, so what is not needed to begin with is imported when it is.
"""

import gc
import logging
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from edit_assist_ls.server.front import Front
    from edit_assist_ls.server.hooks import Desk
    from edit_assist_ls.server.server import Own, Server
    from edit_assist_ls.server.transport import Channel

LOOPBACK = "127.0.0.1"
GREETING_SECONDS = 10.0
LAST_WORK_SECONDS = 0.8
SWITCH_SECONDS = 0.000_5
"""After how long a thread lets another go on: the ledger's must not hold up a call."""

log = logging.getLogger(__name__)


def build() -> "Front":
    """What a client meets, with every feature behind it; it has no client yet."""
    with _collecting_nothing():
        from edit_assist_ls.server.front import Front

        return Front(_open_desk, _build_server)


def _build_server(front: "Front") -> "Server":
    with _collecting_nothing():
        from edit_assist_ls.server.features import (
            code_action,
            configuration,
            documents,
            execute_command,
            initialize,
            workspace,
        )
        from edit_assist_ls.server.server import Server

        server = Server(front.settings, front.ledger, _open_own)
        for feature in (initialize, configuration, documents, workspace, code_action, execute_command):
            feature.register(server)
        return server


def _open_own() -> "Own":
    with _collecting_nothing():
        from edit_assist_ls.server.features import calls, preview

        return {own.method: own.answer for own in (calls.OWN, preview.OWN)}


def _open_desk(front: "Front") -> "Desk":
    with _collecting_nothing():
        from edit_assist_ls.server import desk
        from edit_assist_ls.session import Memory

        return desk.opened(Memory(front.settings, front.ledger, front.process_id, buffers=front.unsaved))


@contextmanager
def _collecting_nothing() -> Iterator[None]:
    """Of the thousands of objects that imports make none is garbage, now or later: they are not looked at."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collects:
            gc.enable()


def serve_stdio() -> int:
    """Serve the client on standard input and output; the exit status: 0 after `shutdown`, 1 without.

    Whatever else is printed goes to standard error. Ends within a second of the input's end or of SIGTERM.
    """
    channel = _stdio()
    return _run(build(), channel)


def serve_tcp(port: int) -> int:
    """Serve the first client that speaks LSP on 127.0.0.1:`port`, and no other; the exit status as over stdio.

    A connection that begins with anything but a header of LSP's own is closed before anything more is read.
    """
    try:
        listener = socket.create_server((LOOPBACK, port), backlog=1)
    except (OSError, OverflowError) as error:
        log.error("cannot listen on %s:%s: %s", LOOPBACK, port, error)
        return 2
    with listener:
        front = build()
        _end_on_sigterm(front)
        log.info("listening on %s:%s", LOOPBACK, listener.getsockname()[1])
        connection, greeting = _first_client(listener)
    with connection:
        return _run(front, _tcp(connection, greeting))


def _run(front: "Front", channel: "Channel") -> int:
    with _collecting_nothing():
        from edit_assist_ls.server import transport

    _end_on_sigterm(front)
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        return transport.run(front, channel, _end_soon)
    finally:
        front.close()


def _end_soon(ended: threading.Event, status: int) -> None:
    """Nothing more will be read: the work that is under way has a moment, then the process ends."""
    if not ended.wait(LAST_WORK_SECONDS):
        logging.shutdown()
        os._exit(status)


def _end_on_sigterm(front: "Front") -> None:
    def end(_signal: int, _frame: FrameType | None) -> None:
        front.close()
        logging.shutdown()
        os._exit(0 if front.shut_down else 1)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, end)


def _stdio() -> "Channel":
    """The wire on descriptors of its own: what prints to 1, or reads from 0, meets neither client nor wire."""
    from edit_assist_ls.server.transport import Channel

    if sys.stdin is None or sys.stdout is None:  # closed by whoever started us: there is no client
        return Channel(read=lambda _size: b"", write=lambda _data: None)
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing if sys.stderr is None else 2, 1)
    os.close(nothing)
    sys.stdout = sys.stderr

    def read(size: int) -> bytes:
        while True:
            try:
                return os.read(source, size)
            except BlockingIOError:
                select.select([source], [], [])

    def write(data: bytes) -> None:
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(sink, left) :]
            except BlockingIOError:
                select.select([], [sink], [])

    return Channel(read, write)


def _first_client(listener: socket.socket) -> tuple[socket.socket, bytes]:
    """The first connection that begins with a header of LSP's own, and the bytes that it began with."""
    while True:
        connection, _ = listener.accept()
        greeting = _greeting(connection)
        if greeting:
            return connection, greeting
        connection.close()


def _greeting(connection: socket.socket) -> bytes:
    """What a client of LSP begins with, up to its first line at least; b"" for any other client."""
    from edit_assist_ls.server.transport import MAX_HEADER_BYTES, is_own_header

    connection.settimeout(GREETING_SECONDS)
    data = b""
    try:
        while b"\n" not in data:
            part = connection.recv(MAX_HEADER_BYTES)
            data += part
            if not part or len(data) > MAX_HEADER_BYTES:
                return b""
    except OSError:
        return b""
    if not is_own_header(data[: data.index(b"\n") + 1]):
        log.warning("a client that does not speak LSP was turned away")
        return b""
    connection.settimeout(None)
    return data


def _tcp(connection: socket.socket, greeting: bytes) -> "Channel":
    from edit_assist_ls.server.transport import Channel

    begun = [greeting]
    return Channel(
        read=lambda size: begun.pop() if begun else connection.recv(size), write=connection.sendall, strict=True
    )
