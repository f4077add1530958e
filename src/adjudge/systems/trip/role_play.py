"""Members that a model plays, each with its own wishes as its secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, to_builtins

from adjudge.core.play import Ask, Said, View
from adjudge.core.system import Cast, system
from adjudge.suites.trip.data import Ballot
from adjudge.suites.trip.rules.dialogue import slot_of
from adjudge.systems.prompts import Prompts, dialogue_of, prompt_for
from adjudge.systems.trip.asking import SHOWN
from adjudge.systems.trip.data import MemberView, TurnFacts, TurnPart


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says as a member to one part of the mediator's turn."""

    text: str
    strength: Literal["must", "prefer", "avoid", "reject", "none"]
    top_choice: str
    acceptable: list[str]
    hard_no: list[str]
    accepts: bool


class MemberTurn(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says as a member, part by part."""

    reasoning: str
    replies: list[Reply]


@system(
    "trip",
    plays=("member",),
    source="Metric Reference of group travel planning: members that a language model plays",
    parts=("member",),
    asks=("member",),
    fixed=("member",),
    prompts=("member",),
)
def persona() -> Cast:
    """A model plays the members, each with its own wishes as its secret; `--member PROVIDER:MODEL` is short for it."""
    return Cast({"member": take_step})


def take_step(view: View[None], ask: Ask, prompts: Prompts) -> Said[None]:
    """What a member answers to each part of the mediator's turn that asks for something."""
    facts: MemberView = view.facts
    asked = [line for line in facts.asked if line.intent.startswith(("sys_request_", "sys_feedback_"))]
    asked = asked or [line for line in facts.asked if line.intent == "sys_present_plan"]
    if not asked:
        return Said(passes=True)
    material = {
        "you": to_builtins(facts.person),
        "wishes": to_builtins(facts.wishes),
        "dialogue": dialogue_of(view.turns[-SHOWN:]),
        "places": to_builtins(facts.places),
        "questions": [{"text": line.text, "options": line.options} for line in asked],
    }
    turn: MemberTurn = ask([prompt_for("member", prompts.text("member"), material, MemberTurn)])[0]
    lines = tuple(_line(question, reply, facts) for question, reply in zip(asked, _fit(turn, asked), strict=True))
    return Said(" ".join(line.text for line in lines), facts=TurnFacts(lines))


def _fit(turn: MemberTurn, asked: Sequence[TurnPart]) -> list[Reply]:
    """As many replies as questions: more are left out, and what is missing is silence."""
    silent = [Reply("", "none", "", [], [], False)] * len(asked)
    return [*turn.replies, *silent][: len(asked)]


def _line(question: TurnPart, reply: Reply, view: MemberView) -> TurnPart:
    """A reply as a part of the turn, with the intent that answers the question."""
    slot, name = slot_of(question.intent), view.person.id
    if question.intent.startswith("sys_request_vote_"):
        known = [option for option in (reply.top_choice,) if option in question.options]
        others = [
            tuple(each for each in names if each in question.options) for names in (reply.acceptable, reply.hard_no)
        ]
        return TurnPart(reply.text, f"user_vote_{slot}", ballots=(Ballot(name, next(iter(known), ""), *others),))
    if question.intent.startswith("sys_request_"):
        return TurnPart(reply.text, f"user_provide_{slot}", None if reply.strength == "none" else reply.strength)
    if question.intent.startswith("sys_feedback_"):
        return TurnPart(reply.text, "user_approve_approach" if reply.accepts else f"user_feedback_{slot}")
    return TurnPart(reply.text, "user_accept_plan" if reply.accepts else "user_reject_plan")
