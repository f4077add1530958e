"""When a failed request is sent again, and how long to wait before that."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct

from adjudge.core.errors import FailedAttempt, Unanswered
from adjudge.tools.limit import ConcurrencyLimit

T = TypeVar("T")

# Seconds to wait for other requests to end where this process may open no more connections.
CROWDED = 0.1


class RetryPolicy(Struct, frozen=True):
    """How often a request is sent, and the waits in between, in seconds.

    The wait begins with `first_wait` and doubles up to `longest_wait`. A server that asks for another wait is obeyed
    up to `longest_obeyed`.
    """

    attempts: int = 4
    first_wait: float = 0.5
    longest_wait: float = 30.0
    longest_obeyed: float = 120.0

    def wait(self, attempt: int, asked: float | None) -> float:
        """How long to wait after the attempt of this number, counted from 0; `asked` is what the server asks for.

        A random part keeps requests that failed together from being sent together again.
        """
        backoff = min(self.longest_wait, self.first_wait * 2.0**attempt) * random.uniform(0.5, 1.0)
        return backoff if asked is None else min(asked, self.longest_obeyed) + random.uniform(0.0, 0.1) * backoff


async def with_retries(attempt: Callable[[], Awaitable[T]], limit: ConcurrencyLimit, policy: RetryPolicy) -> T:
    """The result of the first attempt that succeeds; raises `Unanswered` when none does or trying again is useless.

    The caller holds a slot of the limit and keeps it, except while it waits to try again. A request that could not be
    sent because other requests hold all connections is no attempt.
    """
    number = 0
    while True:
        sent = asyncio.get_running_loop().time()
        try:
            result = await attempt()
        except FailedAttempt as failure:
            crowded = failure.out_of_files and limit.limit > 1
            wait = CROWDED if crowded else policy.wait(number, failure.wait)
            number += not crowded
            if failure.status == "rate_limited" or crowded:
                limit.back_off(sent, wait)
            if not failure.again or number >= policy.attempts:
                raise Unanswered(failure.status, _reason(failure, number)) from None
            await limit.pause(wait)
        else:
            limit.record_success()
            return result


def _reason(failure: FailedAttempt, attempts: int) -> str:
    return failure.why if attempts == 1 else f"{failure.why} (after {attempts} attempts)"
