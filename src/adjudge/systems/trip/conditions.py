"""The conditions C1 to C5: mediators that hear one member or all, and do more and more with what they hear."""

from __future__ import annotations

from functools import partial

from msgspec import structs

from adjudge.core.play import Ask, Said, View
from adjudge.core.system import Cast, Step, system
from adjudge.suites.trip.data import Condition
from adjudge.systems.prompts import Prompts
from adjudge.systems.trip.asking import reword, summarise_by_model
from adjudge.systems.trip.data import MediatorView, TurnFacts, TurnPart
from adjudge.systems.trip.mediation import AgendaMove, Chair, MediatorMemory, agenda, remember

mediating = partial(
    system,
    "trip",
    plays=("mediator",),
    source="Metric Reference: Data Sources & Calculations (group travel planning), conditions C1 to C5",
)
DIALOGUE = ("dialogue",)
SYNTHESIS = (*DIALOGUE, "synthesis")
THEORY = (*SYNTHESIS, "strategy", "vote", "promises")


@mediating(parts=DIALOGUE, fixed=DIALOGUE, asks=DIALOGUE, by_rule=DIALOGUE, prompts=DIALOGUE)
def C1() -> Cast:  # noqa: N802 - the condition's own name
    """One member speaks for the group, and the plan is made for that member's wishes."""
    return Cast({"mediator": _mediator("C1")})


@mediating(parts=DIALOGUE, fixed=DIALOGUE, asks=DIALOGUE, by_rule=DIALOGUE, prompts=DIALOGUE)
def C2() -> Cast:  # noqa: N802
    """Every member is heard, and the last word on each slot counts.

    Another member is asked first each time, so the last word on a slot is not always the same member's.
    """
    return Cast({"mediator": _mediator("C2")})


@mediating(parts=SYNTHESIS, fixed=SYNTHESIS, asks=SYNTHESIS, by_rule=SYNTHESIS, prompts=SYNTHESIS)
def C3() -> Cast:  # noqa: N802
    """The wishes for each slot are put together, and the plan meets as many of them as it can."""
    return Cast({"mediator": _mediator("C3")})


@mediating(parts=THEORY, fixed=(*SYNTHESIS, "strategy"), asks=SYNTHESIS, by_rule=SYNTHESIS, prompts=SYNTHESIS)
def C4() -> Cast:  # noqa: N802
    """A strategy of social theory, by group type and slot, decides what the plan is to be good at.

    Members who differ vote by ballot, code counts the votes under the strategy, and what was selected is promised.
    """
    return Cast({"mediator": _mediator("C4")})


@mediating(
    parts=(*THEORY, "feedback"), fixed=(*SYNTHESIS, "strategy"), asks=SYNTHESIS, by_rule=SYNTHESIS, prompts=SYNTHESIS
)
def C5() -> Cast:  # noqa: N802
    """As C4, and members say what they lack in a draft, which the planner then repairs for them."""
    return Cast({"mediator": _mediator("C5")})


def _mediator(condition: Condition) -> Step:
    """The step of a mediator under a condition."""

    def take_step(
        view: View[MediatorMemory], ask: Ask, parts: frozenset[str], asking: frozenset[str], prompts: Prompts
    ) -> Said[MediatorMemory]:
        facts: MediatorView = view.facts
        speakers = tuple(person.id for person in facts.members)[: 1 if condition == "C1" else None]
        chair = Chair(facts, remember(facts, view.notes or MediatorMemory()), parts, speakers)
        if "synthesis" in asking:
            chair = structs.replace(chair, summarise=partial(summarise_by_model, ask, prompts))
        move = _next_move(chair)
        if "dialogue" in asking:
            move = structs.replace(move, lines=reword(move.lines, view.turns, ask, prompts))
        return _turn(move, condition)

    return take_step


def _next_move(chair: Chair) -> AgendaMove:
    """What the items of the agenda come to, up to the first that waits for an answer or ends the conversation."""
    items = agenda(chair.parts)
    lines: tuple[TurnPart, ...] = ()
    for place in range(chair.memory.place, len(items)):
        item, slot = items[place]
        move = item(chair, slot)
        lines += move.lines
        memory = structs.replace(move.memory or chair.memory, place=place + 1)
        chair = structs.replace(chair, memory=memory)
        if move.to or move.ends:
            return structs.replace(move, lines=lines, memory=memory)
    return AgendaMove(lines, memory=chair.memory, ends="there is nothing left to say")


def _turn(move: AgendaMove, condition: Condition) -> Said[MediatorMemory]:
    text = " ".join(line.text for line in move.lines)
    facts = TurnFacts(move.lines, condition, move.brief)
    return Said(text, move.to, ends=move.ends, facts=facts, notes=move.memory)
