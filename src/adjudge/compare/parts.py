"""Parts of the data that are compared separately: by a facet of the records, or by the group of the marks."""

from __future__ import annotations

from msgspec import structs

from adjudge.compare.sheet import Sheet
from adjudge.core.errors import BadInput
from adjudge.run import Run, ScoreSummary, SummaryRow

GROUPS = ("group", "domain")


def sheets_by(runs: list[Run], by: str, force: bool = False) -> dict[str, Sheet]:
    """A sheet for each value of a facet, or for each group of marks if `by` is "group" or "domain"."""
    parts = _Parts(runs, by, force)
    for run in runs:
        parts.read(run)
    if not parts.values and (by not in GROUPS or not parts.groups):
        known = [*sorted(parts.facets), *(["group"] if parts.groups else [])]
        raise BadInput(f"--by {by}: no facet of that name (there are: {', '.join(known) or 'none'})")
    if parts.values:
        return {f"{by} {value}": parts.values[value] for value in sorted(parts.values)}
    return {group: parts.groups[group] for group in sorted(parts.groups)}


class _Parts:
    """The sheets of each value of a facet, and of each group of marks, made in one pass over the runs."""

    def __init__(self, runs: list[Run], by: str, force: bool) -> None:
        self.facets: set[str] = set()
        self.values: dict[str, Sheet] = {}
        self.groups: dict[str, Sheet] = {}
        self._runs, self._by, self._force = runs, by, force
        # What arms were given does not depend on the group of marks.
        self._whole = self._empty_sheet()

    def read(self, run: Run) -> None:
        """Read a run."""
        names, cards = self._whole.names(run), run.manifest.cards
        for row in run.full_summaries():
            self.facets.update(row.facets)
            arm = names.get(row.arm, row.arm)
            if self._by in row.facets:
                value = row.facets[self._by]
                sheet = self.values.get(value) or self.values.setdefault(value, self._empty_sheet())
                sheet.take(row, arm, cards)
            self._whole.take(structs.replace(row, scores={}), arm, cards)
            for group in dict.fromkeys(group for score in row.scores.values() for group in score.groups):
                self._group_sheet(group).take_scores(_in_group(row, group), arm, cards)

    def _group_sheet(self, group: str) -> Sheet:
        if group not in self.groups:
            sheet = self.groups[group] = self._empty_sheet()
            sheet.places, sheet.given = self._whole.places, self._whole.given
        return self.groups[group]

    def _empty_sheet(self) -> Sheet:
        return Sheet(self._runs, self._force, rows=lambda _: ())


def _in_group(row: SummaryRow, group: str) -> SummaryRow:
    """The row with the marks of one group only; metrics without such marks are left out."""
    scores = {
        name: ScoreSummary(sums.total / sums.weight, sums.n, sums.weight, basis=score.basis)
        for name, score in row.scores.items()
        if (sums := score.groups.get(group))
    }
    return structs.replace(row, scores=scores)
