"""What participants may know of a case, and the record of a played conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge.core.play import PlayedConversation, PlayedTurn
from adjudge.core.record import Participant
from adjudge.core.system import Seen, hear
from adjudge.suites.trip.data import Member, Trip, TripTurn
from adjudge.suites.trip.rules.dialogue import PART
from adjudge.suites.trip.rules.intents import assign_intents
from adjudge.suites.trip.rules.places import slots_of
from adjudge.systems.trip.data import (
    Brief,
    MediatorView,
    MemberAnswer,
    MemberView,
    PlannerView,
    TripCase,
    TurnFacts,
    TurnPart,
)
from adjudge.systems.trip.floor import MEDIATOR, MEMBER, PLANNER, SYSTEM, last_turn_of

NOTHING = TurnFacts()


def participants(case: TripCase) -> tuple[Participant, ...]:
    """The mediator, the members, and the planner."""
    members = (Participant(person.id, MEMBER, "simulated") for person in case.members)
    return Participant(SYSTEM, MEDIATOR, "agent"), *members, Participant(PLANNER, PLANNER, "agent")


def view(case: TripCase, participant: Participant, turns: tuple[PlayedTurn, ...]) -> Seen:
    """A member knows its own wishes, the mediator nobody's, and the planner what was handed over to it."""
    if participant.role == MEMBER:
        return Seen(_member_view(case, participant.id, turns), hear(turns))
    if participant.role == PLANNER:
        return Seen(_planner_view(case, turns), ())
    return Seen(_mediator_view(case, turns), hear(turns))


def record(played: PlayedConversation) -> Trip:
    """The trip of a conversation: its turns, and the last plan that the planner made."""
    case: TripCase = played.case
    result = _last_result(played.turns)
    condition = next((facts.condition for turn in played.turns if (facts := _facts(turn)).condition), None)
    known = {"condition": condition or "", "group_type": case.group_type}
    return Trip(
        id=played.id,
        facets={name: value for name, value in known.items() if value},
        condition=condition,
        group_type=case.group_type,
        members=tuple(Member(person.id, person.role, case.wishes.get(person.id, ())) for person in case.members),
        turns=tuple(_turns(played.turns)),
        request=case.request,
        plan=result.plan,
        plan_fault=result.fault,
        catalogue=case.catalogue,
        legs=case.legs,
        conflicts=case.conflicts,
    )


def _member_view(case: TripCase, name: str, turns: tuple[PlayedTurn, ...]) -> MemberView:
    person = next(person for person in case.members if person.id == name)
    asked = last_turn_of(turns, SYSTEM)
    lines = _lines(asked) if asked else ()
    plan = _last_result(turns).plan if any(line.intent == "sys_present_plan" for line in lines) else None
    places = {(place.name, place.city) for day in plan.days for place, _, _ in slots_of(day)} if plan else set()
    entries = tuple(entry for entry in case.catalogue if (entry.name, entry.city) in places) if places else ()
    return MemberView(person, case.wishes.get(name, ()), lines, plan, entries)


def _mediator_view(case: TripCase, turns: tuple[PlayedTurn, ...]) -> MediatorView:
    last = last_turn_of(turns, SYSTEM)
    since = turns[last.number + 1 :] if last else ()
    result = next((_facts(turn) for turn in since if turn.speaker == PLANNER), NOTHING)
    answers = tuple(MemberAnswer(turn.speaker, _lines(turn)) for turn in since if turn.speaker != PLANNER)
    return MediatorView(case.group_type, case.members, case.request, answers, result.plan, result.fault)


def _planner_view(case: TripCase, turns: tuple[PlayedTurn, ...]) -> PlannerView:
    last = last_turn_of(turns, SYSTEM)
    brief = (_facts(last).brief if last else None) or Brief()
    people = case.request.people or len(case.members) or 1
    return PlannerView(case.request, people, case.catalogue, case.legs, brief, _last_result(turns).plan)


def _last_result(turns: Sequence[PlayedTurn]) -> TurnFacts:
    """What the last turn with a plan, or with the reason why there is none, says."""
    results = (facts for turn in reversed(turns) if (facts := _facts(turn)).plan or facts.fault)
    return next(results, NOTHING)


def _turns(turns: Sequence[PlayedTurn]) -> Iterator[TripTurn]:
    """The turns of members and mediator, part by part; what the planner hands over is the plan of the trip."""
    for turn in turns:
        if turn.content.passes or turn.speaker == PLANNER:
            continue
        for place, line in enumerate(_lines(turn), 1):
            number = f"{turn.number + 1}" if place == 1 else f"{turn.number + 1}{PART}{place}"
            yield TripTurn(
                number,
                turn.speaker,
                line.text,
                intent=line.intent,
                strength=line.strength,
                synthesis=line.synthesis,
                ballots=line.ballots,
                vote=line.vote,
                promises=line.promises,
            )


def _lines(turn: PlayedTurn) -> tuple[TurnPart, ...]:
    """The parts of a turn; where the participant gives none, they are found by rule, as in a file without intents."""
    if lines := _facts(turn).lines:
        return lines
    plain = TripTurn(str(turn.number), turn.speaker, turn.content.text)
    return tuple(TurnPart(part.text, part.intent) for part in assign_intents([plain]))


def _facts(turn: PlayedTurn) -> TurnFacts:
    return turn.content.facts if isinstance(turn.content.facts, TurnFacts) else NOTHING
