"""Values by group of marks and by facet of the records: groups down, arms across."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.run.summary import RunSummary

# The largest groups are shown, so that a table fits on a screen.
GROUPS = 24
# The steps of a cell's background; page.css has a class for each.
SHADES = 8


class MetricByGroup(Struct, frozen=True):
    """One metric: for each group the row of every arm, None where the arm has nothing there."""

    card: Card
    arms: list[str]
    groups: dict[str, list[Row | None]]
    omitted: int


class Breakdown(Struct, frozen=True):
    """The metrics broken down in one way."""

    title: str
    pivots: list[MetricByGroup]


def breakdowns(summary: RunSummary, facets: Mapping[str, list[Row]]) -> list[Breakdown]:
    """By group of marks, and by each facet."""
    ways = {"group": summary.groups, **facets}
    tables = [Breakdown(f"By {way}", _pivots(rows, summary)) for way, rows in ways.items()]
    return [breakdown for breakdown in tables if breakdown.pivots]


def shade(row: Row, card: Card) -> int:
    """How far up its scale a value lies, in steps from 0; 0 where the scale is open."""
    low, high = card.scale
    if row.value is None or low is None or high is None:
        return 0
    return min(int(abs(row.value - low) / (high - low) * (SHADES + 1)), SHADES)


def _pivots(rows: list[Row], summary: RunSummary) -> list[MetricByGroup]:
    metrics: dict[str, list[Row]] = {}
    for row in rows:
        if not summary.cards[row.metric].variant:
            metrics.setdefault(row.metric, []).append(row)
    pivots = [_pivot(summary.cards[name], metrics[name], summary.arms) for name in summary.cards if name in metrics]
    return [pivot for pivot in pivots if len(pivot.groups) > 1]


def _pivot(card: Card, rows: list[Row], arms: Sequence[str]) -> MetricByGroup:
    weight: dict[str, int] = {}
    for row in rows:
        weight[row.group] = weight.get(row.group, 0) + row.n
    largest = sorted(weight, key=lambda group: (-weight[group], group))[:GROUPS]
    shown = [arm for arm in arms if any(row.arm == arm for row in rows)]
    cells = {(row.group, row.arm): row for row in rows}
    groups = {group: [cells.get((group, arm)) for arm in shown] for group in sorted(largest)}
    return MetricByGroup(card, shown, groups, len(weight) - len(largest))
