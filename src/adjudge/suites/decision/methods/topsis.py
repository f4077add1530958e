"""One score per alternative from a decision matrix: TOPSIS closeness and the weighted sum."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NoReturn, get_args

import numpy as np
import numpy.typing as npt

from adjudge.suites.decision.methods.inputs import Floats, numbers, shares

Normalisation = Literal["vector", "max", "minmax", "sum", "none"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)
Flags = npt.NDArray[np.bool_]

# Values whose difference relative to the largest is smaller are equal. Means of equal scores differ by rounding alone.
RELATIVE_ROUNDING = 8 * float(np.finfo(np.float64).eps)
# The squares of values between these neither overflow (above 1e308) nor vanish (below 1e-308).
SAFE = (1e-140, 1e140)
# Work on this many numbers at a time (512 KiB of floats), so that they stay in a core's cache.
BLOCK = 1 << 16


def topsis(
    matrix: npt.ArrayLike,
    weights: npt.ArrayLike,
    benefit: npt.ArrayLike,
    normalisation: Normalisation = "vector",
) -> Floats:
    """The closeness of each alternative to the ideal one.

    `matrix` has a row per alternative and a column per criterion, `benefit` is True where more is better and False
    where less is. Closeness runs from 0 (the worst on every criterion) to 1 (the best on every one); higher is better.
    A criterion on which all alternatives are equal contributes nothing. Closeness is undefined, and raises a
    ValueError, where they are equal on every criterion with weight or there is only one alternative.

    v = w x / norm, with w divided by its sum and norm the column's Euclidean length ("vector"), range ("minmax"),
    sum ("sum"), largest absolute value ("max") or 1 ("none", for scores of one unit); closeness = d- / (d+ + d-), with
    d+ and d- the Euclidean distances to the ideal (the largest v of a benefit, the smallest of a cost) and to the
    anti-ideal. A cost is never inverted.

    Hwang & Yoon (1981), Multiple Attribute Decision Making, Springer.

    >>> topsis([[5, 8, 4], [7, 6, 8], [8, 8, 6], [7, 4, 6]], [0.3, 0.4, 0.3], [True] * 3).round(4).tolist()
    [0.5037, 0.6581, 0.7482, 0.334]
    """
    _refuse_unknown(normalisation, NORMALISATIONS)
    problem = _Problem.of(matrix, weights, benefit)
    problem = problem.in_one_safe_unit() if normalisation == "none" else problem.in_safe_units()
    counts = problem.has_weight & problem.varies
    if not counts.any():
        raise ValueError(
            f"closeness is undefined: found {len(problem.values)} alternative(s) without a difference on any criterion "
            "with weight, expected at least two that differ"
        )
    scale = _divide_weights(problem.weights, DIVISORS[normalisation](problem, counts), counts)
    # Closeness is a ratio, so any unit of distance will do. With the widest criterion as the unit no square vanishes.
    return _closeness(problem, scale / (scale * (problem.high - problem.low)).max())


def weighted_sum(
    matrix: npt.ArrayLike,
    weights: npt.ArrayLike,
    benefit: npt.ArrayLike,
    normalisation: Normalisation = "sum",
) -> Floats:
    """The weighted sum of the normalised values of each alternative.

    The arguments are those of `topsis`; higher is better. For values of 0 or more it lies between 0 and 1 ("none": in
    the units of the matrix). Two kinds of criterion contribute nothing: under "minmax" one on which all alternatives
    are equal, and under "sum", "max" and "vector" one of zeros. The sum is undefined, and raises a ValueError, where no
    criterion is left.

    Sum of w r, with w divided by its sum and r for a benefit and for a cost:
    "sum" x / sum(x) and (1/x) / sum(1/x); "minmax" (x - min) / (max - min) and (max - x) / (max - min);
    "max" x / max|x| and 1 - x / max|x|; "vector" x / length and 1 - x / length; "none" x and -x.

    "sum" follows Kracka, Brauers & Zavadskas (2010), Inzinerine Ekonomika 21(4), 352-359.

    >>> weighted_sum([[4, 100], [2, 50]], [3, 1], [True, False], "minmax").tolist()
    [0.75, 0.25]
    """
    _refuse_unknown(normalisation, NORMALISATIONS)
    problem = _Problem.of(matrix, weights, benefit)
    if normalisation == "none":
        return _summed_values(problem.values, problem.signed_weights, np.zeros_like(problem.weights))
    problem = problem.in_safe_units()
    if normalisation == "sum":
        problem = problem.with_costs_inverted()
    return _normalised_sum(problem, normalisation)


@dataclass(frozen=True, eq=False)
class _Problem:
    """A checked decision matrix with the least and the largest value of each criterion; the weights sum to 1."""

    values: Floats
    weights: Floats
    benefit: Flags
    low: Floats
    high: Floats

    @classmethod
    def of(cls, matrix: npt.ArrayLike, weights: npt.ArrayLike, benefit: npt.ArrayLike) -> _Problem:
        values = numbers(matrix, "matrix")
        if values.ndim != 2 or not values.size:
            raise ValueError(f"matrix: found shape {values.shape}, expected alternatives x criteria, at least 1 x 1")
        width = values.shape[1]
        low, high = _extremes(values)
        # A NaN or infinite cell shows in the extremes of its column, so no pass over all cells is needed.
        if not (np.isfinite(low) & np.isfinite(high)).all():
            _refuse_cell(values, ~np.isfinite(values), "a finite number")
        return cls(values, shares(weights, width, "criteria"), _directions(benefit, width), low, high)

    @property
    def has_weight(self) -> Flags:
        return self.weights > 0

    @property
    def signed_weights(self) -> Floats:
        return np.where(self.benefit, self.weights, -self.weights)

    @property
    def peaks(self) -> Floats:
        """The largest absolute value of each criterion."""
        return np.maximum(np.abs(self.low), np.abs(self.high))

    @property
    def varies(self) -> Flags:
        return self.high - self.low > RELATIVE_ROUNDING * self.peaks

    def in_safe_units(self) -> _Problem:
        """The same problem; each criterion is divided by its peak if squares might overflow or vanish."""
        peaks = np.where(self.peaks > 0, self.peaks, 1.0)
        if ((peaks > SAFE[0]) & (peaks < SAFE[1])).all():
            return self
        return self._in_units(peaks)

    def in_one_safe_unit(self) -> _Problem:
        """The same problem; all criteria are divided by the largest peak if squares might overflow or vanish."""
        peak = self.peaks.max()
        return self if peak == 0 or SAFE[0] < peak < SAFE[1] else self._in_units(np.full_like(self.peaks, peak))

    def _in_units(self, units: Floats) -> _Problem:
        return replace(self, values=self.values / units, low=self.low / units, high=self.high / units)

    def with_costs_inverted(self) -> _Problem:
        """The same problem with every cost x as the benefit min(x) / x; 1/x could overflow."""
        costs = self.has_weight & ~self.benefit
        if (costs & (self.low <= 0)).any():
            _refuse_cell(self.values, costs & (self.values <= 0), "a cost above 0, since 'sum' takes 1/x; try 'minmax'")
        values, low, high = self.values.copy(), self.low.copy(), self.high.copy()
        values[:, costs] = self.low[costs] / values[:, costs]
        low[costs], high[costs] = self.low[costs] / self.high[costs], 1
        return replace(self, values=values, benefit=self.benefit | costs, low=low, high=high)


def _lengths(problem: _Problem, _: Flags) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->j", problem.values, problem.values))
    return lengths


def _ranges(problem: _Problem, _: Flags) -> Floats:
    return problem.high - problem.low


def _sums(problem: _Problem, counts: Flags) -> Floats:
    sums: Floats = problem.values.sum(axis=0)
    # A sum below 0 would reverse the order. A sum as small as its rounding error counts as 0.
    bad = np.flatnonzero(counts & (sums <= RELATIVE_ROUNDING * len(problem.values) * problem.peaks))
    if bad.size:
        raise ValueError(
            f"criterion {bad[0]}: found a sum of {sums[bad[0]]}, expected one above 0 for normalisation 'sum'; "
            "try 'vector' or 'minmax'"
        )
    return sums


def _peaks(problem: _Problem, _: Flags) -> Floats:
    return problem.peaks


def _ones(problem: _Problem, _: Flags) -> Floats:
    return np.ones_like(problem.peaks)


DIVISORS: dict[Normalisation, Callable[[_Problem, Flags], Floats]] = {
    "vector": _lengths,
    "max": _peaks,
    "minmax": _ranges,
    "sum": _sums,
    "none": _ones,
}


def _closeness(problem: _Problem, scale: Floats) -> Floats:
    ideal = np.where(problem.benefit, problem.high, problem.low)
    worst = np.where(problem.benefit, problem.low, problem.high)
    closeness = np.empty(len(problem.values))
    for here in _blocks(problem.values):
        columns = problem.values[here].T.copy()
        below, above = _distances(columns, ideal, scale), _distances(columns, worst, scale)
        np.divide(above, below + above, out=closeness[here])
    return closeness


def _normalised_sum(problem: _Problem, normalisation: Normalisation) -> Floats:
    counts = problem.has_weight & (problem.varies if normalisation == "minmax" else problem.peaks > 0)
    if not counts.any():
        alike = "alike" if normalisation == "minmax" else "0"
        raise ValueError(
            f"the weighted sum is undefined under {normalisation!r}: found the values of every criterion with weight "
            f"all {alike}, expected a criterion where they are not"
        )
    divisors = DIVISORS[normalisation](problem, counts)
    benefit_zero, cost_zero = (problem.low, problem.high) if normalisation == "minmax" else (0 * divisors, divisors)
    origins = np.where(problem.benefit, benefit_zero, cost_zero)
    return _summed_values(problem.values, _divide_weights(problem.signed_weights, divisors, counts), origins)


def _distances(columns: Floats, point: Floats, scale: Floats) -> Floats:
    # Sum criterion by criterion: the rounding of a matrix product depends on the row, so equal rows could differ.
    squares = np.zeros(columns.shape[1])
    for column in np.flatnonzero(scale):
        gap = columns[column] - point[column]
        gap *= scale[column]
        gap *= gap
        squares += gap
    return np.sqrt(squares, out=squares)


def _summed_values(values: Floats, factors: Floats, origins: Floats) -> Floats:
    """The sum over the criteria of factor * (value - origin)."""
    scores = np.zeros(len(values))
    for column in np.flatnonzero(factors):
        scores += (values[:, column] - origins[column]) * factors[column]
    return scores


def _divide_weights(weights: Floats, divisors: Floats, counts: Flags) -> Floats:
    """The weights divided by the divisors; 0 for a criterion that does not count."""
    return np.divide(weights, divisors, out=np.zeros_like(weights), where=counts)


def _extremes(values: Floats) -> tuple[Floats, Floats]:
    """The least and the largest value of each column."""
    low, high = [], []
    for here in _blocks(values):
        columns = values[here].T.copy()
        low.append(columns.min(axis=1))
        high.append(columns.max(axis=1))
    return np.min(low, axis=0), np.max(high, axis=0)


def _blocks(values: Floats) -> Iterator[slice]:
    step = max(BLOCK // values.shape[1], 1)
    return (slice(start, start + step) for start in range(0, len(values), step))


def _directions(benefit: npt.ArrayLike, width: int) -> Flags:
    given = np.asarray(benefit)
    if given.shape != (width,):
        raise ValueError(f"benefit: found shape {given.shape}, expected ({width},): True or False for each criterion")
    # Only booleans, 0 and 1 are accepted: in the other convention, 1 and -1, both would be true.
    if given.dtype.kind not in "biu" or ((given != 0) & (given != 1)).any():
        raise ValueError(f"benefit: found {given.tolist()!r}, expected True (more is better) or False (less is better)")
    return given.astype(np.bool_)


def _refuse_unknown(normalisation: str, known: Collection[str]) -> None:
    if normalisation not in known:
        raise ValueError(f"no normalisation {normalisation!r}, expected one of {', '.join(map(repr, known))}")


def _refuse_cell(values: Floats, bad: Flags, expected: str) -> NoReturn:
    row, column = np.argwhere(bad)[0]
    raise ValueError(f"matrix[{row}, {column}]: found {values[row, column]}, expected {expected}")
