"""An event loop in a thread of its own, which runs while somebody uses it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from threading import Lock, Thread
from typing import Any

from adjudge.tools.limit import ConcurrencyLimit

Job = Callable[[], Coroutine[Any, Any, None]]


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
        asyncio.run_coroutine_threadsafe(self._end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def submit(self, jobs: Iterable[Job]) -> None:
        """Run jobs as slots become free; may be called from any thread. Each job handles its own failures."""
        self._running_loop().call_soon_threadsafe(self._enqueue, list(jobs))

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._limit.on_free = self._start_workers
                # A daemon, so that an interrupted command ends without waiting for requests in flight.
                self._thread = Thread(target=self._loop.run_forever, name="adjudge-requests", daemon=True)
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
        # One job after the other in one task: the next request leaves at once, not a turn of the loop later.
        self._starting -= 1
        try:
            while self._jobs and self._limit.may_reuse():
                await self._jobs.popleft()()
        finally:
            self._limit.release()

    async def _end(self) -> None:
        self._jobs.clear()
        workers = list(self._workers)
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        self._starting = 0
        await self._on_end()
