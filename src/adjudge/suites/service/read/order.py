"""The order of turns by their ids."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from adjudge.core.errors import Warnings


def turn_order(where: str, ids: Sequence[str], warnings: Warnings) -> list[int] | None:
    """The places of turns in the order of their ids, with a warning; None where they stand in order.

    Ids that are not all whole numbers say nothing about the order. A number that is left out is warned about, because
    a turn may be missing.
    """
    if not all(id.isascii() and id.isdecimal() for id in ids):
        return None
    numbers = [int(id) for id in ids]
    ordered = sorted(numbers)
    _warn_of_gap(where, ordered, warnings)
    if numbers == ordered:
        return None
    warnings.add("order", f"{where}: the turns stand in another order than their ids; they were put in order")
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def _warn_of_gap(where: str, numbers: list[int], warnings: Warnings) -> None:
    if not numbers:
        return
    steps = list(pairwise(numbers))
    usual = min((after - before for before, after in steps), default=1)
    jumps = [(before, after) for before, after in steps if after - before > max(usual, 1)]
    if jumps:
        before, after = jumps[0]
        warnings.add("gap", f"{where}: turn {after} follows turn {before}; is a turn missing?")
    elif numbers[0] > 1:
        warnings.add("gap", f"{where}: the first turn is turn {numbers[0]}; is a turn missing?")
