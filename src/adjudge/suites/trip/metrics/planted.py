"""Whether the assistant sees the conflicts that were planted in the members' wishes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.metrics.conflict import first_conflict_call
from adjudge.suites.trip.rules.dialogue import syntheses

planted = partial(
    metric,
    unit="slot",
    better="higher",
    probes=("synthesis",),
    predicts=("a dialogue",),
    source="our own",
)


@planted("PlantedFound", formula="planted conflicts that the synthesis reports / slots with a planted conflict")
def planted_conflicts_found(trip: Trip) -> Iterator[Mark]:
    """How many of the planted conflicts does the assistant see (recall)?

    The generator of a case knows in which slots it made wishes conflict, however they are worded. Undefined if the
    record does not name these slots, and if the assistant never combines wishes (C1, C2).
    """
    made = syntheses(trip)
    for slot in (trip.conflicts or ()) if made else ():
        seen = first_conflict_call(made.get(slot, []))
        why = "" if seen else "no conflict called" if slot in made else "no synthesis"
        yield Mark(float(seen is not None), at=slot, turn=seen.id if seen else "", why=why, group=slot)


@planted("CalledPlanted", formula="planted conflicts that the synthesis reports / slots in which it reports a conflict")
def called_conflicts_planted(trip: Trip) -> Iterator[Mark]:
    """How many of the conflicts that the assistant reports were planted (precision)?

    The same wish in other words is not a conflict. Undefined if the record does not name the slots with planted
    conflicts, and if the assistant reports no conflict.
    """
    for slot, turns in syntheses(trip).items() if trip.conflicts is not None else ():
        if seen := first_conflict_call(turns):
            right = slot in (trip.conflicts or ())
            yield Mark(float(right), at=slot, turn=seen.id, why="" if right else "members want the same", group=slot)
