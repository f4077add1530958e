"""Values derived from a record, computed once and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

from adjudge.core.record import Record

R = TypeVar("R", bound=Record)
Tools = TypeVarTuple("Tools")
T = TypeVar("T")

MEMO = "_memo"
UNKNOWN: Any = object()


def once(function: Callable[[R, *Tools], T]) -> Callable[[R, *Tools], T]:
    """Compute a function of a record once for each record (and tools), however many metrics call it.

    The result is kept in the record's `__dict__` and goes with the record, so the record's type is declared with
    `dict=True`. Further arguments must be hashable. An exception is not kept.

    >>> class Dialogue(Record, frozen=True, kw_only=True, dict=True):
    ...     words: tuple[str, ...]
    >>> @once
    ... def longest(dialogue: Dialogue, least: int) -> list[str]:
    ...     return [word for word in dialogue.words if len(word) >= least]
    >>> dialogue = Dialogue(id="d1", words=("a", "long", "word"))
    >>> longest(dialogue, 4) is longest(dialogue, 4), longest(dialogue, 2) is longest(dialogue, 4)
    (True, False)
    """

    @wraps(function)
    def compute_once(record: R, *tools: *Tools) -> T:
        memo = record.__dict__.get(MEMO)
        if memo is None:
            memo = record.__dict__[MEMO] = {}
        key = (function, *tools) if tools else function
        value: T = memo.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = memo[key] = function(record, *tools)
        return value

    return compute_once
