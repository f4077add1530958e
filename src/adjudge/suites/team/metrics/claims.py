"""Whether statements of agents agree with the results of their tools, by rule."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark
from adjudge.suites.team.rules.claims import ResultClaim, number_claims, success_claims


@metric(
    "FalseOK",
    formula="turns that claim success / first turns of agents after a failed call",
    unit="turn",
    better="lower",
    probes=("tools", "grounding"),
    source="our own",
    english=True,
    primary=True,
)
def false_success(conversation: Conversation) -> Iterator[Mark]:
    """Does an agent claim success right after a tool has failed?

    The first thing that an agent says after a failed call is judged, if no other call comes between. A claim is one of
    a few phrases ("has been booked", "successfully"), unless its sentence expresses doubt ("not", "unfortunately").
    Claims in other words are missed; `grounded` asks a judge.
    """
    yield from map(_mark, success_claims(conversation))


@metric(
    "WrongNum",
    formula="numbers that differ from the result / numbers stated for a field of the last JSON result",
    unit="number",
    better="lower",
    probes=("grounding",),
    source="our own",
)
def result_contradiction(conversation: Conversation) -> Iterator[Mark]:
    """Does an agent state another number than the tool returned?

    A sentence of an agent is judged if it names exactly one numeric field of the last JSON object that a tool returned,
    and has exactly one number: "The total is 312.50" after {"total": 412.5}. So few sentences are judged, and a number
    about something else ("the total for 2 people") is mistaken for a contradiction.
    """
    yield from map(_mark, number_claims(conversation))


def _mark(claim: ResultClaim) -> Mark:
    return Mark(float(claim.contradiction != ""), claim.about, claim.turn.id, claim.contradiction, claim.turn.speaker)
