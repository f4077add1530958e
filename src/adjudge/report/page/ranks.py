"""Mean ranks of three or more arms, each with half the critical difference to both sides."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from adjudge.compare.comparison import Ranking
from adjudge.report.contrasts import ranking_line
from adjudge.report.page.legible import columns, short
from adjudge.report.page.scale import Axis
from adjudge.report.page.svg import MIDDLE, Frame, Plot
from adjudge.report.words import arm_name

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH = 328.0
ROW = 22.0
NAMES = 16
LETTER = 6.7


def ranks(one: Ranking) -> Markup:
    """The arms in the order of their mean ranks; Nemenyi's test tells two apart where their bars do not meet."""
    order = sorted(zip(one.ranks, one.arms, strict=True))
    left = max(columns(short(arm_name(arm), NAMES)) for _, arm in order) * LETTER + 8
    arms = len(order)
    across = Axis(1.0, float(arms), tuple(float(rank) for rank in range(1, arms + 1)))
    plot = Plot(Frame(WIDTH, arms * ROW + 18, left, 42.0, 0.0, 18.0), across)
    plot.grid()
    levels = [(place + 0.5) * ROW for place in range(arms)]
    for (rank, arm), level in zip(order, levels, strict=True):
        plot.margin("label", (left - 8, level + MIDDLE), short(arm_name(arm), NAMES), "end")
        plot.margin("figure", (WIDTH, level + MIDDLE), f"{rank:.2f}", "end")
    half = _half(one)
    bars = [(rank - half, rank + half, level) for (rank, _), level in zip(order, levels, strict=True)]
    plot.lines("interval", [(max(low, 1.0), min(high, float(arms)), level) for low, high, level in bars if half])
    plot.strokes("value", [(rank, level) for (rank, _), level in zip(order, levels, strict=True)])
    return plot.svg(ranking_line(one))


def _half(one: Ranking) -> float:
    """Half the critical difference; 0 where the test could not be made."""
    return 0.0 if one.p is None else _unit(len(one.arms)) / one.n**0.5 / 2


@cache
def _unit(arms: int) -> float:
    """The critical difference of a single case, which takes a tenth of a second to find."""
    from adjudge.stats.friedman import Friedman, critical_difference

    return critical_difference(Friedman(None, None, arms - 1, 1, (0.0,) * arms))
