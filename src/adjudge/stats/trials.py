"""Several trials a case: how much of the spread lies between cases, and how often all of k trials succeed."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
from msgspec import Struct


class Components(Struct, frozen=True):
    """Variance between cases and within a case; None if it cannot be computed, and `why` says why.

    `icc`, the intraclass correlation, is the share of the whole that lies between cases: how alike two trials of one
    case are. An estimate below 0 is given as 0.
    """

    between: float | None
    within: float | None
    icc: float | None
    cases: int
    trials: int
    why: str = ""


class PassChance(Struct, frozen=True):
    """A probability over k trials, averaged over the `n` cases with at least k trials; `left_out` counts the others.

    `value` is None if no case has k trials.
    """

    value: float | None
    k: int
    n: int
    left_out: int


def components(cases: Sequence[Sequence[float]]) -> Components:
    """Variance components by the one-way random-effects analysis of variance; cases may differ in trials.

    Searle, Casella and McCulloch, Variance Components (1992), section 3.6.

    >>> parts = components([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
    >>> round(parts.between, 4), round(parts.within, 4), round(parts.icc, 4)
    (0.1667, 0.1667, 0.5)
    """
    groups = [np.asarray(case, dtype=float) for case in cases if len(case)]
    counts = np.array([len(group) for group in groups], dtype=float)
    total = int(counts.sum())
    if len(groups) < 2 or total == len(groups):
        why = f"needs at least 2 cases and a case of 2 trials, found {len(groups)} cases and {total} trials"
        return Components(None, None, None, len(groups), total, why)
    means = np.array([group.mean() for group in groups])
    grand = counts @ means / total
    within = sum(float(((group - mean) ** 2).sum()) for group, mean in zip(groups, means, strict=True))
    within /= total - len(groups)
    typical = (total - counts @ counts / total) / (len(groups) - 1)
    among = float(counts @ (means - grand) ** 2) / (len(groups) - 1)
    return _components(max((among - within) / float(typical), 0.0), within, len(groups), total)


def _components(between: float, within: float, cases: int, trials: int) -> Components:
    if not between + within:
        return Components(between, within, None, cases, trials, f"the {trials} trials are all alike")
    return Components(between, within, between / (between + within), cases, trials)


def pass_hat_k(successes: Sequence[int], trials: Sequence[int], k: int) -> PassChance:
    """pass^k: the probability that k trials of a case all succeed; the unbiased estimate is C(c, k) / C(n, k).

    c of the n trials of a case have succeeded.

    Yao, Shinn, Razavi and Narasimhan, tau-bench (2024).

    >>> round(pass_hat_k([4, 2], [4, 4], 2).value, 4)
    0.5833
    """
    return _pass_rate([(comb(c, k), comb(n, k)) for c, n in _counts(successes, trials, k)], k)


def _counts(successes: Sequence[int], trials: Sequence[int], k: int) -> list[tuple[int, int]]:
    counts = list(zip(successes, trials, strict=True))
    if k < 1:
        raise ValueError(f"expected k of at least 1, found {k!r}")
    for c, n in counts:
        if not 0 <= c <= n:
            raise ValueError(f"expected successes between 0 and the trials, found {c!r} of {n!r}")
    return counts


def _pass_rate(ways: list[tuple[int, int]], k: int) -> PassChance:
    shares = [wanted / possible for wanted, possible in ways if possible]
    value = sum(shares) / len(shares) if shares else None
    return PassChance(value, k, len(shares), len(ways) - len(shares))
