"""The decisive error as a judge finds it, in the three ways of Who&When (arXiv 2505.00212)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from adjudge.core.ask import NO_LABEL, About, Judge, NoLabel, Question
from adjudge.core.conversation import Conversation
from adjudge.suites.team.rules.material import material, turn_at
from adjudge.suites.team.rules.parties import PlacedTurn, agent_steps
from adjudge.tools.rubrics import Rubrics


class WholeVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """The turn that a judge blames after it has seen the whole conversation."""

    reasoning: str
    turn: Annotated[int, Meta(ge=1)]


class StepVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a judge sees an error in the last turn so far."""

    reasoning: str
    error: bool


class HalfVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """The half in which a judge looks on."""

    reasoning: str
    half: Literal["first", "second"]


class Attribution(Struct, frozen=True):
    """What a judge blames: the place of a step of an agent, None for nothing, and why."""

    place: int | None
    why: str


class Attributor(Struct, frozen=True):
    """A way to ask for the decisive error; the tool `attributor` of the metrics of judged blame."""

    identity: str
    find: Callable[[Conversation, Judge, Rubrics], Attribution | NoLabel]


def find_in_whole(conversation: Conversation, judge: Judge, rubrics: Rubrics) -> Attribution | NoLabel:
    """One question about the whole conversation."""
    about = (About("turn", conversation.key, label="judged_blame"),)
    question: Question[Any] = Question(rubrics.text("blame_whole"), WholeVerdict, _material(conversation), about=about)
    (verdict,) = judge([question])
    if verdict.turn is NO_LABEL:
        return NoLabel.NO_LABEL
    turn_at(conversation, int(verdict.turn))
    return Attribution(step_of(conversation, int(verdict.turn) - 1), verdict.reasoning)


def find_step_by_step(conversation: Conversation, judge: Judge, rubrics: Rubrics) -> Attribution | NoLabel:
    """A question after each step of an agent, until the judge sees an error."""
    prompt = rubrics.text("blame_step")
    for place, turn in agent_steps(conversation):
        about = (About("error", conversation.key, turn.id, label="decisive_error"),)
        question: Question[Any] = Question(prompt, StepVerdict, _material(conversation, place + 1), about=about)
        (verdict,) = judge([question])
        if verdict.error is NO_LABEL:
            return NoLabel.NO_LABEL
        if verdict.error:
            return Attribution(place, verdict.reasoning)
    return Attribution(None, "no step is seen as an error")


def find_by_halving(conversation: Conversation, judge: Judge, rubrics: Rubrics) -> Attribution | NoLabel:
    """Questions in which half the error is, until one step is left."""
    left, why = list(agent_steps(conversation)), ""
    while len(left) > 1:
        middle = (len(left) + 1) // 2
        first, second = left[:middle], left[middle:]
        shown = _material(conversation, first=_range(first), second=_range(second))
        about = (About("half", conversation.key, first[-1][1].id, label="half"),)
        question: Question[Any] = Question(rubrics.text("blame_half"), HalfVerdict, shown, about=about)
        (verdict,) = judge([question])
        if verdict.half is NO_LABEL:
            return NoLabel.NO_LABEL
        left, why = (first if verdict.half == "first" else second), verdict.reasoning
    return Attribution(left[0][0], why)


def step_of(conversation: Conversation, place: int) -> int | None:
    """The step of an agent that a place belongs to: its own, or the one before, as with the result of a call."""
    before = [step for step, _ in agent_steps(conversation) if step <= place]
    return before[-1] if before else None


WAYS: Mapping[str, Attributor] = {
    "whole": Attributor("whole", find_in_whole),
    "steps": Attributor("steps", find_step_by_step),
    "halving": Attributor("halving", find_by_halving),
}


def _material(conversation: Conversation, end: int | None = None, **more: object) -> str:
    return material(conversation, end, instructions=conversation.instructions, **more)


def _range(steps: list[PlacedTurn]) -> list[int]:
    return [steps[0][0] + 1, steps[-1][0] + 1]
