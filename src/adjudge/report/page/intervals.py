"""Values with their intervals drawn, a row for each arm, over the distribution of the conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.core.mark import Scale
from adjudge.report.page.legible import columns, short
from adjudge.report.page.scale import Axis, axis, near
from adjudge.report.page.spread import Values
from adjudge.report.page.svg import MIDDLE, Frame, Plot
from adjudge.report.words import NONE, arm_name, interval_of, value_of

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH = 328.0
BINS = 20
# The room for arms' names, and how wide a letter is.
NAMES = 16
LETTER = 6.7


def intervals(card: Card, rows: Sequence[Row]) -> Markup:
    """A line for each arm: its interval, its value as a dot and as a figure."""
    line = 22.0
    across = near(_scale(card), _bounds(rows))
    plot = _plot(across, rows, line, 8 + LETTER * max(len(value_of(row)) for row in rows))
    plot.grid()
    for place, row in enumerate(rows):
        level = (place + 0.5) * line
        _arm(plot, row, level)
        plot.margin("figure", (WIDTH, level + MIDDLE), value_of(row), "end")
    _values(plot, [(row, (place + 0.5) * line) for place, row in enumerate(rows)])
    return plot.svg(_said(card, rows))


def distributions(card: Card, rows: Sequence[Row], values: Values) -> Markup:
    """A band for each arm: how its conversations are spread over the scale, below that its value and interval.

    A metric pooled over groups has no value of one conversation that could be compared with its own.
    """
    band, base = 38.0, 26.0
    spreads = {} if card.pool == "groups" else {row.arm: values.get((row.metric, row.arm), ()) for row in rows}
    ends = [end for found in spreads.values() if len(found) for end in (min(found), max(found))]
    plot = _plot(axis(_scale(card), [*_bounds(rows), *ends]), rows, band, 8.0)
    plot.grid()
    heights = _histograms(plot.axis, spreads, base - 6)
    for place, row in enumerate(rows):
        if row.arm in heights:
            plot.steps("spread", heights[row.arm], place * band + base)
        plot.lines("base", [(plot.axis.low, plot.axis.high, place * band + base)])
        _arm(plot, row, place * band + base - MIDDLE)
        if row.value is None:
            plot.text("missing", (plot.axis.low, place * band + base - MIDDLE), f" {value_of(row)}")
    _values(plot, [(row, place * band + base + 5) for place, row in enumerate(rows)])
    return plot.svg(_said(card, rows))


def _bounds(rows: Sequence[Row]) -> list[float]:
    return [bound for row in rows for bound in (row.value, row.low, row.high) if bound is not None]


def _scale(card: Card) -> Scale:
    # A calibration error is a distance, though its marks may lie on both sides of 0.
    return (0.0, card.scale[1]) if card.pool == "groups" else card.scale


def _plot(across: Axis, rows: Sequence[Row], line: float, right: float) -> Plot:
    widest = max(columns(short(arm_name(row.arm), NAMES)) for row in rows)
    left = max(widest * LETTER + 8, 14.0)
    return Plot(Frame(WIDTH, len(rows) * line + 18, left, right, 0.0, 18.0), across)


def _arm(plot: Plot, row: Row, level: float) -> None:
    plot.margin("label", (plot.frame.left - 8, level + MIDDLE), short(arm_name(row.arm), NAMES), "end")


def _values(plot: Plot, placed: list[tuple[Row, float]]) -> None:
    """Draw all intervals and, over them, all values."""
    plot.lines(
        "interval",
        [(row.low, row.high, y) for row, y in placed if row.low is not None and row.high is not None],
    )
    plot.strokes("value", [(row.value, y) for row, y in placed if row.value is not None])


def _histograms(across: Axis, spreads: Mapping[str, Sequence[float]], tall: float) -> dict[str, list[float]]:
    """For each arm the heights of its bins, the highest as tall as told: shapes are to be compared, not numbers."""
    import numpy as np

    counts = {
        arm: np.histogram(found, BINS, (across.low, across.high))[0] for arm, found in spreads.items() if len(found)
    }
    return {arm: (found * (tall / found.max())).tolist() for arm, found in counts.items()}


def _said(card: Card, rows: Sequence[Row]) -> str:
    """The plot in words: every arm's value with its interval."""
    said = [f"{arm_name(row.arm)} {value_of(row)} ({interval_of(row) or NONE})" for row in rows]
    return f"{card.name}: {'; '.join(said)}"
