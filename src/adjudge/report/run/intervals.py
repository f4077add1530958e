"""Values with their intervals drawn over the distribution of the conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.core.mark import Scale
from adjudge.report.page.axis import Axis, whole_axis
from adjudge.report.page.svg import MIDDLE, NAME_ROOM, WIDTH, Plot, PlotFrame, names_width
from adjudge.report.run.spread import Values
from adjudge.report.run.words import interval_text, value_text
from adjudge.report.text import label
from adjudge.report.words import NONE, arm_name

if TYPE_CHECKING:
    from markupsafe import Markup

# With 20 bins a bin of a plot on a phone is about 12 pixels wide.
BINS = 20
# A band of a distribution, and how far below its top the distribution stands.
BAND = 38.0
BASE = 26.0


def distributions_plot(card: Card, rows: Sequence[Row], values: Values) -> Markup:
    """A band for each arm: how its conversations are spread over the scale, below that its value and interval.

    A metric pooled over groups has no value of one conversation that could be compared with its own.
    """
    spreads = {} if card.pool == "groups" else {row.arm: values.get((row.metric, row.arm), ()) for row in rows}
    ends = [end for spread in spreads.values() if len(spread) for end in (min(spread), max(spread))]
    plot = _plot(whole_axis(drawn_scale(card), [*_numbers(rows), *ends]), rows)
    heights = _histograms(plot.axis, spreads, BASE - 6)
    levels = [(row, place * BAND + BASE) for place, row in enumerate(rows)]
    for row, level in levels:
        if row.arm in heights:
            plot.steps("spread", heights[row.arm], level)
    plot.grid()
    for row, level in levels:
        plot.levels("base", [(plot.axis.low, plot.axis.high, level)])
        _name_arm(plot, row, level - MIDDLE)
        if row.value is None:
            plot.text("missing", (plot.axis.low, level - MIDDLE), f" {value_text(row)}")
    _draw_values(plot, [(row, level + 5) for row, level in levels])
    return plot.svg(_plot_words(card, rows))


def drawn_scale(card: Card) -> Scale:
    """The scale on which a metric's value is drawn."""
    # A calibration error is a distance, though its marks may lie on both sides of 0.
    return (0.0, card.scale[1]) if card.pool == "groups" else card.scale


def _numbers(rows: Sequence[Row]) -> list[float]:
    return [number for row in rows for number in (row.value, row.low, row.high) if number is not None]


def _plot(axis: Axis, rows: Sequence[Row]) -> Plot:
    left = max(names_width(arm_name(row.arm) for row in rows), 14.0)
    return Plot(PlotFrame(WIDTH, len(rows) * BAND + 18, left, 8.0, 0.0, 18.0), axis)


def _name_arm(plot: Plot, row: Row, level: float) -> None:
    plot.margin("label end", (plot.frame.left - 8, level + MIDDLE), label(arm_name(row.arm), NAME_ROOM))


def _draw_values(plot: Plot, levels: list[tuple[Row, float]]) -> None:
    """Draw all intervals and, over them, all values."""
    plot.levels(
        "interval",
        [(row.low, row.high, y) for row, y in levels if row.low is not None and row.high is not None],
    )
    plot.strokes("value", [(row.value, y) for row, y in levels if row.value is not None])


def _histograms(axis: Axis, spreads: Mapping[str, Sequence[float]], tall: float) -> dict[str, list[float]]:
    """For each arm the heights of its bins, the highest `tall`: shapes are to be compared, not numbers."""
    import numpy as np

    counts = {
        arm: np.histogram(spread, BINS, (axis.low, axis.high))[0] for arm, spread in spreads.items() if len(spread)
    }
    return {arm: (bins * (tall / bins.max())).tolist() for arm, bins in counts.items()}


def _plot_words(card: Card, rows: Sequence[Row]) -> str:
    """The plot in words: every arm's value with its interval."""
    return f"{card.name}: {'; '.join(map(_arm_words, rows))}"


def _arm_words(row: Row) -> str:
    return f"{arm_name(row.arm)} {value_text(row)} ({interval_text(row) or NONE})"
