"""Whether the goal was reached, as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct

from adjudge.core.ask import NO_LABEL, About, Judge, Question
from adjudge.core.card import metric
from adjudge.core.conversation import Conversation
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.team.rules.material import material, turn_at
from adjudge.tools.rubrics import Rubrics


class GoalVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's verdict on a goal; turn 0 is none."""

    reasoning: str
    reached: bool
    turn: Annotated[int, Meta(ge=0)]


@metric(
    "Goal",
    formula="conversations that reached their goal, according to the judge / conversations with a goal",
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("outcome",),
    predicts=("a goal",),
    rubrics=("goal",),
    source="our own",
    primary=True,
)
def goal_reached(conversation: Conversation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Does a judge find that the goal was reached?

    The judge sees the goal and the turns, but neither the outcome in the log nor any annotations. If the log has an
    outcome, compare with `success` to see how far the judge can be trusted. Undefined without a goal or a turn.
    """
    if not conversation.goal or not conversation.turns:
        return
    (verdict,) = judge([question_about(conversation, rubrics)])
    if verdict.reached is NO_LABEL:
        yield Unlabelled()
        return
    turn = None if verdict.turn is NO_LABEL else turn_at(conversation, verdict.turn)
    yield Mark(float(verdict.reached), turn=turn.id if turn else "", why=verdict.reasoning)


def question_about(conversation: Conversation, rubrics: Rubrics) -> Question[Any]:
    """The question whether the goal was reached."""
    about = (About("reached", conversation.key, label="goal_reached"),)
    return Question(rubrics.text("goal"), GoalVerdict, material(conversation), about=about)
