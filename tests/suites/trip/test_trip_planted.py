"""Conflicts that were planted: how many are seen, and how many of those called are real."""

from __future__ import annotations

from typing import Any

from adjudge.suites.trip.data import Synthesis, Trip, TripTurn
from adjudge.suites.trip.metrics.planted import called_conflicts_planted, planted_conflicts_found


def trip(planted: tuple[str, ...] | None, **called: bool) -> Trip:
    """A trip whose syntheses call a conflict or not, by slot."""
    turns = (
        TripTurn(slot, "system", "", intent=f"sys_synthesize_{slot}", synthesis=Synthesis(has_conflict=flag))
        for slot, flag in called.items()
    )
    return Trip(id="t", condition="C3", turns=tuple(turns), conflicts=planted)


def marks(metric: Any, record: Trip) -> dict[str, float]:
    return {mark.at: mark.value for mark in metric.function(record)}


def test_recall_and_precision_of_called_conflicts() -> None:
    record = trip(("cuisine", "event"), cuisine=True, event=False, lodging=True, attraction=False)

    assert marks(planted_conflicts_found, record) == {"cuisine": 1.0, "event": 0.0}
    assert marks(called_conflicts_planted, record) == {"cuisine": 1.0, "lodging": 0.0}


def test_a_planted_conflict_without_a_synthesis_is_not_seen() -> None:
    assert marks(planted_conflicts_found, trip(("event",), cuisine=False)) == {"event": 0.0}


def test_without_planted_conflicts_nothing_can_be_said() -> None:
    unknown = trip(None, cuisine=True)

    assert marks(planted_conflicts_found, unknown) == marks(called_conflicts_planted, unknown) == {}
    assert marks(called_conflicts_planted, trip((), cuisine=True)) == {"cuisine": 0.0}


def test_conditions_without_a_synthesis_are_undefined() -> None:
    assert marks(planted_conflicts_found, Trip(id="t", condition="C2", conflicts=("cuisine",))) == {}
