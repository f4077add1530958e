"""How many questions are with the judge at once: fewer when it complains, slowly more when it does not."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from types import TracebackType

# Timers of an event loop may fire a little early.
TICK = 0.001


class Lane:
    """A number of places that halves on a complaint and grows by one for each round of successes, up to `most`.

    `vacant` is called when there is a place and nobody waits for one.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.vacant: Callable[[], None] = _ignore
        self.reset()

    def reset(self) -> None:
        """Begin anew, with all places free."""
        self.limit = self.most
        self.active = 0
        self._successes = 0
        self._slowed = -1.0
        self._closed_until = 0.0
        self._queue: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        if not self._queue and self.take():
            return
        place = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        await place

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def take(self) -> bool:
        """Take a place if there is one."""
        if self.active >= self.limit or self._closed():
            return False
        self.active += 1
        return True

    def keeps(self) -> bool:
        """Whether somebody who has a place may use it once more."""
        return self.active <= self.limit and not self._queue and not self._closed()

    def leave(self) -> None:
        """Give the place to the next."""
        self.active -= 1
        self._admit()

    async def rest(self, seconds: float) -> None:
        """Leave for a while, so that others go on, and come back before all that wait."""
        self.leave()
        await asyncio.sleep(seconds)
        place = asyncio.get_running_loop().create_future()
        self._queue.appendleft(place)
        self._admit()
        await place

    def succeed(self) -> None:
        """Count a request that went well."""
        self._successes += 1
        if self._successes >= self.limit and self.limit < self.most:
            self._successes = 0
            self.limit += 1
            self._admit()

    def slow(self, sent: float, seconds: float) -> None:
        """Halve the places and let nobody in for some seconds, after a complaint about a request sent at `sent`.

        Requests sent before the last complaint say nothing new: all that were in flight then complain together.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        if sent > self._slowed:
            self._slowed = now
            self._successes = 0
            self.limit = max(1, self.limit // 2)
        self._closed_until = max(self._closed_until, now + seconds)
        loop.call_at(self._closed_until, self._admit)

    def _closed(self) -> bool:
        return self._closed_until > 0.0 and asyncio.get_running_loop().time() + TICK < self._closed_until

    def _admit(self) -> None:
        while self._queue and self.take():
            place = self._queue.popleft()
            if place.done():
                self.active -= 1
            else:
                place.set_result(None)
        if not self._queue:
            self.vacant()


def _ignore() -> None:
    """Nobody wants to know."""
