"""A small soak: no call is lost, and every editor comes to show the last ones."""

from collections.abc import Callable
from pathlib import Path

from tests.soak.play import play


def test_nothing_is_lost_and_the_last_calls_are_seen(tmp_path: Path, may_write: Callable[[Path], None]) -> None:
    workspace, state = tmp_path / "workspace", tmp_path / "state"
    workspace.mkdir()
    may_write(state)
    soak = play(workspace, state, calls=240, agents=3, editors=2)
    assert (soak.kept, soak.seen_by_editors) == (240, 2)
    assert len(soak.with_ledger) == 240 and soak.memory_kb.keys() >= {"agent 0", "editor 1"}
