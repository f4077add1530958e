"""Workers on this machine: processes that are started when they are needed, and replaced when they end."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any

from adjudge.core.errors import BadInput
from adjudge.engines.schedule import Attempt, Schedule
from adjudge.engines.workers import Task

# Tasks that may be done or under way ahead of the first one that is not done, for each process. This bounds the memory.
AHEAD = 4
# Seconds that a process whose connection has ended gets to end by itself.
GRACE = 5.0


class Processes:
    """A number of processes on this machine."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._workers: list[_Worker] = []

    def results(self, tasks: Iterable[Task]) -> Iterator[Any]:
        """The result of each task in the order of the tasks; `LostTask` where a task ended three processes."""
        schedule = Schedule(tasks)
        while True:
            self._assign(schedule)
            if schedule.has_result():
                yield schedule.next_result()
            elif busy := [worker for worker in self._workers if worker.attempt is not None]:
                for worker in _first_to_answer(busy):
                    self._collect(worker, schedule)
            else:
                return

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for worker in self._workers:
            worker.kill()
        self._workers.clear()

    def _assign(self, schedule: Schedule) -> None:
        """Give each process that has nothing to do the next task; start processes while there are tasks for them."""
        idle = [worker for worker in self._workers if worker.attempt is None]
        while (idle or len(self._workers) < self.count) and (
            attempt := schedule.next_attempt(AHEAD * self.count)
        ) is not None:
            if not idle:
                self._workers.append(_Worker())
            worker = idle.pop() if idle else self._workers[-1]
            worker.assign(attempt)

    def _collect(self, worker: _Worker, schedule: Schedule) -> None:
        """Take the answer of a process, or put another process in its place if it has ended."""
        attempt = worker.attempt
        assert attempt is not None
        try:
            is_result, answer = worker.answer()
        except (EOFError, OSError):
            self._workers.remove(worker)
            schedule.try_again(attempt, worker.cause_of_end())
            return
        if not is_result:
            raise answer
        schedule.finish(attempt, answer)


class _Worker:
    """A process and the connection to it; `attempt` is what it works on."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self._connection, remote = context.Pipe()
        self._process = context.Process(target=work, args=(remote,), daemon=True)
        self.attempt: Attempt | None = None
        with _interrupts_held_back(), _without_main_module():
            self._process.start()
        remote.close()

    @property
    def connection(self) -> Connection:
        """Has an answer, or ends with the process."""
        return self._connection

    def assign(self, attempt: Attempt) -> None:
        """Send a task; a process that has ended shows when its answer is awaited."""
        self.attempt = attempt
        try:
            self._connection.send(attempt.task)
        except OSError:
            self._connection.close()

    def answer(self) -> tuple[bool, Any]:
        """Whether the task has a result, and the result or the exception; raises EOFError if the process ended."""
        answer: tuple[bool, Any] = self._connection.recv()
        self.attempt = None
        return answer

    def cause_of_end(self) -> str:
        """How the process, whose connection has ended, ended itself."""
        self._process.join(GRACE)
        code = self._process.exitcode
        self.kill()
        return f"killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self._connection.close()
        self._process.kill()
        self._process.join()
        self._process.close()


def _first_to_answer(workers: list[_Worker]) -> list[_Worker]:
    """The processes that have an answer or have ended, after waiting for the first."""
    closed = [worker for worker in workers if worker.connection.closed]
    if closed:
        return closed
    ready = wait([worker.connection for worker in workers])
    return [worker for worker in workers if worker.connection in ready]


def work(connection: Connection) -> None:
    """Do tasks until the connection ends; runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its workers.
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.disable()
    while True:
        try:
            task: Task = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(_outcome(task))


def _outcome(task: Task) -> tuple[bool, Any]:
    try:
        return True, task.function(*task.arguments)
    except BadInput as error:
        return False, BadInput(str(error))
    except Exception:
        return False, RuntimeError(traceback.format_exc())


def _end_with_parent() -> None:
    """End this process when its parent has ended, even if the parent was killed."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Hold Ctrl-C back while processes start: they inherit the mask, so Ctrl-C does not end one that is starting."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main_module() -> Iterator[None]:
    """Hide the user's program while processes start: they would run it again, and they need nothing of it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
