"""Equivalence: whether a difference is shown to be smaller than a margin, which is what "tied" needs."""

from __future__ import annotations

from adjudge.stats.difference import Interval


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
