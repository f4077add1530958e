"""Places as a plan mentions them: as text such as "Blue Door, Ames; Cost: 14", or as objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from adjudge.english.numbers import number_of
from adjudge.suites.trip.data import Place
from adjudge.suites.trip.read.facts import first, text_of
from adjudge.suites.trip.rules.costs import AMOUNT
from adjudge.suites.trip.rules.places import city_key, city_name
from adjudge.suites.trip.rules.plan_words import says_nothing

Row = Mapping[str, Any]
# The cities of the day, as they are compared.
Cities = tuple[str, ...]
NAME_KEYS = ("name", "restaurant", "title", "place", "poi", "attraction", "activity", "event", "accommodation", "hotel")
# "$14", "1,200.50".
PRICE = re.compile(rf"\$?\s?{AMOUNT}")
# "Cost: ", "(estimated price: $", "total cost $".
PRICED = r"\(?(?:(?:estimated|average|avg\.?|total)\s+)?(?:costs?|price)\s*+(?::\s*+\$?|\$)\s*+"
ROOM_KEYS = ("rooms", "number_of_rooms", "room_count", "num_rooms")
# The number of rooms behind a lodging: "Loft (2 rooms)", "Loft, three rooms", "Loft x 2 rooms".
ROOMS = re.compile(
    r"[\s,;–-]{0,9}[(\[]?\b(?:x\s?)?(\d{1,3}|one|two|three|four|five|six) (?:\w+ )?rooms?[)\]]?"
    rf"(?=\s*+(?:[;,–-]?\s*+{PRICED}.{{0,200}})?$)",
    re.IGNORECASE,
)
# The cost behind a place: "; Cost: 14", ", price: $14 for two".
TAIL = re.compile(rf"(?<!\s)\s*+(?:[;,–-]\s*+)?{PRICED}{AMOUNT}([^;]{{0,200}})$", re.IGNORECASE)


def place_in(value: Any, known: Cities) -> Place | None:
    """A place, with its cost if the object or the text gives one."""
    place = _place_of_text(name_in(value), known)
    cost = PRICE.fullmatch(text_of(first(fields_by_key(value), "cost", "price"))) if isinstance(value, dict) else None
    return structs.replace(place, cost=float(cost[1].replace(",", ""))) if place and cost else place


def lodging_in(value: Any, known: Cities) -> Place | None:
    """A lodging, with the number of booked rooms if the plan gives it."""
    text, given = name_in(value), first(fields_by_key(value), *ROOM_KEYS) if isinstance(value, dict) else None
    stated = ROOMS.search(text)
    place = place_in(ROOMS.sub("", text) if isinstance(value, str) and stated else value, known)
    number = number_of(text_of(given)) if given is not None else number_of(stated[1]) if stated else None
    return structs.replace(place, rooms=number) if place and number else place


def places_in(value: Any, known: Cities) -> Iterator[Place]:
    """The places of a list, or of an object or a text that joins them by ";"."""
    if not isinstance(value, list):
        yield from _places_of_text(name_in(value), known)
        return
    for item in value:
        # In a list the name of a place may hold the mark that joins places in a text.
        if place := _place_of_text(name_in(item).replace(";", ","), known):
            yield place


def name_in(value: Any) -> str:
    """A place as "Name, City"; empty for one without a name."""
    if not isinstance(value, dict):
        return text_of(value).rstrip("; ")
    item = fields_by_key(value)
    name, city = text_of(first(item, *NAME_KEYS)), text_of(first(item, "city"))
    return f"{name}, {city}" if name and city and not name.endswith(f", {city}") else name


def _places_of_text(text: str, known: Cities) -> Iterator[Place]:
    """The places of a cell that joins them by ";"; a part "Cost: 14" belongs to the place before it."""
    for part in re.split(rf";(?!\s*{PRICED})", text, flags=re.IGNORECASE):
        if place := _place_of_text(part, known):
            yield place


def _place_of_text(text: str, known: Cities) -> Place | None:
    """The place of "Name, City", "Name, City(State)", "Name, City, State" or "Name, City; Cost: 14".

    A cost "for two" or "for 3 nights" is left out, because it is not the price of one meal or night.
    """
    text = text.strip(" ;")
    cost = TAIL.search(text)
    bare = TAIL.sub("", text).strip(" ;,")
    name, city = _split_city(bare, known)
    if says_nothing(name):
        return None
    single = cost and not re.match(r"\s*(?:in total )?for\b", cost[2])
    return Place(name, city, float(cost[1].replace(",", "")) if cost and single else None)


def _split_city(text: str, known: Cities) -> tuple[str, str]:
    """A name and its city: the part after the last comma, or the part before it if that is a city of the day."""
    name, _, city = text.rpartition(",")
    longer, _, before = name.rpartition(",")
    if not name.strip():
        return text.strip(" ,"), ""
    if city_key(city) not in known and longer.strip() and city_key(before) in known:
        return longer.strip(), city_name(before)
    return name.strip(), city_name(city)


def fields_by_key(item: Row) -> dict[str, Any]:
    """An object by its keys in lower case, with underscores for spaces."""
    return {"_".join(str(key).lower().split()): value for key, value in item.items()}


def as_list(value: Any) -> list[Any]:
    """The items of a list, or a single value as a list of one."""
    return list(value) if isinstance(value, list) else [value]
