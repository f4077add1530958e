"""Values and their intervals as bars on an axis in percent of its width."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.page.axis import Axis, whole_axis

# The room at both ends of an axis, in percent of its width.
MARGIN = 2.0


class Bar(Struct, frozen=True):
    """A value and its interval, in percent from the left; None where there is none."""

    value: float | None
    low: float | None
    high: float | None


class Bars(Struct, frozen=True):
    """The bars of one metric, one below the other, with the ticks of their axis."""

    bars: list[Bar]
    ticks: list[tuple[float, str]]
    shared: bool

    @property
    def height(self) -> int:
        """The height of the picture in pixels."""
        return 12 + 10 * len(self.bars) if len(self.bars) > 2 else 2 + 15 * len(self.bars)

    def y(self, place: int) -> float:
        """The middle of a bar in pixels."""
        return 6.0 + 10 * place if len(self.bars) > 2 else 8.0 + 15 * place


def bars_of(card: Card, rows: Sequence[Row | None]) -> Bars:
    """The bars of a metric for arms in their order."""
    numbers = [number for row in rows if row for number in (row.value, row.low, row.high) if number is not None]
    axis = whole_axis(card.scale, numbers)
    bars = [
        Bar(None, None, None)
        if row is None
        else Bar(*(_percent(number, axis) for number in (row.value, row.low, row.high)))
        for row in rows
    ]
    ticks = [
        (MARGIN + (100 - 2 * MARGIN) * (tick - axis.low) / (axis.high - axis.low), axis.label(tick))
        for tick in axis.ticks
    ]
    return Bars(bars, ticks, card.scale == (0.0, 1.0))


def percent_on(card: Card, value: float) -> float:
    """Where a value lies on the whole scale of its metric."""
    return _percent(value, whole_axis(card.scale, [value])) or 0.0


def _percent(value: float | None, axis: Axis) -> float | None:
    if value is None:
        return None
    share = (value - axis.low) / (axis.high - axis.low)
    return MARGIN + (100 - 2 * MARGIN) * min(max(share, 0.0), 1.0)
