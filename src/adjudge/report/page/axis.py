"""The axis on which a metric's values are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, log10

from msgspec import Struct

from adjudge.core.mark import Scale

# About so many intervals between ticks: more would not fit under a plot on a phone.
INTERVALS = 4
# The steps between ticks that people read easily, times a power of ten.
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


class Axis(Struct, frozen=True):
    """The ends of an axis and the values named on it; `unsigned` names them without their sign."""

    low: float
    high: float
    ticks: tuple[float, ...]
    unsigned: bool = False

    def label(self, tick: float) -> str:
        """The number at a tick."""
        value = abs(tick) if self.unsigned else tick
        return f"{value:,g}" if abs(value) < 1e6 else f"{value:.0e}"


def whole_axis(scale: Scale, values: Iterable[float]) -> Axis:
    """The whole scale where it has two ends; an open end is where the values end."""
    low, high = scale
    numbers = [*values] or [0.0]
    least = low if low is not None else min(numbers)
    most = high if high is not None else max(numbers)
    if most <= least:
        most = least + max(1.0, abs(least) * 1e-6)
    if low is not None and high is not None:
        return Axis(low, high, _scale_ticks(least, most))
    ticks = round_ticks(least, most)
    return Axis(least if low is not None else ticks[0], most if high is not None else ticks[-1], ticks)


def difference_axis(values: Iterable[float]) -> Axis:
    """An axis from the lowest to the highest value that includes 0, its numbers without signs."""
    numbers = [0.0, *values]
    least, most = min(numbers), max(numbers)
    if most <= least:
        least, most = -1.0, 1.0
    room = (most - least) * 0.04
    low, high = least - room, most + room
    return Axis(low, high, tuple(tick for tick in round_ticks(least, most) if low <= tick <= high), unsigned=True)


def round_ticks(low: float, high: float) -> tuple[float, ...]:
    """Round numbers in equal steps from at most the low value to at least the high one.

    >>> round_ticks(0.93, 1.0)
    (0.92, 0.94, 0.96, 0.98, 1.0)
    """
    least_step = (high - low) / INTERVALS
    power = 10.0 ** floor(log10(least_step))
    # The tolerances keep 0.30000000000000004 from counting as more than 0.3.
    step = next((factor * power for factor in STEPS if factor * power >= least_step * (1 - 1e-9)), 10 * power)
    places = range(floor(low / step + 1e-9), ceil(high / step - 1e-9) + 1)
    return tuple(float(f"{place * step:.12g}") for place in places)


def _scale_ticks(low: float, high: float) -> tuple[float, ...]:
    """Quarters of a scale, or whole steps where it is a rating such as 1 to 5."""
    width = high - low
    steps = int(width) if width == int(width) and 2 < width <= 6 else INTERVALS
    return tuple(low + width * place / steps for place in range(steps + 1))
