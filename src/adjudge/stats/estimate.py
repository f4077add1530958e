"""Estimates: a value with its interval, and why something is missing."""

from __future__ import annotations

from msgspec import Struct


class Estimate(Struct, frozen=True):
    """A value with its 95 % interval, what it was computed from, and why something is missing.

    `value` is None where the question has no answer (one label only, nobody rated twice); `low`, `high` and `se`
    are None where there is no spread to take them from (one conversation); `why` says so in words. `n` counts the
    items used, `clusters` the conversations they belong to, `method` names the interval.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    se: float | None = None
    n: int = 0
    clusters: int = 0
    method: str = ""
    why: str = ""


def no_estimate(why: str, n: int = 0) -> Estimate:
    """The estimate that cannot be given, and why."""
    return Estimate(None, n=n, why=why)
