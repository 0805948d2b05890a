"""How long hypothesis looks."""

import os

from hypothesis import HealthCheck, settings

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture]

settings.register_profile(
    "quick", max_examples=60, deadline=None, suppress_health_check=QUIET, derandomize=True, database=None
)
settings.register_profile("thorough", max_examples=3_000, deadline=None, suppress_health_check=QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
