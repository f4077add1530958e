"""Permutation tests: what the difference would be if the names of the arms meant nothing.

If the arms are alike they are exact whatever the distribution, near the ends of a scale too, where t tests are not.
All permutations are tried where there are few; else so many are drawn, and the observed one counts among them:
p = (b + 1) / (m + 1). Either way the first one is what was observed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from adjudge.stats.cases import Floats, Paired, Undefined, Unpaired
from adjudge.stats.tests import Test, undefined

PERMUTATIONS = 9_999
BLOCK = 1 << 20
# Permutations that reach the observed difference but for rounding do reach it.
ROUNDING = 1e-10
# What is left of equal numbers when their squares are taken from each other.
NO_SPREAD = 1e-13


def permutation(data: Paired, seed: int = 0, permutations: int = PERMUTATIONS) -> Test:
    """The share of swaps of the arms within cases whose difference is at least as large as the observed.

    Cases that are alike in both arms change nothing and are not swapped.

    >>> from adjudge.stats.cases import Arm
    >>> permutation(Paired.of(Arm.over_conversations([1, 1, 1, 1, 1]), Arm.over_conversations([0, 0, 0, 0, 0]))).p
    0.0625
    """
    if data.n < 2:
        return undefined(Undefined(data.n, f"needs at least 2 shared cases, found {data.n}"), "permutation")
    swap = _Swap.of(data)
    exact = 2**swap.count <= permutations
    blocks = _all_swaps(swap.count) if exact else _drawn_swaps(swap.count, permutations, seed)
    found = np.concatenate([swap.differences(block) for block in blocks])
    p = _share(found, ROUNDING * swap.size)
    return Test(data.a.mean - data.b.mean, p, None, data.n, _method("permutation", len(found), exact))


def shuffled_welch(data: Unpaired, seed: int = 0, permutations: int = PERMUTATIONS) -> Test:
    """The share of ways to deal all cases to two arms of these sizes in which Welch's t is as large as observed.

    Where an arm is small and all right it seems to have no spread, and Welch's own p then finds a difference in up to
    15 of 100 data sets that have none. Janssen, Statistics and Probability Letters 36 (1997).

    >>> from adjudge.stats.cases import Arm
    >>> shuffled_welch(Unpaired.of(Arm.over_conversations([1, 2, 3]), Arm.over_conversations([4, 5, 7]))).p
    0.1
    """
    fewest = min(data.a.n, data.b.n)
    if fewest < 2:
        return undefined(Undefined(data.n, f"needs at least 2 cases in each arm, found {fewest}"), "shuffled welch t")
    sums = _products(data)
    exact = comb(data.n, data.a.n) <= permutations
    blocks = _all_deals(data.n, data.a.n) if exact else _drawn_deals(data.n, data.a.n, permutations, seed)
    found = np.concatenate([_welch(sums, block) for block in blocks])
    p = _share(found, ROUNDING)
    return Test(data.a.mean - data.b.mean, p, None, data.n, _method("shuffled welch t", len(found), exact))


def _share(found: Floats, rounding: float) -> float:
    """The share that reaches the first."""
    return float((found >= found[0] * (1 - ROUNDING) - rounding).mean())


def _method(name: str, count: int, exact: bool) -> str:
    return f"{name}, all {count:,}" if exact else f"{name}, drawn {count - 1:,}"


class _Swap(Struct, frozen=True, eq=False):
    """The sums of both arms, and what swapping them within a case adds to those of the first."""

    totals: Floats
    weights: Floats
    moved_totals: Floats
    moved_weights: Floats

    @classmethod
    def of(cls, data: Paired) -> _Swap:
        totals, weights = np.stack([data.a.totals, data.b.totals]), np.stack([data.a.weights, data.b.weights])
        unlike = (totals[0] != totals[1]) | (weights[0] != weights[1])
        # The common mean is taken off: the difference stays, and large numbers do not drown it.
        centred = totals - totals.sum() / weights.sum() * weights
        moved = (centred[1] - centred[0])[unlike], (weights[1] - weights[0])[unlike]
        return cls(centred.sum(axis=1), weights.sum(axis=1), *moved)

    @property
    def count(self) -> int:
        return len(self.moved_totals)

    @property
    def size(self) -> float:
        return float(np.abs(self.moved_totals).sum() / self.weights.min())

    def differences(self, swaps: Floats) -> Floats:
        """The size of the difference for each row of swaps: 1 for a case to swap, else 0."""
        total, weight = swaps @ self.moved_totals, swaps @ self.moved_weights
        first: Floats = (self.totals[0] + total) / (self.weights[0] + weight)
        second: Floats = (self.totals[1] - total) / (self.weights[1] - weight)
        return np.abs(first - second)


def _all_swaps(count: int) -> Iterator[Floats]:
    rows = max(BLOCK // max(count, 1), 1)
    for start in range(0, 2**count, rows):
        numbers = np.arange(start, min(start + rows, 2**count))
        yield (numbers[:, None] >> np.arange(count) & 1).astype(float)


def _drawn_swaps(count: int, permutations: int, seed: int) -> Iterator[Floats]:
    yield np.zeros((1, count))
    dice = np.random.default_rng(seed)
    rows = max(BLOCK // count, 1)
    for start in range(0, permutations, rows):
        bits = dice.integers(0, 256, (min(rows, permutations - start), (count + 7) // 8), dtype=np.uint8)
        yield np.unpackbits(bits, axis=1, count=count).astype(float)


def _products(data: Unpaired) -> Floats:
    """By case: total, weight, and their squares and product, from which an arm's mean and variance are had."""
    totals = np.concatenate([data.a.totals, data.b.totals])
    weights = np.concatenate([data.a.weights, data.b.weights])
    centred = totals - totals.sum() / weights.sum() * weights
    # In units of its own size, so that what is left by rounding can be told from a difference.
    centred = centred / (np.abs(centred).max() or 1.0)
    weights = weights / weights.max()
    return np.column_stack([centred, weights, centred**2, weights**2, centred * weights])


