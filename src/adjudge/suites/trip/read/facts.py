"""The facts in a row of a dialogue table, by key: in columns of their own or inside the JSON of other columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import isfinite, nan
from typing import Any

from msgspec import Struct

from adjudge.english.normalise import label_key
from adjudge.suites.trip.data import SLOTS

MEMBERS = ("members", "group_members")
NOTHING: tuple[object, ...] = (None, "", [], {})
SLOT_NAMES = {
    "accommodation": "lodging",
    "accommodations": "lodging",
    "hotel": "lodging",
    "food": "cuisine",
    "cuisines": "cuisine",
    "restaurant": "cuisine",
    "restaurants": "cuisine",
    "attractions": "attraction",
    "events": "event",
    "purpose": "travel_purpose",
    "purpose_of_travel": "travel_purpose",
    "budget_preference": "spending_preference",
}


class RowFacts(Struct, frozen=True, dict=True):
    """One row: its place, and its cells by column; a cell with JSON holds the parsed value."""

    where: str
    row: Mapping[str, Any]

    @cached_property
    def names(self) -> frozenset[str]:
        """Every key in the row at any depth; it saves searching a large state for a key that it does not have."""
        names: set[str] = set()
        waiting: list[Any] = [self.row]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                names.update(value)
                value = value.values()
            waiting += [item for item in value if item.__class__ is dict or item.__class__ is list]
        return frozenset(names)

    def find(self, *keys: str, slot: str = "") -> Any:
        """The first value of one of the keys: in the row itself, then in the parts about the slot, then anywhere else.

        None if there is no value. Parts under the name of another slot are skipped.
        """
        if self.names.isdisjoint(keys):
            return None
        if (hit := first(self.row, *keys)) is not None:
            return hit
        return next((hit for part in (*self._about(slot), self.row) for hit in _search(part, keys)), None)

    def _about(self, slot: str) -> tuple[Any, ...]:
        """The parts of the row that are about a slot; cached, because all questions about a row concern one slot."""
        kept = self.__dict__
        if kept.get("slot") != slot:
            kept["slot"], kept["about"] = slot, tuple(_about(self.row, slot)) if slot else ()
        about: tuple[Any, ...] = kept["about"]
        return about

    def find_above(self, *keys: str) -> Any:
        """The first value under one of the keys in the row, in an object of it, or one object further in.

        Facts about the dialogue are there. Further in, the same keys describe members or slots.
        """
        if self.names.isdisjoint(keys):
            return None
        inner = list(_objects(self.row))
        innermost = [child for part in inner for child in _objects(part)]
        return next((hit for part in (self.row, *inner, *innermost) if (hit := first(part, *keys)) is not None), None)


@lru_cache(maxsize=4096)
def slot_name(name: str) -> str:
    """The slot that a key names, under our name for it if we have one.

    >>> slot_name("Accommodation"), slot_name("Traveler Type"), slot_name("shoes")
    ('lodging', 'traveler_type', 'shoes')
    """
    slot = label_key(name).replace(" ", "_")
    return SLOT_NAMES.get(slot, slot)


def text_of(value: Any) -> str:
    """A value as text: lists joined, objects as JSON.

    >>> text_of(["Thai", "Greek"]), text_of(None), text_of(4)
    ('Thai; Greek', '', '4')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return "; ".join(text for item in value if (text := text_of(item)))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def numeric_value(value: Any) -> float | None:
    """A finite number, also one written as text; None for anything else.

    >>> numeric_value("4.50"), numeric_value(True), numeric_value("nan")
    (4.5, None, None)
    """
    try:
        number = nan if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def texts_of(value: Any) -> tuple[str, ...]:
    """A list of texts; a single text is split at ";"."""
    items = value if isinstance(value, list) else text_of(value).split(";")
    return tuple(text for item in items if (text := text_of(item)))


def objects_of(value: Any, key: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a list, or the values of an object, each with its own key under `key`."""
    if isinstance(value, list):
        yield from ({key: item} if isinstance(item, str) else item for item in value if isinstance(item, str | dict))
    elif isinstance(value, dict):
        for name, item in value.items():
            yield {key: name, **item} if isinstance(item, dict) else {key: name, "": item}


def first(item: Mapping[str, Any], *keys: str) -> Any:
    """The value of the first key that holds something; None if none does."""
    return next((item[key] for key in keys if item.get(key) not in NOTHING), None)


def _objects(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The objects in an object, except those about members and slots."""
    for key, item in value.items():
        if isinstance(item, dict) and key not in MEMBERS and slot_name(key) not in SLOTS:
            yield item


def _slot_of(value: Mapping[str, Any]) -> str:
    return slot_name(value["slot"]) if isinstance(value.get("slot"), str) else ""


def _about(value: Any, slot: str) -> Iterator[Any]:
    """The parts of a value that are about a slot: those under its name, and those with its name in a field `slot`."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                yield from _about(item, slot)
    elif isinstance(value, dict):
        if _slot_of(value) == slot:
            yield value
        for key, item in value.items():
            if isinstance(item, dict | list):
                if slot_name(key) == slot:
                    yield item
                yield from _about(item, slot)


def _search(value: Any, keys: Sequence[str]) -> Iterator[Any]:
    """The values of the keys, from the top level inwards; parts under the name of a slot are skipped."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict) and not _slot_of(item):
                yield from _search(item, keys)
    if not isinstance(value, dict):
        return
    if (hit := first(value, *keys)) is not None:
        yield hit
    for key, item in value.items():
        if isinstance(item, dict | list) and slot_name(key) not in SLOTS and key not in keys:
            yield from _search(item, keys)
