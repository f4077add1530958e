"""Correction of p values for the number of questions asked; None stays None and is not counted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

Ps = list[float | None]


def holm(ps: Sequence[float | None]) -> Ps:
    """Holm's step-down p values, which bound the chance of any false finding.

    Holm, Scandinavian Journal of Statistics 6 (1979).

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    order = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    raised = accumulate(((len(order) - rank) * p for rank, (p, _) in enumerate(order)), max)
    corrected: Ps = [None] * len(ps)
    for (_, place), p in zip(order, raised, strict=True):
        corrected[place] = min(p, 1.0)
    return corrected


def benjamini_hochberg(ps: Sequence[float | None]) -> Ps:
    """Benjamini and Hochberg's step-up p values, which bound the share of false findings among all findings.

    Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995).

    >>> benjamini_hochberg([0.01, None, 0.04, 0.03])
    [0.03, None, 0.04, 0.04]
    """
    from scipy.stats import false_discovery_control

    known = [p for p in ps if p is not None]
    corrected = iter(false_discovery_control(known).tolist() if known else ())
    return [None if p is None else next(corrected) for p in ps]


def family_level(p: float, corrected: float, alpha: float = 0.05) -> float:
    """The level of the interval that excludes 0 exactly if the corrected p is below alpha: 1 - alpha * p / corrected.

    Serlin (1993), Journal of Experimental Education 61, 350-360. It is not simultaneous over the family.

    >>> family_level(0.01, 0.04)
    0.9875
    """
    # A p that is too small for a float is excluded at any level.
    return 1 - alpha * (p / corrected if corrected else 1.0)
