"""Places as a plan mentions them: as text such as "Blue Door, Ames; Cost: 14", or as objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from adjudge.suites.trip.data import Place
from adjudge.suites.trip.read.facts import first, text_of
from adjudge.suites.trip.rules.costs import AMOUNT
from adjudge.suites.trip.rules.places import city_key, city_name, is_none

Row = Mapping[str, Any]
# The cities of the day, as they are compared.
Cities = tuple[str, ...]
NAMES = ("name", "restaurant", "title", "place", "poi", "attraction", "activity", "event", "accommodation", "hotel")
# "$14", "1,200.50".
PRICE = re.compile(rf"\$?\s?{AMOUNT}")
# "Cost: ", "(estimated price: $", "total cost $".
PRICED = r"\(?(?:(?:estimated|average|avg\.?|total)\s+)?(?:costs?|price)\s*(?::\s*\$?|\$)\s*"
# The cost behind a place: "; Cost: 14", ", price: $14 for two".
TAIL = re.compile(rf"\s*[;,–-]?\s*{PRICED}{AMOUNT}([^;]*)$", re.IGNORECASE)
# "no lunch", "meals on your own", "dinner not planned": sorts of entries and what is done with them.
SORT = (
    r"(?:breakfast|lunch|dinner|meals?|food|restaurants?|attractions?|events?|activit(?:y|ies)|sightseeing|"
    r"accommodations?|lodging|hotel|stay|visits?|plans?|schedule|transportation)"
)
DONE = (
    r"(?:planned|specified|needed|required|included|scheduled|provided|decided|applicable|available|found|given|"
    r"selected|booked|arranged|set)"
)
NOTHING = re.compile(
    rf"no {SORT}(?: {DONE})?|no(?:thing|ne)?(?: \w+)? {DONE}|not(?: yet)? {DONE}|not yet|nothing|none|skip(?:ped)?"
    rf"(?: {SORT})?|(?:{SORT} )?on (?:your|our|their|my) own|tb[acd]|to be (?:decided|determined|announced|confirmed)|"
    r"free (?:time|day|morning|afternoon|evening|night)|(?:at )?leisure(?: time)?|un(?:specified|decided|known|planned)"
)


def place_in(value: Any, known: Cities) -> Place | None:
    """A place, with its cost where an object or the text itself gives one."""
    place = _place_of_text(name_in(value), known)
    cost = PRICE.fullmatch(text_of(first(fields_by_key(value), "cost", "price"))) if isinstance(value, dict) else None
    return structs.replace(place, cost=float(cost[1].replace(",", ""))) if place and cost else place


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
    name, city = text_of(first(item, *NAMES)), text_of(first(item, "city"))
    return f"{name}, {city}" if name and city and not name.endswith(f", {city}") else name


def says_nothing(text: str) -> bool:
    """Whether a cell of a plan says in words that there is nothing.

    >>> says_nothing("No lunch planned."), says_nothing("On your own"), says_nothing("No. 9 Lunch Bar")
    (True, True, False)
    """
    bare = text.strip(" .()*!")
    return is_none(bare) or NOTHING.fullmatch(bare.casefold()) is not None


def _places_of_text(text: str, known: Cities) -> Iterator[Place]:
    """The places of a cell that joins them by ";"; a part "Cost: 14" belongs to the place before it."""
    for part in re.split(rf";(?!\s*{PRICED})", text, flags=re.IGNORECASE):
        if place := _place_of_text(part, known):
            yield place


def _place_of_text(text: str, known: Cities) -> Place | None:
    """The place of "Name, City", "Name, City(State)", "Name, City, State" or "Name, City; Cost: 14".

    A cost "for two" or "for 3 nights" is no price of one meal or night and is left out.
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
    """A name and its city: what follows the last comma, or the one before where that is a city of the day."""
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
