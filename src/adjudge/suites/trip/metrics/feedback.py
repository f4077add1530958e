"""Whether conflicts are taken back to the members."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip, TripTurn
from adjudge.suites.trip.rules.dialogue import slot_of, syntheses, turns_with

FEEDBACK = "C5"


@metric(
    "M5",
    formula="conflict slots with a feedback turn / slots whose synthesis flags a conflict",
    unit="slot",
    better="higher",
    pool="conversations",
    probes=("feedback",),
    predicts=("a dialogue",),
    source="Metric Reference: Data Sources & Calculations (group travel planning), M5 Feedback Activation Rate",
    departs="Undefined, not 0, without conflict slots and in conditions without feedback.",
)
def feedback_activation(trip: Trip) -> Iterator[Mark]:
    """If the assistant sees a conflict, does it ask the members about its solution?

    Feedback belongs to C5. A record without a condition counts as having feedback if it contains a feedback turn. A
    system that always asks scores 1, whatever the members answer.
    """
    if not expects_feedback(trip):
        return
    asked = {slot_of(turn.intent): turn.id for turn in reversed(feedback_turns_of(trip))}
    for slot, turns in syntheses(trip).items():
        if any(turn.synthesis and turn.synthesis.has_conflict for turn in turns):
            why = "" if slot in asked else "a conflict, and no feedback turn"
            yield Mark(float(slot in asked), at=slot, turn=asked.get(slot, turns[0].id), why=why, group=slot)


def feedback_turns_of(trip: Trip) -> list[TripTurn]:
    """The turns of the feedback loop."""
    return list(turns_with(trip, "user_feedback_", "sys_feedback_"))


def expects_feedback(trip: Trip) -> bool:
    """Whether feedback is part of how the dialogue is held."""
    return trip.condition == FEEDBACK if trip.condition else bool(feedback_turns_of(trip))
