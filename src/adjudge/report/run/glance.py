"""The primary family at a glance: a row for each metric and a column for each arm, as the terminal prints it."""

from __future__ import annotations

from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.page.bars import Bars, bars_of
from adjudge.report.run.best import best_arms
from adjudge.report.run.summary import RunSummary, rows_by_metric
from adjudge.report.run.words import arm_label, count_words, interval_text, value_text
from adjudge.report.words import arm_name

# Suites without a primary family may have any number of metrics; those of a family are at most twelve.
METRICS = 15


class GlanceCell(Struct, frozen=True):
    """The value of a metric in one arm, and whether it is the best."""

    row: Row
    best: bool


class GlanceRow(Struct, frozen=True):
    """A metric: its cell in each arm, None where there is none, the intervals drawn, and what values are means of."""

    card: Card
    cells: list[GlanceCell | None]
    bars: Bars
    counts: list[str]

    @property
    def description(self) -> str:
        """The text alternative of the drawing."""
        rows = [cell.row for cell in self.cells if cell is not None and cell.row.value is not None]
        return "; ".join(f"{arm_name(row.arm)} {value_text(row)} ({interval_text(row)})" for row in rows)


class Glance(Struct, frozen=True):
    """Metrics by arms, which have labels.

    `lacking` names the metrics without any value, `omitted` counts metrics that are not shown.
    """

    arms: dict[str, str]
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
        labels,
        [_glance_row(summary.cards[name], rows, list(labels)) for name, rows in shown],
        [name for name in metrics if name not in valued],
        len(valued) - len(shown),
    )


def _glance_row(card: Card, rows: list[Row], arms: list[str]) -> GlanceRow:
    best, by_arm = best_arms(rows), {row.arm: row for row in rows}
    cells = [GlanceCell(by_arm[arm], arm in best) if arm in by_arm else None for arm in arms]
    return GlanceRow(card, cells, bars_of(card, [by_arm.get(arm) for arm in arms]), count_words(rows))
