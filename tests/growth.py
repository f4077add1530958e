"""How the time of something grows with its size: a ratio, so that a slow or busy machine does not matter."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

TIMES = 4
# Four times the size take four times as long, or sixteen times where time grows with the square.
MOST = 9.0
# What takes less than this cannot be measured, and need not be.
LEAST = 0.2


def assert_linear(work: Callable[[int], object], size: int) -> None:
    """Do work of a size and of four times that, and see that the time grows about as much."""
    larger = min(_seconds(work, TIMES * size) for _ in range(2))
    if larger >= LEAST:
        smaller = min(_seconds(work, size) for _ in range(3))
        assert larger < MOST * smaller, f"{larger / smaller:.1f} times as long for {TIMES} times the size"


def _seconds(work: Callable[[int], object], size: int) -> float:
    started = process_time()
    work(size)
    return process_time() - started
