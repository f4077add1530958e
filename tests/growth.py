"""How the time of something grows with its size: a ratio, so that a slow or busy machine does not matter."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable
from time import process_time

SIZE_RATIO = 4
# Four times the size take four times as long, or sixteen times where time grows with the square.
LARGEST_TIME_RATIO = 9.0
# Times below this cannot be measured, and need not be.
MEASURABLE_SECONDS = 0.2
# Another process on the same core can slow down one measurement, but not all of them.
ATTEMPTS = 4
# What takes this long is stopped: where time doubles with each character, it would never end.
ENDLESS_SECONDS = 10.0


class EndlessError(Exception):
    """Something took more than any reasonable time."""


def assert_linear(work: Callable[[int], object], size: int, measurable: float = MEASURABLE_SECONDS) -> None:
    """Do work of a size and of four times that, and check that the time grows about as much."""
    ratios: list[float] = []
    while len(ratios) < ATTEMPTS:
        larger = seconds(work, SIZE_RATIO * size)
        if larger < measurable:
            return
        if larger == math.inf:
            raise AssertionError(f"no end after {ENDLESS_SECONDS:g} s")
        ratios.append(larger / max(seconds(work, size), 1e-9))
        if ratios[-1] < LARGEST_TIME_RATIO:
            return
    raise AssertionError(f"{min(ratios):.1f} times as long for {SIZE_RATIO} times the size, at best")


def seconds(work: Callable[[int], object], size: int) -> float:
    """The processor time of some work; infinite where it had to be stopped."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, ENDLESS_SECONDS)
    started = process_time()
    try:
        work(size)
        return process_time() - started
    except EndlessError:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(*_: object) -> None:
    raise EndlessError
