"""Routes: which cities, in which order, on which days, and by which legs of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice, pairwise, permutations
from math import ceil
from typing import NamedTuple

from adjudge.suites.trip.data import Leg, TripRequest
from adjudge.suites.trip.rules.costs import SEATS
from adjudge.suites.trip.rules.places import city_key
from adjudge.systems.trip.data import PlannerView

# A city for every two days after the first, as TravelPlanner's requests have them: 3 days 1, 5 days 2, 7 days 3.
DAYS_A_CITY = 2
# Orders of cities that are looked at: all for up to 10 cities of which 3 are visited (720).
MOST_ORDERS = 1000


class NoPlanError(Exception):
    """There is no plan for a request; the text says why."""


class Stop(NamedTuple):
    """A stay in a city, from the day of arrival to the day of departure."""

    city: str
    first: int
    last: int

    @property
    def nights(self) -> int:
        """The nights that are spent there."""
        return self.last - self.first


class Route(NamedTuple):
    """The stops of a trip, and the leg to each of them and home; None where the catalogue has no legs at all."""

    stops: tuple[Stop, ...]
    legs: tuple[Leg | None, ...]
    fare: float


def routes(view: PlannerView) -> list[Route]:
    """Every route that the catalogue has legs for, by the cheapest ways that are not ruled out."""
    days = days_of(view.request)
    possible = [route for cities in _orders(view, days) if (route := _route(view, cities, days))]
    if not possible:
        raise NoPlanError(f"the catalogue has no legs for a round trip from {view.request.origin or 'nowhere'!r}")
    return possible


def days_of(request: TripRequest) -> int:
    """How many days the trip has."""
    start, end = date_of(request, 1), _parse_date(request.end)
    days = request.days or ((end - start).days + 1 if start and end else 0)
    if days < 2:
        raise NoPlanError(f"the request asks for {days or 'an unknown number of'} days; expected two or more")
    return days


def date_of(request: TripRequest, day: int) -> date | None:
    """The date of a day of the trip; None where the request does not say when it starts."""
    start = _parse_date(request.start)
    try:
        return start + timedelta(days=day - 1) if start else None
    except OverflowError:
        return None


def _parse_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _orders(view: PlannerView, days: int) -> Iterator[tuple[str, ...]]:
    """The cities of the trip in every order: those asked for, or as many of the catalogue as there is time for."""
    lodged = {city_key(entry.city): entry.city for entry in view.catalogue if entry.kind == "lodging" and entry.city}
    lodged.pop(city_key(view.request.origin), None)
    if missing := [city for city in view.request.cities if city_key(city) not in lodged]:
        raise NoPlanError(f"the catalogue has no lodging in {missing[0]!r}")
    if not lodged:
        raise NoPlanError("the catalogue has no lodging in any city")
    asked = [lodged[city_key(city)] for city in view.request.cities]
    count = len(asked) or min(max(1, (days - 1) // DAYS_A_CITY), len(lodged))
    if count > days - 1:
        raise NoPlanError(f"{count} cities are asked for and {days - 1} nights; expected a night in each")
    return islice(permutations(asked or lodged.values(), count), MOST_ORDERS)


def _route(view: PlannerView, cities: Sequence[str], days: int) -> Route | None:
    """The route through cities; None where the catalogue lacks a leg."""
    stops = tuple(_stops(cities, days))
    origin = view.request.origin
    if not view.legs or not origin:
        return Route(stops, (None,) * (len(stops) + 1), 0.0)
    ends = [origin, *cities, origin]
    hops = [
        _ways(view, city_key(start), city_key(end), day)
        for (start, end), day in zip(pairwise(ends), [*(stop.first for stop in stops), days], strict=True)
    ]
    # A group that drives its own car drives it all the way; where that is not possible, any ways are taken.
    for kinds in (("self-driving",), ("flight", "taxi"), ("flight", "taxi", "self-driving")):
        ways = [[leg for leg in hop if leg.mode in kinds] for hop in hops]
        if all(ways):
            legs = tuple(min(hop, key=lambda leg: fare_of(leg, view.people)) for hop in ways)
            made = Route(stops, legs, sum(fare_of(leg, view.people) for leg in legs))
            if kinds != ("self-driving",) or not _is_cheaper_without_car(hops, made, view.people):
                return made
    return None


def _is_cheaper_without_car(hops: Sequence[Sequence[Leg]], route: Route, people: int) -> bool:
    ways = [[fare_of(leg, people) for leg in hop if leg.mode != "self-driving"] for hop in hops]
    return all(ways) and sum(map(min, ways)) < route.fare


def fare_of(leg: Leg, people: int) -> float:
    """What a leg costs the group, as the suite counts it."""
    return (leg.price or 0.0) * ceil(people / SEATS.get(leg.mode, 1))


def _ways(view: PlannerView, start: str, end: str, day: int) -> list[Leg]:
    """The legs between two cities on a day that are not ruled out."""
    on = date_of(view.request, day)
    return [
        leg
        for leg in view.legs
        if (city_key(leg.origin), city_key(leg.destination)) == (start, end)
        and leg.mode not in view.request.without
        and (not leg.date or on is None or leg.date == on.isoformat())
    ]


def _stops(cities: Sequence[str], days: int) -> Iterator[Stop]:
    """The cities with their days; nights are spread evenly, the first cities have one more."""
    each, more = divmod(days - 1, len(cities))
    first = 1
    for place, city in enumerate(cities):
        last = first + each + (place < more)
        yield Stop(city, first, last)
        first = last
