"""How unequally something is shared out."""

from __future__ import annotations

from collections.abc import Iterable


def gini(amounts: Iterable[float]) -> float | None:
    """The Gini coefficient: 0 where all have the same; None for nobody, or where nobody has anything.

    >>> round(gini([0.75, 0.68, 0.82, 0.71]), 5)
    0.03885
    """
    ordered = sorted(amounts)
    n, total = len(ordered), sum(ordered)
    if not total:
        return None
    return max(sum((2 * place - n - 1) * amount for place, amount in enumerate(ordered, 1)) / (n * total), 0.0)
