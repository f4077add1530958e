"""The cost of a plan, from the prices in the catalogue and in the plan itself."""

from __future__ import annotations

import re
from math import ceil

from msgspec import Struct

from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import MEALS, Day, Leg, Trip
from adjudge.suites.trip.rules.dialogue import member_names
from adjudge.suites.trip.rules.places import PlannedPlace, cities_of, city_key, journey, places_of

# "14", "1,200", "14.50".
AMOUNT = r"(\d[\d,]{0,14}(?:\.\d+)?)"
# "Cost: $1,200", "costs $14", "cost:14.50".
COST = re.compile(rf"\bcosts?\s*+(?::\s*+\$?|\$)\s*+{AMOUNT}", re.IGNORECASE)
# People per car, as TravelPlanner counts them.
SEATS = {"self-driving": 5, "taxi": 4}


class Bill(Struct, frozen=True):
    """The known costs of a plan for the whole group; `known` of its `items` have a price."""

    meals: float = 0.0
    lodging: float = 0.0
    travel: float = 0.0
    tickets: float = 0.0
    known: int = 0
    items: int = 0

    @property
    def total(self) -> float:
        """All known costs together."""
        return self.meals + self.lodging + self.travel + self.tickets

    @property
    def summary(self) -> str:
        """The sums in words."""
        tickets = f", tickets {self.tickets:,.0f}" if self.tickets else ""
        return (
            f"meals {self.meals:,.0f}, lodging {self.lodging:,.0f}, travel {self.travel:,.0f}{tickets}; "
            f"price known of {self.known} of {self.items} meals, nights and legs"
        )


def people_of(trip: Trip) -> int:
    """The number of travellers: from the request, else the size of the group, else those who speak, else one."""
    return trip.request.people or trip.size or len(member_names(trip)) or 1


def bill_of(trip: Trip) -> Bill:
    """The cost of the plan for the whole group.

    Meals and flights are paid per person, nights per room (people / occupancy, rounded up), taxis per four people and
    cars per five. Attractions and events count if they have a price.
    """
    people = people_of(trip)
    meals = [_price(item, people) for item in places_of(trip) if item.slot in MEALS]
    nights = [_price(item, rooms(item, people)) for item in places_of(trip) if item.slot == "lodging"]
    tickets = [_price(item, people) for item in places_of(trip) if item.slot in ("attraction", "event")]
    legs = [_fare(trip, day, people) for day in trip.days if mode_of(day.transport)]
    items = [*meals, *nights, *legs]
    known = sum(item is not None for item in items)
    return Bill(_sum(meals), _sum(nights), _sum(legs), _sum(tickets), known, len(items))


def rooms(placed: PlannedPlace, people: int) -> int:
    """The number of rooms that the plan books in a lodging or, if it does not say, that the group needs.

    TravelPlanner's evaluator books as many as are needed: people / occupancy, rounded up. One if the occupancy is
    unknown.
    """
    occupancy = placed.entry.occupancy if placed.entry else None
    return placed.place.rooms or (ceil(people / occupancy) if occupancy else 1)


def mode_of(transport: str) -> str:
    """The way of travel that a plan names; empty for one without a fare, such as walking.

    >>> mode_of("Flight Number: F1, from A to B"), mode_of("Self-driving, from A to B"), mode_of("on foot")
    ('flight', 'self-driving', '')
    """
    text = transport.lower()
    if re.search(r"\bfl(?:ight|y)", text):
        return "flight"
    if re.search(r"\bself[- ]?driv|\bdriv(?:e|ing)\b|\brental car\b", text):
        return "self-driving"
    return "taxi" if "taxi" in text else ""


def leg_of(trip: Trip, day: Day) -> Leg | None:
    """The catalogue's entry for the journey of a day: a flight is found by its number, a drive by its cities."""
    mode, ends = mode_of(day.transport), journey(day.transport) or cities_of(day)
    same = [leg for leg in trip.legs if leg.mode == mode]
    if mode == "flight":
        tokens = name_key(day.transport).split()
        return next((leg for leg in same if leg.number and name_key(leg.number) in tokens), None)
    return next((leg for leg in same if (city_key(leg.origin), city_key(leg.destination)) == ends), None)


def _sum(prices: list[float | None]) -> float:
    return sum(price for price in prices if price is not None)


def _price(placed: PlannedPlace, times: int) -> float | None:
    """The price in the catalogue, or else in the plan, multiplied by `times`; None if neither has one."""
    price = placed.entry.price if placed.entry and placed.entry.price is not None else placed.place.cost
    return None if price is None else price * times


def _fare(trip: Trip, day: Day, people: int) -> float | None:
    leg, stated, mode = leg_of(trip, day), COST.search(day.transport), mode_of(day.transport)
    price = leg.price if leg and leg.price is not None else float(stated[1].replace(",", "")) if stated else None
    return None if price is None else price * ceil(people / SEATS.get(mode, 1))
