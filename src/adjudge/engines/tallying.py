"""Tallies of scores while they are made, so that the first table of a run needs no second reading of its scores."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from adjudge.aggregate import Tallies, tally_values
from adjudge.core.tally import OWN_CASE, Tally
from adjudge.run.batch import Scored


class ShardTallies(Struct):
    """The tallies of some records by metric and arm; `cases` are the cases that their tallies number, in order."""

    cases: dict[str, int] = field(default_factory=dict)
    arms: dict[str, dict[str, Tally]] = field(default_factory=dict)

    def watch(self, scored: Iterable[Scored]) -> Iterator[Scored]:
        """The same records and scores, each taken into the tallies."""
        for record, scores in scored:
            key = record.key
            case = self.cases.setdefault(key.case, len(self.cases)) if key.case else OWN_CASE
            tallies = self.arms.get(key.arm)
            if tallies is None:
                tallies = self.arms[key.arm] = {}
            tally_values(tallies, scores, case)
            yield record, scores

    def merge(self, other: ShardTallies) -> None:
        """Take in the tallies of records that come later."""
        # OWN_CASE is the last place of a list, and stays what it is.
        numbers = [*(self.cases.setdefault(case, len(self.cases)) for case in other.cases), OWN_CASE]
        for arm, tallies in other.arms.items():
            whole = self.arms.setdefault(arm, {})
            for name, tally in tallies.items():
                whole.setdefault(name, Tally()).merge(_renumber(tally, numbers))

    def by_metric(self) -> Tallies:
        """The tallies by metric, arm and group; the group is empty."""
        return {(name, arm, ""): tally for arm, tallies in self.arms.items() for name, tally in tallies.items()}


def _renumber(tally: Tally, numbers: list[int]) -> Tally:
    """A tally with other numbers for its cases."""
    columns = tally.columns()
    tally.cases = array("i", [numbers[case] for case in columns.cases])
    tally.values, tally.weights = columns.values, columns.weights
    tally.packed, tally.packed_conversations = [], 0
    return tally
