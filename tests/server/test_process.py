"""The server as a process: the wire stays clean, and it ends when it is to, with the right status."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edit_assist_ls.server.app import serve_tcp
from tests.server.client import Client, frame, initialize, notification, request

COMMAND = [sys.executable, "-P", "-m", "edit_assist_ls"]
HOOK = "editAssist/sessionShutdown"
Start = Callable[..., "Process"]


class Process(Client):
    """A server of its own on standard input and output."""

    def __init__(self, *arguments: str, program: str | None = None) -> None:
        command = [sys.executable, "-P", "-c", program] if program else [*COMMAND, *arguments]
        self.popen = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        stdin, stdout = self.popen.stdin, self.popen.stdout
        assert stdin and stdout
        self.stdin, self.stdout = stdin, os.fdopen(os.dup(stdout.fileno()), "rb")
        super().__init__(stdin.write, self.stdout.readline, self.stdout.read)

    def end(self) -> tuple[int, bytes, bytes]:
        """Exit status, what was left to read, what was logged; the input is left as it is."""
        left = self.stdout.read()
        assert self.popen.stderr
        log = self.popen.stderr.read()
        return self.popen.wait(20), left, log


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[Process] = []

    def one(*arguments: str, program: str | None = None) -> Process:
        started.append(Process(*arguments, program=program))
        return started[-1]

    yield one
    for process in started:
        process.popen.kill()
        process.popen.wait()
        process.stdout.close()
        for stream in (process.popen.stdin, process.popen.stdout, process.popen.stderr):
            if stream:
                stream.close()


def test_shutdown_and_exit_end_it_with_0_and_nothing_said(start: Start) -> None:
    server = start("--stdio")
    server.start()
    assert server.ask(HOOK, {}) == {}
    assert server.ask("shutdown") is None
    server.send(notification("exit"))
    assert server.end() == (0, b"", b"")


def test_the_end_of_the_input_ends_it_with_1(start: Start) -> None:
    server = start()
    server.start()
    server.ask(HOOK, {})
    server.stdin.close()
    assert server.end() == (1, b"", b"")


def test_exit_without_shutdown_is_1(start: Start) -> None:
    server = start()
    server.start()
    server.send(notification("exit"))
    assert server.end()[0] == 1


@pytest.mark.parametrize(("asked_before", "status"), [(HOOK, 1), ("shutdown", 0)])
def test_sigterm_ends_it(start: Start, asked_before: str, status: int) -> None:
    server = start()
    server.start()
    server.ask(asked_before, {})
    server.popen.send_signal(signal.SIGTERM)
    assert server.end() == (status, b"", b"")


def test_a_reader_that_goes_away_ends_it_quietly(start: Start) -> None:
    server = start()
    server.start()
    server.ask(HOOK, {})
    assert server.popen.stdout
    server.popen.stdout.close()
    server.stdout.close()
    server.send(request(1, HOOK, {}))
    assert server.popen.stderr
    assert server.popen.stderr.read() == b""
    assert server.popen.wait(20) == 1


STUCK = """
import sys
from edit_assist_ls.server import app
from edit_assist_ls.session import Memory
from edit_assist_ls.server.hooks import Desk, Hook
from edit_assist_ls.server import server
from edit_assist_ls.server.wire import Empty, SessionShutdownParams

def handle(memory, params):
    print("a stray print")
    import os, subprocess
    os.write(1, b"a stray write\\n")
    subprocess.run([sys.executable, "-c", "print('a stray child', input.__name__, __import__('sys').stdin.read())"])
    if params.host == "for ever":
        while True:
            pass
    return Empty()

