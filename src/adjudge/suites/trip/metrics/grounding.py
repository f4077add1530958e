"""Whether the places of a plan exist."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.places import Placed, places_of


@metric(
    "M9",
    formula="places found in the catalogue / places of the plan",
    unit="place",
    better="higher",
    probes=("grounding",),
    predicts=("a plan", "a catalogue"),
    source="trip M9, plan DB grounding rate",
    departs="A place is found only among places of its kind and in its city.",
    primary=True,
)
def grounding(trip: Trip) -> Iterator[Mark]:
    """Are the places of the plan in the catalogue?

    Places are meals, attractions, events, lodgings and timed visits that are none of these, and every mention counts.
    Names are compared without case, accents and punctuation. A place lies in the city that the plan gives it or, where
    it gives none, in a city of its day; a visit may be of any kind. What is nearly right (a similar name, another city,
    another kind) is named in the reason and not grounded. Undefined without a catalogue and without places.
    """
    if not trip.catalogue:
        return
    for placed in places_of(trip):
        yield Mark(placed.entry is not None, placed.place.name, placed.turn, _why(placed), placed.kind)


def _why(placed: Placed) -> str:
    """What was found, where it is not simply the same words."""
    entry = placed.entry
    if entry is None:
        return f"{placed.slot}: {placed.why}"
    return "" if entry.name == placed.place.name else f"{placed.slot}: found as {entry.name!r}"
