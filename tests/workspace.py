"""A folder in which tests write files and run commands on them."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from adjudge.cli.main import main


class CommandResult(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


class Workspace:
    """A folder for files and runs; commands run in this process."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.run = folder / "run"

    def write(self, name: str, content: Any) -> Path:
        """A file with these bytes, this text, or this value as JSON (a tuple: a line for each of its parts)."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        if isinstance(content, tuple):
            content = "".join(json.dumps(part) + "\n" for part in content)
        elif not isinstance(content, str | bytes):
            content = json.dumps(content, indent=1)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def adjudge(self, *arguments: object) -> CommandResult:
        """Run a command."""
        self.capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as left:  # argparse leaves so.
            code = int(left.code or 0)
        return CommandResult(code, *self.capsys.readouterr())


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first worker makes and all workers read."""
    shared = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    folder = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            part = shared / f"{name}.part"
            part.mkdir()
            make(part)
            part.rename(folder)
    return folder


def service_sample(factory: pytest.TempPathFactory) -> Path:
    """The sample of the suite service, scored once for all workers; whoever changes something takes a copy."""

    def score(folder: Path) -> None:
        from adjudge.suites.service import suite

        assert main(["score", "service", str(suite.sample), "-o", str(folder / "service"), "-q"]) == 0

    return made_once(factory, "service-sample", score) / "service"
