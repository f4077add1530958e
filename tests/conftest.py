"""What holds for all tests: reproducible examples, and a progress report by folder on request."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from progress import FolderProgress

# The same examples on every machine and in every run; how long one takes depends on what else the machine does.
settings.register_profile(
    "reproducible", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# New examples in every run, for `make trials`: pytest --hypothesis-profile=random
settings.register_profile("random", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("reproducible")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--by-folder",
        action="store_true",
        help="print a line when the tests of a folder are done, instead of a dot for each test",
    )


def pytest_configure(config: pytest.Config) -> None:
    is_worker = hasattr(config, "workerinput")
    if config.getoption("--by-folder") and not is_worker:
        config.pluginmanager.register(FolderProgress(config))
