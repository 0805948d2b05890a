"""The sessions in fixtures/sessions, written by the real pi, against numbers counted by hand.

Each line of the tables below was read off the session named, entry by entry.
"""

from pathlib import Path

import pytest

from edit_assist_ls.health.summary import Figures, Window, report_of
from edit_assist_ls.health.survey import read_files, session_files, survey

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"

# session: (edit calls, landed, corrected, failed by class, runs of failures, round trips of each run that landed)
BY_HAND: dict[str, tuple[int, int, int, dict[str, int], int, list[int]]] = {
    "exact-then-flat": (3, 2, 0, {"no-match": 1}, 1, [2]),
    "blind-tabs": (2, 1, 0, {"no-match": 1}, 1, [1]),
    "misremembered": (2, 1, 0, {"no-match": 1}, 1, []),
    "twice-overlap-same": (5, 2, 0, {"ambiguous": 1, "overlap": 1, "no-change": 1}, 3, [1, 1]),
    "malformed": (4, 1, 0, {"malformed-arguments": 3}, 1, [3]),
    "other-ways": (2, 0, 0, {"file-error": 1, "other": 1}, 2, []),
    "shell-habit": (0, 0, 0, {}, 0, []),
    "nested": (5, 3, 0, {"no-match": 2}, 2, [0, 1]),
    "branch-left": (5, 3, 0, {"no-match": 2}, 2, [1]),
    "forked": (1, 0, 0, {"no-match": 1}, 1, []),
    "forked-fork": (1, 1, 0, {}, 0, []),
    "cut-short": (2, 1, 0, {}, 0, []),
    "corrected-flat": (2, 2, 2, {}, 0, []),
    "diagnosed": (3, 2, 0, {"no-match": 1}, 1, [1]),
}


def figures(*names: str, window: Window | None = None) -> Figures:
    """The figures of some sessions, read as part of the whole folder; of all where none is named."""
    files = [file for file in session_files([str(SESSIONS)]) if not names or Path(file.path).stem in names]
    found = read_files(files, [str(SESSIONS)])
    return report_of(found, [window or Window()]).windows[0].total


def test_every_session_has_its_numbers() -> None:
    assert {path.stem for path in SESSIONS.glob("*.jsonl")} == set(BY_HAND)


@pytest.mark.parametrize("name", BY_HAND)
def test_a_session(name: str) -> None:
    calls, landed, corrected, failures, runs, round_trips = BY_HAND[name]
    found = figures(name)
    assert (found.edit_calls, found.landed, found.corrected) == (calls, landed, corrected)
    assert {kind: number for kind, number in found.failures.items() if number} == failures
    assert (found.cost.runs, found.cost.landed) == (runs, len(round_trips))
    assert found.cost.round_trips.largest == max(round_trips, default=0)
    assert found.cost.round_trips.mean * len(round_trips) == pytest.approx(sum(round_trips))


def test_all_sessions_together() -> None:
    found = figures()
    assert (found.edit_calls, found.landed, found.failed, found.no_result) == (37, 19, 17, 1)
    assert (found.sessions, found.nested, found.abandoned) == (13, 4, 1)
    assert found.other == {"empty-old-text": 1}


def test_whitespace_only() -> None:
    # A read of the file shows it in two sessions, the retry in one; one failure has neither read nor retry.
    found = figures().no_match
    assert (found.whitespace_only, found.by_read, found.by_retry) == (3, 2, 1)
    assert (found.differs, found.unseen) == (5, 1)


def test_given_up() -> None:
    # Stopped: misremembered, the no-change call, the branch that was left, the session before its fork.
    cost = figures().cost
    assert (cost.given_up, cost.written, cost.patched, cost.stopped) == (6, 1, 1, 4)


def test_tokens_until_it_landed() -> None:
    # blind-tabs: one answer of 1,462 tokens in and 77 out followed the failure.
    cost = figures("blind-tabs").cost
    assert (cost.tokens.median, cost.output_tokens.median) == (1500, 77)


def test_the_shell_habit() -> None:
    # shell-habit: 6 calls, of which 3 pass a heredoc to python and 1 is a patch; other-ways: one patch.
    shell = figures().shell
    assert (shell.calls, shell.python_heredocs, shell.patch_scripts) == (7, 4, 2)


def test_a_fork_counts_its_own_calls_only() -> None:
    assert figures("forked", "forked-fork").edit_calls == 2
    alone = read_files(list(session_files([str(SESSIONS / "forked-fork.jsonl")])), [])
    assert report_of(alone, [Window()]).windows[0].total.edit_calls == 2


def test_two_windows() -> None:
    before, after = figures(window=Window(until="2026-11-23")), figures(window=Window(since="2026-11-24"))
    assert (before.edit_calls, before.corrected) == (32, 0)
    assert (after.edit_calls, after.corrected, after.failed) == (5, 2, 1)


def test_by_model_and_by_time() -> None:
    found = survey([str(SESSIONS)], jobs=1)
    by_day = report_of(found, [Window()]).windows[0]
    assert {name: part.edit_calls for name, part in by_day.models.items()} == {
        "lab/large-coder": 19,
        "lab/small-coder": 18,
    }
    assert by_day.periods["2026-11-06"].edit_calls == 5
    assert (by_day.period, len(by_day.periods)) == ("day", 23)
    by_week = report_of(found, [Window()], "week").windows[0]
    assert [(start, part.edit_calls) for start, part in by_week.periods.items()] == [
        ("2026-11-02", 12),
        ("2026-11-09", 16),
        ("2026-11-16", 4),
        ("2026-11-23", 5),
    ]


def test_on_two_processes_it_is_the_same() -> None:
    one, two = survey([str(SESSIONS)], jobs=1), survey([str(SESSIONS)], jobs=2)
    assert (one.counts, one.reading) == (two.counts, two.reading)


def test_no_line_of_these_sessions_is_passed_over() -> None:
    reading = survey([str(SESSIONS)], jobs=1).reading
    assert (reading["files"], reading["torn"], reading["foreign"], reading["copied"]) == (14, 0, 0, 1)
