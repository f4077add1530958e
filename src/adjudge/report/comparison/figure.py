"""A comparison as a figure: the differences of each pair of arms with their intervals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adjudge.compare.comparison import Comparison
from adjudge.report.comparison import words
from adjudge.report.comparison.forest import Kind, Panel, pair_panels, sign_of
from adjudge.report.figures import DrawPanel, Format, Mark, draw_figure, draw_interval, name_rows, title_panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKS: dict[Kind, Mark] = {
    "better": Mark("better", "#0072B2", ">"),
    "worse": Mark("worse", "#D55E00", "<"),
    "else": Mark("neither", "#777777"),
}


def comparison_figure(comparison: Comparison, file_format: Format) -> bytes:
    """The differences of all pairs of arms with their intervals, better to the right."""
    draws: list[tuple[float, DrawPanel]] = [
        (len(panel.bars), partial(_draw, panel=panel, title=words.title(pair)))
        for pair, contrasts in words.contrasts_by_pair(comparison).items()
        for panel in pair_panels(contrasts, comparison.cards)
    ]
    return draw_figure(draws, file_format)


def _draw(axes: Axes, panel: Panel, title: str) -> None:
    name_rows(axes, [bar.label for bar in panel.bars])
    title_panel(axes, title)
    for place, bar in enumerate(panel.bars):
        axes.barh(place, 2 * bar.margin, left=-bar.margin, height=0.5, color="#eeeeee", zorder=0.5)
        draw_interval(axes, MARKS[sign_of(bar.contrast).kind], place, bar.value, bar.ends)
    axes.axvline(0.0, color="#333333", linewidth=0.8)
    axes.set_xlim(panel.axis.low, panel.axis.high)
    axes.set_xticks(panel.axis.ticks, [panel.axis.label(tick) for tick in panel.axis.ticks])
    axes.set_xlabel(f"{panel.title}\n{panel.ends[0]}        {panel.ends[1]}")
