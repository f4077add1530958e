"""The pictures of a run that its report has as well: distributions, and metrics that are read beside another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.report.run.intervals import distributions_plot
from adjudge.report.run.quadrants import QuadrantPictures, quadrant_pictures
from adjudge.report.run.summary import RunSummary
from adjudge.run import Run
from adjudge.web.memory import remember
from adjudge.web.opened import OpenRun

if TYPE_CHECKING:
    from markupsafe import Markup

# With more conversations the dots of a picture would be one blot.
LARGEST = 5000
# More values than these take longer to draw than a page should take.
MOST_VALUES = 100_000


class Distribution(Struct, frozen=True):
    """How the conversations of each arm are spread over the scale of a metric."""

    card: Card
    plot: Markup


def distributions_of(run: OpenRun, rows: list[Row]) -> list[Distribution]:
    """A picture for each metric of the primary family with a value; none of a run of very many conversations."""
    if not run.keeps_all or run.index.count > MOST_VALUES:
        return []
    drawn = {card.name: [row for row in rows if row.metric == card.name] for card in run.primary}
    valued = {name: rows for name, rows in drawn.items() if any(row.value is not None for row in rows)}

    def draw() -> list[Distribution]:
        return [
            Distribution(run.cards[name], distributions_plot(run.cards[name], rows, _values(run, name)))
            for name, rows in valued.items()
        ]

    return remember(run, "distributions", draw)


def _values(run: OpenRun, metric: str) -> dict[tuple[str, str], list[float]]:
    """The values of the conversations of each arm."""
    values, arms = run.index.column(f"value:{metric}"), run.index.column("arm")
    known = np.isfinite(values)
    return {(metric, arm): values[known & (arms == code)].tolist() for code, arm in enumerate(run.index.words("arm"))}


def pictures_of(run: OpenRun, summary: RunSummary) -> list[QuadrantPictures]:
    """Metrics that are read beside another, a picture for each arm; none of an unfinished run."""
    drawn = any(card.quadrants is not None for card in run.cards.values())
    if not drawn or run.entry.status != "complete" or run.records > LARGEST:
        return []

    def draw() -> list[QuadrantPictures]:
        try:
            return quadrant_pictures(Run(run.entry.folder), summary.cards)
        except BadInput:
            return []

    return remember(run, "quadrants", draw)
