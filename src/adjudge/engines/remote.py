"""What a worker of a cluster does: it checks its version, does a task, and names itself where that fails."""

from __future__ import annotations

import traceback
from typing import Any

from adjudge.core.errors import BadInput
from adjudge.core.version import __version__
from adjudge.engines.workers import Task


class FailedTaskError(Exception):
    """A task failed for a reason that is no fault of the input; the text is the traceback of the worker."""


def do_task(version: str, task: Task) -> Any:
    """Do a task on a worker; raises BadInput where this worker cannot do it, with its address."""
    try:
        _check_version(version)
        return task.function(*task.arguments)
    except BadInput as error:
        raise BadInput(f"worker {_address()}: {error}") from None
    except Exception:
        raise FailedTaskError(f"worker {_address()}: {traceback.format_exc()}") from None


def _check_version(version: str) -> None:
    if version != __version__:
        raise BadInput(
            f"has adjudge {__version__}; expected {version}, as where the command runs; install the same version "
            "on all machines"
        )


def _address() -> str:
    """The address of the worker that this thread works for."""
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:
        return "here"
