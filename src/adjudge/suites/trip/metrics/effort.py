"""What the dialogue takes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import BY_DESIGN, Mark
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.metrics.feedback import expects_feedback, feedback_turns_of
from adjudge.suites.trip.rules.dialogue import message_count, slot_of

effort = partial(
    metric,
    unit="conversation",
    better="neither",
    scale=(0.0, None),
    pool="conversations",
    probes=("cost",),
    predicts=("a dialogue",),
    source="Metric Reference: Data Sources & Calculations (group travel planning), M7 Dialogue Efficiency",
)


@effort("M7", formula="number of turns")
def total_turns(trip: Trip) -> Iterator[Mark]:
    """How many turns does the dialogue take?

    Fewer turns are not better in themselves: it takes more turns to hear more members. Tool calls are not turns. A
    message that was split by topic counts once.
    """
    if trip.turns:
        yield Mark(float(message_count(trip)))


@effort("M7 per slot", formula="number of turns / slots that the dialogue is about")
def turns_per_slot(trip: Trip) -> Iterator[Mark]:
    """How many turns does the dialogue take for each slot?

    A slot counts if the intent of a turn names it. All turns count, including those about no slot. Undefined for a
    dialogue about no slot.
    """
    slots = list(dict.fromkeys(filter(None, (slot_of(turn.intent) for turn in trip.turns))))
    if slots:
        count = message_count(trip)
        yield Mark(count / len(slots), why=f"{count} turns about {', '.join(slots)}")


@effort("M7 feedback", formula="number of turns with an intent user_feedback_* or sys_feedback_*")
def feedback_turns(trip: Trip) -> Iterator[Mark]:
    """How many turns of the dialogue are feedback?

    A dialogue without a feedback loop has no such turns by design, and the value is marked so.
    """
    if trip.turns:
        yield Mark(float(len(feedback_turns_of(trip))), basis=_basis(trip))


@effort("M7 overhead", formula="feedback turns / turns", scale=(0.0, 1.0))
def feedback_overhead(trip: Trip) -> Iterator[Mark]:
    """What share of the dialogue is feedback?

    A dialogue without a feedback loop has none by design, and the value is marked so.
    """
    if trip.turns:
        count, all_turns = len(feedback_turns_of(trip)), message_count(trip)
        yield Mark(count / all_turns, why=f"{count} of {all_turns} turns", basis=_basis(trip))


def _basis(trip: Trip) -> str:
    return "" if expects_feedback(trip) or feedback_turns_of(trip) else BY_DESIGN
