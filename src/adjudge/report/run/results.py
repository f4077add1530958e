"""The metrics of a run as the page shows them: by the part of the system they probe, each with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.run.intervals import distributions_plot
from adjudge.report.run.spread import Values
from adjudge.report.run.summary import RunSummary, rows_by_metric
from adjudge.report.run.worst import Worst

if TYPE_CHECKING:
    from markupsafe import Markup

# The part of metrics that name none.
OTHER = "not tied to a part"
# The most rows of worst conversations below a metric: three of each of eight arms.
WORST = 24


class MetricEntry(Struct, frozen=True):
    """A metric with its rows, its plot and its worst conversations, and how many of these were left out."""

    card: Card
    rows: list[Row]
    plot: Markup
    worst: list[Worst]
    omitted: int


class SystemPart(Struct, frozen=True):
    """A part of the system: the metrics shown here, those shown under another part, and those without any value.

    `lacking` maps the reason to the metrics; `undefined` where there is no reason.
    """

    name: str
    entries: list[MetricEntry]
    elsewhere: list[Card]
    lacking: dict[str, list[str]]


def result_parts(summary: RunSummary, values: Values) -> list[SystemPart]:
    """The parts in the order the cards first name them; each metric is shown whole under the first it names."""
    cards = [card for card in summary.cards.values() if not card.variant]
    rows = rows_by_metric(summary.headline())
    names = dict.fromkeys(part for card in cards for part in card.probes or (OTHER,))
    return [
        SystemPart(
            name,
            [entry(summary, card, rows[card.name], values) for card in _own(cards, name) if _has_value(rows, card)],
            [card for card in cards if name in card.probes[1:] and _has_value(rows, card)],
            _metrics_by_gap([card for card in _own(cards, name) if not _has_value(rows, card)], rows),
        )
        for name in names
    ]


def variant_entries(summary: RunSummary, values: Values) -> list[MetricEntry]:
    """The literal readings of a source's definition that have a value."""
    rows = rows_by_metric(summary.variants())
    return [
        entry(summary, summary.cards[name], metric_rows, values)
        for name, metric_rows in rows.items()
        if _has_value(rows, summary.cards[name])
    ]


def entry(summary: RunSummary, card: Card, rows: list[Row], values: Values) -> MetricEntry:
    """A metric with all that is shown of it."""
    drawn = [row for row in rows if row.value is not None or row.errors] or rows
    worst = [item for item in summary.worst if item.metric == card.name]
    return MetricEntry(card, rows, distributions_plot(card, drawn, values), worst[:WORST], max(len(worst) - WORST, 0))


def _own(cards: list[Card], part: str) -> list[Card]:
    return [card for card in cards if (card.probes or (OTHER,))[0] == part]


def _has_value(rows: dict[str, list[Row]], card: Card) -> bool:
    return any(row.value is not None for row in rows.get(card.name, ()))


def _metrics_by_gap(cards: list[Card], rows: dict[str, list[Row]]) -> dict[str, list[str]]:
    metrics: dict[str, list[str]] = {}
    for card in cards:
        reasons = dict.fromkeys(why for row in rows.get(card.name, ()) for why in row.reasons)
        metrics.setdefault("; ".join(reasons) or "undefined", []).append(card.name)
    return metrics
