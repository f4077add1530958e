"""A comparison as a figure: the differences of each pair of arms with their intervals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adjudge.compare.comparison import Comparison
from adjudge.report.comparison import words
from adjudge.report.comparison.forest import Kind, Panel, pair_panels, sign_of
from adjudge.report.figures import DrawPanel, Format, draw_figure, name_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS: dict[Kind, str] = {"better": "#0072B2", "worse": "#D55E00", "else": "#777777"}


def comparison_figure(comparison: Comparison, file_format: Format) -> bytes:
    """The differences of all pairs of arms, better to the right."""
    draws: list[tuple[int, DrawPanel]] = [
        (len(panel.bars), partial(_draw, panel=panel, title=f"{words.title(pair)}: {panel.title}"))
        for pair, contrasts in words.contrasts_by_pair(comparison).items()
        for panel in pair_panels(contrasts, comparison.cards)
    ]
    return draw_figure(draws, file_format)


def _draw(axes: Axes, panel: Panel, title: str) -> None:
    name_rows(axes, [bar.label for bar in panel.bars])
    for place, bar in enumerate(panel.bars):
        colour = COLOURS[sign_of(bar.contrast).kind]
        margin = min(bar.margin, max(abs(panel.axis.low), abs(panel.axis.high)))
        axes.barh(place, 2 * margin, left=-margin, height=0.5, color="#eeeeee", zorder=0.5)
        if bar.ends:
            axes.plot(bar.ends, [place, place], color=colour, linewidth=1.4, solid_capstyle="butt")
        axes.plot([bar.value], [place], color=colour, marker="o", markersize=4.5)
    axes.axvline(0.0, color="#333333", linewidth=0.8)
    axes.set_xlim(panel.axis.low, panel.axis.high)
    axes.set_xticks(panel.axis.ticks, [panel.axis.label(tick) for tick in panel.axis.ticks])
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_xlabel(f"{panel.ends[0]}   {panel.ends[1]}")
