from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "report"))

from serving import Served, serving, small_run


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that no other test and no user has."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with one small run."""
    small_run(tmp_path / "runs" / "small")
    return tmp_path / "runs"


@pytest.fixture
def served(runs: Path) -> Iterator[Served]:
    """The folder being served."""
    with serving(runs) as made:
        yield made
