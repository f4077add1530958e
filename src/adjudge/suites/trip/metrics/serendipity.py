"""Places that nobody asked for and that fit all the same."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.dialogue import preferences
from adjudge.suites.trip.rules.offers import Offer
from adjudge.suites.trip.rules.places import PlannedPlace, places_of
from adjudge.suites.trip.rules.targets import Likeness, Thresholds, basis, least_cosine
from adjudge.suites.trip.rules.wishes import read_wish


@metric(
    "M15",
    formula="grounded places that no wish names and whose entry is close to a wish / grounded places",
    unit="place",
    better="higher",
    probes=("preferences",),
    predicts=("a plan",),
    source="Metric Reference: Data Sources & Calculations (group travel planning), M15 Serendipity Score",
    departs="Only the wanted part of a wish is compared. A place that the plan names several times counts once.",
    version=2,
    english=True,
)
def serendipity(trip: Trip, embed: Embedder, thresholds: Thresholds) -> Iterator[Mark]:
    """How many places of the plan fit the members' interests although nobody named them?

    A place fits if the cosine of its catalogue entry with what a member wants, in any slot, reaches the embedder's
    threshold. Undefined if no place of the plan is in the catalogue, or nobody wants anything.
    """
    least = least_cosine(thresholds, "serendipity")
    stated = preferences(trip)
    wanted = list(dict.fromkeys(wish.wanted for wish in map(read_wish, stated) if wish.wanted))
    places = _grounded_places(trip) if wanted else {}
    likeness = Likeness(embed, [*wanted, *places] if places else [])
    asked = " | ".join(f" {name_key(preference.text)} " for preference in stated)
    for record, placed in places.items():
        if f" {name_key(placed.place.name)} " in asked:
            yield _fit_mark(placed, False, "named in a wish", least)
            continue
        close, wish = max((likeness(record, wish), wish) for wish in wanted)
        yield _fit_mark(placed, close >= least, f"cosine {close:.3f} with {wish!r}, {least:g} asked", least)


def _grounded_places(trip: Trip) -> dict[str, PlannedPlace]:
    """The places that the catalogue knows, each once, by their record's text."""
    return {Offer(placed.place.name, placed.entry).text: placed for placed in places_of(trip) if placed.entry}


def _fit_mark(placed: PlannedPlace, value: bool, why: str, least: float) -> Mark:
    kind = placed.entry.kind if placed.entry else placed.kind
    return Mark(float(value), at=placed.place.name, turn=placed.turn, why=why, group=kind, basis=basis(least))
