"""The worked examples of M9 and M16 in the source, counted again."""

from __future__ import annotations

from adjudge.core.mark import Score
from adjudge.suites.trip.data import CatalogueEntry, Day, Place, Plan, Trip, Visit
from adjudge.suites.trip.metrics.coherence import coherence_literal
from adjudge.suites.trip.metrics.grounding import grounding


def full_day(number: int, **changes: object) -> Day:
    meals = {name: Place(f"{name} {number}", "Elm") for name in ("breakfast", "lunch", "dinner")}
    return Day(number, "Elm", **{**meals, **changes})  # type: ignore[arg-type]


def test_m9_fifteen_places_that_are_all_in_the_catalogue_are_one() -> None:
    """Metric reference, M9: 15 of 15."""
    days = tuple(full_day(number) for number in range(1, 6))
    catalogue = tuple(
        CatalogueEntry("restaurant", place.name, "Elm") for day in days for place in day.meals.values() if place
    )
    score = Score.of(list(grounding(Trip(id="m9", plan=Plan(days), catalogue=catalogue))))
    assert (score.value, score.n) == (1.0, 15)
    score = Score.of(list(grounding(Trip(id="m9", plan=Plan(days), catalogue=catalogue[:-1]))))
    assert score.value == 14 / 15


def test_m16_five_days_with_three_timed_ones_pass_21_of_23_checks() -> None:
    """Metric reference, M16: 5 x 4 checks of meals and 3 of times, of which 21 pass."""
    timed = (Visit("Mill", "09:00", "10:00"), Visit("Lake", "11:00", "12:00"))
    days = (
        *(full_day(number, visits=timed) for number in (1, 2)),
        full_day(3, visits=tuple(reversed(timed))),
        full_day(4, breakfast=None),
        full_day(5),
    )
    score = Score.of(list(coherence_literal(Trip(id="m16", plan=Plan(days)))))
    assert (score.value, score.n) == (21 / 23, 23)
