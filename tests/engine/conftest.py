"""Options and settings of the engine's tests: `--update-fixtures`, and how long hypothesis looks."""

import os

import pytest
from hypothesis import HealthCheck, settings

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture]

settings.register_profile(
    "quick", max_examples=60, deadline=None, suppress_health_check=QUIET, derandomize=True, database=None
)
settings.register_profile("thorough", max_examples=3_000, deadline=None, suppress_health_check=QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-fixtures",
        action="store_true",
        default=False,
        help="write what the engine says into fixtures/cases; then read the diff, each line of it",
    )
