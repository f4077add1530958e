"""Rows by the facets of the records: condition, persona, language."""

from __future__ import annotations

import msgspec
from msgspec import structs

from adjudge.aggregate import Row, breakdown, row, tally
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.run import Run, SummaryRow

GROUP = "group"


def rows_by(run: Run, by: str) -> list[Row]:
    """The rows of a run by group of marks, or by a facet of its records."""
    return breakdown(run) if by == GROUP else facet_rows(run, by)


def facet_rows(run: Run, by: str) -> list[Row]:
    """The rows of a run by a facet that its records have; raises BadInput for any other."""
    facets = sorted({facet for line in run.summaries() for facet in line.facets})
    if by not in facets:
        known = ", ".join([*facets, GROUP])
        raise BadInput(f"--by {by}: no facet of that name{did_you_mean(by, facets)} (there are: {known})")
    places = {metric: place for place, metric in enumerate(run.manifest.cards)}
    return sorted(rows_by_facet(run, by), key=lambda row: places[row.metric])


def rows_by_facet(run: Run, facet: str) -> list[Row]:
    """The rows of a run by the values of a facet, which are their `group`.

    Metrics that are pooled over groups of marks are left out: their groups are not the facet's.
    """
    cards = run.manifest.cards
    tallies = tally(_with_value(line, facet) for line in run.summaries() if facet in line.facets)
    rows: list[Row] = []
    for (metric, both, _), sums in tallies.items():
        value, arm = msgspec.json.decode(both)
        if cards[metric].pool != "groups":
            rows.append(row(cards[metric], arm, sums, value))
    return rows


def _with_value(line: SummaryRow, facet: str) -> SummaryRow:
    """The line as one of an arm named by the facet's value and the arm, so that tallies are kept apart."""
    return structs.replace(line, arm=msgspec.json.encode((line.facets[facet], line.arm)).decode())
