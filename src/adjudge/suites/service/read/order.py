"""The order of turns by their ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from adjudge.core.errors import Warnings

# More digits than the number of any turn has.
DIGITS = 18
# The number at the end of an id: 7 in "turn-7".
_NUMBER = re.compile(rf"(?<![0-9])[0-9]{{1,{DIGITS}}}\Z")


def turn_order(where: str, ids: Sequence[str], warnings: Warnings) -> list[int] | None:
    """The places of turns in the order of their ids, with a warning; None where they stand in order.

    Ids count if they are whole numbers, all after the same text: "7", "t7", "turn-7". Others say nothing about the
    order. A number that is left out is warned about, because a turn may be missing.
    """
    if _count_up(tuple(ids)):
        return None
    numbers = _numbers(ids)
    if numbers is None:
        return None
    ordered = sorted(numbers)
    _warn_of_gap(where, ordered, warnings)
    if numbers == ordered:
        return None
    warnings.add("order", f"{where}: the turns are in another order than their ids; they were sorted by id")
    return sorted(range(len(numbers)), key=numbers.__getitem__)


@lru_cache(maxsize=1024)
def _count_up(ids: tuple[str, ...]) -> bool:
    """Whether ids count from 0 or 1 without a gap. Ids recur from dialogue to dialogue, so results are cached."""
    return any(ids == tuple(map(str, range(start, start + len(ids)))) for start in (0, 1))


def _numbers(ids: Sequence[str]) -> list[int] | None:
    """The numbers at the end of the ids; None where there is none, or what stands before them differs."""
    joined = "".join(ids)
    if joined.isdigit() and joined.isascii() and min(map(len, ids)) >= 1 and max(map(len, ids)) <= DIGITS:
        return list(map(int, ids))  # Most ids are nothing but a number.
    ends = [_NUMBER.search(id) for id in ids]
    matches = [end for end in ends if end is not None]
    if len(matches) < len(ids) or len({end.string[: end.start()] for end in matches}) > 1:
        return None
    return [int(end[0]) for end in matches]


def _warn_of_gap(where: str, numbers: list[int], warnings: Warnings) -> None:
    if not numbers:
        return
    if jump := _first_jump(numbers):
        warnings.add("gap", f"{where}: turn {jump[1]} follows turn {jump[0]}; is a turn missing?")
    elif numbers[0] > 1:
        warnings.add("gap", f"{where}: the first turn is turn {numbers[0]}; is a turn missing?")


def _first_jump(numbers: list[int]) -> tuple[int, int] | None:
    """The first two numbers that are further apart than usual, in sorted numbers."""
    if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return None
    steps = list(pairwise(numbers))
    usual = min(after - before for before, after in steps)
    return next(((before, after) for before, after in steps if after - before > max(usual, 1)), None)
