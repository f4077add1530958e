"""What a worker of a cluster does: it checks its build, does a task, and names itself where that fails."""

from __future__ import annotations

import hashlib
import traceback
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from adjudge.core.errors import BadInput
from adjudge.core.version import __version__
from adjudge.engines.tasks import forget_other_commands
from adjudge.engines.workers import Task

# The endings of the files that decide scores: the code and the lexicons.
SOURCES = (".py", ".toml")


class FailedTaskError(Exception):
    """A task failed for a reason that is no fault of the input; the text is the traceback of the worker."""


class Build(NamedTuple):
    """Which adjudge a process runs: its version and a hash of its source files."""

    version: str
    sources: str


@cache
def own_build() -> Build:
    """The build of this process."""
    package = Path(__file__).parents[1]
    sources = hashlib.sha256()
    for path in sorted(path for path in package.rglob("*.*") if path.suffix in SOURCES):
        # The name and the length say where a file begins and ends.
        content = path.read_bytes()
        sources.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode() + content)
    return Build(__version__, sources.hexdigest())


def do_task(build: Build, command: str, task: Task) -> Any:
    """Do a task of a command on a worker; raises BadInput where this worker cannot do it, with its address."""
    try:
        _check_build(build)
        forget_other_commands(command)
        return task.function(*task.arguments)
    except BadInput as error:
        raise BadInput(f"worker {_address()}: {error}") from None
    except Exception:
        raise FailedTaskError(f"worker {_address()}: {traceback.format_exc()}") from None


def _check_build(build: Build) -> None:
    own = own_build()
    if build.version != own.version:
        raise BadInput(
            f"has adjudge {own.version}; expected {build.version}, as where the command runs; install the same version "
            "on all machines"
        )
    if build != own:
        raise BadInput(
            f"has adjudge {own.version} with other source files than where the command runs; install the same files "
            "on all machines"
        )


def _address() -> str:
    """The address of the worker that this thread works for."""
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:
        return "here"
