"""Event loops in threads of their own: one that runs while somebody uses it, and one for a single coroutine."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, TypeVar

from adjudge.tools.limit import ConcurrencyLimit

T = TypeVar("T")
Job = Callable[[], Coroutine[Any, Any, None]]

# Seconds to wait for a cancelled coroutine to close its connections.
GRACE = 1.0


class EventLoopThread:
    """A thread with an event loop; it starts with the first job and ends when its last user detaches.

    Each job holds a slot of the limit while it runs. `on_end` is awaited in the loop before it ends.
    """

    def __init__(self, limit: ConcurrencyLimit, on_end: Callable[[], Awaitable[None]]) -> None:
        self._limit = limit
        self._on_end = on_end
        self._users = 0
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._jobs: deque[Job] = deque()
        self._starting = 0
        self._workers: set[asyncio.Task[None]] = set()
        self._ending: asyncio.Task[None] | None = None

    def attach(self) -> None:
        """Become a user: the thread stays at least until every user has detached."""
        with self._lock:
            self._users += 1

    def detach(self) -> None:
        """Stop being a user; with the last one, running jobs are cancelled and the thread ends."""
        with self._lock:
            self._users -= 1
            loop, thread = self._loop, self._thread
            if self._users or loop is None or thread is None:
                return
            self._loop = self._thread = None
        loop.call_soon_threadsafe(self._start_end)
        # The thread closes its loop by itself, so that an interruption at this point leaves nothing open.
        thread.join()

    def submit(self, jobs: Iterable[Job]) -> None:
        """Run jobs as slots become free; may be called from any thread. Each job handles its own failures."""
        self._running_loop().call_soon_threadsafe(self._enqueue, list(jobs))

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._loop.set_exception_handler(_report_errors_only)
                self._limit.on_free = self._start_workers
                # A daemon, so that an interrupted command ends without waiting for requests in flight.
                self._thread = Thread(target=_run, args=(self._loop,), name="adjudge-requests", daemon=True)
                self._thread.start()
            return self._loop

    def _enqueue(self, jobs: list[Job]) -> None:
        self._jobs += jobs
        self._start_workers()

    def _start_workers(self) -> None:
        """Start a worker on every free slot."""
        while len(self._jobs) > self._starting and self._limit.try_acquire():
            self._starting += 1
            worker = asyncio.get_running_loop().create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        # A task runs one job after the other, so that the next request does not wait for a turn of the loop.
        self._starting -= 1
        try:
            while self._jobs and self._limit.may_reuse():
                await self._jobs.popleft()()
        finally:
            self._limit.release()

    def _start_end(self) -> None:
        loop = asyncio.get_running_loop()
        self._ending = loop.create_task(self._end())
        self._ending.add_done_callback(lambda _: loop.stop())

    async def _end(self) -> None:
        self._jobs.clear()
        workers = list(self._workers)
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        self._starting = 0
        await self._on_end()


class SeparateLoop:
    """Runs one coroutine after the other, each to its end, in an event loop of a thread of its own.

    The caller's own thread may have an event loop already, as that of a notebook has.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine; an interruption cancels it."""
        outcome: Future[T] = Future()
        thread = Thread(target=self._work, args=(coroutine, outcome), name="adjudge-endpoint", daemon=True)
        thread.start()
        try:
            return outcome.result()
        except BaseException:
            self.cancel()
            thread.join(GRACE)
            raise

    def cancel(self) -> None:
        """End what is running."""
        loop, task = self._loop, self._task
        if loop is not None and task is not None:
            with suppress(RuntimeError):  # The loop has been closed meanwhile.
                loop.call_soon_threadsafe(task.cancel)

    def _work(self, coroutine: Coroutine[Any, Any, T], outcome: Future[T]) -> None:
        try:
            result = asyncio.run(self._note(coroutine))
        except BaseException as error:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)

    async def _note(self, coroutine: Coroutine[Any, Any, T]) -> T:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        self._loop.set_exception_handler(_report_errors_only)
        return await coroutine


def _run(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


def _report_errors_only(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report errors, but not that an interrupted command left tasks and sessions unfinished."""
    if "exception" in context:
        loop.default_exception_handler(context)
