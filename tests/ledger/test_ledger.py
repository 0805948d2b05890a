"""The ledger: what one process keeps another sees, whatever happens to the file between them."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from edit_assist_ls.ledger import CallRecord, EditRecord, Ledger, PlaceRecord, store
from edit_assist_ls.ledger import ledger as ledger_module

CheckOpen = Callable[..., Ledger]


def call(number: int, path: str = "/w/a.py", **changes: Any) -> CallRecord:
    place = PlaceRecord(3, 3, "x = 1", above="a", below=None)
    edit = EditRecord("failed", "no-match", "region", "told", 3, 3, (place,), "x = 2", "x = 3")
    record = CallRecord(f"{number:032x}", "pi", "pi:s", f"c{number}", _now_ms(), real_path=path, edits=(edit,))
    return replace(record, **changes)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


@pytest.fixture
def opened(tmp_path: Path, may_write: Callable[[Path], None]) -> Iterator[CheckOpen]:
    may_write(tmp_path)
    all_opened: list[Ledger] = []

    def open_one(folder: Path | None = None) -> Ledger:
        all_opened.append(Ledger.open(folder or tmp_path / "state"))
        return all_opened[-1]

    yield open_one
    for ledger in all_opened:
        ledger.close()


def seen_by(ledger: Ledger, wanted: Callable[[], bool]) -> bool:
    """Wait until `wanted` holds; woken by every change that the ledger tells of."""
    changed = threading.Event()
    ledger.watch(changed.set)
    until = time.monotonic() + 5
    while not wanted():
        if not changed.wait(max(0.0, until - time.monotonic())):
            return wanted()
        changed.clear()
    return True


def test_what_one_process_keeps_another_sees_and_changes(opened: CheckOpen) -> None:
    one, two = opened(), opened()
    one.add(call(1, "/w/\ud800é\U0001f600.py", summary="lone \udc00"))
    kept = one.calls(folders=["/w"])
    assert kept == [call(1, "/w/\ud800é\U0001f600.py", summary="lone \udc00", at_ms=kept[0].at_ms)]
    assert seen_by(two, lambda: two.calls(folders=["/w"]) == kept)
    two.change(kept[0].id, 0, state="dismissed")
    assert two.calls(folders=["/w"])[0].state == "dismissed"
    assert two.calls(folders=["/w"], failing=True) == []
    assert seen_by(one, lambda: one.calls(folders=["/w"])[0].state == "dismissed")
    assert one.call(kept[0].id) == two.call(kept[0].id)


def test_folders_are_compared_by_their_parts(opened: CheckOpen) -> None:
    ledger = opened()
    for number, path in enumerate(["/w/a.py", "/w2/a.py", "/w/sub/b.py", "/x/c.py", "/w"]):
        ledger.add(call(number, path))
    for _ in range(2):
        assert {found.real_path for found in ledger.calls(folders=["/w"])} == {"/w/a.py", "/w/sub/b.py"}
        assert {found.real_path for found in ledger.calls(folders=["/w/sub"], paths=["/x/c.py"])} == {
            "/w/sub/b.py",
            "/x/c.py",
        }
        assert len(ledger.calls(folders=["/"])) == len(ledger.calls(folders=None)) == 5
        assert [found.tool_call_id for found in ledger.calls(folders=None, limit=2)] == ["c4", "c3"]
        assert ledger.calls() == []
        assert ledger.flush(5)


def test_the_file_is_the_users_alone(tmp_path: Path, opened: CheckOpen) -> None:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o755)
    (folder / store.FILE_NAME).touch(mode=0o644)
    before = os.umask(0)
    try:
        ledger = opened()
        ledger.add(call(1))
        assert ledger.flush(5)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


def test_without_texts_none_is_kept_and_places_are_known_by_digest(tmp_path: Path, opened: CheckOpen) -> None:
    ledger, other = opened(), opened()
    ledger.add(call(1, summary="x = 1 told"), texts=False)
    assert ledger.flush(5)
    assert seen_by(other, lambda: bool(other.calls(folders=None)))
    (edit,) = other.calls(folders=None)[0].edits
    assert (edit.old_text, edit.new_text, edit.places[0].text, edit.places[0].above) == (None, None, None, None)
    assert edit.places[0].digest == other.text_digest("x = 1") == ledger.text_digest("x = 1")
    written = b"".join(file.read_bytes() for file in (tmp_path / "state").iterdir())
    assert b"x = 1" not in written and b"x = 3" not in written and b"told" not in written
    ledger.add(call(2, edits=(EditRecord("failed", old_text="y" * 100_000, new_text="z"),)))
    assert ledger.flush(5)
    assert seen_by(other, lambda: len(other.calls(folders=None)) == 2)
    assert other.calls(folders=None)[0].edits[0].old_text is None
    assert other.calls(folders=None)[0].edits[0].new_text == "z"


@pytest.mark.parametrize(
    "damage", [b"no database, but long enough to be read as one" * 40, b"SQLite format 3\0" + b"\xff" * 4_000]
)
def test_a_damaged_file_is_set_aside_by_one_of_many(tmp_path: Path, opened: CheckOpen, damage: bytes) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / store.FILE_NAME).write_bytes(damage)
    ledgers = [opened() for _ in range(4)]
    for number, ledger in enumerate(ledgers):
        ledger.add(call(number))
        assert ledger.flush(10)
    assert all(len(ledger.calls(folders=None)) == 4 for ledger in ledgers)
    (aside,) = store.damaged_files(folder)
    assert aside.read_bytes() == damage
    assert sum(ledger.notice is not None and str(aside) in ledger.notice for ledger in ledgers) == 1


def test_a_file_damaged_in_use_costs_what_was_in_it_alone(tmp_path: Path, opened: CheckOpen) -> None:
    ledger = opened()
    ledger.add(call(1))
    assert ledger.flush(5)
    for side in store.SIDE_FILES:
        file = tmp_path / "state" / f"{store.FILE_NAME}{side}"
        if file.exists():
            with file.open("r+b") as stream:
                stream.write(b"\xff" * file.stat().st_size)
    until = time.monotonic() + 10
    number = 2
    while not store.damaged_files(tmp_path / "state") and time.monotonic() < until:
        ledger.add(call(number))
        ledger.flush(1)
        number += 1
    ledger.add(call(number))
    assert ledger.flush(5)
    assert f"c{number}" in [found.tool_call_id for found in ledger.calls(folders=None)]


def test_without_a_usable_folder_calls_are_kept_in_memory(tmp_path: Path, opened: CheckOpen) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    link = tmp_path / "linked"
    link.mkdir()
    (link / store.FILE_NAME).symlink_to(tmp_path / "elsewhere")
    for folder in (in_the_way / "state", in_the_way, link):
        ledger = opened(folder)
        ledger.add(call(1))
        ledger.change(call(1).id, 0, state="applied")
        assert _within(5, partial(_has_notice, ledger))
        assert ledger.notice is not None and "in memory" in ledger.notice
        assert [found.state for found in ledger.calls(folders=["/w"])] == ["applied"]
        ledger.add(call(2))
        assert len(ledger.calls(folders=["/w"])) == 2
    assert not (tmp_path / "elsewhere").exists()
    memory = Ledger.open(None)
    for number in range(ledger_module.MEMORY_CALLS + 5):
        memory.add(call(number))
    assert len(memory.calls(folders=None, limit=10_000)) == ledger_module.MEMORY_CALLS


def test_a_busy_file_makes_nobody_wait_and_loses_nothing(tmp_path: Path, opened: CheckOpen) -> None:
    ledger = opened()
    ledger.add(call(0))
    assert ledger.flush(5)
    with closing(sqlite3.connect(tmp_path / "state" / store.FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        for number in range(1, 50):
            ledger.add(call(number))
        assert len(ledger.calls(folders=None)) == 50
        assert time.monotonic() - began < ledger_module.BUSY_SECONDS
        other.execute("ROLLBACK")
    assert ledger.flush(10)
    assert len(opened().calls(folders=None)) == 50


def test_a_file_of_a_later_minor_version_is_used_as_it_is(tmp_path: Path, opened: CheckOpen) -> None:
    first = opened()
    first.add(call(1))
    assert first.flush(5)
    first.close()
    with closing(sqlite3.connect(tmp_path / "state" / store.FILE_NAME, isolation_level=None)) as later:
        later.execute("ALTER TABLE calls ADD COLUMN mood TEXT")
        later.execute("CREATE TABLE moods (id INTEGER)")
        later.execute("PRAGMA user_version = 99")
        later.execute("UPDATE calls SET record = json_set(record, '$.mood', 'good', '$.edits[0].depth', 3)")
    second = opened()
    second.add(call(2))
    assert second.flush(5)
    assert {found.tool_call_id for found in second.calls(folders=None)} == {"c1", "c2"}
    assert second.notice is None
    assert not store.damaged_files(tmp_path / "state")


def test_a_deleted_file_is_begun_anew(tmp_path: Path, opened: CheckOpen) -> None:
    one, two = opened(), opened()
    one.add(call(1))
    assert one.flush(5)
    for file in (tmp_path / "state").glob("ledger-*"):
        file.unlink()
    assert seen_by(two, lambda: two.calls(folders=None) == [])
    assert seen_by(one, lambda: one.calls(folders=None) == [])
    one.add(call(2))
    assert one.flush(5)
    assert seen_by(two, lambda: [found.tool_call_id for found in two.calls(folders=None)] == ["c2"])


def test_old_calls_go_and_the_file_stays_small(tmp_path: Path, opened: CheckOpen) -> None:
    ledger = opened()
    text = os.urandom(20_000).hex()
    for number in range(100):
        old = _now_ms() - 40 * 86_400_000 if number < 10 else _now_ms()
        edit = EditRecord("failed", "no-match", old_text=text, new_text=text[::-1])
        ledger.add(call(number, at_ms=old, edits=(edit,)))
    assert ledger.flush(10)
    ledger.close()
    with closing(store.connect(tmp_path / "state", 2.0)) as connection:
        assert store.prune(connection, 30, 10**9) == 10
        assert store.prune(connection, 30, 2_000_000) > 40
        assert store.used_bytes(connection) <= 2_000_000
    assert (tmp_path / "state" / store.FILE_NAME).stat().st_size < 3_000_000
    left = [found.tool_call_id for found in opened().calls(folders=None)]
    assert left and left[0] == "c99" and len(left) < 50


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.ledger.test_ledger import call
from edit_assist_ls.ledger import Ledger
ledger = Ledger.open(Path(sys.argv[1]))
for number in range({count}):
    ledger.add(call(int(sys.argv[2]) * 100_000 + number))
    if number % 7 == 0:
        ledger.change(call(int(sys.argv[2]) * 100_000 + number).id, 0, state="applied")
    if len(sys.argv) > 3 and number % 50 == 0:
        ledger.flush(5); print(number, flush=True)
print(ledger.flush(30), flush=True)
ledger.close()
"""


