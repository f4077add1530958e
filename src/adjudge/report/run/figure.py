"""The values of a run as a figure: a row for each metric and arm, metrics of the same scale in one panel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adjudge.aggregate import Row
from adjudge.core.errors import BadInput
from adjudge.core.mark import Scale
from adjudge.report.figures import COLOURS, MARKERS, DrawPanel, Format, draw_figure, name_rows
from adjudge.report.page.definitions import scale_words
from adjudge.report.run.intervals import drawn_scale
from adjudge.report.run.summary import Summary
from adjudge.report.words import ARROWS, arm_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# By metric, the rows of its arms.
Metrics = dict[str, list[Row]]


def run_figure(summary: Summary, file_format: Format) -> bytes:
    """The headline values with their intervals."""
    panels = _panels(summary)
    if not panels:
        raise BadInput(f"{summary.run}: no metric has a value, so there is nothing to draw")
    draws: list[tuple[int, DrawPanel]] = [
        (sum(map(len, metrics.values())), partial(_draw, summary=summary, title=title, metrics=metrics))
        for title, metrics in panels.items()
    ]
    return draw_figure(draws, file_format)


def _panels(summary: Summary) -> dict[str, Metrics]:
    """The metrics with a value by the panel they stand in: one for each bounded scale, one for each open metric."""
    panels: dict[str, Metrics] = {}
    for row in summary.headline():
        if row.value is not None:
            title = _panel_title(drawn_scale(summary.cards[row.metric]), row.metric)
            panels.setdefault(title, {}).setdefault(row.metric, []).append(row)
    return panels


def _panel_title(scale: Scale, metric: str) -> str:
    return metric if None in scale else f"Scale {scale_words(scale)}"


def _draw(axes: Axes, summary: Summary, title: str, metrics: Metrics) -> None:
    rows = [row for values in metrics.values() for row in values]
    name_rows(axes, [_row_name(row, summary) for row in rows])
    for place, row in enumerate(rows):
        _draw_row(axes, place, row, summary.arms.index(row.arm))
    axes.set_title(f"{title}, with 95 % intervals", loc="left", fontweight="bold")


def _draw_row(axes: Axes, place: int, row: Row, arm: int) -> None:
    colour, marker = COLOURS[arm % len(COLOURS)], MARKERS[arm % len(MARKERS)]
    if row.low is not None and row.high is not None:
        axes.plot([row.low, row.high], [place, place], color=colour, linewidth=1.4, solid_capstyle="butt")
    axes.plot([row.value or 0.0], [place], color=colour, marker=marker, markersize=4.5)


def _row_name(row: Row, summary: Summary) -> str:
    name = f"{row.metric} {ARROWS[row.better]}".rstrip()
    return name if len(summary.arms) == 1 else f"{name}, {arm_name(row.arm)}"
