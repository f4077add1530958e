"""A folder to work in, and a server that plays models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.judge.chat_server import ChatServer
from workspace import Workspace


@pytest.fixture
def server() -> Iterator[ChatServer]:
    server = ChatServer()
    yield server
    server.stop()


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    return Workspace(tmp_path, capsys)
