"""Parts of the data that are compared separately: by a facet of the records, or by the group of the marks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.compare.sheet import Sheet
from adjudge.core.errors import BadInput
from adjudge.run import Run, ScoreSummary, SummaryRow

GROUPS = ("group", "domain")


def sheets_by(runs: list[Run], by: str, force: bool = False) -> dict[str, Sheet]:
    """A sheet for each value of a facet, or for each group of marks if `by` is "group" or "domain"."""
    facets = sorted({facet for run in runs for row in run.summaries() for facet in row.facets})
    if by in facets:
        values = sorted({row.facets[by] for run in runs for row in run.summaries() if by in row.facets})
        return {f"{by} {value}": Sheet(runs, force, partial(_with_facet, facet=by, value=value)) for value in values}
    groups = sorted({mark.group for run in runs for row in run.rows() for s in row.scores.values() for mark in s.marks})
    if by not in GROUPS or not any(groups):
        known = [*facets, *(["group"] if any(groups) else [])]
        raise BadInput(f"--by {by}: no facet of that name (there are: {', '.join(known) or 'none'})")
    return {group: Sheet(runs, force, partial(_in_group, group=group)) for group in groups if group}


def _with_facet(run: Run, facet: str, value: str) -> Iterator[SummaryRow]:
    return (row for row in run.summaries() if row.facets.get(facet) == value)


def _in_group(run: Run, group: str) -> Iterator[SummaryRow]:
    """The rows of a run with the marks of one group only; metrics without groups are left out."""
    for row in run.rows():
        scores: dict[str, ScoreSummary] = {}
        for name, score in row.scores.items():
            marks = [mark for mark in score.marks if mark.group == group]
            weight = sum(mark.weight for mark in marks)
            if marks:
                value = sum(mark.value * mark.weight for mark in marks) / weight
                scores[name] = ScoreSummary(value, len(marks), weight, basis=score.basis)
        yield SummaryRow(row.case, row.arm, scores, row.trial, row.facets, row.given)
