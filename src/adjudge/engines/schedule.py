"""The order in which tasks are begun, tried again, and given out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

from adjudge.engines.workers import TRIES, LostTask, Task


class Attempt(NamedTuple):
    """A task, its place in the order, and how many processes ended while they worked on it."""

    number: int
    task: Task
    ended: int = 0


class Schedule:
    """Which task is next, and which results can be given out in the order of the tasks."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = enumerate(tasks)
        self._again: deque[Attempt] = deque()
        self._results: dict[int, Any] = {}
        self._given_out = 0
        self._begun = 0

    def next_attempt(self, ahead: int) -> Attempt | None:
        """The next task to begin; None if there is none, or `ahead` tasks are begun whose results are not given out."""
        if self._again:
            return self._again.popleft()
        if self._begun - self._given_out >= ahead:
            return None
        if (numbered := next(self._tasks, None)) is None:
            return None
        self._begun += 1
        return Attempt(*numbered)

    def finish(self, attempt: Attempt, result: Any) -> None:
        """Note the result of a task."""
        self._results[attempt.number] = result

    def try_again(self, attempt: Attempt, why: str) -> None:
        """Put a task whose process has ended before all others, unless that was the last try."""
        ended = attempt.ended + 1
        if ended == TRIES:
            self.finish(attempt, LostTask(why))
        else:
            self._again.append(attempt._replace(ended=ended))

    def repeat(self, attempt: Attempt) -> None:
        """Put a task that was done, but whose result is lost, before all others."""
        self._again.append(attempt)

    def has_result(self) -> bool:
        """Whether the next result in order is there."""
        return self._given_out in self._results

    def next_result(self) -> Any:
        """The next result in order."""
        self._given_out += 1
        return self._results.pop(self._given_out - 1)
