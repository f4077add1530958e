"""Records of a reference catalogue: places and ways to travel, under various field names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from msgspec import structs

from adjudge.suites.trip.data import CatalogueEntry, Leg, PlaceKind
from adjudge.suites.trip.rules.costs import COST
from adjudge.suites.trip.rules.places import city_name
from adjudge.suites.trip.rules.plan_words import is_none

# No price of a trip is as high; such a number is a mistake.
LARGEST = 1e15
DATES = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%m/%d/%Y", "%a, %b %d, %Y", "%A, %B %d, %Y", "%Y/%m/%d")


def entries_of(kind: PlaceKind, records: Any, city: str = "") -> tuple[CatalogueEntry, ...]:
    """The catalogue entries of records of one kind; `city` is for those without one. Nameless ones are left out."""
    rows = [_lower(record) for record in records if isinstance(record, dict)] if isinstance(records, list) else []
    return tuple(_entry(kind, row, city) for row in rows if _first_text(row, "name", "title"))


def _entry(kind: PlaceKind, row: dict[str, Any], city: str) -> CatalogueEntry:
    return CatalogueEntry(
        kind=kind,
        name=_first_text(row, "name", "title"),
        city=city_name(_first_text(row, "city") or city),
        price=_amount(row, "price", "averagecost", "avgcost", "cost", "pricing", "ticketprice"),
        cuisines=_list(row.get("cuisines") or row.get("cuisine")),
        categories=_categories(row),
        room_type=_first_text(row, "roomtype"),
        rules=_list(row.get("houserules"), r"[&,;\n]"),
        occupancy=_whole_number(_amount(row, "maximumoccupancy", "maxoccupancy", "occupancy")),
        minimum_nights=_whole_number(_amount(row, "minimumnights", "minnights")),
        rating=_amount(row, "reviewratenumber", "aggregaterating", "rating"),
        date=date_in(_first_text(row, "date", "localdate", "datetitle", "eventdate", "startdate")),
        about=_description(row),
    )


def _lower(record: dict[str, Any]) -> dict[str, Any]:
    """A record by field names without case, spaces and underscores: "max_occupancy" is "maxoccupancy"."""
    return {re.sub(r"[\s_-]+", "", str(field)).lower(): value for field, value in record.items()}


def _first_text(row: dict[str, Any], *fields: str) -> str:
    """The text of the first of these fields that is not empty."""
    texts = (str(row[field]).strip() for field in fields if isinstance(row.get(field), str | int | float))
    return next((text for text in texts if not is_none(text)), "")


def _amount(row: dict[str, Any], *fields: str) -> float | None:
    """The first of these fields that holds a number of 0 or more, also as text ("$1,200", '{"price": "$90"}')."""
    for field in fields:
        value = row.get(field)
        if isinstance(value, dict):
            value = _lower(value).get("price")
        if isinstance(value, str):
            match = re.search(r"(?<![-\d.,])\d[\d,]*(?:\.\d+)?", value)
            value = float(match[0].replace(",", "")) if match else None
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < LARGEST:
            return float(value)
    return None


def _whole_number(number: float | None) -> int | None:
    return None if number is None else int(number)


def _list(value: object, between: str = "[,;]") -> tuple[str, ...]:
    """The items of a list, of the text of a list ("['Tea', 'BBQ']"), or of a text with separators."""
    if isinstance(value, str):
        inner = value.strip().removeprefix("[").removesuffix("]")
        value = re.split(between, inner)
    if not isinstance(value, list | tuple):
        return ()
    items = (str(item).strip().strip("'\"").strip() for item in value)
    return tuple(item for item in items if not is_none(item))


def _categories(row: dict[str, Any]) -> tuple[str, ...]:
    fields = ("subcategories", "categories", "category", "segmentname", "genre", "type")
    return tuple(dict.fromkeys(item for field in fields for item in _list(row.get(field))))


def _description(row: dict[str, Any]) -> str:
    length = _first_text(row, "visitduration")
    parts = [_first_text(row, "description", "about", "summary"), f"visit duration: {length}" if length else ""]
    return "; ".join(part for part in parts if part)


def date_in(text: str) -> str:
    """The only date of a text as YYYY-MM-DD; empty if it has none or several."""
    whole = set(re.findall(r"\d{4}-\d{2}-\d{2}", text))
    if whole:
        return whole.pop() if len(whole) == 1 else ""
    for form in DATES if text.strip() else ():
        try:
            return datetime.strptime(text.strip(), form).date().isoformat()
        except ValueError:
            continue
    return ""


def legs_of(content: Any, way: Leg) -> Iterator[Leg]:
    """The flights of a list of records, or the drive that a text with its cost describes, along a way."""
    if way.mode == "flight":
        records = content if isinstance(content, list) else []
        yield from (_flight(_lower(record), way) for record in records if isinstance(record, dict))
    elif isinstance(content, str) and (cost := COST.search(content)):
        yield structs.replace(way, price=float(cost[1].replace(",", "")), date="")


def _flight(row: dict[str, Any], way: Leg) -> Leg:
    return Leg(
        mode="flight",
        origin=_first_text(row, "origincityname") or way.origin,
        destination=_first_text(row, "destcityname") or way.destination,
        price=_amount(row, "price"),
        number=_first_text(row, "flightnumber"),
        date=_first_text(row, "flightdate") or way.date,
    )
