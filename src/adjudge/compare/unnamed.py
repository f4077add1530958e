"""Comparisons of runs that keep tallies: the sums of their cases have no names, so nothing can be paired."""

from __future__ import annotations

import numpy as np

from adjudge.aggregate import Row, stored_tables
from adjudge.compare.column import Column, PlacedSums
from adjudge.compare.sheet import Sheet
from adjudge.core.errors import BadInput
from adjudge.run import Run
from adjudge.stats.cases import Arm


class UnnamedColumn(Column, kw_only=True):
    """One metric on one arm of a run that keeps tallies: its cases, and the row of its table with all counts."""

    cases: Arm
    row: Row

    @property
    def valued(self) -> int:
        """The number of conversations with a value."""
        return self.row.conversations

    @property
    def case_count(self) -> int:
        """The number of cases with a value; those without one are not known."""
        return self.cases.n

    def has_repeated_cases(self) -> bool:
        """Whether a case has values of several trials; that is not known."""
        return False

    def placed_sums(self) -> PlacedSums:
        """Nothing: no case has a place."""
        return PlacedSums(np.empty(0, dtype=np.intp), np.empty(0), np.empty(0))

    def unpaired_sums(self) -> Arm:
        """The sums of the cases."""
        return self.cases


def open_sheet(runs: list[Run], force: bool = False) -> Sheet:
    """The sheet of runs of any kind; arms of runs that keep tallies are compared without pairs."""
    sheet = Sheet(runs, force, chunks=lambda run: () if run.keep.kind == "tallies" else run.chunks())
    for run in runs:
        if run.keep.kind == "tallies":
            _add_tallies(sheet, run)
    return sheet


def unnamed_text(arms: list[str]) -> str:
    """Why the cases of some arms are not paired, in a sentence; empty if there are none."""
    if not arms:
        return ""
    return (
        f"not paired, as if no cases were shared: the run of {', '.join(arm or '(unnamed)' for arm in arms)} keeps "
        "tallies, which do not name cases; pairs of the same cases (--keep worst) usually give narrower intervals"
    )


def _add_tallies(sheet: Sheet, run: Run) -> None:
    tables, names = stored_tables(run), sheet.names(run)
    if tables is None or (tables.rows and not tables.cases):
        raise BadInput(
            f"{run.folder}: has no sums of cases to compare, because it has not ended or is of an earlier version; "
            "run the same `adjudge score` command again, with --fresh if it has ended"
        )
    sums = {(case.metric, case.arm): case.sums() for case in tables.cases}
    nothing = Arm(np.empty(0), np.empty(0))
    for row in tables.rows:
        cases = sums.get((row.metric, row.arm), nothing)
        column = UnnamedColumn(places=sheet.places, versions={row.version}, cases=cases, row=row)
        column.tally.undefined, column.tally.skipped, column.tally.errors = row.undefined, row.skipped, row.errors
        column.tally.bases = dict(row.bases)
        sheet.columns[row.metric, names[row.arm]] = column
    sheet.unnamed.update(names.values())
