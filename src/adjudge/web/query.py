"""Which conversations a list shows, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adjudge.core.card import Card
from adjudge.web.address import FACET, Condition, ListState
from adjudge.web.index import Index
from adjudge.web.index.build import JOINT
from adjudge.web.index.tables import falls_short

Mask = np.ndarray[Any, Any]
# A case is found by its name, by several names with commas between them, or by a pattern with a star.
PLAIN_SORTS = ("case", "arm", "turns", "wrong")


def select(index: Index, state: ListState, cards: Mapping[str, Card]) -> Mask:
    """The conversations that all filters but that of the text let through, as a mask."""
    mask = np.ones(index.count, dtype=bool)
    for condition in state.conditions:
        mask &= _holds(index, condition, cards)
    for field in dict.fromkeys(choice.field for choice in state.choices):
        mask &= _has_any(index, field, state.values_of(field))
    return mask & _is_case(index, state.case) if state.case else mask


def in_order(index: Index, places: Mask, sort: str) -> Mask:
    """Places in the order that is asked for; conversations without a value come last."""
    name, down = sort.removeprefix("-"), sort.startswith("-")
    if not len(places) or not name:
        return places
    if name == "case":
        keys = index.column("case_rank")[places].astype(float)
    elif name == "arm":
        ranks = np.argsort(np.argsort(np.array(index.words("arm") or [""])))
        keys = ranks[index.column("arm")[places]].astype(float)
    elif name in PLAIN_SORTS:
        keys = index.column(name)[places].astype(float)
    else:
        values = index.column(f"value:{name}")[places]
        keys = np.where(np.isfinite(values), values, np.nan)
    # NaN sorts last in both directions, and equal keys keep the order of the file.
    return places[np.argsort(-keys if down else keys, kind="stable")]


def _holds(index: Index, condition: Condition, cards: Mapping[str, Card]) -> Mask:
    values = index.column(f"value:{condition.metric}")
    known, than = np.isfinite(values), condition.than or 0.0
    holds: dict[str, Callable[[], Mask]] = {
        "undefined": lambda: np.isnan(values),
        "skipped": lambda: np.isinf(values),
        "differs": lambda: _differs(index, values),
        "wrong": lambda: known & falls_short(values, cards.get(condition.metric)),
        "below": lambda: known & (values < than),
        "above": lambda: known & (values > than),
    }
    return holds[condition.comparison]()


def _differs(index: Index, values: Mask) -> Mask:
    """Whether the case of a conversation has different values in different arms or trials."""
    cases, known = index.column("case"), np.isfinite(values)
    size = int(cases.max(initial=0)) + 1
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, cases[known], values[known])
    np.maximum.at(high, cases[known], values[known])
    apart: Mask = (high - low > 1e-9)[cases]
    return apart


def _has_any(index: Index, field: str, wanted: list[str]) -> Mask:
    name = f"facet:{field.removeprefix(FACET)}" if field.startswith(FACET) else field
    several = name in ("group", "who")
    codes = [
        code
        for code, word in enumerate(index.words(name))
        if (set(word.split(JOINT)) & set(wanted) if several else word in wanted)
    ]
    return np.isin(index.column(name), codes)


def _is_case(index: Index, asked: str) -> Mask:
    mask = np.zeros(index.count, dtype=bool)
    for name in filter(None, map(str.strip, asked.split(","))):
        if "*" in name:
            rows = index.connection.execute('SELECT place FROM conversation WHERE "case" GLOB ?', (name,))
            mask[[place for (place,) in rows]] = True
        else:
            mask[index.places_of_case(name)] = True
    return mask
