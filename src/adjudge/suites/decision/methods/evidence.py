"""Belief distributions made one: evidential reasoning, Dempster's rule, and the utility of what comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from adjudge.suites.decision.methods.inputs import Floats, numbers, shares

# One number, or an array of them where several problems are solved at once.
Mass = np.float64 | Floats

# How far above 1 a row may sum.
EXCESS = 1e-9
# What a row lacks to 1 by rounding alone is not unassigned: it would hide a total conflict.
ROUNDING = 1e-12
# As many numbers as stay in a core's cache while they are worked on.
BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Evidence:
    """What several pieces of evidence say together.

    `beliefs` and `unassigned` are the degrees of belief in each proposition and in none in particular, together 1.
    `conflict`, from 0 to 1, is the mass that the pieces gave to different propositions and that was shared out.
    """

    beliefs: Floats
    unassigned: Mass
    conflict: Mass


@dataclass(frozen=True, eq=False)
class UtilityInterval:
    """The utility if all unassigned belief went to the worst proposition, half to each end, all to the best."""

    worst: Mass
    average: Mass
    best: Mass


def combine(beliefs: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Evidence:
    """The pieces of evidence combined by evidential reasoning, in the analytical form.

    `beliefs` has a row per piece of evidence and a column per proposition; a row sums to 1 or less, and the rest is
    belief that is not assigned. `weights` (None: equal) say how much each piece counts and are divided by their sum.
    Further axes in front are as many problems, each combined by itself: (..., L, N) gives beliefs (..., N). Rows of
    the result may be evidence again, level by level. `conflict` is that of the weighted masses.

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
    return _each(given, _weights(weights, given), _analytical)


def combine_recursively(beliefs: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Evidence:
    """The pieces of evidence combined by evidential reasoning, one after the other.

    The arguments and the result are those of `combine`, to rounding.

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
    return _each(given, _weights(weights, given), _recursive)


def dempster(beliefs: npt.ArrayLike) -> Evidence:
    """The pieces of evidence combined by Dempster's rule.

    `beliefs` as in `combine`; every piece counts in full, and what a row does not assign lies on the whole frame. Two
    pieces that agree reinforce each other; what only one of them holds possible is lost to `conflict`, and the rest
    is scaled to 1. Under a total conflict there is no rest: a ValueError.

    m(A) = sum over B and C that meet in A of m_1(B) m_2(C), divided by 1 - conflict.

    Shafer (1976), A Mathematical Theory of Evidence, Princeton. The example is Zadeh's (1979).

    >>> doctors = dempster([[0.99, 0.01, 0], [0, 0.01, 0.99]])
    >>> doctors.beliefs.round(4).tolist(), round(float(doctors.conflict), 4)
    ([0.0, 1.0, 0.0], 0.9999)
    """
    given = _rows(beliefs)
    evidence = _each(given, np.ones(given.shape[-2]), _recursive)
    lost = np.argwhere(evidence.beliefs.sum(axis=-1) + evidence.unassigned == 0)
    if len(lost):
        raise ValueError(
            f"{_place(lost[0])}: found total conflict, expected a proposition that every piece of evidence holds "
            "possible; `combine` weighs the evidence and always has an answer"
        )
    return evidence


def utility_interval(evidence: Evidence, utilities: npt.ArrayLike) -> UtilityInterval:
    """The expected utility of the evidence, as an interval as wide as the unassigned belief makes it.

    `utilities` has one number per proposition, in any order and unit; the interval lies between the least and the
    largest of them and is a point where all belief is assigned.

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
    """Weighted pieces of evidence: the piece is the first axis, the problem the last.

    `assigned` to each proposition, `incomplete` what a piece left unassigned, `idle` what its weight does not use.
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
        # Masses sum to 1, so what is left of them is 1/K; unlike 1 - conflict it is exact where little is left.
        left = assigned.sum(axis=0) + incomplete + idle
        agreement *= left
        assigned, incomplete, idle = (mass / _divisor(left) for mass in (assigned, incomplete, idle))
    return _normalised_evidence(assigned, incomplete, agreement)


def _normalised_evidence(assigned: Floats, incomplete: Floats, agreement: Floats) -> Evidence:
    # 1 - mbar, as the sum of what it is made of.
    whole = _divisor(assigned.sum(axis=0) + incomplete)
    return Evidence(assigned / whole, incomplete / whole, np.maximum(1 - agreement, 0))


def _divisor(whole: Floats) -> Floats:
    """The whole to divide its parts by; they are 0 where it is."""
    return np.where(whole > 0, whole, 1)


# Masses so large that they overflow are refused by their sum.
@np.errstate(over="ignore")
def _each(beliefs: Floats, weights: Floats, rule: Rule) -> Evidence:
    """The rule applied to every problem, to as many at a time as the cache holds."""
    *several, pieces, propositions = beliefs.shape
    problems = beliefs.reshape(-1, pieces, propositions)
    step = max(BLOCK // (pieces * propositions), 1)
    combined = np.empty((len(problems), propositions))
    unassigned, conflict = np.empty((2, len(problems)))
    for start in range(0, len(problems), step):
        here = slice(start, start + step)
        columns = np.moveaxis(problems[here], 0, -1).copy()
        part = rule(_Masses.of(columns, _lacking(columns, beliefs), weights))
        combined[here], unassigned[here], conflict[here] = part.beliefs.T, part.unassigned, part.conflict
    # [()] makes the masses of a single problem numbers.
    rest, lost = (mass.reshape(several)[()] for mass in (unassigned, conflict))
    return Evidence(combined.reshape(*several, propositions), rest, lost)


def _lacking(columns: Floats, beliefs: Floats) -> Floats:
    """What each row lacks to a sum of 1; a row that is no distribution of belief is refused."""
    if not columns.min() >= 0:
        _refuse_mass(beliefs)
    lacking: Floats = 1 - columns.sum(axis=1)
    if not lacking.min() >= -EXCESS:
        _refuse_sum(beliefs)
    lacking[lacking < ROUNDING] = 0
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
