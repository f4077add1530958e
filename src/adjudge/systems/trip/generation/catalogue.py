"""Catalogues of places that do not exist: cities with different places, the legs between them, and a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import permutations, product
from math import ceil
from random import Random
from statistics import fmean
from typing import NamedTuple

from adjudge.suites.trip.data import CatalogueEntry, Leg, PlaceKind, TripRequest
from adjudge.systems.trip.lexicon import table_of

LENGTHS = (3, 5)
FIRST_DAY = date(2026, 5, 1)
# The budget as a share of what a trip at mean prices costs.
BUDGETS = (0.7, 1.1)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Trek(NamedTuple):
    """When a group travels, from where, and which cities it may see."""

    origin: str
    cities: tuple[str, ...]
    start: date
    days: int
    people: int

    @classmethod
    def draw(cls, cities: int, people: int, rng: Random) -> Trek:
        """A trek at random."""
        origin, *others = rng.sample(table_of("groups")["names"]["cities"], cities + 1)
        start = FIRST_DAY + timedelta(days=rng.randrange(120))
        return cls(origin, tuple(others), start, rng.choice(LENGTHS), people)

    def date(self, day: int) -> str:
        """The date of a day."""
        return (self.start + timedelta(days=day - 1)).isoformat()


def make_catalogue(trek: Trek, rng: Random) -> Iterator[CatalogueEntry]:
    """The places of each city; no city has all kinds, so that the route matters."""
    for city in trek.cities:
        yield from (_restaurant(name, city, rng) for name in _names("restaurant", rng))
        yield from (_lodging(name, city, rng) for name in _names("lodging", rng))
        yield from (_attraction(name, city, rng) for name in _names("attraction", rng))
        yield from (_event(name, city, trek, rng) for name in _names("event", rng))


def make_legs(trek: Trek, rng: Random) -> Iterator[Leg]:
    """A drive and a taxi between any two cities, and a flight on any day between some."""
    for start, end in permutations((trek.origin, *trek.cities), 2):
        yield Leg("self-driving", start, end, _price("self-driving", rng))
        yield Leg("taxi", start, end, _price("taxi", rng))
        if rng.random() < 0.5:
            for day in range(1, trek.days + 1):
                yield Leg("flight", start, end, _price("flight", rng), f"F{rng.randrange(10**6):06}", trek.date(day))


def make_request(trek: Trek, catalogue: Sequence[CatalogueEntry], legs: Sequence[Leg], rng: Random) -> TripRequest:
    """What the group asks for: days, dates, people and a budget around what a trip at mean prices costs."""
    budget = 10.0 * round(_mean_cost(trek, catalogue, legs) * rng.uniform(*BUDGETS) / 10)
    dates = f"{trek.date(1)} to {trek.date(trek.days)}"
    text = f"{trek.people} people, {trek.days} days from {trek.origin}, {dates}, at most {budget:g}"
    return TripRequest(
        text,
        budget,
        trek.people,
        trek.origin,
        start=trek.date(1),
        end=trek.date(trek.days),
        days=trek.days,
    )


def _mean_cost(trek: Trek, catalogue: Sequence[CatalogueEntry], legs: Sequence[Leg]) -> float:
    """Two meals a day and a ticket for each person, nights in rooms for two, and a drive to each city and home."""
    mean = {
        kind: fmean(entry.price or 0.0 for entry in catalogue if entry.kind == kind)
        for kind in table_of("groups")["places"]
    }
    meals = 2 * trek.days * trek.people * mean["restaurant"]
    tickets = trek.days * trek.people * mean["attraction"] + trek.people * mean["event"]
    nights = (trek.days - 1) * ceil(trek.people / 2) * mean["lodging"]
    fare = fmean(leg.price or 0.0 for leg in legs if leg.mode == "self-driving") * (trek.days // 2 + 1)
    return meals + tickets + nights + fare * ceil(trek.people / 5)


def _restaurant(name: str, city: str, rng: Random) -> CatalogueEntry:
    kinds = tuple(dict.fromkeys(_kind("cuisine", rng) for _ in range(rng.randint(1, 2))))
    return CatalogueEntry("restaurant", name, city, _price("restaurant", rng), cuisines=kinds)


def _lodging(name: str, city: str, rng: Random) -> CatalogueEntry:
    rules = table_of("groups")["rules"]["house"]
    return CatalogueEntry(
        "lodging",
        name,
        city,
        _price("lodging", rng),
        room_type=_kind("lodging", rng),
        rules=tuple(rng.sample(rules, rng.randint(0, 2))),
        occupancy=rng.randint(2, 4),
        minimum_nights=rng.choice((1, 1, 2, 3)),
    )


def _attraction(name: str, city: str, rng: Random) -> CatalogueEntry:
    closed = table_of("groups")["rules"]["closed"].format(day=rng.choice(WEEKDAYS)) if rng.random() < 0.3 else ""
    return CatalogueEntry(
        "attraction", name, city, _price("attraction", rng), categories=(_kind("attraction", rng),), about=closed
    )


def _event(name: str, city: str, trek: Trek, rng: Random) -> CatalogueEntry:
    on = trek.date(rng.randint(1, trek.days))
    return CatalogueEntry("event", name, city, _price("event", rng), categories=(_kind("event", rng),), date=on)


def _kind(slot: str, rng: Random) -> str:
    return str(rng.choice(table_of("groups")["kinds"][slot])["name"])


def _price(what: str, rng: Random) -> float:
    return float(rng.randint(*table_of("groups")["prices"][what]))


def _names(kind: PlaceKind, rng: Random) -> list[str]:
    names = table_of("groups")["names"]
    pairs = [f"{first} {second}" for first, second in product(names["first"], names[kind])]
    return rng.sample(pairs, table_of("groups")["places"][kind])
