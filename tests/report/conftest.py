from __future__ import annotations

from pathlib import Path

import pytest
from example_run import ROWS, manifest, write_run

from adjudge.report.summary import Summary
from adjudge.run import Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return write_run(tmp_path / "runs" / "first", ROWS, manifest())


@pytest.fixture
def summary(run: Run) -> Summary:
    return Summary.of(run)
