"""The mediator's agenda: it asks slot by slot, puts wishes together, holds votes, hands over, presents and repairs.

A step takes items from the agenda until one of them waits for an answer. What an item says is one part of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, structs

from adjudge.suites.trip.data import ACTIONABLE, Ballot, Promise
from adjudge.suites.trip.rules.dialogue import slot_of
from adjudge.suites.trip.rules.wishes import parse_wish
from adjudge.systems.trip.data import AGENDA, Brief, MediatorView, SpokenWish, TurnPart
from adjudge.systems.trip.floor import PLANNER
from adjudge.systems.trip.strategies import brief_by_strategy, strategy_for
from adjudge.systems.trip.synthesis import SlotSummary, say, slot_words, summarise
from adjudge.systems.trip.votes import count_votes, options_of

Parts = frozenset[str]


class MediatorMemory(Struct, frozen=True, omit_defaults=True):
    """What the mediator remembers: how far it is, what members have claimed, where they differ, who lacks something."""

    place: int = 0
    claims: tuple[SpokenWish, ...] = ()
    conflicts: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()


class AgendaMove(Struct, frozen=True):
    """What an item of the agenda comes to: parts of the turn, who is to answer, what is handed over, or the end."""

    lines: tuple[TurnPart, ...] = ()
    to: tuple[str, ...] = ()
    brief: Brief | None = None
    memory: MediatorMemory | None = None
    ends: str = ""


class Chair(Struct, frozen=True):
    """What the mediator goes by in a step: what it sees and remembers, its parts, and whom it asks for wishes.

    `summarise` puts the wishes for a slot together: by rule, or by a model.
    """

    view: MediatorView
    memory: MediatorMemory
    parts: Parts
    speakers: tuple[str, ...]
    summarise: Callable[[str, Sequence[SpokenWish]], SlotSummary] = summarise

    def claims(self, slot: str) -> list[SpokenWish]:
        """What members have claimed for a slot."""
        return [claim for claim in self.memory.claims if claim.slot == slot]

    @property
    def strategies(self) -> dict[str, str]:
        """The strategy of each slot; none without that part."""
        theory = "strategy" in self.parts
        return {slot: strategy_for(self.view.group_type, slot) for slot in AGENDA} if theory else {}


Item = Callable[[Chair, str], AgendaMove]


def agenda(parts: Parts) -> list[tuple[Item, str]]:
    """The items of a mediator with these parts, each with its slot."""
    items: list[tuple[Item, str]] = []
    for slot in AGENDA:
        items.append((request, slot))
        items += [(synthesise, slot)] if "synthesis" in parts else []
        items += [(request_vote, slot), (announce_vote, slot)] if "vote" in parts and slot in ACTIONABLE else []
    feedback: list[tuple[Item, str]] = [(present_draft, ""), (repair, "")] if "feedback" in parts else []
    return [*items, (hand_over, ""), *feedback, (present, ""), (close, "")]


def remember(view: MediatorView, memory: MediatorMemory) -> MediatorMemory:
    """The memory with what members claimed and complained of in their answers."""
    lines = [(answer.member, line) for answer in view.answers for line in answer.lines]
    claims = [
        SpokenWish(member, slot_of(line.intent), line.text, line.strength)
        for member, line in lines
        if line.intent.startswith("user_provide_")
    ]
    unmet = [member for member, line in lines if line.intent.startswith("user_feedback_")]
    return structs.replace(memory, claims=(*memory.claims, *claims), unmet=tuple(dict.fromkeys(unmet)) or memory.unmet)


def request(chair: Chair, slot: str) -> AgendaMove:
    """Ask for wishes, beginning with another member each time."""
    first = AGENDA.index(slot) % len(chair.speakers)
    line = TurnPart(say("request", slot), f"sys_request_{slot}")
    opening = (_opening(chair),) if slot == AGENDA[0] else ()
    return AgendaMove((*opening, line), (*chair.speakers[first:], *chair.speakers[:first]))


def _opening(chair: Chair) -> TurnPart:
    asked = chair.view.request
    trip = asked.text or f"{asked.days} days from {asked.origin}"
    kind = "spokesperson" if len(chair.speakers) < len(chair.view.members) else "all"
    text = say("open", kind, trip=trip.rstrip("."), member=chair.speakers[0])
    return TurnPart(text, "sys_acknowledge_trip")


def synthesise(chair: Chair, slot: str) -> AgendaMove:
    """Put the wishes for a slot together, and say whether they conflict."""
    summary = chair.summarise(slot, chair.claims(slot))
    noted = summary.notes(chair.strategies.get(slot, ""))
    memory = chair.memory
    if noted.has_conflict:
        memory = structs.replace(memory, conflicts=(*memory.conflicts, slot))
    return AgendaMove((TurnPart(summary.text, f"sys_synthesize_{slot}", synthesis=noted),), memory=memory)


def request_vote(chair: Chair, slot: str) -> AgendaMove:
    """Ask for ballots, where members differ and there is more than one idea."""
    options = options_of(chair.claims(slot), slot)
    if slot not in chair.memory.conflicts or len(options) < 2:
        return AgendaMove()
    text = say("vote", "request", count=len(options), slot=slot_words(slot), options=", ".join(options))
    return AgendaMove((TurnPart(text, f"sys_request_vote_{slot}", options=options),), chair.speakers)


def announce_vote(chair: Chair, slot: str) -> AgendaMove:
    """Count the ballots, where there are any, and promise what was selected."""
    ballots = [ballot for answer in chair.view.answers for line in answer.lines for ballot in line.ballots]
    if not ballots:
        return AgendaMove()
    options = options_of(chair.claims(slot), slot)
    vote = count_votes(chair.strategies.get(slot, ""), slot, ballots, options, chair.view.members)
    kind = "several" if " and " in vote.selected_option else "single"
    text = say("vote", kind, option=vote.selected_option, slot=slot_words(slot))
    if vote.minority_members:
        text += " " + say("vote", "minority", members=", ".join(vote.minority_members))
    promises = tuple(_promises(ballots, vote.selected_option, slot)) if "promises" in chair.parts else ()
    return AgendaMove((TurnPart(text, f"sys_resolve_conflict_{slot}", vote=vote, promises=promises),))


def _promises(ballots: Sequence[Ballot], selected: str, slot: str) -> Iterator[Promise]:
    """What was selected is promised: to those whose first choice it is, or else to the group."""
    tops = {ballot.top_choice: ballot.member for ballot in reversed(ballots) if ballot.top_choice}
    options = [option for option in tops if option in selected.split(" and ")]
    yield from (Promise(option, slot, tops[option]) for option in options)
    if not options:
        yield Promise(selected, slot)


def hand_over(chair: Chair, slot: str) -> AgendaMove:
    """Hand over to the planner."""
    return AgendaMove((TurnPart(say("close", "summary"), "sys_summary_state"),), (PLANNER,), _brief(chair))


def _brief(chair: Chair) -> Brief:
    """What counts for the plan: with a synthesis all claims, without one the last word on each slot."""
    claims = chair.memory.claims
    if "synthesis" in chair.parts:
        return brief_by_strategy(claims, chair.strategies, chair.view.members)
    last = {claim.slot: claim.member for claim in claims if not parse_wish(claim.text).indifferent}
    return Brief(tuple(claim for claim in claims if claim.member == last.get(claim.slot)))


def present_draft(chair: Chair, slot: str) -> AgendaMove:
    """Present a draft, and ask what members think of it where they differed or a plan can serve them."""
    if chair.view.plan is None:
        return AgendaMove()
    slots = [slot for slot in AGENDA if slot in chair.memory.conflicts or slot in ACTIONABLE]
    questions = (TurnPart(say("close", "feedback", slot=slot_words(slot)), f"sys_feedback_{slot}") for slot in slots)
    draft = TurnPart(say("close", "draft", plan=chair.view.plan.raw), "sys_present_plan")
    return AgendaMove((draft, *questions), _everybody(chair))


def repair(chair: Chair, slot: str) -> AgendaMove:
    """Hand over again for the members who lack something."""
    if not chair.memory.unmet:
        return AgendaMove()
    brief = structs.replace(_brief(chair), unmet=chair.memory.unmet)
    return AgendaMove((TurnPart(say("close", "again"), "sys_summary_state"),), (PLANNER,), brief)


def present(chair: Chair, slot: str) -> AgendaMove:
    """Present the plan, and ask everybody whether they accept it; without a plan, say why and end."""
    if chair.view.fault:
        text = say("close", "none", fault=chair.view.fault)
        return AgendaMove((TurnPart(text, "sys_present_plan"),), ends="no plan")
    plan = chair.view.plan.raw if chair.view.plan else "It is as it was in the draft."
    return AgendaMove((TurnPart(say("close", "present", plan=plan), "sys_present_plan"),), _everybody(chair))


def close(chair: Chair, slot: str) -> AgendaMove:
    """End the conversation."""
    return AgendaMove((TurnPart(say("close", "thanks")),), ends="the plan was presented")


def _everybody(chair: Chair) -> tuple[str, ...]:
    return tuple(person.id for person in chair.view.members)
