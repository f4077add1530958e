"""Mean ranks of three or more arms, each with half the critical difference to both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.compare.comparison import Ranking
from adjudge.report.comparison.words import ranking_line
from adjudge.report.page.axis import Axis
from adjudge.report.page.svg import MIDDLE, NAME_ROOM, WIDTH, Plot, PlotFrame, names_width
from adjudge.report.text import label
from adjudge.report.words import arm_name

if TYPE_CHECKING:
    from markupsafe import Markup

# The height of an arm in pixels.
ROW = 22.0


def ranks_plot(ranking: Ranking) -> Markup:
    """The arms in the order of their mean ranks; they differ by Nemenyi's test where their bars do not overlap."""
    order = sorted(zip(ranking.ranks, ranking.arms, strict=True))
    last = float(len(order))
    left = names_width(map(arm_name, ranking.arms))
    axis = Axis(1.0, last, tuple(float(rank) for rank in range(1, len(order) + 1)))
    plot = Plot(PlotFrame(WIDTH, last * ROW + 18, left, 42.0, 0.0, 18.0), axis)
    plot.grid()
    levels = [(rank, arm, (place + 0.5) * ROW) for place, (rank, arm) in enumerate(order)]
    for rank, arm, level in levels:
        plot.margin("label end", (left - 8, level + MIDDLE), label(arm_name(arm), NAME_ROOM))
        plot.margin("figure", (WIDTH, level + MIDDLE), f"{rank:.2f}")
    # Bars of half the critical difference do not overlap where the ranks differ by more than all of it; it is 0 where
    # the test could not be made.
    if half := ranking.critical / 2:
        plot.levels("interval", [(max(rank - half, 1.0), min(rank + half, last), level) for rank, _, level in levels])
    plot.strokes("value", [(rank, level) for rank, _, level in levels])
    return plot.svg(ranking_line(ranking))
