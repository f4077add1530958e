"""How the time of something grows with its size: a ratio, so that a slow or busy machine does not matter."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

SIZE_RATIO = 4
# Four times the size take four times as long, or sixteen times where time grows with the square.
LARGEST_TIME_RATIO = 9.0
# Times below this cannot be measured, and need not be.
MEASURABLE_SECONDS = 0.2
# Another process on the same core can slow down one measurement, but not all of them.
ATTEMPTS = 4


def assert_linear(work: Callable[[int], object], size: int) -> None:
    """Do work of a size and of four times that, and check that the time grows about as much."""
    ratios: list[float] = []
    while len(ratios) < ATTEMPTS:
        larger = _seconds(work, SIZE_RATIO * size)
        if larger < MEASURABLE_SECONDS:
            return
        ratios.append(larger / _seconds(work, size))
        if ratios[-1] < LARGEST_TIME_RATIO:
            return
    raise AssertionError(f"{min(ratios):.1f} times as long for {SIZE_RATIO} times the size, at best")


def _seconds(work: Callable[[int], object], size: int) -> float:
    started = process_time()
    work(size)
    return process_time() - started