def writer(folder: Path, number: int, count: int, *more: str) -> subprocess.Popen[str]:
    root = str(Path(__file__).resolve().parents[2])
    source = WRITER.format(root=root, count=count)
    return subprocess.Popen(
        [sys.executable, "-c", source, str(folder), str(number), *more], stdout=subprocess.PIPE, text=True
    )


def test_several_writers_lose_nothing(tmp_path: Path, opened: CheckOpen) -> None:
    folder = tmp_path / "state"
    writers = [writer(folder, number, 300) for number in range(6)]
    for process in writers:
        out, _ = process.communicate(timeout=60)
        assert out.splitlines()[-1] == "True" and process.returncode == 0
    found = opened().calls(folders=None, limit=10_000)
    assert len(found) == 1_800
    assert sum(one.state == "applied" for one in found) == 6 * 43


def test_a_killed_writer_leaves_whole_calls(tmp_path: Path, opened: CheckOpen) -> None:
    folder = tmp_path / "state"
    process = writer(folder, 1, 100_000, "loud")
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= 200:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    found = opened().calls(folders=None, limit=200_000)
    assert len(found) >= 200 and all(len(one.edits) == 1 for one in found)
    with closing(sqlite3.connect(folder / store.FILE_NAME)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_session_ends_when_it_says_so_or_its_process_is_gone(opened: CheckOpen) -> None:
    one, two = opened(), opened()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    one.begin_session("pi:here", os.getpid())
    one.begin_session("pi:child", child.pid)
    assert one.flush(5)
    assert not one.ended("pi:here") and one.ended("pi:never-heard-of")
    assert seen_by(two, lambda: not two.ended("pi:here") and not two.ended("pi:child"))
    one.end_session("pi:here")
    assert one.ended("pi:here")
    child.communicate(b"\n")
    assert seen_by(two, lambda: two.ended("pi:here") and two.ended("pi:child"))


def test_unsaved_buffers_are_told_to_others_and_taken_back(opened: CheckOpen) -> None:
    editor, agent = opened(), opened()
    digests = editor.line_digest("x = 1")
    assert len(digests) == 8 and digests == agent.line_digest("x = 1") != agent.line_digest("x = 2")
    editor.set_buffer("/w/a.py", digests)
    assert editor.buffers("/w/a.py") == ()
    assert _within(5, lambda: agent.buffers("/w/a.py") == (digests,))
    assert agent.buffers("/w/b.py") == ()
    editor.set_buffer("/w/a.py", None)
    assert _within(5, lambda: agent.buffers("/w/a.py") == ())
    editor.set_buffer("/w/a.py", digests)
    assert _within(5, lambda: agent.buffers("/w/a.py") == (digests,))
    editor.close()
    assert _within(5, lambda: agent.buffers("/w/a.py") == ())


def test_what_no_file_can_take_holds_up_nothing_else(opened: CheckOpen) -> None:
    ledger, other = opened(), opened()
    ledger.begin_session("pi:\ud800", os.getpid())
    ledger.begin_session("pi:s", 2**70)
    ledger.add(call(1, at_ms=2**70))
    ledger.add(call(2))
    assert ledger.flush(5)
    assert _within(5, lambda: [found.tool_call_id for found in other.calls(folders=None)] == ["c2"])
    assert ledger.notice is None


def test_one_asks_for_thousands_of_folders_and_files_at_once(opened: CheckOpen) -> None:
    ledger = opened()
    for number, path in enumerate(["/w/7/a.py", "/x/8.py", "/w/5001/a.py"]):
        ledger.add(call(number, path))
    assert ledger.flush(5)
    folders, paths = [f"/w/{number}" for number in range(3_000)], {f"/x/{number}.py" for number in range(3_000)}
    assert [found.tool_call_id for found in ledger.calls(folders=folders, paths=paths)] == ["c1", "c0"]


def test_sessions_are_told_again_to_a_ledger_that_has_lost_them(tmp_path: Path, opened: CheckOpen) -> None:
    one, two = opened(), opened()
    one.begin_session("pi:here", os.getpid())
    one.begin_session("pi:over", os.getpid())
    one.end_session("pi:over")
    assert one.flush(5)
    with closing(store.connect(tmp_path / "state", 2.0)) as connection:
        connection.execute("DELETE FROM sessions")
    assert _within(5, lambda: not two.ended("pi:here"))
    for file in (tmp_path / "state").glob("ledger-*"):
        file.unlink()
    three = opened()
    assert _within(5, lambda: not three.ended("pi:here"))
    assert three.ended("pi:over")


def test_what_is_written_right_after_a_deletion_is_in_the_new_file(tmp_path: Path, opened: CheckOpen) -> None:
    ledger = opened()
    ledger.add(call(1))
    assert ledger.flush(5)
    for number in range(2, 7):
        for file in (tmp_path / "state").glob("ledger-*"):
            file.unlink()
        ledger.add(call(number))
        assert ledger.flush(5)
        assert [found.tool_call_id for found in opened().calls(folders=None)] == [f"c{number}"]


def test_a_change_that_the_file_could_not_take_is_made_when_it_can(
    tmp_path: Path, opened: CheckOpen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, "RETRY_SECONDS", 0.2)
    ledger = opened()
    ledger.add(call(1))
    assert ledger.flush(5)
    state, away = tmp_path / "state", tmp_path / "away"
    state.rename(away)
    state.write_text("in the way")
    assert _within(5, partial(_has_notice, ledger))
    ledger.change(call(1).id, 0, state="dismissed")
    ledger.add(call(2))
    state.unlink()
    away.rename(state)
    assert _within(
        5,
        lambda: (
            {found.tool_call_id: found.state for found in opened().calls(folders=None)}
            == {"c1": "dismissed", "c2": "failed"}
        ),
    )


def test_what_landed_is_not_dismissed(opened: CheckOpen) -> None:
    ledger = opened()
    ledger.add(call(1, edits=(EditRecord("exact"), EditRecord("failed", "no-match"))))
    for index in (0, 1):
        ledger.change(call(1).id, index, state="dismissed")
    assert [edit.state for edit in ledger.calls(folders=None)[0].edits] == ["exact", "dismissed"]


def _has_notice(ledger: Ledger) -> bool:
    return ledger.notice is not None


def _within(seconds: float, wanted: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not wanted():
        if time.monotonic() > until:
            return False
        threading.Event().wait(0.02)
    return True
