"""The places of a plan: their names and cities, and their entries in the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, TypeGuard

from msgspec import Struct

from adjudge.core.memo import once
from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import MEALS, CatalogueEntry, Day, Place, PlaceKind, Trip
from adjudge.suites.trip.rules.plan_words import is_none, is_unnamed, says_nothing

VISIT: Literal["visit"] = "visit"
Sort = PlaceKind | Literal["visit"]

# Names at least this alike (rapidfuzz ratio) are shown as near misses.
NEAR = 90.0
SHOWN = 3
# "from Ames to Bend, 9:00". Bounds keep the time for a text with many such words in proportion to its length.
JOURNEY = re.compile(r"\bfrom\s{1,9}(.{1,100}?)\s{1,9}to\s{1,9}([^,;]+)", re.IGNORECASE)
# "Ames -> Bend", "Ames to Bend".
ONWARD = re.compile(r"\s{0,9}(?:→|[-=]{1,40}>)\s{0,9}|\s{1,9}to\s{1,9}", re.IGNORECASE)
# Several cities of a day: "Ames; Bend", "Ames/Bend".
SEVERAL = re.compile(r"[;/]")
# "Ames (Iowa)".
ASIDE = re.compile(r"\([^()]*\)")
# The words before the city of a day: "You are in Rockford", "Day 2: exploring Rockford".
LEAD_IN = re.compile(
    r"^(?:(?:(?:you|we|they|i)(?:['’](?:re|ll|m))?\s+|(?:the group|everyone|are|is|am|will|be|still|stay|stays|staying"
    r"|spend|spending|the (?:whole )?day|a day|(?:full|free) day|arrive|arriving|arrival|travel|travell?ing|drive"
    r"|driving|fly|flying|return|returning|head|heading|go|going|back)\s+)*"
    r"(?:(?:in|at|to|from|explore|exploring|visit|visiting)\s+|day \d+[\s:,–-]+|(?:current )?city\s*[:–-]\s*))+(?=\w)",
    re.IGNORECASE,
)


class PlannedPlace(Struct, frozen=True):
    """A place with its day and slot in the plan, and its catalogue entry.

    `slot` is breakfast, lunch, dinner, attraction, event, lodging or visit. A visit is a timed entry that names no
    other place of the plan; its kind is unknown. If there is no entry, `why` lists similar places of the catalogue.
    """

    place: Place
    day: Day
    kind: Sort
    slot: str
    entry: CatalogueEntry | None = None
    why: str = ""

    @property
    def turn(self) -> str:
        """The day as text: "day 2"."""
        return f"day {self.day.number}"

    @property
    def cities(self) -> frozenset[str]:
        """The cities where the place may be: the one that the plan gives it, or else those of the day."""
        stated = city_key(self.place.city)
        return frozenset({stated}) if stated else frozenset(cities_of(self.day))


class Stay(Struct, frozen=True):
    """Nights in a row at one lodging."""

    placed: PlannedPlace
    nights: int


def city_name(text: str) -> str:
    """A city without its state.

    >>> city_name("San Antonio(Texas)"), city_name("Rockford, IL")
    ('San Antonio', 'Rockford')
    """
    return ASIDE.sub("", text).split(",")[0].strip().rstrip(".")


@lru_cache(maxsize=4096)
def city_key(text: str) -> str:
    """The form of a city for comparisons; empty for no city."""
    return "" if is_none(text) else name_key(city_name(text)) if city_name(text) else ""


def journey(text: str) -> tuple[str, str] | None:
    """The normalised names of the two cities in "from A to B"."""
    match = JOURNEY.search(text)
    return (city_key(match[1]), city_key(match[2])) if match else None


def route(text: str) -> tuple[str, ...]:
    """The normalised cities in the city field of a day, in order: one if the group stays, none for an empty field.

    >>> route("You are in Rockford"), route("St. Petersburg to Rockford"), route("from A(X) to B -> C")
    (('rockford',), ('st petersburg', 'rockford'), ('a', 'b', 'c'))
    """
    bare = ASIDE.sub("", text).strip()
    way = JOURNEY.search(bare)
    return tuple(filter(None, map(city_key, ONWARD.split(LEAD_IN.sub("", bare[way.start() :] if way else bare)))))


@lru_cache(maxsize=4096)
def cities_in(text: str) -> tuple[str, ...]:
    """All normalised cities in the city field of a day, each once."""
    return tuple(dict.fromkeys(city for part in SEVERAL.split(text) for city in route(part)))


def cities_of(day: Day) -> tuple[str, ...]:
    """The normalised cities of a day, in the order in which the group reaches them."""
    return cities_in(day.city)


def is_travel_day(day: Day) -> bool:
    """Whether the day is a travel day: its city or its transport leads from one city to another, or it has a flight.

    A day "from A to A" is spent in A.
    """
    ways = [*map(route, SEVERAL.split(day.city)), journey(day.transport) or ()]
    return any(len(set(way)) > 1 for way in ways) or bool(re.search(r"\bfl(?:ight|y)", day.transport.lower()))


def is_named_place(place: Place | None) -> TypeGuard[Place]:
    """Whether a slot of a day is filled, by a place or by words that name none ("packed lunch")."""
    return place is not None and not says_nothing(place.name)


def names_no_place(trip: Trip, placed: PlannedPlace) -> bool:
    """Whether a meal or a night has words such as "packed lunch", and no place of the catalogue is called so."""
    if not is_unnamed(placed.place.name, placed.slot):
        return False
    return placed.entry is None and find_entry(trip, placed.place, placed.kind, placed.day) is None


def is_same_place(first: PlannedPlace, second: PlannedPlace) -> bool:
    """Whether two mentions mean the same place: the names are equal, and the cities overlap if both are known."""
    if name_key(first.place.name) != name_key(second.place.name):
        return False
    return not first.cities or not second.cities or bool(first.cities & second.cities)


@once
def places_of(trip: Trip) -> tuple[PlannedPlace, ...]:
    """Every place of the plan by day: meals, attractions, events, lodging, and visits to places not among these.

    Meals and nights that name no place ("packed lunch") are left out.
    """
    return tuple(placed for placed in _planned_places(trip) if not names_no_place(trip, placed))


def unnamed_meals(trip: Trip) -> list[str]:
    """The meals of the plan that name no restaurant: "packed lunch"."""
    meals = (PlannedPlace(place, day, kind, slot) for day in trip.days for place, kind, slot in slots_of(day))
    return [meal.place.name for meal in meals if meal.slot in MEALS and names_no_place(trip, meal)]


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
    """The lodgings of the plan, each with its number of consecutive nights."""
    kept: list[Stay] = []
    before: PlannedPlace | None = None
    for day in trip.days:
        tonight = PlannedPlace(day.lodging, day, "lodging", "lodging") if is_named_place(day.lodging) else None
        if tonight and names_no_place(trip, tonight):
            tonight = None
        if tonight and before and is_same_place(before, tonight):
            kept[-1] = Stay(kept[-1].placed, kept[-1].nights + 1)
        elif tonight:
            kept.append(Stay(_with_entry(trip, tonight), 1))
        before = tonight
    return kept


def find_entry(trip: Trip, place: Place, kind: Sort, day: Day) -> CatalogueEntry | None:
    """The catalogue entry with the kind, name and city of a place in the plan; None if there is none."""
    return next(iter(matches(trip, place, kind, day)), None)


def matches(trip: Trip, place: Place, kind: Sort, day: Day) -> list[CatalogueEntry]:
    """All catalogue entries that a place may mean; an event on several dates has several entries.

    The entry must be in the city that the plan gives for the place or, if it gives none, in a city of the day. The text
    after a comma may be part of the name and not a city, so name and city together are also tried as a name.
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


