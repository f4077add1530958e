"""The axis on which a metric's values are drawn."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from adjudge.core.mark import Scale

TICKS = 4


class Axis(Struct, frozen=True):
    """From where to where an axis reaches, and the values named on it; `unsigned` names them without their sign."""

    low: float
    high: float
    ticks: tuple[float, ...]
    unsigned: bool = False

    def label(self, tick: float) -> str:
        """The number at a tick."""
        value = abs(tick) if self.unsigned else tick
        return f"{value:,g}" if abs(value) < 1e6 else f"{value:.0e}"


def axis(scale: Scale, values: Iterable[float]) -> Axis:
    """The whole scale where it has two ends; an open end is where the values end."""
    low, high = scale
    found = [*values] or [0.0]
    least = low if low is not None else min(found)
    most = high if high is not None else max(found)
    if most <= least:
        most = least + 1.0
    if low is not None and high is not None:
        return Axis(low, high, _within(least, most))
    ticks = _ticks(least, most)
    return Axis(least if low is not None else ticks[0], most if high is not None else ticks[-1], ticks)


def near(scale: Scale, values: Iterable[float]) -> Axis:
    """The part of the scale in which the values lie; the whole of it where they take up half."""
    found = [*values] or [0.0]
    whole, least, most = axis(scale, found), min(found), max(found)
    if most <= least or most - least > (whole.high - whole.low) / 2:
        return whole
    ticks = _ticks(least, most)
    return Axis(max(ticks[0], whole.low), min(ticks[-1], whole.high), ticks)


def about_zero(values: Iterable[float]) -> Axis:
    """An axis from the lowest to the highest value on which 0 lies, its numbers without signs."""
    found = [0.0, *values]
    least, most = min(found), max(found)
    if most <= least:
        least, most = -1.0, 1.0
    room = (most - least) * 0.04
    low, high = least - room, most + room
    return Axis(low, high, tuple(tick for tick in _ticks(least, most) if low <= tick <= high), unsigned=True)


def _within(low: float, high: float) -> tuple[float, ...]:
    """Quarters of a scale, or whole steps where it is one of marks like 1 to 5."""
    width = high - low
    steps = int(width) if width == int(width) and 2 < width <= 6 else TICKS
    return tuple(low + width * place / steps for place in range(steps + 1))


def _ticks(low: float, high: float) -> tuple[float, ...]:
    from matplotlib.ticker import MaxNLocator

    found = MaxNLocator(nbins=TICKS, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    return tuple(round(float(tick), 12) + 0.0 for tick in found)