def _welch(sums: Floats, dealt: NDArray[np.bool_]) -> Floats:
    """The size of Welch's t for each row of cases dealt to the first arm; infinite for a difference without spread."""
    first = dealt.astype(float) @ sums
    count = int(dealt[0].sum())
    means, variances = zip(_moments(first, count), _moments(sums.sum(axis=0) - first, len(sums) - count), strict=True)
    gap, spread = np.abs(means[0] - means[1]), np.sqrt(variances[0] + variances[1])
    unbounded = np.where(gap > ROUNDING, np.inf, 0.0)
    return np.divide(gap, spread, out=unbounded, where=spread > 0)


def _moments(sums: Floats, count: int) -> tuple[Floats, Floats]:
    """The mean of an arm and the variance of that mean, by row."""
    total, weight, tt, ww, tw = sums.T
    mean = total / weight
    sizes = tt + mean**2 * ww
    residuals = sizes - 2 * mean * tw
    residuals = np.where(residuals > NO_SPREAD * sizes, residuals, 0.0)
    return mean, residuals * count / (count - 1) / weight**2


def _all_deals(n: int, count: int) -> Iterator[NDArray[np.bool_]]:
    chosen = np.array(list(combinations(range(n), count)))
    dealt = np.zeros((len(chosen), n), dtype=bool)
    np.put_along_axis(dealt, chosen, True, axis=1)
    yield dealt


def _drawn_deals(n: int, count: int, permutations: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    yield np.arange(n)[None] < count
    dice = np.random.default_rng(seed)
    rows = max(BLOCK // n, 1)
    for start in range(0, permutations, rows):
        lots = dice.random((min(rows, permutations - start), n))
        yield lots < np.partition(lots, count, axis=1)[:, count, None]
