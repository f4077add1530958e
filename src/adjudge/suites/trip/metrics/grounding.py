"""Whether the places of a plan exist."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.places import PlannedPlace, city_key, places_of

grounded = partial(
    metric,
    unit="place",
    better="higher",
    probes=("grounding",),
    predicts=("a plan", "a catalogue"),
    source="Metric Reference: Data Sources & Calculations (group travel planning), M9 Plan DB Grounding Rate",
)


@grounded(
    "M9",
    formula="places found in the catalogue / places of the plan",
    departs="A place is found only among places of its kind and in its city.",
    primary=True,
    version=2,
)
def grounding(trip: Trip) -> Iterator[Mark]:
    """Are the places of the plan in the catalogue?

    Places are meals, attractions, events, lodgings and other timed visits. Every mention counts. Names are compared
    without case, accents and punctuation. A place is in the city that the plan gives for it, or else in a city of its
    day. A visit may be of any kind. Near misses (a similar name, another city, another kind) are named in the reason
    and do not count as grounded. A meal or a night that names no place ("packed lunch", "in accommodation") is left
    out. Undefined without a catalogue, and without places.
    """
    for placed in places_of(trip) if trip.catalogue else ():
        yield _grounding_mark(placed)


@grounded(
    "M9c",
    formula="places found in the catalogue / places of the plan in cities that the catalogue covers",
    departs="Like grounding, but places in a city without any entry in the catalogue are left out.",
)
def grounding_covered(trip: Trip) -> Iterator[Mark]:
    """Are the places of the plan in the catalogue, in cities that it covers?

    If the catalogue has no entry for a city, it cannot tell an invented place there from a real one. A place without a
    city counts.
    """
    covered = {key for entry in trip.catalogue if (key := city_key(entry.city))}
    for placed in places_of(trip) if trip.catalogue else ():
        if not covered or not placed.cities or placed.cities & covered:
            yield _grounding_mark(placed)


def _grounding_mark(placed: PlannedPlace) -> Mark:
    return Mark(placed.entry is not None, placed.place.name, placed.turn, _why(placed), placed.kind)


def _why(placed: PlannedPlace) -> str:
    """The matching entry, unless it has the same name."""
    entry = placed.entry
    if entry is None:
        return f"{placed.slot}: {placed.why}"
    return "" if entry.name == placed.place.name else f"{placed.slot}: found as {entry.name!r}"
