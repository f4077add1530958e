"""Whether there is a plan at all."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip, TripRequest
from adjudge.suites.trip.rules.places import places_of

PRESENTED = ("sys_present_plan", "user_accept_plan", "user_reject_plan")


@metric(
    "Delivered",
    formula="conversations whose plan names a place / conversations in which a plan is expected",
    unit="plan",
    better="higher",
    pool="conversations",
    probes=("grounding",),
    source="our own",
    primary=True,
)
def plan_delivered(trip: Trip) -> Iterator[Mark]:
    """Is there a plan where one is expected?

    Other metrics are undefined without a plan, so a system could skip the hard cases without a penalty. Here a missing
    plan counts. A plan is expected if the dialogue presents, accepts or rejects one, if the file contains one that
    cannot be read, or if the record has a plan, a request or a catalogue. It is delivered if a day of the plan names a
    place.
    """
    if not _expects_plan(trip):
        return
    count = len(places_of(trip))
    why = f"{_count_phrase(count, 'place')} on {_count_phrase(len(trip.days), 'day')}" if count else _why_missing(trip)
    yield Mark(float(count > 0), at="plan", why=why)


def _expects_plan(trip: Trip) -> bool:
    presented = any(turn.intent.startswith(PRESENTED) for turn in trip.turns)
    asked = trip.request != TripRequest() or bool(trip.catalogue)
    return presented or asked or bool(trip.plan_fault) or trip.plan is not None


def _why_missing(trip: Trip) -> str:
    if trip.plan is None:
        return trip.plan_fault or "there is no plan"
    return "the plan names no place" if trip.days else "the plan has no days"


def _count_phrase(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
