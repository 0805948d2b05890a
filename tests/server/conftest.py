"""Clients for the server's tests."""

from collections.abc import Iterator

import pytest

from tests.server.client import InProcess


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
