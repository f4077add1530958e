"""Which arms have the best value of a metric."""

from __future__ import annotations

from math import isclose

from adjudge.aggregate import Row
from adjudge.core.mark import BY_DESIGN

# Marks the best value of a metric.
BEST = "*"


def can_be_best(row: Row) -> bool:
    """Whether a row can win: it has a value, one direction is better, and the value is not fixed by design."""
    return row.value is not None and row.better != "neither" and BY_DESIGN not in row.bases


def are_comparable(rows: list[Row]) -> bool:
    """Whether the values of a metric differ, and rest on the same in all arms."""
    return bool(rows) and len(best_rows(rows)) < len(rows) and len({tuple(sorted(row.bases)) for row in rows}) == 1


def best_rows(rows: list[Row]) -> list[Row]:
    """The rows with the best value among those of one metric; ask only where all can be best."""
    values = [row.value for row in rows if row.value is not None]
    best = max(values) if rows[0].better == "higher" else min(values)
    # Values that differ by no more than rounding are equal.
    return [row for row in rows if row.value is not None and isclose(row.value, best, rel_tol=1e-12, abs_tol=1e-12)]


def best_arms(rows: list[Row]) -> set[str]:
    """The arms with the best value of a metric; none where no two arms can be compared or all are equal."""
    candidates = [row for row in rows if can_be_best(row)]
    return {row.arm for row in best_rows(candidates)} if are_comparable(candidates) else set()
