"""What the tables of a run leave out: the value of each conversation, and tables by the facets of the records."""

from __future__ import annotations

from array import array

import msgspec
from msgspec import Struct, structs

from adjudge.aggregate import Row, row, tally
from adjudge.run import Run, SummaryRow

Values = dict[tuple[str, str], "array[float]"]


class Spread(Struct, frozen=True):
    """The values of all conversations by metric and arm, and the names of the facets that records have."""

    values: Values
    facets: list[str]


def spread(run: Run) -> Spread:
    """Read the values of all conversations."""
    values: Values = {}
    facets: set[str] = set()
    for line in run.summaries():
        facets.update(line.facets)
        for name, score in line.scores.items():
            if score.value is not None:
                values.setdefault((name, line.arm), array("d")).append(score.value)
    return Spread(values, sorted(facets))


def by_facet(run: Run, facet: str) -> list[Row]:
    """The rows of a run by the values of a facet, which are their `group`.

    Metrics that are pooled over groups of marks are left out: their groups are not the facet's.
    """
    cards = run.manifest.cards
    found = tally(_with_value(line, facet) for line in run.summaries() if facet in line.facets)
    rows: list[Row] = []
    for (metric, both, _), sums in found.items():
        value, arm = msgspec.json.decode(both)
        if cards[metric].pool != "groups":
            rows.append(row(cards[metric], arm, sums, value))
    return rows


def _with_value(line: SummaryRow, facet: str) -> SummaryRow:
    """The line as one of an arm named by the facet's value and the arm, so that tallies are kept apart."""
    return structs.replace(line, arm=msgspec.json.encode((line.facets[facet], line.arm)).decode())
