"""Equivalence: whether a difference is shown to be smaller than a margin, which is what "tied" needs."""

from __future__ import annotations

from msgspec import Struct

from adjudge.compare.interval import Interval

ALPHA = 0.05


class Equivalence(Struct, frozen=True):
    """The larger p of two one-sided tests, and whether it is below 0.05. None: cannot be said, and `why` says why."""

    p: float | None
    equivalent: bool | None
    why: str = ""


def tost(difference: float, error: float, df: float, margin: float) -> Equivalence:
    """Two one-sided t tests that the difference lies within the margin on either side.

    Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).

    >>> round(tost(0.01, 0.01, 30, 0.05).p, 5)
    0.00019
    """
    _check(margin)
    if not error:
        return Equivalence(None, None, "the cases show no spread to test against")
    from scipy.special import stdtr

    p = max(float(stdtr(df, (difference - margin) / error)), float(stdtr(df, -(difference + margin) / error)))
    return Equivalence(p, p < ALPHA)


def within(interval: Interval, margin: float) -> bool | None:
    """Whether the whole interval lies within the margin: at level 0.90, equivalence at 0.05; None without interval.

    The t interval gives the same answer as `tost`; the others answer also where cases show no spread.

    >>> within(Interval(-0.01, 0.03, 0.90, "cluster t"), 0.05)
    True
    """
    _check(margin)
    if interval.low is None or interval.high is None:
        return None
    return -margin < interval.low and interval.high < margin


def _check(margin: float) -> None:
    if not margin > 0:
        raise ValueError(f"expected a margin above 0, found {margin!r}")
