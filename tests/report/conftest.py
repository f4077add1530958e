from __future__ import annotations

from pathlib import Path

import pytest
from example_run import ROWS, make_run, manifest

from adjudge.report.run.summary import RunSummary
from adjudge.run import Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return make_run(tmp_path / "runs" / "first", ROWS, manifest())


@pytest.fixture
def summary(run: Run) -> RunSummary:
    return RunSummary.of(run)
