"""The limit on open requests: lower after a complaint of the server, slowly higher after successes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from types import TracebackType

# Timers of an event loop may fire a little early.
TICK = 0.001


class ConcurrencyLimit:
    """A number of slots that halves on a complaint and grows by one for each round of successes, up to `most`.

    This is the rule by which TCP shares a line (additive increase, multiplicative decrease). `on_free` is called when
    there is a free slot and nobody waits for one.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.on_free: Callable[[], None] = _do_nothing
        self.reset()

    def reset(self) -> None:
        """Begin anew, with all slots free."""
        self.limit = self.most
        self.active = 0
        self._successes = 0
        self._last_cut = -1.0
        self._closed_until = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        if not self._waiting and self.try_acquire():
            return
        slot = asyncio.get_running_loop().create_future()
        self._waiting.append(slot)
        await slot

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def try_acquire(self) -> bool:
        """Take a slot if one is free."""
        if self.active >= self.limit or self._is_closed():
            return False
        self.active += 1
        return True

    def may_reuse(self) -> bool:
        """Whether the holder of a slot may use it for another request."""
        return self.active <= self.limit and not self._waiting and not self._is_closed()

    def release(self) -> None:
        """Give the slot to the next."""
        self.active -= 1
        self._admit()

    async def pause(self, seconds: float) -> None:
        """Release the slot for a while, so that others go on, and take one again before all that wait."""
        self.release()
        await asyncio.sleep(seconds)
        slot = asyncio.get_running_loop().create_future()
        self._waiting.appendleft(slot)
        self._admit()
        await slot

    def record_success(self) -> None:
        """Count a request that went well; a full round of them adds a slot."""
        self._successes += 1
        if self._successes >= self.limit and self.limit < self.most:
            self._successes = 0
            self.limit += 1
            self._admit()

    def back_off(self, sent: float, seconds: float) -> None:
        """Halve the slots and admit nobody for some seconds, after a complaint about a request sent at `sent`.

        A request that was sent before the last cut does not cut again: all requests in flight then complain together.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        if sent > self._last_cut:
            self._last_cut = now
            self._successes = 0
            self.limit = max(1, self.limit // 2)
        self._closed_until = max(self._closed_until, now + seconds)
        loop.call_at(self._closed_until, self._admit)

    def _is_closed(self) -> bool:
        return self._closed_until > 0.0 and asyncio.get_running_loop().time() + TICK < self._closed_until

    def _admit(self) -> None:
        while self._waiting and self.try_acquire():
            slot = self._waiting.popleft()
            if slot.done():
                self.active -= 1
            else:
                slot.set_result(None)
        if not self._waiting:
            self.on_free()


def _do_nothing() -> None:
    """The default of `on_free`."""
