"""Whether agents keep to what they were told, as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from adjudge.core.ask import NO_LABEL, About, Judge, Question
from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.team.rules.material import answer_of, material, turn_at
from adjudge.suites.team.rules.parties import agents, steps
from adjudge.tools.rubrics import Rubrics


class KeptVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's verdict on one agent; turn 0 is none."""

    reasoning: str
    kept: bool
    turn: Annotated[int, Meta(ge=0)]


@metric(
    "Kept",
    formula=(
        "agents that follow their instructions, according to the judge / agents with instructions that take a step"
    ),
    unit="participant",
    better="higher",
    probes=("instructions",),
    predicts=("instructions",),
    rubrics=("instructions",),
    source="our own",
)
def instruction_kept(conversation: Conversation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Does each agent follow its instructions?

    Instructions are those in the log: the system prompt of a chat, or the prompt of an agent. There is one question for
    all agents of a conversation. The group of a mark is the agent. Undefined if the log has no instructions.
    """
    names = _agents_with_instructions(conversation)
    if not names:
        return
    (answer,) = judge([question_about(conversation, names, rubrics)])
    for number, name in enumerate(names, 1):
        verdict = getattr(answer, f"agent_{number}")
        if verdict.kept is NO_LABEL:
            yield Unlabelled(name)
            continue
        turn = None if verdict.turn is NO_LABEL or verdict.kept else turn_at(conversation, verdict.turn)
        yield Mark(float(verdict.kept), name, turn.id if turn else "", verdict.reasoning, name)


def question_about(conversation: Conversation, names: list[str], rubrics: Rubrics) -> Question[Any]:
    """The question about all agents; their names are data, so fields have codes."""
    shown = {
        f"agent_{number}": {"name": name, "instructions": instructions_of(conversation, name)}
        for number, name in enumerate(names, 1)
    }
    about = tuple(
        About(f"{code}.kept", conversation.key, at=name, label="instruction_kept")
        for code, name in zip(shown, names, strict=True)
    )
    return Question(
        rubrics.text("instructions"), _answer(len(names)), material(conversation, agents=shown), about=about
    )


def _agents_with_instructions(conversation: Conversation) -> list[str]:
    active = {turn.speaker for _, turn in steps(conversation)}
    return [name for name in agents(conversation) if name in active and instructions_of(conversation, name)]


def instructions_of(conversation: Conversation, name: str) -> str:
    """What an agent was told: what is for every agent, and what is for it alone."""
    given = conversation.instructions
    return "\n\n".join(filter(None, (given.get(""), given.get(name))))


@cache
def _answer(number: int) -> Any:
    return answer_of("Kept", {f"agent_{place}": KeptVerdict for place in range(1, number + 1)})
