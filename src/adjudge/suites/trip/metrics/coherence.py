"""Whether a plan is sound in itself: meals, variety, the order of the day."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import MEALS, Day, Place, Trip
from adjudge.suites.trip.rules.hours import disorder, literal_disorder, timed_visits
from adjudge.suites.trip.rules.places import (
    PlannedPlace,
    is_named_place,
    is_same_place,
    is_travel_day,
    names_no_place,
    places_of,
)

coherent = partial(
    metric,
    formula="passed checks / checks",
    unit="check",
    better="higher",
    probes=("coherence",),
    predicts=("a plan",),
    source="Metric Reference: Data Sources & Calculations (group travel planning), M16 Plan Coherence Score",
)


@coherent(
    "M16",
    departs=(
        "Empty meals on a travel day are not checked. Lunch is compared with dinner only if both are filled. An entry "
        "may end the next morning but must not overlap the next one. Repeated restaurants are a check."
    ),
    primary=True,
    version=2,
)
def coherence(trip: Trip) -> Iterator[Mark]:
    """Is the plan consistent in itself?

    The checks of a day are: breakfast, lunch and dinner are filled; lunch differs from dinner; timed entries follow one
    another without overlapping; no restaurant repeats one of an earlier meal of the trip, except meals where the group
    lodges. An entry that starts after noon may end the next morning, and the group may go out from its lodging.

    On a travel day, empty meals are not checked. A travel day has a flight, or its city or transport leads from one
    city to another ("from A to A" does not). The first and the last day are travel days only if they say so. Undefined
    for a plan without places.
    """
    meals = _filled_meals(trip)
    lodgings = {name_key(day.lodging.name) for day in trip.days if day.lodging}
    if not places_of(trip):
        return
    for at, day in enumerate(trip.days):
        today = meals[at]
        yield from _meal_marks(day, today)
        yield from _variety(day, today)
        yield from _order(day, disorder(day.visits, lodgings))
        yield from _repeat_marks(trip, today, [placed for before in meals[:at] for placed in before.values()])


@coherent("M16 literal", variant=True)
def coherence_literal(trip: Trip) -> Iterator[Mark]:
    """Is the plan consistent in itself, by the letter of the source?

    Every meal of every day must be filled. Lunch must differ from dinner, and two empty meals do not differ. A timed
    entry must start later than the one before it, and end later than it starts by the clock.
    """
    if not places_of(trip):
        return
    for day in trip.days:
        turn = f"day {day.number}"
        for meal in MEALS:
            filled = is_named_place(day.meals[meal])
            yield Mark(filled, meal, turn, "" if filled else "found nothing, expected a place", meal)
        varied = _name(day.lunch) != _name(day.dinner)
        yield Mark(varied, "lunch and dinner", turn, "" if varied else "both are the same", "variety")
        yield from _order(day, literal_disorder(day.visits))


def _filled_meals(trip: Trip) -> list[dict[str, PlannedPlace]]:
    """The filled meals of each day by name."""
    return [
        {
            meal: PlannedPlace(place, day, "restaurant", meal)
            for meal, place in day.meals.items()
            if is_named_place(place)
        }
        for day in trip.days
    ]


def _meal_marks(day: Day, today: dict[str, PlannedPlace]) -> Iterator[Mark]:
    for meal in MEALS:
        if meal in today:
            yield Mark(1.0, meal, f"day {day.number}", "", meal)
        elif not is_travel_day(day):
            why = f"found nothing, expected a place: the day is spent in {day.city or 'one place'}"
            yield Mark(0.0, meal, f"day {day.number}", why, meal)


def _variety(day: Day, today: dict[str, PlannedPlace]) -> Iterator[Mark]:
    if "lunch" in today and "dinner" in today:
        alike = is_same_place(today["lunch"], today["dinner"])
        why = f"both at {today['lunch'].place.name}" if alike else ""
        yield Mark(not alike, "lunch and dinner", f"day {day.number}", why, "variety")


def _order(day: Day, fault: str) -> Iterator[Mark]:
    if timed_visits(day.visits):
        yield Mark(not fault, "timed entries", f"day {day.number}", fault, "order")


def _repeat_marks(trip: Trip, today: dict[str, PlannedPlace], before: list[PlannedPlace]) -> Iterator[Mark]:
    """Whether a restaurant repeats; lunch and dinner of one day are compared by the check of variety."""
    if not today:
        return
    breakfast = [today["breakfast"]] if "breakfast" in today else []
    again = [
        f"{placed.slot} at {placed.place.name}, as on {first.turn} for {first.slot}"
        for placed in today.values()
        for first in [*before, *breakfast]
        if placed is not first and is_same_place(placed, first) and not names_no_place(trip, placed)
    ]
    turn = next(iter(today.values())).turn
    yield Mark(not again, "restaurants", turn, "; ".join(again), "repeats")


def _name(place: Place | None) -> str:
    return name_key(place.name) if is_named_place(place) else ""
