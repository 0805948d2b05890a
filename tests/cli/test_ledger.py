"""The command `edit-assist-ls ledger`, as a program, on ledgers of its own."""

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from edit_assist_ls.ledger import CallRecord, EditRecord, Ledger, PlaceRecord, store

COMMAND = [sys.executable, "-P", "-m", "edit_assist_ls", "ledger"]
Play = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def state(tmp_path: Path, may_write: Callable[[Path], None]) -> Path:
    may_write(tmp_path)
    return tmp_path / "state" / "edit-assist-ls"


@pytest.fixture
def play(state: Path) -> Play:
    def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "XDG_STATE_HOME": str(state.parent), **environ}
        return subprocess.run(
            [*COMMAND, *arguments], capture_output=True, text=True, encoding="utf-8", check=False, env=environ
        )

    return run


@pytest.fixture
def kept(state: Path) -> Iterator[Ledger]:
    """A ledger with three calls, open."""
    ledger = Ledger.open(state)
    edit = EditRecord("failed", "no-match", "region", "told", 3, 3, (PlaceRecord(3, 3, "x"),), "old", "new")
    now = time.time_ns() // 1_000_000
    first = CallRecord("a", "pi", "pi:s", "c1", now - 40 * 86_400_000, real_path="/w/old.py", edits=(edit,))
    ledger.add(replace(first, summary="forty days old"))
    ledger.add(
        replace(first, id="b", at_ms=now - 1_000, real_path="/w/sub/b.py", summary="b \x1b[2J\n\u202e" + "x" * 200)
    )
    ledger.add(replace(first, id="c", at_ms=now, real_path="/w2/\udcff\n.py", summary="lone \ud800"))
    assert ledger.flush(10)
    yield ledger
    ledger.close()


def test_where_it_lies_is_said_though_there_is_none(state: Path, play: Play) -> None:
    done = play("path")
    assert (done.returncode, done.stdout) == (0, f"{state / store.FILE_NAME}\n")
    assert not state.exists()


@pytest.mark.parametrize("arguments", [[], ["show"], ["prune"], ["delete"]])
def test_without_a_ledger_it_says_so_and_makes_none(state: Path, play: Play, arguments: list[str]) -> None:
    done = play(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert str(state) in done.stderr and done.stderr.count("\n") == 1
    assert not state.exists()


@pytest.mark.usefixtures("kept")
def test_calls_are_shown_newest_first_as_text_alone(play: Play) -> None:
    done = play()
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout == play("show").stdout
    heads = done.stdout.splitlines()[::2]
    assert [head.split()[2:5] for head in heads] == [
        ["failed", "pi", "/w2/\\udcff\\n.py:3"],
        ["failed", "pi", "/w/sub/b.py:3"],
        ["failed", "pi", "/w/old.py:3"],
    ]
    assert "\x1b" not in done.stdout and "\u202e" not in done.stdout and "lone \\ud800" in done.stdout
    assert max(map(len, done.stdout.splitlines()[1::2])) <= 104
    assert len(play("--limit", "1").stdout.splitlines()) == 2


@pytest.mark.usefixtures("kept")
def test_a_terminal_that_can_do_less_is_no_error(play: Play) -> None:
    done = play(PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert done.returncode == 0 and done.stderr == ""


@pytest.mark.usefixtures("kept")
def test_json_has_every_record_whole(play: Play) -> None:
    done = play("show", "--json")
    calls = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(call["id"], call["state"]) for call in calls] == [("c", "failed"), ("b", "failed"), ("a", "failed")]
    assert calls[0]["real_path"] == "/w2/\udcff\n.py" and calls[0]["edits"][0]["old_text"] == "old"
    assert done.stdout.isascii()


@pytest.mark.usefixtures("kept")
def test_a_path_is_a_file_or_a_folder_and_no_prefix(play: Play) -> None:
    assert [json.loads(line)["id"] for line in play("--json", "--path", "/w").stdout.splitlines()] == ["b", "a"]
    assert [json.loads(line)["id"] for line in play("--json", "--path", "/w/old.py").stdout.splitlines()] == ["a"]
    none = play("show", "--path", "/w/su")
    assert (none.returncode, none.stdout) == (0, "No call is kept of /w/su.\n")


def test_pruning_takes_the_old_and_then_as_much_as_is_asked(kept: Ledger, play: Play) -> None:
    done = play("prune")
    assert done.returncode == 0 and done.stdout.startswith("1 call deleted; ")
    assert [call.id for call in kept.calls(folders=None)] == ["c", "b"]
    assert play("prune", "--days", "0").stdout.startswith("2 calls deleted; ")
    assert kept.calls(folders=None) == []


def test_pruning_leaves_sessions_that_are_there(kept: Ledger, play: Play, state: Path) -> None:
    kept.begin_session("pi:live", os.getpid())
    kept.begin_session("pi:over", os.getpid())
    kept.end_session("pi:over")
    assert kept.flush(5)
    assert play("prune", "--days", "0").returncode == 0
    with closing(store.connect(state, 2.0)) as connection:
        assert connection.execute("SELECT session_key FROM sessions").fetchall() == [("pi:live",)]


def test_deleting_leaves_nothing_of_it_and_servers_go_on(kept: Ledger, play: Play, state: Path) -> None:
    (state / store.DIFFERENCES).mkdir()
    (state / store.DIFFERENCES / "a.diff").write_text("x")
    (state / f"ledger-{store.MAJOR}.damaged-1.sqlite3").write_text("x")
    done = play("delete")
    assert done.returncode == 0
    assert all(
        not Path(line.removeprefix("deleted ")).exists() or store.FILE_NAME in line for line in done.stdout.splitlines()
    )
    assert f"deleted {state / store.FILE_NAME}\n" in done.stdout
    assert not (state / store.DIFFERENCES).exists() and not store.damaged_files(state)
    kept.add(CallRecord("d", "pi", "pi:s", "c4", 1_800_000_000_000, real_path="/w/d.py"))
    assert kept.flush(10)
    assert [call.id for call in kept.calls(folders=None)] == ["d"]
    assert stat.S_IMODE((state / store.FILE_NAME).stat().st_mode) == 0o600


def test_a_file_that_is_no_ledger_is_said_to_be_none_and_left(state: Path, play: Play) -> None:
    state.mkdir(parents=True)
    (state / store.FILE_NAME).write_bytes(b"no database, but long enough to be read as one" * 40)
    for arguments in (["show"], ["prune"]):
        done = play(*arguments)
        assert (done.returncode, done.stdout) == (2, "") and "cannot be" in done.stderr
    assert (state / store.FILE_NAME).read_bytes().startswith(b"no database")
    (state / store.FILE_NAME).unlink()
    (state / store.FILE_NAME).symlink_to(state / "elsewhere")
    done = play("show")
    assert done.returncode in (1, 2) and not (state / "elsewhere").exists()


@pytest.mark.parametrize(
    "arguments", [["--limit", "0"], ["--limit", "x"], ["prune", "--days", "-1"], ["prune", "--mb", "nan"], ["burn"]]
)
def test_a_wrong_command_line_ends_with_2(play: Play, arguments: list[str]) -> None:
    done = play(*arguments)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("usage: ")
