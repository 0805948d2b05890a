"""Clients for the server's tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import InProcess
from tests.server.people import LOAD, Opening


@pytest.fixture
def raw() -> Iterator[InProcess]:
    """A client whose server is not initialized yet."""
    client = InProcess()
    yield client
    client.end()


@pytest.fixture
def client(raw: InProcess) -> InProcess:
    """A client whose server is initialized."""
    raw.start()
    return raw


@pytest.fixture
def started() -> Iterator[Opening]:
    """Gives back each client that it is given, and ends them all after the test."""
    all_started: list[Any] = []

    def start(client: Any) -> Any:
        all_started.append(client)
        return client

    yield start
    for client in all_started:
        client.end()
        client.server.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the file load.go."""
    (tmp_path / "load.go").write_text(LOAD)
    return tmp_path
