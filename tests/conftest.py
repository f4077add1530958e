"""What holds for all tests: reproducible examples, and a progress report by folder on request."""

from __future__ import annotations

import gc
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from progress import FolderProgress

# Little becomes garbage while tests are collected, and to look for it would take an eighth of the time.
gc.disable()

# The same examples on every machine and in every run, half as many as is usual; how long one takes depends on what else
# the machine does.
settings.register_profile(
    "reproducible",
    max_examples=50,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# 100 new examples in every run, for `make trials`: pytest --hypothesis-profile=random
settings.register_profile("random", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("reproducible")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--by-folder",
        action="store_true",
        help="print a line when the tests of a folder are done, instead of a dot for each test",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--hypothesis-profile") != "random":
        # Hypothesis tries the constants of all modules that are loaded. Which ones a worker has loaded differs from run
        # to run, and so would the examples; to parse them costs CPU time in each worker, too.
        providers._get_local_constants = lambda: providers._local_constants
    # pytest rewrites the asserts of every package that has a plugin. Those of ours only narrow types: its compiled
    # bytecode serves as it is.
    config.pluginmanager.rewrite_hook._must_rewrite.discard("adjudge")
    is_worker = hasattr(config, "workerinput")
    if not is_worker:
        _share_vectors(config)
    if config.getoption("--by-folder") and not is_worker:
        config.pluginmanager.register(FolderProgress(config))


def _share_vectors(config: pytest.Config) -> None:
    """Let all workers embed a text once, in a file that ends with the session and is not that of whoever runs it."""
    folder = tempfile.TemporaryDirectory(prefix="adjudge-vectors-")
    config.add_cleanup(folder.cleanup)
    os.environ["ADJUDGE_VECTOR_CACHE"] = str(Path(folder.name) / "vectors.sqlite")


def pytest_collection_finish() -> None:
    # All modules and tests stay to the end. Frozen, they are not searched for garbage again and again: statsmodels
    # collects it in every call, and each time took two seconds.
    gc.freeze()
    gc.enable()
