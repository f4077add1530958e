"""Whether a plan can be carried out as it was asked for: money, lodging, transport, dates, cities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import MEALS, CatalogueEntry, Day, Trip
from adjudge.suites.trip.rules.costs import bill_of, leg_of, mode_of, people_of, rooms
from adjudge.suites.trip.rules.house_rules import forbids
from adjudge.suites.trip.rules.places import (
    VISIT,
    PlannedPlace,
    cities_of,
    city_key,
    is_named_place,
    is_same_place,
    is_travel_day,
    matches,
    places_of,
    stays,
)

# With fewer known prices the total says little about the budget.
KNOWN_PRICES = 0.8
# 2022-05-03
ISO = re.compile(r"\d{4}-\d{2}-\d{2}")

feasible = partial(
    metric,
    unit="check",
    better="higher",
    probes=("feasibility",),
    predicts=("a plan", "a catalogue"),
    source="our own, after the constraints of TravelPlanner (Xie et al. 2024, arXiv 2402.01622)",
)
planned = partial(feasible, predicts=("a plan",))


@feasible("Budget", formula="known costs of the plan <= budget", unit="plan", pool="conversations")
def within_budget(trip: Trip) -> Iterator[Mark]:
    """Does the plan stay within the budget?

    Meals and flights are paid for each person, nights for as many rooms as the group needs, a taxi for every four
    people and a car for every five. Prices come from the catalogue, or from the plan if the catalogue has none.
    Attractions and events count if they have a price. The number of people is that of the request, or else the size of
    the group, or else one. Undefined without a budget, and if fewer than 80 % of the meals, nights and legs have a
    price.
    """
    bill, budget = bill_of(trip), trip.request.budget
    if budget is None or not bill.items or bill.known / bill.items < KNOWN_PRICES:
        return
    why = f"{bill.total:,.0f} of {budget:,.0f} for {people_of(trip)}: {bill.summary}"
    yield Mark(bill.total <= budget, "budget", "", why, "budget")


@feasible("Occupancy", formula="stays with rooms x occupancy >= people / stays", unit="stay", version=2)
def occupancy(trip: Trip) -> Iterator[Mark]:
    """Do the rooms of each lodging hold the whole group?

    A stay is a run of consecutive nights at one lodging. If the plan does not say how many rooms it books, it is taken
    to book as many as the group needs (people / occupancy, rounded up), as in TravelPlanner's evaluator, and
    within_budget counts their price. So only a plan that states too few rooms fails. Undefined if neither the request
    nor the group says how many people travel, and if the catalogue gives no occupancy.
    """
    people = trip.request.people or trip.size
    for stay in stays(trip):
        entry = stay.placed.entry
        if people and entry and entry.occupancy:
            booked = rooms(stay.placed, people)
            why = f"{people} travel; {booked} room{'s' if booked > 1 else ''} for {entry.occupancy}"
            yield _lodging(stay.placed, booked * entry.occupancy >= people, why)


@feasible("House rules", formula="needs that the lodging allows / needs of the group at each stay")
def house_rules(trip: Trip) -> Iterator[Mark]:
    """Does each lodging allow what the group needs: children, pets, smoking, parties, visitors?

    Undefined if the group has no such needs, and for a lodging that is not in the catalogue.
    """
    for stay in stays(trip):
        for need in trip.request.needs:
            if stay.placed.entry:
                against = [rule for rule in stay.placed.entry.rules if forbids(rule, need)]
                yield _lodging(stay.placed, not against, f"{need}: {', '.join(against) or 'no rule against'}", need)


@feasible("Minimum nights", formula="stays of at least the lodging's minimum nights / stays", unit="stay")
def minimum_nights(trip: Trip) -> Iterator[Mark]:
    """Does the group stay at each lodging for its minimum number of nights?

    Undefined for a lodging without a minimum in the catalogue.
    """
    for stay in stays(trip):
        entry = stay.placed.entry
        if entry and entry.minimum_nights:
            enough = stay.nights >= entry.minimum_nights
            yield _lodging(stay.placed, enough, f"{stay.nights} nights, at least {entry.minimum_nights} asked for")


@feasible("Room type", formula="stays in the requested room type / stays", unit="stay")
def room_type_kept(trip: Trip) -> Iterator[Mark]:
    """Does each lodging have the requested room type?

    Undefined if no room type was requested, and for a lodging without a room type in the catalogue.
    """
    asked = trip.request.room_type
    for stay in stays(trip):
        if asked and stay.placed.entry and (kind := stay.placed.entry.room_type):
            yield _lodging(stay.placed, is_room_type(kind, asked), f"found {kind}, asked for {asked}")


@feasible(
    "Cuisines", formula="requested cuisines that a restaurant of the plan serves / requested cuisines", unit="cuisine"
)
def cuisines_covered(trip: Trip) -> Iterator[Mark]:
    """Does a restaurant of the plan serve each requested cuisine?

    Undefined if no cuisine was requested, and if the catalogue gives no cuisine for any restaurant of the plan.
    """
    meals = [meal for meal in places_of(trip) if meal.slot in MEALS and meal.entry and meal.entry.cuisines]
    for asked in trip.request.cuisines if meals else ():
        where = [meal for meal in meals if meal.entry and name_key(asked) in map(name_key, meal.entry.cuisines)]
        why = f"{where[0].place.name}, {where[0].turn}" if where else f"none of {len(meals)} meals serves it"
        yield Mark(bool(where), asked, "", why, "cuisine")


@planned("Transport", formula="legs whose means of transport was not ruled out / legs", unit="leg")
def transport_kept(trip: Trip) -> Iterator[Mark]:
    """Does the plan avoid the means of transport that were ruled out?

    Undefined if none was ruled out, and for days without transport.
    """
    for day in trip.days:
        if trip.request.without and (mode := mode_of(day.transport)):
            why = f"found {mode}, ruled out: {', '.join(trip.request.without)}"
            yield Mark(mode not in trip.request.without, mode, f"day {day.number}", why, mode)


@feasible("Legs found", formula="legs found in the catalogue / legs between cities", unit="leg")
def transport_found(trip: Trip) -> Iterator[Mark]:
    """Are the flights and drives of the plan in the catalogue?

    A flight is found by its number, a drive by its cities. Undefined if the catalogue lists no legs, and for days
    without a flight or drive between cities.
    """
    for day in trip.days:
        if trip.legs and is_travel_day(day) and (mode := mode_of(day.transport)):
            there = leg_of(trip, day) is not None
            why = "" if there else f"the catalogue has no such {mode}"
            yield Mark(there, day.transport, f"day {day.number}", why, mode)


@planned(
    "Repeated",
    formula="repeated attractions, events and restaurants / attractions, events and restaurants",
    unit="place",
    better="lower",
)
def repeated_places(trip: Trip) -> Iterator[Mark]:
    """What share of the attractions, events and restaurants repeats an earlier one of the trip?

    Places of the same name in two cities are two places.
    """
    seen: list[PlannedPlace] = []
    for placed in places_of(trip):
        if placed.slot in ("lodging", VISIT):
            continue
        before = (earlier for earlier in seen if earlier.kind == placed.kind)
        first = next((earlier for earlier in before if is_same_place(earlier, placed)), None)
        why = f"{placed.slot}, as on {first.turn} ({first.slot})" if first else ""
        yield Mark(first is not None, placed.place.name, placed.turn, why, placed.kind)
        seen.append(placed)


@feasible("Event dates", formula="events on the day of the plan, or within the trip / events with a date", unit="event")
def event_dates(trip: Trip) -> Iterator[Mark]:
    """Do the events take place when the plan schedules them?

    If the plan or the request gives the date of the day, the event must be on that day. Otherwise it must be between
    the first and the last day of the trip. If an event has several dates, one must fit. Undefined for an event without
    a known date.
    """
    for placed in places_of(trip):
        if placed.slot == "event":
            entries = matches(trip, placed.place, placed.kind, placed.day)
            yield from _date_marks(trip, placed, [entry for entry in entries if entry.date])


@planned("City", formula="places in a city of their day / places with a city", unit="place")
def city_of_the_day(trip: Trip) -> Iterator[Mark]:
    """Is each place in a city of its day?

    On a travel day both cities count; the lodging must be in the city where the day ends. Undefined for a place without
    a city in the plan, and on a day without a city.
    """
    for placed in places_of(trip):
        cities = cities_of(placed.day)[-1:] if placed.slot == "lodging" else cities_of(placed.day)
        stated = city_key(placed.place.city)
        if cities and stated:
            lies = {stated, city_key(placed.entry.city) if placed.entry else ""}
            why = f"in {placed.place.city}, the day's city is {placed.day.city}"
            yield Mark(not lies.isdisjoint(cities), placed.place.name, placed.turn, why, placed.kind)


@planned("Days", formula="days planned = days requested", unit="plan", pool="conversations")
def days_planned(trip: Trip) -> Iterator[Mark]:
    """Does the plan have the requested number of days?

    Undefined if the request gives no number of days, and for an empty plan.
    """
    if trip.request.days and trip.days:
        why = f"{len(trip.days)} days planned, {trip.request.days} asked for"
        yield Mark(len(trip.days) == trip.request.days, "days", "", why, "days")


@planned("Nights", formula="nights with a lodging / all days except the last", unit="night")
def lodging_every_night(trip: Trip) -> Iterator[Mark]:
    """Is there a lodging for every night?

    The last day needs no lodging. Undefined for a plan of one day, and for a plan without places.
    """
    for day in trip.days[:-1] if places_of(trip) else ():
        there = is_named_place(day.lodging)
        why = "" if there else "found nothing, expected a lodging"
        yield Mark(there, day.lodging.name if day.lodging else "lodging", f"day {day.number}", why, "lodging")


def _lodging(placed: PlannedPlace, right: bool, why: str, group: str = "lodging") -> Mark:
    return Mark(right, placed.place.name, placed.turn, why, group)


def is_room_type(kind: str, asked: str) -> bool:
    """Whether a room type is the one asked for; "no shared room" takes any other."""
    kind, asked = name_key(kind), name_key(asked)
    if asked.startswith(("no ", "not ", "non ")):
        return "shared" not in kind
    return (asked.split() or [""])[0] in kind


def _date_marks(trip: Trip, placed: PlannedPlace, entries: list[CatalogueEntry]) -> Iterator[Mark]:
    dates, day = sorted({entry.date for entry in entries}), _date_of(trip, placed.day)
    first, last = trip.request.start, trip.request.end
    if not dates or not (day or (ISO.fullmatch(first) and ISO.fullmatch(last))):
        return
    right = day in dates if day else any(first <= day_of_event <= last for day_of_event in dates)
    why = f"on {', '.join(dates)}, expected {day or f'{first} to {last}'}"
    yield Mark(right, placed.place.name, placed.turn, why, "the day" if day else "the trip")


def _date_of(trip: Trip, day: Day) -> str:
    """The date of a day: as the plan has it, or counted from the first day of the request."""
    if day.date or not trip.request.start:
        return day.date
    try:
        return (date.fromisoformat(trip.request.start) + timedelta(days=day.number - 1)).isoformat()
    except (ValueError, OverflowError):
        return ""
