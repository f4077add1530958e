"""Tests of no difference: t tests over cases, and exact tests of 0/1 cases. See also `permutation`."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from adjudge.stats.cases import Difference, Undefined, Unpaired


class Test(Struct, frozen=True):
    """The outcome of a test; p is two-sided. None: there is no p, and `why` says why.

    `df` is None for tests without degrees of freedom. `n` counts cases (McNemar: the cases that differ).
    """

    __test__: ClassVar[bool] = False  # pytest takes classes with this name for tests

    statistic: float | None
    p: float | None
    df: float | None
    n: int
    method: str
    why: str = ""


class Summary(Struct, frozen=True):
    """Values known only by their mean, standard deviation and number."""

    mean: float
    sd: float
    n: int


def welch(data: Unpaired) -> Test:
    """Welch's t test for arms on different cases; over marks with cluster-robust variances.

    >>> from adjudge.stats.cases import Arm
    >>> round(welch(Unpaired.of(Arm.over_conversations([1, 2, 3]), Arm.over_conversations([4, 5, 7]))).p, 4)
    0.0419
    """
    return _t_test(data.estimate(), "welch t")


def mcnemar(gained: int, lost: int) -> Test:
    """McNemar's exact test: of the cases that differ, could a fair coin have split them so?

    >>> round(mcnemar(1, 7).p, 4)
    0.0703
    """
    return Test(float(min(gained, lost)), min(2 * _tail(gained, lost), 1.0), None, gained + lost, "mcnemar exact")


def _tail(gained: int, lost: int) -> float:
    """How likely a fair coin is to show its rarer side at most so often."""
    from scipy.special import bdtr

    return float(bdtr(min(gained, lost), gained + lost, 0.5))


def fisher(data: Unpaired) -> Test:
    """Fisher's exact test for arms of 0/1 cases that are not shared; the statistic is the difference.

    >>> from adjudge.stats.cases import Arm
    >>> fisher(Unpaired.of(Arm.over_conversations([1] * 8), Arm.over_conversations([0] * 4 + [1] * 4))).p
    0.07692307692307693
    """
    fewest = min(data.a.n, data.b.n)
    if not fewest:
        return undefined(Undefined(data.n, "needs at least 1 case in each arm, found 0"), "fisher exact")
    from scipy.stats import fisher_exact

    right = [int(arm.totals.sum()) for arm in (data.a, data.b)]
    table = [[right[0], data.a.n - right[0]], [right[1], data.b.n - right[1]]]
    p = min(float(fisher_exact(table).pvalue), 1.0)
    return Test(data.a.mean - data.b.mean, p, None, data.n, "fisher exact")


def _t_test(found: Difference | Undefined, method: str) -> Test:
    if isinstance(found, Undefined):
        return undefined(found, method)
    if not found.error:
        return undefined(Undefined(found.n, f"the {found.n} cases show no spread to test against"), method)
    from scipy.special import stdtr

    t = found.difference / found.error
    return Test(t, float(2 * stdtr(found.df, -abs(t))), found.df, found.n, method)


def undefined(found: Undefined, method: str) -> Test:
    """The outcome of a test that cannot be made."""
    return Test(None, None, None, found.n, method, found.why)
