"""What a route leaves open: a lodging in each city, the meals of each day, sights and events, and what can fill it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from math import ceil
from typing import Literal, NamedTuple

from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import MEALS, CatalogueEntry, PlaceKind
from adjudge.suites.trip.metrics.feasibility import is_room_type
from adjudge.suites.trip.rules.house_rules import forbids
from adjudge.suites.trip.rules.places import city_key
from adjudge.systems.trip.data import PlannerView
from adjudge.systems.trip.planning.route import Route, Stop, date_of

What = Literal["lodging", "breakfast", "lunch", "dinner", "attraction", "event"]
KINDS: dict[What, PlaceKind] = {
    **dict.fromkeys(("breakfast", "lunch", "dinner"), "restaurant"),
    "lodging": "lodging",
    "attraction": "attraction",
    "event": "event",
}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# "Closed on Mondays", "closed Monday and Tuesday".
_CLOSED = re.compile(r"\bclosed\s(?:on\s)?([^.;]{1,80})", re.IGNORECASE)


class Opening(NamedTuple):
    """Something that a plan may hold on a day in a city; a meal of a whole day and a lodging must not stay open."""

    what: What
    stop: Stop
    day: int
    is_needed: bool = False

    @property
    def kind(self) -> PlaceKind:
        """The kind of place that fills it."""
        return KINDS[self.what]


class Filling(NamedTuple):
    """A place that can fill an opening: the claims it meets and rules out, and what it costs the group."""

    entry: CatalogueEntry
    meets: int
    bars: int
    cost: float
    key: str
    is_liked: bool = False


def openings(route: Route) -> list[Opening]:
    """All openings of a route, lodgings first."""
    return [
        *(Opening("lodging", stop, stop.first, is_needed=True) for stop in route.stops),
        *(opening for stop in route.stops for opening in _of_stop(stop, stop is route.stops[-1])),
    ]


def _of_stop(stop: Stop, is_last: bool) -> Iterator[Opening]:
    """On the day of arrival from noon on, on the day of departure in the morning, and home after lunch."""
    for day in range(stop.first, stop.last + 1):
        whole = stop.first < day < stop.last
        meals = MEALS if whole else MEALS[1:] if day == stop.first else MEALS[: 2 if is_last else 1]
        yield from (Opening(meal, stop, day, is_needed=whole) for meal in meals)  # type: ignore[arg-type]
        if day < stop.last or is_last:
            yield from (Opening("attraction", stop, day) for _ in range(2 if whole else 1))
        if day < stop.last:
            yield Opening("event", stop, day)


def candidates(view: PlannerView, opening: Opening, entries: Sequence[CatalogueEntry]) -> list[CatalogueEntry]:
    """Which of a city's places of the right kind can fill an opening: open on its day; of lodgings the most fitting."""
    if opening.kind == "lodging":
        return _fitting_lodgings(view, opening.stop, entries)
    on = date_of(view.request, opening.day)
    return [entry for entry in entries if _takes_place(entry, on)]


def cost_of(view: PlannerView, opening: Opening, entry: CatalogueEntry) -> float:
    """What a place costs the group: rooms and nights, or a price for each person."""
    if opening.kind == "lodging":
        rooms = ceil(view.people / entry.occupancy) if entry.occupancy else 1
        return (entry.price or 0.0) * rooms * opening.stop.nights
    return (entry.price or 0.0) * view.people


def place_key(entry: CatalogueEntry) -> str:
    """What makes two entries the same place."""
    return f"{entry.kind}/{name_key(entry.name)}/{city_key(entry.city)}"


def _fitting_lodgings(view: PlannerView, stop: Stop, entries: Sequence[CatalogueEntry]) -> list[CatalogueEntry]:
    """The lodgings that break the fewest of the request's conditions: nights, house rules, room type."""
    faults = [(_faults(view, stop, entry), entry) for entry in entries]
    fewest = min((count for count, _ in faults), default=0)
    return [entry for count, entry in faults if count == fewest]


def _faults(view: PlannerView, stop: Stop, entry: CatalogueEntry) -> int:
    asked = view.request.room_type
    return sum(
        (
            bool(entry.minimum_nights and entry.minimum_nights > stop.nights),
            sum(any(forbids(rule, need) for rule in entry.rules) for need in view.request.needs),
            bool(asked and entry.room_type and not is_room_type(entry.room_type, asked)),
        )
    )


def _takes_place(entry: CatalogueEntry, on: date | None) -> bool:
    """Whether a place is open, or an event takes place, on a day; unknown days are no obstacle."""
    if on is None:
        return True
    if entry.kind == "event" and entry.date:
        return entry.date == on.isoformat()
    closed = _CLOSED.search(entry.about)
    return not closed or WEEKDAYS[on.weekday()] not in closed[1].lower()
