"""The guessing game as an installed package, and a server that plays models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.judge.chat_server import ChatServer
from workspace import Workspace

ENTRY_POINTS = """[adjudge.suites]
guessing = guessing:suite
[adjudge.systems]
guessing = guessing:setup
"""


def install_guessing(site: Path) -> None:
    """Leave in a folder what installing the guessing game would leave: its entry points."""
    info = site / "guessing-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guessing\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages in which the guessing game is installed."""
    install_guessing(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return tmp_path / "site"


@pytest.fixture
def desk(tmp_path: Path, site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    return Workspace(tmp_path, capsys)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer()
    yield running
    running.stop()
