"""Parts of the data that are compared separately: by a facet of the records, or by the group of the marks."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from adjudge.aggregate import NumberedChunk
from adjudge.compare.sheet import Sheet
from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.run import Run
from adjudge.run.chunk import GroupColumns, ScoreColumns

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
        for chunk in run.full_chunks():
            self.facets.update(chunk.facets)
            self._whole.take(structs.replace(chunk, scores={}), names, cards)
            numbered = self._whole.places.number_records(chunk)
            values = numbered.facet_values(self._by) if self._by in chunk.facets else ()
            for value, part in numbered.split(values):
                sheet = self.values.get(value) or self.values.setdefault(value, self._empty_sheet())
                sheet.take(part.chunk, names, cards)
            for arm, part in numbered.arms:
                self._read_groups(part, names.get(arm, arm), cards)

    def _read_groups(self, part: NumberedChunk, arm: str, cards: Mapping[str, Card]) -> None:
        for metric, scores in part.chunk.scores.items():
            for group, columns in scores.groups.items():
                places = [part.numbers[row] for row in columns.row]
                self._group_sheet(group).add_scores((metric, arm), places, _in_group(scores, columns), cards[metric])

    def _group_sheet(self, group: str) -> Sheet:
        if group not in self.groups:
            sheet = self.groups[group] = self._empty_sheet()
            sheet.places, sheet.given = self._whole.places, self._whole.given
        return self.groups[group]

    def _empty_sheet(self) -> Sheet:
        return Sheet(self._runs, self._force, chunks=lambda _: ())


def _in_group(scores: ScoreColumns, columns: GroupColumns) -> ScoreColumns:
    """The scores of the marks of one group only."""
    bases = scores.basis if isinstance(scores.basis, str) else [scores.basis[row] for row in columns.row]
    return ScoreColumns([*columns.means()], columns.n, columns.weights(), basis=bases)
