"""The pictures of a run that its report has as well."""

from __future__ import annotations

from adjudge.core.errors import BadInput
from adjudge.report.run.quadrants import QuadrantPictures, quadrant_pictures
from adjudge.report.run.summary import RunSummary
from adjudge.run import Run
from adjudge.web.memory import remember
from adjudge.web.opened import OpenRun

# With more conversations the dots of a picture would be one blot.
LARGEST = 5000


def pictures_of(run: OpenRun, summary: RunSummary) -> list[QuadrantPictures]:
    """Metrics that are read beside another, a picture for each arm; none of an unfinished run."""
    drawn = any(card.quadrants is not None for card in run.cards.values())
    if not drawn or run.entry.status != "complete" or run.index.count > LARGEST:
        return []

    def draw() -> list[QuadrantPictures]:
        try:
            return quadrant_pictures(Run(run.entry.folder), summary)
        except BadInput:
            return []

    return remember(run, "quadrants", draw)
