"""The real Neovim for the tests of this folder, which are marked `neovim`."""

import os
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.editors import setup_neovim
from tests.editors.neovim.lab import Lab

HERE = Path(__file__).parent
NEEDED = "EDIT_ASSIST_NEEDS_NEOVIM"
_ended: Counter[str] = Counter()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "neovim: runs the real Neovim, from pip, in a cache outside the checkout")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("neovim")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if HERE.name in report.nodeid and (report.when == "call" or report.failed):
        _ended["failed" if report.failed else report.outcome] += 1


def pytest_unconfigure() -> None:
    if os.environ.get(NEEDED):
        print(f"Neovim: {_ended['passed']} passed, {_ended['failed']} failed")


@pytest.fixture(scope="session")
def neovim_program() -> Path:
    """The program `nvim`. With EDIT_ASSIST_NEEDS_NEOVIM set, a machine that cannot have it fails."""
    reason = setup_neovim.missing()
    if reason and os.environ.get(NEEDED):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    try:
        return setup_neovim.install()
    except subprocess.CalledProcessError as failed:
        if os.environ.get(NEEDED):
            raise
        pytest.skip(f"Neovim cannot be installed here: {failed}")


@pytest.fixture
def lab(neovim_program: Path, tmp_path: Path, may_write: Callable[[Path], None]) -> Lab:
    """An empty workspace. Servers may write in its state folder, and nowhere else."""
    lab = Lab.make(neovim_program, tmp_path)
    may_write(lab.state)
    return lab
