"""Where session files are looked for, which are read, and what cannot be."""

import json
import os
from pathlib import Path

import pytest

from edit_assist_ls.health.counts import two_figures
from edit_assist_ls.health.summary import Spread, Window, report_of, spread_of
from edit_assist_ls.health.survey import UnusableError, default_folder, roots_of, session_files, survey
from tests.health.sessions_by_hand import LANDED, answer, chain, edit, entry, header, measured, result, write

LANDING = chain(answer(("1", "edit", edit())), result("1", "edit", LANDED))


def test_where_pi_keeps_sessions(tmp_path: Path) -> None:
    environment = {"PI_CODING_AGENT_DIR": str(tmp_path)}
    assert default_folder(environment) == str(tmp_path / "sessions")
    (tmp_path / "settings.json").write_text(json.dumps({"sessionDir": "/elsewhere"}))
    assert default_folder(environment) == "/elsewhere"
    assert default_folder(environment | {"PI_CODING_AGENT_SESSION_DIR": "/named"}) == "/named"
    (tmp_path / "settings.json").write_text("no json")
    assert default_folder(environment) == str(tmp_path / "sessions")


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    path = write(tmp_path / "deep", LANDING)
    (tmp_path / "deep" / "circle").symlink_to(tmp_path)
    roots = roots_of([str(tmp_path), str(path), str(tmp_path / "deep")])
    assert [file.path for file in session_files(roots)] == [str(path)]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for name in ("missing", "fifo", "\0"):
        with pytest.raises(UnusableError, match=r"No such file|neither a file|not a path"):
            roots_of([str(tmp_path / name)])


def test_a_file_that_goes_away_is_counted(tmp_path: Path) -> None:
    write(tmp_path, LANDING)
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "fifo.jsonl")
    found = survey([str(tmp_path)], jobs=1)
    assert (found.reading["files"], measured(found.counts, "edit")) == (1, {"exact": 1})


def test_a_fork_is_counted_whole_where_its_parent_is_not_read(tmp_path: Path) -> None:
    parent = write(tmp_path, LANDING, "parent.jsonl")
    copied = [header("2026-11-03T00:00:00.000Z", parentSession=str(parent)), *LANDING[1:]]
    own = [
        entry("x", "e1", answer(("2", "edit", edit())), "2026-11-03T08:00:00.000Z"),
        entry("y", "x", result("2", "edit", LANDED), "2026-11-03T08:00:01.000Z"),
    ]
    fork = write(tmp_path, [*copied, *own], "fork.jsonl")
    assert measured(survey([str(tmp_path)], jobs=1).counts, "edit") == {"exact": 2}
    assert measured(survey([str(fork)], jobs=1).counts, "edit") == {"exact": 2}
    parent.unlink()
    assert measured(survey([str(tmp_path)], jobs=1).counts, "edit") == {"exact": 2}


def test_days_that_are_not_known_lie_in_the_open_window_alone(tmp_path: Path) -> None:
    lines = [header(), *(line | {"timestamp": "yesterday"} for line in LANDING[1:])]
    write(tmp_path, lines)
    found = survey([str(tmp_path)], jobs=1)
    open_window, closed = report_of(found, [Window(), Window("2026-01-01")]).windows
    assert (open_window.total.edit_calls, closed.total.edit_calls) == (1, 0)
    assert list(open_window.periods) == ["unknown"]


def test_long_spans_are_shown_by_week(tmp_path: Path) -> None:
    write(tmp_path, LANDING)
    later = [line | {"timestamp": "2026-12-31T08:00:00.000Z"} for line in LANDING[1:]]
    write(tmp_path, [header(), *later], "later.jsonl")
    (window,) = report_of(survey([str(tmp_path)], jobs=1), [Window()]).windows
    assert (window.period, min(window.periods), max(window.periods)) == ("week", "2026-11-02", "2026-12-28")


def test_spread() -> None:
    assert spread_of({}) == Spread()
    assert spread_of({1: 8, 5: 1, 20: 1}) == Spread(10, 3.3, 1.0, 5.0, 20)
    assert spread_of({1: 1, 2: 1}).median == 1.5
    assert [two_figures(number) for number in (0, 99, 1_239, 98_765)] == [0, 99, 1_200, 99_000]
