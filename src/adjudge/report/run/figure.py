"""The values of a run as a figure: a row for each metric, metrics of the same scale in one panel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adjudge.aggregate import Row
from adjudge.core.errors import BadInput
from adjudge.core.mark import Scale
from adjudge.report.figures import (
    DrawnValue,
    DrawPanel,
    Format,
    Style,
    draw_figure,
    draw_interval,
    name_rows,
    styles_for,
    title_panel,
)
from adjudge.report.page.definitions import scale_words
from adjudge.report.run.intervals import drawn_scale
from adjudge.report.run.summary import RunSummary
from adjudge.report.words import ARROWS, INTERVAL, arm_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# By metric, the rows of its arms.
Metrics = dict[str, list[Row]]
# The height of an arm within the row of a metric, in parts of a row.
ARM = 0.6


def run_figure(summary: RunSummary, file_format: Format) -> bytes:
    """The headline values of all arms with their intervals."""
    panels = _panels(summary)
    if not panels:
        raise BadInput(f"{summary.run}: no metric has a value, so there is nothing to draw")
    marks = dict(zip(summary.arms, styles_for([arm_name(arm) for arm in summary.arms]), strict=True))
    height = max(1.0, ARM * len(marks))
    draws: list[tuple[float, DrawPanel]] = [
        (len(metrics) * height, partial(_draw, title=title, metrics=metrics, marks=marks))
        for title, metrics in panels.items()
    ]
    return draw_figure(draws, file_format, list(marks.values()))


def _panels(summary: RunSummary) -> dict[str, Metrics]:
    """The metrics with a value by the panel they stand in: one for each bounded scale, one for each open metric."""
    panels: dict[str, Metrics] = {}
    for row in summary.headline():
        if row.value is not None:
            title = _panel_title(drawn_scale(summary.cards[row.metric]), row.metric)
            panels.setdefault(title, {}).setdefault(f"{row.metric} {ARROWS[row.better]}".rstrip(), []).append(row)
    return panels


def _panel_title(scale: Scale, metric: str) -> str:
    return f"{metric}, {INTERVAL}" if None in scale else f"Values on a scale from {scale_words(scale)}, {INTERVAL}"


def _draw(axes: Axes, title: str, metrics: Metrics, marks: dict[str, Style]) -> None:
    name_rows(axes, list(metrics))
    title_panel(axes, title)
    for place, rows in enumerate(metrics.values()):
        for number, row in enumerate(rows):
            shift = (number - (len(rows) - 1) / 2) * 0.8 / len(marks)
            ends = None if row.low is None or row.high is None else (row.low, row.high)
            draw_interval(axes, marks[row.arm], place + shift, DrawnValue(row.value or 0.0, ends))
