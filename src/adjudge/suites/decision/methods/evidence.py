"""Combining belief distributions: evidential reasoning, Dempster's rule, and the utility of the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from adjudge.suites.decision.methods.inputs import Floats, numbers, shares

# One number, or an array of them where several problems are solved at once.
Mass = np.float64 | Floats

# Rows may sum to this much more than 1, because decimals are rounded in binary.
EXCESS = 1e-9
# A row that falls short of 1 by less is complete. Counting a rounding error as unassigned would hide a total conflict.
COMPLETE = 1e-12
# Work on this many numbers at a time (512 KiB of floats), so that they stay in a core's cache.
BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Evidence:
    """Several pieces of evidence combined.

    `beliefs` holds the degree of belief in each proposition, `unassigned` the belief in none in particular. Together
    they sum to 1. `conflict`, from 0 to 1, is the mass that the pieces gave to different propositions. It was
    redistributed by normalisation.
    """

    beliefs: Floats
    unassigned: Mass
    conflict: Mass


@dataclass(frozen=True, eq=False)
class UtilityInterval:
    """The utility if the unassigned belief goes to the worst proposition, half to each end, or to the best one."""

    worst: Mass
    average: Mass
    best: Mass


def combine(beliefs: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Evidence:
    """The pieces of evidence combined by evidential reasoning, in the analytical form.

    `beliefs` has a row per piece of evidence and a column per proposition. A row sums to 1 or less; the rest is
    unassigned belief. `weights` say how much each piece counts (None: all the same) and are divided by their sum.
    Leading axes hold separate problems: an array of shape (..., L, N) gives beliefs of shape (..., N). The result can
    be a piece of evidence for the next level of a hierarchy. `conflict` is that of the weighted masses.

    With m_n,i = w_i b_n,i, mbar_i = 1 - w_i, mtilde_i = w_i (1 - sum_n b_n,i), m_H,i = mbar_i + mtilde_i:
    1/k = sum_n prod_i (m_n,i + m_H,i) - (N - 1) prod_i m_H,i
    m_n = k (prod_i (m_n,i + m_H,i) - prod_i m_H,i), mtilde = k (prod_i m_H,i - prod_i mbar_i), mbar = k prod_i mbar_i
    beliefs = m_n / (1 - mbar), unassigned = mtilde / (1 - mbar), conflict = 1 - 1/k.

    Yang & Xu (2002), IEEE Trans. SMC-A 32(3), 289-304; analytical form: Wang, Yang & Xu (2006), EJOR 174(3), 1885-1943.

    >>> doctors = combine([[0.9, 0, 0], [0, 0.9, 0], [0, 0, 0.9]], [10, 8, 5])
    >>> doctors.beliefs.round(4).tolist(), round(float(doctors.unassigned), 4)
    ([0.4332, 0.3071, 0.1639], 0.0959)
    """
    given = _rows(beliefs)
    return _apply_in_blocks(given, _weights(weights, given), _analytical)


def combine_recursively(beliefs: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Evidence:
    """The pieces of evidence combined by evidential reasoning, one after the other.

    It takes the arguments of `combine` and gives the same result, up to rounding.

    With the masses of `combine`, and I(i) the first i pieces together:
    1/K = 1 - sum of m_n,I(i) m_t,i+1 over all n other than t
    m_n,I(i+1) = K (m_n,I(i) m_n,i+1 + m_n,I(i) m_H,i+1 + m_H,I(i) m_n,i+1)
    mtilde_I(i+1) = K (mtilde_I(i) mtilde_i+1 + mbar_I(i) mtilde_i+1 + mtilde_I(i) mbar_i+1)
    mbar_I(i+1) = K mbar_I(i) mbar_i+1
    beliefs and unassigned as in `combine`; conflict = 1 - product of all 1/K.

    Yang & Xu (2002), IEEE Trans. SMC-A 32(3), 289-304.

    >>> combine_recursively([[0.7, 0.2, 0.1], [0.5, 0.3, 0.2]], [0.55, 0.45]).beliefs.round(4).tolist()
    [0.6536, 0.2226, 0.1238]
    """
    given = _rows(beliefs)
    return _apply_in_blocks(given, _weights(weights, given), _recursive)


def dempster(beliefs: npt.ArrayLike) -> Evidence:
    """The pieces of evidence combined by Dempster's rule.

    `beliefs` is as in `combine`. Every piece counts in full, and the unassigned part of a row is mass on the whole
    frame. Pieces that agree reinforce each other. Mass that they give to different propositions becomes `conflict`, and
    the remaining mass is scaled to 1. Under a total conflict no mass remains, which raises a ValueError.

    m(A) = sum of m_1(B) m_2(C) over all B and C whose intersection is A, divided by 1 - conflict.

    Shafer (1976), A Mathematical Theory of Evidence, Princeton. The example is Zadeh's (1979).

    >>> doctors = dempster([[0.99, 0.01, 0], [0, 0.01, 0.99]])
    >>> doctors.beliefs.round(4).tolist(), round(float(doctors.conflict), 4)
    ([0.0, 1.0, 0.0], 0.9999)
    """
    given = _rows(beliefs)
    evidence = _apply_in_blocks(given, np.ones(given.shape[-2]), _recursive)
    lost = np.argwhere(evidence.beliefs.sum(axis=-1) + evidence.unassigned == 0)
    if len(lost):
        raise ValueError(
            f"{_place(lost[0])}: found total conflict, expected a proposition that every piece of evidence holds "
            "possible; `combine` weighs the evidence and always has an answer"
        )
    return evidence


def utility_interval(evidence: Evidence, utilities: npt.ArrayLike) -> UtilityInterval:
    """The expected utility of the evidence, as an interval that widens with the unassigned belief.

    `utilities` has one number per proposition, in any order and unit. The interval lies between the smallest and the
    largest utility. It is a single point where all belief is assigned.

    worst = sum_n b_n u_n + unassigned min(u), best = sum_n b_n u_n + unassigned max(u), average = (worst + best) / 2.

    Yang & Xu (2002), IEEE Trans. SMC-A 32(3), 289-304.

    >>> interval = utility_interval(combine([[0.5, 0.3]]), [0, 1])
    >>> [round(float(value), 4) for value in (interval.worst, interval.average, interval.best)]
    [0.3, 0.4, 0.5]
    """
    given = numbers(utilities, "utilities")
    count = evidence.beliefs.shape[-1]
    if given.shape != (count,) or not np.isfinite(given).all():
        raise ValueError(f"utilities: found {given.tolist()!r}, expected {count} finite numbers, one per proposition")
    assigned = evidence.beliefs @ given
    worst, best = assigned + evidence.unassigned * given.min(), assigned + evidence.unassigned * given.max()
    return UtilityInterval(worst, (worst + best) / 2, best)


@dataclass(frozen=True, eq=False)
class _Masses:
    """Weighted pieces of evidence: the first axis is the piece, the last one the problem.

    `assigned` is the mass on each proposition (m_n,i in `combine`), `incomplete` the unassigned mass of a piece
    (mtilde_i), and `idle` the mass that its weight leaves unused (mbar_i).
    """

    assigned: Floats
    incomplete: Floats
    idle: Floats

    @classmethod
    def of(cls, columns: Floats, lacking: Floats, weights: Floats) -> _Masses:
        return cls(columns * weights[:, None, None], lacking * weights[:, None], 1 - weights[:, None])


Rule = Callable[[_Masses], Evidence]


def _analytical(masses: _Masses) -> Evidence:
    free = masses.incomplete + masses.idle
    frame, idle = free.prod(axis=0), masses.idle.prod()
    assigned = (masses.assigned + free[:, None]).prod(axis=0) - frame
    return _normalised_evidence(assigned, frame - idle, assigned.sum(axis=0) + frame)


def _recursive(masses: _Masses) -> Evidence:
    assigned, incomplete, idle = masses.assigned[0], masses.incomplete[0], masses.idle[0]
    agreement = np.ones(assigned.shape[-1])
    for theirs, lacking, unused in zip(masses.assigned[1:], masses.incomplete[1:], masses.idle[1:], strict=True):
        assigned = assigned * (theirs + lacking + unused) + (incomplete + idle) * theirs
        incomplete = incomplete * (lacking + unused) + idle * lacking
        idle = idle * unused
        # Masses sum to 1 before the conflict is removed, so their sum is 1/K. 1 - conflict would lose digits near 0.
        left = assigned.sum(axis=0) + incomplete + idle
        agreement *= left
        assigned, incomplete, idle = (mass / _divisor(left) for mass in (assigned, incomplete, idle))
    return _normalised_evidence(assigned, incomplete, agreement)


def _normalised_evidence(assigned: Floats, incomplete: Floats, agreement: Floats) -> Evidence:
    # This is 1 - mbar, computed as a sum of masses to avoid cancellation.
    whole = _divisor(assigned.sum(axis=0) + incomplete)
    return Evidence(assigned / whole, incomplete / whole, np.maximum(1 - agreement, 0))


def _divisor(whole: Floats) -> Floats:
    """The sum to divide its parts by; 1 in place of 0, since all parts of a sum of 0 are 0."""
    return np.where(whole > 0, whole, 1)


# An overflow needs no warning: `_unassigned_mass` refuses rows with such a sum.
@np.errstate(over="ignore")
def _apply_in_blocks(beliefs: Floats, weights: Floats, rule: Rule) -> Evidence:
    """Apply the rule to every problem, one cache-sized block of problems at a time."""
    *several, pieces, propositions = beliefs.shape
    problems = beliefs.reshape(-1, pieces, propositions)
    step = max(BLOCK // (pieces * propositions), 1)
    combined = np.empty((len(problems), propositions))
    unassigned, conflict = np.empty((2, len(problems)))
    for start in range(0, len(problems), step):
        here = slice(start, start + step)
        columns = np.moveaxis(problems[here], 0, -1).copy()
        part = rule(_Masses.of(columns, _unassigned_mass(columns, beliefs), weights))
        combined[here], unassigned[here], conflict[here] = part.beliefs.T, part.unassigned, part.conflict
    # [()] turns the 0-dimensional array of a single problem into a number.
    rest, lost = (mass.reshape(several)[()] for mass in (unassigned, conflict))
    return Evidence(combined.reshape(*several, propositions), rest, lost)


def _unassigned_mass(columns: Floats, beliefs: Floats) -> Floats:
    """The unassigned mass of each row; raises ValueError for a row that is not a belief distribution."""
    # "not >=" also catches NaN, which "<" would let pass.
    if not columns.min() >= 0:
        _refuse_mass(beliefs)
    lacking: Floats = 1 - columns.sum(axis=1)
    if not lacking.min() >= -EXCESS:
        _refuse_sum(beliefs)
    lacking[lacking < COMPLETE] = 0
    return lacking


def _rows(beliefs: npt.ArrayLike) -> Floats:
    given = numbers(beliefs, "beliefs")
    if given.ndim < 2 or 0 in given.shape[-2:]:
        raise ValueError(
            f"beliefs: found shape {given.shape}, expected pieces of evidence x propositions, one or more of each"
        )
    return given


def _weights(weights: npt.ArrayLike | None, beliefs: Floats) -> Floats:
    pieces = beliefs.shape[-2]
    return shares(np.ones(pieces) if weights is None else weights, pieces, "pieces of evidence")


def _refuse_mass(beliefs: Floats) -> NoReturn:
    place = np.argwhere(~(beliefs >= 0))[0]
    raise ValueError(f"{_place(place)}: found {beliefs[tuple(place)]}, expected a mass from 0 to 1")


def _refuse_sum(beliefs: Floats) -> NoReturn:
    sums = beliefs.sum(axis=-1)
    place = np.argwhere(sums > 1 + EXCESS)[0]
    raise ValueError(f"{_place(place)}: found masses that sum to {sums[tuple(place)]}, expected a sum of at most 1")


def _place(index: npt.NDArray[np.intp]) -> str:
    return f"beliefs[{', '.join(map(str, index))}]" if index.size else "beliefs"
