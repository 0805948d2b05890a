"""Reading files: what is read, what is not and why, and that a text is kept while its bytes are."""

import os
import socket
import threading
from pathlib import Path

import pytest

from edit_assist_ls import files
from edit_assist_ls.engine.text import NotUtf8, Text
from edit_assist_ls.files import MAX_BYTES, MAX_LINES, TextCache, Unreadable, read, within_guards


def test_the_largest_file_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * MAX_BYTES)
    assert read(str(path)) == b"x" * 307_200
    path.write_bytes(b"x" * (MAX_BYTES + 1))
    assert read(str(path)) == Unreadable("too-large")


def test_a_file_that_says_it_is_empty_is_read_to_its_end() -> None:
    assert read("/proc/self/stat", 10) == Unreadable("too-large")
    data = read("/proc/self/stat")
    assert isinstance(data, bytes) and str(os.getpid()).encode() in data


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing", "missing"),
        ("file/below", "missing"),
        ("folder", "not-a-file"),
        ("fifo", "not-a-file"),
        ("socket", "unreadable"),
        ("loop", "unreadable"),
        ("dangling", "missing"),
        ("nul\0byte", "unreadable"),
        ("surrogate\ud800", "unreadable"),
        ("long" * 100, "unreadable"),
    ],
)
def test_what_is_no_readable_file_is_named(tmp_path: Path, name: str, reason: files.Reason) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as unix, pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        unix.bind("socket")
        got = read(f"{tmp_path}/{name}")
    assert isinstance(got, Unreadable) and got.reason == reason


def test_no_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_text("x")
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything, so the system's refusal is given in its place

        def refuse(*_: object, **__: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
    assert read(str(path)) == Unreadable("no-permission", "Permission denied")


def test_a_fifo_with_a_writer_is_left_alone(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    try:
        os.write(writer, b"for somebody else")
        assert read(str(fifo)) == Unreadable("not-a-file")
        assert os.read(reader, 100) == b"for somebody else"
    finally:
        os.close(reader)
        os.close(writer)


def test_descriptors_do_not_leak(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(50):
        read(str(tmp_path / "a"))
        read(str(tmp_path))
        read(str(tmp_path / "a"), 0)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("x\n" * MAX_LINES, True),
        ("x\n" * MAX_LINES + "x", False),
        ("x\r\n" * MAX_LINES, True),
        ("x\r" * (MAX_LINES + 1), False),
        ("\n" * (MAX_LINES + 1), False),
        ("", True),
        ("x" * MAX_BYTES, True),
        ("x" * (MAX_BYTES + 1), False),
        ("é" * (MAX_BYTES // 2), True),
        ("é" * (MAX_BYTES // 2 + 1), False),
    ],
)
def test_guards_count_lines_and_bytes(text: str, fits: bool) -> None:
    assert within_guards(Text.of(text)) is fits


def test_the_byte_order_mark_counts_as_bytes() -> None:
    assert not within_guards(Text.of("\ufeff" + "é" * (MAX_BYTES // 2)))


def test_a_text_is_kept_while_its_bytes_are(tmp_path: Path) -> None:
    path, cache = tmp_path / "a", TextCache()
    path.write_bytes(b"a\r\nb")
    first = cache.read(str(path))
    path.write_bytes(b"a\r\nb")
    assert isinstance(first, Text) and first.lf == "a\nb"
    assert cache.read(str(path)) is first
    path.write_bytes(b"a\r\nc")
    changed = cache.read(str(path))
    assert isinstance(changed, Text) and changed.raw == "a\r\nc"


def test_what_cannot_be_read_is_told_each_time_and_forgotten(tmp_path: Path) -> None:
    path, cache = tmp_path / "a", TextCache()
    path.write_bytes(b"fine")
    cache.read(str(path))
    path.unlink()
    assert cache.read(str(path)) == Unreadable("missing", "No such file or directory")
    assert len(cache) == 0
    path.write_bytes(b"one\ntwo \xff\n")
    assert cache.read(str(path)) == NotUtf8(8, 2)
    path.write_bytes(b"\n" * (MAX_LINES + 1))
    assert cache.read(str(path)) == Unreadable("too-many-lines")
    assert len(cache) == 0


def test_the_cache_is_bounded_in_entries_and_bytes(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / str(number)).write_bytes(b"x" * 100)
    few, small = TextCache(max_entries=3), TextCache(max_total_bytes=250)
    for number in range(6):
        few.read(str(tmp_path / str(number)))
        small.read(str(tmp_path / str(number)))
    assert (len(few), len(small)) == (3, 2)
    kept = few.read(str(tmp_path / "3"))
    assert kept is few.read(str(tmp_path / "3")), "the last ones are those that are kept"


def test_reading_never_waits_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    got: list[object] = []
    thread = threading.Thread(target=lambda: got.append(read(str(tmp_path / "fifo"))), daemon=True)
    thread.start()
    thread.join(20)
    assert got == [Unreadable("not-a-file")]
