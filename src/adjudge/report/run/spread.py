"""The value of each conversation, which the tables of a run leave out, and the facets that records have."""

from __future__ import annotations

from array import array

from msgspec import Struct

from adjudge.run import Run

Values = dict[tuple[str, str], "array[float]"]


class ValueSpread(Struct, frozen=True):
    """The values of all conversations by metric and arm, and the names of the facets that records have."""

    values: Values
    facets: list[str]


def read_spread(run: Run) -> ValueSpread:
    """Read the values of all conversations."""
    values: Values = {}
    facets: set[str] = set()
    for line in run.summaries():
        facets.update(line.facets)
        for name, score in line.scores.items():
            if score.value is not None:
                values.setdefault((name, line.arm), array("d")).append(score.value)
    return ValueSpread(values, sorted(facets))
