"""The command as a program: its options, its exit statuses, and what it imports for what."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from edit_assist_ls import __version__
from edit_assist_ls.cli import INTERRUPTED, main
from edit_assist_ls.cli_client import Client, ServerError

COMMAND = [sys.executable, "-P", "-m", "edit_assist_ls"]


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, check=False)


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"edit-assist-ls {__version__}\n".encode(), b"")


def test_help_names_every_command_and_fits_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = run("--help")
    assert done.returncode == 0
    text = done.stdout.decode()
    for word in ("check", "demo", "serve", "--stdio", "--tcp PORT", "--log-file", "--log-level", "--version"):
        assert word in text
    assert "clientProcessId" not in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    "arguments",
    [
        ["--tcp", "70000"],
        ["--tcp", "-1"],
        ["--tcp", "x"],
        ["--stdio", "--tcp", "7000"],
        ["--log-level", "loud"],
        ["--nonsense"],
        ["nonsense"],
        ["check"],
        ["check", "a", "b", "--correction", "on"],
        ["--log", "x"],
    ],
)
def test_a_wrong_command_line_ends_with_2_and_the_usage(arguments: Sequence[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"usage: edit-assist-ls")


LOADED = """
import sys
from edit_assist_ls.cli import main
try:
    status = main(sys.argv[1:])
except SystemExit as end:
    status = end.code
print(*sorted(sys.modules), file=sys.stderr)
sys.exit(status)
"""


def loaded(*arguments: str, stdin: bytes = b"") -> set[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOADED, *arguments], input=stdin, capture_output=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stderr.decode().split())


def test_check_loads_no_server(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x\n")
    modules = loaded("check", str(tmp_path / "a.py"), "-", stdin=b'{"edits": [{"oldText": "y", "newText": "z"}]}')
    assert "edit_assist_ls.engine.diagnosis" in modules
    assert not {
        name for name in modules if name.split(".")[0] in ("pygls", "lsprotocol", "cattrs", "asyncio", "msgspec")
    }
    assert not {name for name in modules if name.startswith("edit_assist_ls.server")}


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_loads_nothing_of_ours_but_the_command_line(option: str) -> None:
    ours = {name for name in loaded(option) if name.startswith("edit_assist_ls")}
    assert ours == {"edit_assist_ls", "edit_assist_ls.cli", "edit_assist_ls.cli_health", "edit_assist_ls.cli_ledger"}


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x\n")
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [*COMMAND, "check", str(tmp_path / "a.py"), "-"],
        input=b'{"edits": [{"oldText": "x", "newText": "z"}]}',
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (141, b"")


class Interrupted:
    """A standard input at which the person presses Ctrl-C."""

    @property
    def buffer(self) -> "Interrupted":
        return self

    def read(self, _size: int) -> bytes:
        raise KeyboardInterrupt


def test_ctrl_c_ends_quietly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text("x\n")
    monkeypatch.setattr("sys.stdin", Interrupted())
    assert main(["check", str(tmp_path / "a.py"), "-"]) == INTERRUPTED == 130
    assert capsys.readouterr() == ("", "")


def frame(message: dict[str, object]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


START: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
MESSAGES: tuple[dict[str, object], ...] = (
    {"id": 1, "method": "initialize", "params": START},
    {"method": "initialized", "params": {}},
    {"id": 2, "method": "shutdown"},
    {"method": "exit"},
)
SESSION = b"".join(map(frame, MESSAGES))


@pytest.mark.parametrize(
    "arguments",
    [[], ["--stdio"], ["serve"], ["serve", "--stdio"], ["--stdio", "--clientProcessId=1"], ["--log-level", "DEBUG"]],
)
def test_the_server_is_served(arguments: Sequence[str]) -> None:
    done = run(*arguments, stdin=SESSION)
    assert done.returncode == 0
    assert b'"name":"edit-assist-ls"' in done.stdout.replace(b" ", b"")


def test_ctrl_c_ends_the_server_quietly() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin and process.stdout
    process.stdin.write(frame(MESSAGES[0]))
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"Content-Length")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, err) == (INTERRUPTED, b"")


def test_the_log_goes_to_its_file_and_holds_no_text_of_a_call(
    tmp_path: Path, may_write: Callable[[Path], None]
) -> None:
    logs, work = tmp_path / "logs", tmp_path / "work"
    logs.mkdir()
    work.mkdir()
    may_write(logs)
    (work / "a.py").write_text("the_secret = 1\n")
    call = {
        "toolCallId": "c",
        "toolName": "edit",
        "cwd": str(work),
        "input": {"path": "a.py", "edits": [{"oldText": "the_hidden = 1", "newText": "the_private = 2"}]},
    }
    command = [*COMMAND, "--log-file", str(logs / "log.txt"), "--log-level", "debug"]
    with Client(command, work) as client:
        client.ask("editAssist/toolCall", call)
        with pytest.raises(ServerError):
            client.ask("editAssist/toolCall", {**call, "cwd": None})
    log = (logs / "log.txt").read_text()
    assert not [word for word in ("the_secret", "the_hidden", "the_private") if word in log]


def test_a_log_that_cannot_be_written_is_said(tmp_path: Path, may_write: Callable[[Path], None]) -> None:
    may_write(tmp_path)
    done = run("--log-file", str(tmp_path / "missing" / "log.txt"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"edit-assist-ls: cannot write the log to ") and done.stderr.count(b"\n") == 1


def test_a_server_that_ends_is_an_error_of_the_client(tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="ended with status 3"):
        Client([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)
