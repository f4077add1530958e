"""The sums of cases without their names: what a run that keeps tallies has for comparisons."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.tally import OWN_CASE, Tally
from adjudge.stats.cases import Arm
from adjudge.stats.variance import ROUNDING, Floats, Ints


class CaseSums(Struct, frozen=True):
    """The cases of one metric and arm by total and weight: so many cases have each pair of them."""

    metric: str
    arm: str
    totals: list[float]
    weights: list[float]
    counts: list[int]

    def sums(self) -> Arm:
        """The cases, in the order of their totals."""
        return Arm(np.repeat(self.totals, self.counts), np.repeat(self.weights, self.counts))


def case_sums(card: Card, arm: str, tally: Tally) -> CaseSums:
    """The sums of the cases of a tally.

    >>> from adjudge.core.card import metric
    >>> @metric("G", formula="mean", unit="turn", better="higher", scale=(0, 1), pool="marks", source="an example")
    ... def grade(record):
    ...     '''How good is it?'''
    >>> tally = Tally()
    >>> for case, value in enumerate([1.0, 0.5, 1.0]):
    ...     tally.count(case, value, 2.0, 2)
    >>> case_sums(grade.card, "mine", tally)
    CaseSums(metric='grade', arm='mine', totals=[1.0, 2.0], weights=[2.0, 2.0], counts=[1, 2])
    """
    columns = tally.columns()
    values, weights = np.frombuffer(columns.values), np.frombuffer(columns.weights)
    weights = weights if card.pool == "marks" else np.ones_like(values)
    # A value of 5e-17 is what rounding leaves of none.
    values = np.where(np.abs(values) <= ROUNDING, 0.0, values)
    cases = Arm.by_cluster(values, weights, _case_numbers(np.frombuffer(columns.cases, dtype=np.intc)))
    pairs, counts = np.unique(_pairs(cases), axis=0, return_counts=True)
    return CaseSums(card.name, arm, pairs[:, 0].tolist(), pairs[:, 1].tolist(), counts.tolist())


def _pairs(cases: Arm) -> Floats:
    return np.stack([cases.totals, cases.weights], axis=1)


def _case_numbers(numbers: np.ndarray[tuple[int], np.dtype[np.intc]]) -> Ints:
    """A number for each case, also for conversations that share their case with no other."""
    cases = numbers.astype(np.intp)
    alone = np.flatnonzero(cases == OWN_CASE)
    cases[alone] = cases.max(initial=-1) + 1 + np.arange(len(alone))
    return cases
