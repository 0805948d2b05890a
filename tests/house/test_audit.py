"""The audit itself: what it lets pass, what it stops, in this process and in one that runs our code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from edit_assist_ls.cli import main
from tests.house.audit import sitecustomize as write_audit

ACTS = {
    "open-w": "open(path, 'w')",
    "open-append": "open(path, 'ab')",
    "open-update": "open(path, 'r+')",
    "os-open": "import os; os.open(path, os.O_CREAT | os.O_WRONLY)",
    "mkdir": "import os; os.mkdir(path + '.d')",
    "rename": "import os; os.rename(path, path + '.old')",
    "remove": "import os; os.remove(path)",
    "utime": "import os; os.utime(path)",
    "truncate": "import os; os.truncate(path, 0)",
    "link": "import os; os.symlink(path, path + '.ln')",
    "pathlib": "import pathlib; pathlib.Path(path).write_text('x')",
    "database": "import sqlite3; sqlite3.connect(path + '.db')",
    "dir_fd": "import os; os.remove(os.path.basename(path), dir_fd=os.open(os.path.dirname(path), os.O_RDONLY))",
    "thread": "import threading; t = threading.Thread(target=open, args=(path, 'w')); t.start(); t.join()",
}


def start(act: str, path: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    source = f"path = {str(path)!r}\n{act}\nprint('done')  # edit_assist_ls"
    return subprocess.run([sys.executable, "-c", source], env=environment, capture_output=True, check=False)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """That of a server process, with a record of its own: the acts below are meant to be found."""
    record = tmp_path.parent / f"{tmp_path.name}-record"
    record.touch()
    return {**os.environ, write_audit.RECORD: str(record)}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_a_process_that_runs_our_code_ends_at_a_write(act: str, tmp_path: Path, environment: dict[str, str]) -> None:
    file = tmp_path / "file.txt"
    file.write_text("before")
    done = start(act, file, environment)
    assert done.returncode == write_audit.EXIT_STATUS, done
    assert str(tmp_path) in Path(environment[write_audit.RECORD]).read_text()
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]
    assert file.read_text() == "before"


@pytest.mark.parametrize(
    "act", ["open(path)", "import os; os.open(path, os.O_RDONLY | os.O_NONBLOCK)", "import os; os.stat(path)"]
)
def test_reading_is_no_write(act: str, tmp_path: Path, environment: dict[str, str]) -> None:
    file = tmp_path / "file.txt"
    file.write_text("before")
    done = start(act, file, environment)
    assert (done.returncode, done.stdout) == (0, b"done\n"), done


def test_what_a_test_allows_may_be_written(tmp_path: Path, environment: dict[str, str]) -> None:
    environment[write_audit.ALLOWED] = str(tmp_path.resolve())
    assert start("open(path, 'w')", tmp_path / "log", environment).returncode == 0


def test_a_link_out_of_the_allowed_folder_is_followed(tmp_path: Path, environment: dict[str, str]) -> None:
    allowed, workspace = tmp_path / "allowed", tmp_path / "workspace"
    allowed.mkdir()
    workspace.mkdir()
    (allowed / "link").symlink_to(workspace)
    environment[write_audit.ALLOWED] = str(allowed.resolve())
    assert start("open(path, 'w')", allowed / "link" / "file", environment).returncode == write_audit.EXIT_STATUS


def test_the_server_process_of_a_test_is_audited() -> None:
    source = "import sys; sys.exit(sys.modules['sitecustomize'].__file__ != sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", source, str(write_audit.__file__), "edit_assist_ls"], check=False)
    assert done.returncode == 0


def test_our_frames_may_not_write_in_this_process_and_tests_may(tmp_path: Path) -> None:
    (tmp_path / "laid-out").write_text("by the test")
    before = len(write_audit.recorded())
    with pytest.raises(write_audit.WroteInWorkspaceError):
        main(["serve", "--log-file", str(tmp_path / "written")])
    assert not (tmp_path / "written").exists()
    record = Path(os.environ[write_audit.RECORD])
    assert str(tmp_path / "written") in write_audit.recorded()[before]
    record.write_text("".join(line + "\n" for line in write_audit.recorded()[:before]))  # this one was meant


def test_byte_code_is_no_file_of_the_workspace(tmp_path: Path) -> None:
    folder = str(tmp_path.resolve())
    assert write_audit.in_workspace(f"{folder}/module.pyc")
    assert not write_audit.in_workspace(f"{folder}/__pycache__/module.pyc")
