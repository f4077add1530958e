"""How unequally something is shared out."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum


def gini(amounts: Iterable[float]) -> float | None:
    """The Gini coefficient: 0 where all have the same; None for nobody, or where nobody has anything.

    With amounts in ascending order: sum of (2 i - n - 1) x_i over n times the total (Damgaard and Weiner, 2000).

    >>> round(gini([0.38, 0.41, 0.39, 0.40]), 4)
    0.0158
    """
    ordered = sorted(amounts)
    n, total = len(ordered), fsum(ordered)
    if not total:
        return None
    spread = fsum((2 * place - n - 1) * amount for place, amount in enumerate(ordered, 1))
    return max(spread / (n * total), 0.0)
