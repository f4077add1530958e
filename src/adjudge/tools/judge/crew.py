"""The thread in which a judge works: an event loop that runs while somebody needs it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from threading import Lock, Thread
from typing import Any

from adjudge.tools.judge.lane import Lane

Job = Callable[[], Coroutine[Any, Any, None]]


class Crew:
    """A thread with an event loop of its own; it starts with the first job and ends when the last member leaves.

    Each job has a place in the lane while it runs. `farewell` is awaited in the loop before it ends.
    """

    def __init__(self, lane: Lane, farewell: Callable[[], Awaitable[None]]) -> None:
        self._lane = lane
        self._farewell = farewell
        self._members = 0
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._jobs: deque[Job] = deque()
        self._starting = 0
        self._workers: set[asyncio.Task[None]] = set()

    def join(self) -> None:
        """Become a member: the thread stays at least until as many have left."""
        with self._lock:
            self._members += 1

    def leave(self) -> None:
        """Leave; with the last member the jobs at hand are given up and the thread ends."""
        with self._lock:
            self._members -= 1
            loop, thread = self._loop, self._thread
            if self._members or loop is None or thread is None:
                return
            self._loop = self._thread = None
        asyncio.run_coroutine_threadsafe(self._end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def start(self, jobs: Iterable[Job]) -> None:
        """Begin jobs, from any thread; each sees to its own failures."""
        self._running().call_soon_threadsafe(self._take, list(jobs))

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._lane.vacant = self._fill
                # A daemon, so that an interrupted command ends without waiting for requests in flight.
                self._thread = Thread(target=self._loop.run_forever, name="judge", daemon=True)
                self._thread.start()
            return self._loop

    def _take(self, jobs: list[Job]) -> None:
        self._jobs += jobs
        self._fill()

    def _fill(self) -> None:
        """Put a worker on every free place."""
        while len(self._jobs) > self._starting and self._lane.take():
            self._starting += 1
            worker = asyncio.get_running_loop().create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        # One job after the other in one task: the next request leaves at once, not a turn of the loop later.
        self._starting -= 1
        try:
            while self._jobs and self._lane.keeps():
                await self._jobs.popleft()()
        finally:
            self._lane.leave()

    async def _end(self) -> None:
        self._jobs.clear()
        workers = list(self._workers)
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        self._starting = 0
        await self._farewell()