hook = Hook("editAssist/sessionShutdown", SessionShutdownParams, handle, Empty())
app._open_desk = lambda front: Desk(Memory(front.settings), {hook.method: hook})
sys.exit(app.serve_stdio())
"""


def test_what_is_printed_goes_to_standard_error(start: Start) -> None:
    server = start(program=STUCK)
    server.start()
    assert server.ask(HOOK, {}) == {}
    assert server.ask("shutdown") is None
    server.send(notification("exit"))
    status, left, log = server.end()
    assert (status, left) == (0, b"")
    assert {b"a stray print", b"a stray write"} <= set(log.splitlines())
    assert b"a stray child input \n" in log, "a child finds no message to eat"


@pytest.mark.parametrize("how", ["end of input", "SIGTERM"])
def test_it_ends_even_while_a_request_never_does(start: Start, how: str) -> None:
    server = start(program=STUCK)
    server.start()
    server.send(request(1, HOOK, {"host": "for ever"}))
    assert server.popen.stderr
    assert server.popen.stderr.readline()
    if how == "SIGTERM":
        server.popen.send_signal(signal.SIGTERM)
    else:
        server.stdin.close()
    assert server.popen.wait(20) == 1


@pytest.mark.parametrize("closed", ["<&-", ">&- </dev/null", "2>&- </dev/null", "<&- >&- 2>&-"])
def test_with_a_standard_stream_closed_it_ends_with_1(closed: str) -> None:
    program = "import sys; from edit_assist_ls.server.app import serve_stdio; sys.exit(serve_stdio())"
    command = ["/bin/sh", "-c", f'"$@" {closed}', "sh", sys.executable, "-P", "-c", program]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_messages_in_a_file(tmp_path: Path) -> None:
    messages = [
        request(1, "initialize", initialize()),
        request(2, "shutdown"),
        notification("exit"),
    ]
    (tmp_path / "in").write_bytes(b"".join(map(frame, messages)))
    with (tmp_path / "in").open("rb") as stdin:
        done = subprocess.run(COMMAND, stdin=stdin, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b'{"jsonrpc":"2.0","id":2,"result":null}')


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        number: int = probe.getsockname()[1]
        return number


class Tcp(Client):
    """A client on a socket."""

    def __init__(self, port: int) -> None:
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
                break
            except ConnectionRefusedError:
                continue
        self.stream = self.socket.makefile("rb")
        super().__init__(self.socket.sendall, self.stream.readline, self.stream.read)

    def close(self) -> None:
        self.stream.close()
        self.socket.close()

    def at_end(self) -> bool:
        """True once the server has closed the connection, and said nothing more."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True


def test_tcp_serves_one_client_by_the_same_rules(start: Start, port: int) -> None:
    server = start("--tcp", str(port))
    client = Tcp(port)
    client.start()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=20)
    assert client.ask(HOOK, {}) == {}
    assert client.error("no/such")["code"] == -32601
    assert client.ask("shutdown") is None
    client.send(notification("exit"))
    assert client.at_end()
    client.close()
    assert server.popen.wait(20) == 0


@pytest.mark.parametrize(
    "data",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"Host: x\r\nContent-Length: 5\r\n\r\n",
        b"content-length: x\r\n\r\n",
        b"\r\n",
        b"x" * 10_000,
    ],
)
def test_tcp_turns_away_whoever_speaks_something_else_and_waits_for_a_client(
    start: Start, port: int, data: bytes
) -> None:
    server = start("--tcp", str(port))
    stranger = Tcp(port)
    stranger.write(data)
    assert stranger.at_end()
    stranger.close()
    client = Tcp(port)
    client.start()
    client.close()
    assert server.popen.wait(20) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: 40\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"Content-Type: text/plain\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
        b"Content-Type: text/plain\r\n" * 1_000,
    ],
)
def test_tcp_closes_on_a_foreign_header_at_any_time(start: Start, port: int, data: bytes) -> None:
    server = start("--tcp", str(port))
    client = Tcp(port)
    client.start()
    assert client.ask(HOOK, {}) == {}
    client.write(data)
    assert client.at_end()
    client.close()
    assert server.popen.wait(20) == 1


def test_tcp_ends_on_sigterm_while_it_waits(start: Start, port: int) -> None:
    server = start("--tcp", str(port))
    probe = Tcp(port)
    server.popen.send_signal(signal.SIGTERM)
    assert server.popen.wait(20) in (1, -signal.SIGTERM)
    probe.close()


def test_a_port_that_is_taken_is_told(port: int, caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", port)):
        assert serve_tcp(port) == 2
    assert f"cannot listen on 127.0.0.1:{port}" in caplog.text
    assert serve_tcp(70_000) == 2
