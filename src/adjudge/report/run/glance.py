"""The primary family at a glance: a row for each metric and a column for each arm, as the terminal prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.run.best import best_arms
from adjudge.report.run.intervals import interval_bars
from adjudge.report.run.summary import RunSummary, rows_by_metric
from adjudge.report.run.words import arm_label, count_words

if TYPE_CHECKING:
    from markupsafe import Markup

# Suites without a primary family may have any number of metrics; those of a family are at most twelve.
METRICS = 15


class GlanceCell(Struct, frozen=True):
    """The value of a metric in one arm, with its interval drawn if there is a value."""

    row: Row
    best: bool
    bar: Markup | None


class GlanceRow(Struct, frozen=True):
    """A metric: its cell in each arm, None where the arm has none, and what the values are means of."""

    card: Card
    cells: list[GlanceCell | None]
    counts: list[str]


class Glance(Struct, frozen=True):
    """Metrics by arms; `lacking` names the metrics without any value, `omitted` counts metrics that are not shown."""

    arms: list[str]
    rows: list[GlanceRow]
    lacking: list[str]
    omitted: int


def glance(summary: RunSummary) -> Glance:
    """The metrics of the primary family that have a value."""
    family = summary.primary_names()
    metrics = rows_by_metric([row for row in summary.headline() if row.metric in family])
    valued = {name: rows for name, rows in metrics.items() if any(row.value is not None for row in rows)}
    labels = {row.arm: arm_label(row) for rows in valued.values() for row in rows}
    shown = list(valued.items())[:METRICS]
    return Glance(
        list(labels.values()),
        [_glance_row(summary.cards[name], rows, list(labels)) for name, rows in shown],
        [name for name in metrics if name not in valued],
        len(valued) - len(shown),
    )


def _glance_row(card: Card, rows: list[Row], arms: list[str]) -> GlanceRow:
    best, bars = best_arms(rows), interval_bars(card, rows)
    cells = {row.arm: GlanceCell(row, row.arm in best, bars.get(row.arm)) for row in rows}
    return GlanceRow(card, [cells.get(arm) for arm in arms], count_words(rows))