def _fits(entry: CatalogueEntry, kind: Sort, cities: set[str]) -> bool:
    return kind in (VISIT, entry.kind) and (not cities or not entry.city or city_key(entry.city) in cities)


@once
def _index(trip: Trip) -> dict[str, list[CatalogueEntry]]:
    """The catalogue by normalised name."""
    index: dict[str, list[CatalogueEntry]] = {}
    for entry in trip.catalogue:
        index.setdefault(name_key(entry.name), []).append(entry)
    return index


def _planned_places(trip: Trip) -> Iterator[PlannedPlace]:
    known = {name for day in trip.days for place, _, _ in slots_of(day) for name, _ in _readings(place)}
    for day in trip.days:
        for place, kind, slot in slots_of(day):
            yield _with_entry(trip, PlannedPlace(place, day, kind, slot))
        for visit in day.visits:
            place = Place(visit.name, visit.city)
            if is_named_place(place) and known.isdisjoint(name for name, _ in _readings(place)):
                yield _with_entry(trip, PlannedPlace(place, day, VISIT, VISIT))


def _with_entry(trip: Trip, placed: PlannedPlace) -> PlannedPlace:
    entry = find_entry(trip, placed.place, placed.kind, placed.day)
    why = "" if entry or not trip.catalogue else _missing(trip, placed)
    return PlannedPlace(placed.place, placed.day, placed.kind, placed.slot, entry, why)


def _missing(trip: Trip, placed: PlannedPlace) -> str:
    """A message about a place that is not in the catalogue, with the nearest entries."""
    kind = "place" if placed.kind == VISIT else placed.kind
    where = f" in {placed.place.city or placed.day.city}" if placed.place.city or placed.day.city else ""
    near = _near(trip, placed)
    return f"the catalogue has no such {kind}{where}" + (f"; near misses: {', '.join(near)}" if near else "")


def _near(trip: Trip, placed: PlannedPlace) -> list[str]:
    """The nearest entries: first the same name in another city or kind, then names contained in it or similar to it."""
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


def _within(index: Mapping[str, list[CatalogueEntry]], name: str) -> list[str]:
    """The catalogue names that occur as whole words in a longer name, the longest first."""
    words = name.split()
    spans = [
        " ".join(words[start : start + length])
        for length in range(len(words) - 1, 0, -1)
        for start in range(len(words) - length + 1)
    ]
    return [span for span in spans if span in index]
