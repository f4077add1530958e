"""How the places of a plan are named, and how they are found in the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, TypeGuard

from msgspec import Struct

from adjudge.core.memo import once
from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import Day, Entry, Place, PlaceKind, Trip

VISIT: Literal["visit"] = "visit"
Sort = PlaceKind | Literal["visit"]

# Names at least this alike (rapidfuzz ratio) are shown as near misses.
NEAR = 90.0
SHOWN = 3
NONE = {"", "-", "--", "–", "—", "_", "n/a", "na", "none", "null", "nil", "nan"}
# "from Ames to Bend, 9:00".
JOURNEY = re.compile(r"\bfrom\s+(.+?)\s+to\s+([^,;]+)", re.IGNORECASE)
# "Ames -> Bend", "Ames to Bend".
ONWARD = re.compile(r"\s*(?:→|[-=]+>)\s*|\s+to\s+", re.IGNORECASE)
# Several cities of a day: "Ames; Bend", "Ames/Bend".
SEVERAL = re.compile(r"\s*[;/]\s*")
# "Ames (Iowa)".
ASIDE = re.compile(r"\([^()]*\)")
# What plans write before the city of a day: "You are in Rockford", "Day 2: exploring Rockford".
LEAD_IN = re.compile(
    r"^(?:(?:(?:you|we|they|i)(?:['’](?:re|ll|m))?\s+|(?:the group|everyone|are|is|am|will|be|still|stay|stays|staying"
    r"|spend|spending|the (?:whole )?day|a day|(?:full|free) day|arrive|arriving|arrival|travel|travell?ing|drive"
    r"|driving|fly|flying|return|returning|head|heading|go|going|back)\s+)*"
    r"(?:(?:in|at|to|from|explore|exploring|visit|visiting)\s+|day \d+[\s:,–-]+|(?:current )?city\s*[:–-]\s*))+(?=\w)",
    re.IGNORECASE,
)
# Words of a meal that is taken where the group lodges: "breakfast at the hotel".
IN_HOUSE = set("accommodation accommodations hotel lodging airbnb apartment home house room".split())
FILLERS = set("in at the our your own a by breakfast lunch dinner meal meals included provided".split())


class Placed(Struct, frozen=True):
    """A place where the plan puts it, with its catalogue entry.

    `slot` is breakfast, lunch, dinner, attraction, event, lodging or visit. A visit is a timed entry that names no
    other place of the plan; its kind is not known. Without an entry `why` says what the catalogue has instead.
    """

    place: Place
    day: Day
    kind: Sort
    slot: str
    entry: Entry | None = None
    why: str = ""

    @property
    def turn(self) -> str:
        """The day in words."""
        return f"day {self.day.number}"

    @property
    def cities(self) -> frozenset[str]:
        """Where the place may lie: the city the plan gives it, or else those of the day."""
        stated = city_key(self.place.city)
        return frozenset({stated}) if stated else frozenset(cities_of(self.day))


class Stay(Struct, frozen=True):
    """Nights in a row at one lodging."""

    placed: Placed
    nights: int


def is_none(text: str) -> bool:
    """Whether a cell of a plan says that there is nothing, as "-" does."""
    return text.strip().casefold() in NONE


def city_name(text: str) -> str:
    """A city without its state.

    >>> city_name("San Antonio(Texas)"), city_name("Rockford, IL")
    ('San Antonio', 'Rockford')
    """
    return ASIDE.sub("", text).split(",")[0].strip().rstrip(".")


@lru_cache(maxsize=4096)
def city_key(text: str) -> str:
    """A city as it is compared; empty for none."""
    return "" if is_none(text) else name_key(city_name(text)) if city_name(text) else ""


def journey(text: str) -> tuple[str, str] | None:
    """The two cities of "from A to B", as they are compared."""
    match = JOURNEY.search(text)
    return (city_key(match[1]), city_key(match[2])) if match else None


def route(text: str) -> tuple[str, ...]:
    """The cities through which the city of a day leads, as they are compared: one where it stays, none for none.

    >>> route("You are in Rockford"), route("St. Petersburg to Rockford"), route("from A(X) to B -> C")
    (('rockford',), ('st petersburg', 'rockford'), ('a', 'b', 'c'))
    """
    bare = ASIDE.sub("", text).strip()
    way = JOURNEY.search(bare)
    return tuple(filter(None, map(city_key, ONWARD.split(LEAD_IN.sub("", bare[way.start() :] if way else bare)))))


@lru_cache(maxsize=4096)
def cities_in(text: str) -> tuple[str, ...]:
    """All cities that the city of a day names, as they are compared, each once."""
    return tuple(dict.fromkeys(city for part in SEVERAL.split(text) for city in route(part)))


def cities_of(day: Day) -> tuple[str, ...]:
    """The cities of a day, as they are compared, in the order in which it reaches them."""
    return cities_in(day.city)


def is_travel_day(day: Day) -> bool:
    """Whether the day is a travel day: its city or its transport leads from one city to another, or it has a flight.

    A day "from A to A" is spent in A.
    """
    ways = [*map(route, SEVERAL.split(day.city)), journey(day.transport) or ()]
    return any(len(set(way)) > 1 for way in ways) or bool(re.search(r"\bfl(?:ight|y)", day.transport.lower()))


def is_named_place(place: Place | None) -> TypeGuard[Place]:
    """Whether there is a place with a name."""
    return place is not None and not is_none(place.name)


def in_house(placed: Placed) -> bool:
    """Whether a meal is taken where the group lodges ("In accommodation") and names no restaurant."""
    words = set(name_key(placed.place.name).split())
    return bool(words & IN_HOUSE) and words <= IN_HOUSE | FILLERS


def is_same_place(first: Placed, second: Placed) -> bool:
    """Whether two mentions mean one place: the same name, and a city in common where both are known."""
    if name_key(first.place.name) != name_key(second.place.name):
        return False
    return not first.cities or not second.cities or bool(first.cities & second.cities)


@once
def places_of(trip: Trip) -> tuple[Placed, ...]:
    """Every place of the plan, day by day: meals, attractions, events, lodging, then visits that are none of these."""
    return tuple(_planned_places(trip))


def slots_of(day: Day) -> Iterator[tuple[Place, PlaceKind, str]]:
    """The named places of a day with their kind and slot."""
    filled: list[tuple[Place | None, PlaceKind, str]] = [
        *((place, "restaurant", meal) for meal, place in day.meals.items()),
        *((place, "attraction", "attraction") for place in day.attractions),
        *((place, "event", "event") for place in day.events),
        (day.lodging, "lodging", "lodging"),
    ]
    return ((place, kind, slot) for place, kind, slot in filled if is_named_place(place))


def stays(trip: Trip) -> list[Stay]:
    """The lodgings of the plan, each with how many nights in a row it is kept."""
    kept: list[Stay] = []
    before: Placed | None = None
    for day in trip.days:
        tonight = Placed(day.lodging, day, "lodging", "lodging") if is_named_place(day.lodging) else None
        if tonight and before and is_same_place(before, tonight):
            kept[-1] = Stay(kept[-1].placed, kept[-1].nights + 1)
        elif tonight:
            kept.append(Stay(_with_entry(trip, tonight), 1))
        before = tonight
    return kept


def find_entry(trip: Trip, place: Place, kind: Sort, day: Day) -> Entry | None:
    """The catalogue entry of a place of the plan: of that kind, with that name, in its city; None: there is none."""
    return next(iter(matches(trip, place, kind, day)), None)


def matches(trip: Trip, place: Place, kind: Sort, day: Day) -> list[Entry]:
    """All catalogue entries that a place may mean, such as the dates of an event.

    An entry lies in the city that the plan gives the place or, where it gives none, in a city of the day. What looks
    like the city may be the end of a name with a comma, so the two together are tried as a name as well.
    """
    for name, city in _readings(place):
        cities = {city} if city else set(cities_of(day))
        hits = [entry for entry in _index(trip).get(name, ()) if _fits(entry, kind, cities)]
        if hits:
            return hits
    return []


def _readings(place: Place) -> Iterator[tuple[str, str]]:
    yield name_key(place.name), city_key(place.city)
    if place.city:
        yield name_key(f"{place.name}, {place.city}"), ""


def _fits(entry: Entry, kind: Sort, cities: set[str]) -> bool:
    return kind in (VISIT, entry.kind) and (not cities or not entry.city or city_key(entry.city) in cities)


@once
def _index(trip: Trip) -> dict[str, list[Entry]]:
    """The catalogue by the name as it is compared."""
    index: dict[str, list[Entry]] = {}
    for entry in trip.catalogue:
        index.setdefault(name_key(entry.name), []).append(entry)
    return index


def _planned_places(trip: Trip) -> Iterator[Placed]:
    known = {name for day in trip.days for place, _, _ in slots_of(day) for name, _ in _readings(place)}
    for day in trip.days:
        for place, kind, slot in slots_of(day):
            yield _with_entry(trip, Placed(place, day, kind, slot))
        for visit in day.visits:
            place = Place(visit.name, visit.city)
            if is_named_place(place) and known.isdisjoint(name for name, _ in _readings(place)):
                yield _with_entry(trip, Placed(place, day, VISIT, VISIT))


def _with_entry(trip: Trip, placed: Placed) -> Placed:
    entry = find_entry(trip, placed.place, placed.kind, placed.day)
    why = "" if entry or not trip.catalogue else _missing(trip, placed)
    return Placed(placed.place, placed.day, placed.kind, placed.slot, entry, why)


def _missing(trip: Trip, placed: Placed) -> str:
    """What the catalogue has instead of a missing place."""
    kind = "place" if placed.kind == VISIT else placed.kind
    where = f" in {placed.place.city or placed.day.city}" if placed.place.city or placed.day.city else ""
    near = _near(trip, placed)
    return f"the catalogue has no such {kind}{where}" + (f"; near misses: {', '.join(near)}" if near else "")


def _near(trip: Trip, placed: Placed) -> list[str]:
    """Entries of the right name in a wrong city or of another kind, then those whose name is part of it or similar."""
    from rapidfuzz import fuzz, process

    name, index = name_key(placed.place.name), _index(trip)
    close = process.extract(name, index.keys(), scorer=fuzz.ratio, score_cutoff=NEAR, limit=SHOWN + 1)
    keys = dict.fromkeys([*_within(index, name), *(key for key, _, _ in close)])
    similar = [entry for key in keys if key != name for entry in index[key]]
    shown = dict.fromkeys(
        f"{entry.name} ({entry.kind}{f', {entry.city}' if entry.city else ''})"
        for entry in [*index.get(name, []), *similar]
    )
    return list(shown)[:SHOWN]


def _within(index: Mapping[str, list[Entry]], name: str) -> list[str]:
    """The names of the catalogue that a longer name holds as whole words, the longest first."""
    words = name.split()
    spans = [
        " ".join(words[start : start + length])
        for length in range(len(words) - 1, 0, -1)
        for start in range(len(words) - length + 1)
    ]
    return [span for span in spans if span in index]
