"""The order of turns by their ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from adjudge.core.errors import Warnings

# The number at the end of an id: 7 in "turn-7". Eighteen digits are more than any dialogue has turns.
_NUMBER = re.compile(r"(?<![0-9])[0-9]{1,18}\Z")


def turn_order(where: str, ids: Sequence[str], warnings: Warnings) -> list[int] | None:
    """The places of turns in the order of their ids, with a warning; None where they stand in order.

    Ids count if they are whole numbers, all after the same text: "7", "t7", "turn-7". Others say nothing about the
    order. A number that is left out is warned about, because a turn may be missing.
    """
    numbers = _numbers(ids)
    if numbers is None:
        return None
    ordered = sorted(numbers)
    _warn_of_gap(where, ordered, warnings)
    if numbers == ordered:
        return None
    warnings.add("order", f"{where}: the turns stand in another order than their ids; they were put in order")
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def _numbers(ids: Sequence[str]) -> list[int] | None:
    """The numbers at the end of the ids; None where there is none, or what stands before them differs."""
    ends = [_NUMBER.search(id) for id in ids]
    matches = [end for end in ends if end is not None]
    if len(matches) < len(ids) or len({end.string[: end.start()] for end in matches}) > 1:
        return None
    return [int(end[0]) for end in matches]


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
