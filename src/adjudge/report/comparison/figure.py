"""A comparison as a figure: the differences of each pair of arms with their intervals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adjudge.compare.comparison import Comparison
from adjudge.report.comparison import words
from adjudge.report.comparison.forest import ForestPanel, Kind, pair_panels, sign_of
from adjudge.report.figures import (
    DrawnValue,
    DrawPanel,
    Format,
    Style,
    draw_figure,
    draw_interval,
    name_rows,
    title_panel,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES: dict[Kind, Style] = {
    "better": Style("better", "#0072B2", ">"),
    "worse": Style("worse", "#D55E00", "<"),
    "else": Style("neither", "#777777"),
}


def comparison_figure(comparison: Comparison, file_format: Format) -> bytes:
    """The differences of all pairs of arms with their intervals, better to the right."""
    draws: list[tuple[float, DrawPanel]] = [
        (len(panel.rows), partial(_draw, panel=panel, title=words.pair_title(pair)))
        for pair, contrasts in words.contrasts_by_pair(comparison).items()
        for panel in pair_panels(contrasts, comparison.cards)
    ]
    return draw_figure(draws, file_format)


def _draw(axes: Axes, panel: ForestPanel, title: str) -> None:
    name_rows(axes, [row.label for row in panel.rows])
    title_panel(axes, title)
    for place, row in enumerate(panel.rows):
        axes.barh(place, 2 * row.margin, left=-row.margin, height=0.5, color="#eeeeee", zorder=0.5)
        draw_interval(axes, STYLES[sign_of(row.contrast).kind], place, DrawnValue(row.value, row.ends))
    axes.axvline(0.0, color="#333333", linewidth=0.8)
    axes.set_xlim(panel.axis.low, panel.axis.high)
    axes.set_xticks(panel.axis.ticks, [panel.axis.label(tick) for tick in panel.axis.ticks])
    axes.set_xlabel(f"{panel.title}\n{panel.ends[0]}        {panel.ends[1]}")
