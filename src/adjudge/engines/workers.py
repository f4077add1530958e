"""Workers: other processes, on this machine or on others, that do parts of a job."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

# A task that ends its process so many times is given up.
TRIES = 3


class Task(NamedTuple):
    """A function of a module, so that other processes find it, and what it is called with."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class LostTask(NamedTuple):
    """In place of a result: the processes that worked on a task ended, as many times as it was tried."""

    why: str


class Workers(Protocol):
    """Processes that do tasks."""

    count: int

    def results(self, tasks: Iterable[Task]) -> Iterator[Any]:
        """The result of each task in the order of the tasks; a few are under way at once. `LostTask` for a lost one.

        Raises BadInput if a task does.
        """

    def close(self) -> None:
        """End the processes, whatever they are doing."""
