"""Rows by the facets of the records: condition, persona, language."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.aggregate import Row, RunTables, tables_of
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.run import Run

GROUP = "group"


def rows_by(run: Run, by: str) -> list[Row]:
    """The rows of a run by group of marks, or by a facet of its records; raises BadInput for any other."""
    return choose_rows(tables_of(run), by)


def choose_rows(tables: RunTables, by: str) -> list[Row]:
    """The rows of a table by group of marks, or by a facet; raises BadInput for any other."""
    return tables.groups if by == GROUP else _facet_rows(tables.facets, by)


def _facet_rows(facets: Mapping[str, list[Row]], by: str) -> list[Row]:
    if by not in facets:
        known = ", ".join([*facets, GROUP])
        raise BadInput(f"--by {by}: no facet of that name{did_you_mean(by, facets)} (there are: {known})")
    return facets[by]
