"""How a file is written under the profile `strict`: by the extension's own module, on a real file system."""

import json
import os
import resource
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.pi.installed import Installed
from tests.pi.lab import CLIENT

DRIVER = Path(__file__).with_name("writing_driver.mjs")
SOMEBODY = 65_534
ROOM = 64 * 1024
BEFORE = b"one\r\n\xef\xbb\xbftwo"

Write = Callable[..., dict[str, str]]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may enter (pytest's own are for their owner alone)."""
    with tempfile.TemporaryDirectory(prefix="edit-assist-writing-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def write(pi: Installed) -> Write:
    """Writes a file's next content, as somebody else than root, with little room, or plainly."""

    def written(file: Path, content: bytes, *, restricted: bool = False, little_room: bool = False) -> dict[str, str]:
        uid = str(SOMEBODY) if restricted and os.geteuid() == 0 else ""
        done = subprocess.run(
            [pi.node, DRIVER, CLIENT / "src", uid, file],
            input=content,
            capture_output=True,
            check=True,
            preexec_fn=_little_room if little_room else None,  # no threads are started by this test
        )
        answer: dict[str, str] = json.loads(done.stdout)
        return answer

    return written


def _little_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, ROOM))


def made(file: Path, content: bytes = BEFORE, mode: int = 0o644) -> Path:
    file.write_bytes(content)
    if os.geteuid() == 0:
        os.chown(file, 0, 0)
    file.chmod(mode)
    return file


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_another_file_takes_its_place_with_its_mode(folder: Path, write: Write) -> None:
    file = made(folder / "go.sh", mode=0o754)
    inode = file.stat().st_ino
    assert write(file, b"next\0") == {}
    assert file.read_bytes() == b"next\0"
    assert stat.S_IMODE(file.stat().st_mode) == 0o754
    assert file.stat().st_ino != inode
    assert names(folder) == ["go.sh"]


def test_links_to_it_stay_links(folder: Path, write: Write) -> None:
    file = made(folder / "file.txt")
    (folder / "near").mkdir()
    (folder / "near" / "one").symlink_to("../two")
    (folder / "two").symlink_to(file)
    assert write(folder / "near" / "one", b"next") == {}
    assert file.read_bytes() == b"next"
    assert (folder / "near" / "one").is_symlink() and (folder / "two").is_symlink()
    assert names(folder / "near") == ["one"]


@pytest.mark.parametrize("content", [b"", b"short", BEFORE * 99])
def test_a_file_with_other_links_is_written_in_place(folder: Path, write: Write, content: bytes) -> None:
    file = made(folder / "file.txt")
    os.link(file, folder / "other.txt")
    inode = file.stat().st_ino
    assert write(file, content) == {}
    assert file.stat().st_ino == inode and (folder / "other.txt").read_bytes() == content


@pytest.mark.skipif(os.geteuid() != 0, reason="a file of somebody else can be made by root alone")
def test_a_file_of_another_owner_is_written_in_place(folder: Path, write: Write) -> None:
    file = made(folder / "file.txt", mode=0o666)
    os.chown(file, SOMEBODY, SOMEBODY)
    inode = file.stat().st_ino
    assert write(file, b"next") == {}
    assert (file.stat().st_ino, file.stat().st_uid, file.read_bytes()) == (inode, SOMEBODY, b"next")


def test_where_no_file_may_be_made_beside_it_it_is_written_in_place(folder: Path, write: Write) -> None:
    file = made(folder / "file.txt", mode=0o666)
    if os.geteuid() == 0:
        os.chown(file, SOMEBODY, SOMEBODY)
    folder.chmod(0o555)
    inode = file.stat().st_ino
    assert write(file, b"next", restricted=True) == {}
    folder.chmod(0o755)
    assert (file.stat().st_ino, file.read_bytes()) == (inode, b"next")


def test_a_file_that_may_not_be_written_is_not_replaced_either(folder: Path, write: Write) -> None:
    file = made(folder / "file.txt", mode=0o444)
    if os.geteuid() == 0:
        os.chown(file, SOMEBODY, SOMEBODY)
    folder.chmod(0o777)
    answer = write(file, b"next", restricted=True)
    assert "EACCES" in answer["message"] and file.read_bytes() == BEFORE
    assert names(folder) == ["file.txt"]


@pytest.mark.parametrize("other_links", [0, 1])
def test_without_room_the_file_is_as_it_was(folder: Path, write: Write, other_links: int) -> None:
    file = made(folder / "file.txt", b"as it was\n" * 1_000)
    for number in range(other_links):
        os.link(file, folder / f"other{number}.txt")
    before = file.read_bytes()
    answer = write(file, b"x" * (2 * ROOM), little_room=True)
    assert "EFBIG" in answer["message"] and answer["name"] == "Error"
    assert file.read_bytes() == before
    assert len(names(folder)) == 1 + other_links
