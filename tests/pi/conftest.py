"""The real pi for the tests of this folder, which are marked `pi`; skipped where Node's npm is missing."""

import os
from pathlib import Path

import pytest

from tests.pi.installed import Installed, install, missing
from tests.pi.lab import Lab

HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "pi: runs the real pi, installed from npm into a cache outside the checkout")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("pi")
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="session")
def pi() -> Installed:
    """pi and its Node. With EDIT_ASSIST_NEEDS_PI set, a machine that cannot have them fails."""
    reason = missing()
    if reason and os.environ.get("EDIT_ASSIST_NEEDS_PI"):
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    return install()


@pytest.fixture
def lab(pi: Installed, tmp_path: Path) -> Lab:
    """An empty workspace and an agent folder for pi."""
    return Lab.make(pi, tmp_path)
