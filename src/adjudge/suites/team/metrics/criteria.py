"""What a test says must hold, or must not, as a judge sees it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct

from adjudge.core.ask import NO_LABEL, About, Judge, Question
from adjudge.core.card import metric
from adjudge.core.conversation import Conversation, Criterion
from adjudge.core.mark import Mark, Unlabelled
from adjudge.suites.team.rules.material import material, turn_at
from adjudge.tools.rubrics import Rubrics


class CriterionVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """A judge's verdict on one criterion; turn 0 is none."""

    reasoning: str
    holds: bool
    turn: Annotated[int, Meta(ge=0)]


@metric(
    "Criteria",
    formula="criteria that must hold and do, or must not hold and do not, according to the judge / criteria",
    unit="criterion",
    better="higher",
    probes=("outcome",),
    rubrics=("criterion",),
    source="our own",
)
def criteria(conversation: Conversation, judge: Judge, rubrics: Rubrics) -> Iterator[Mark | Unlabelled]:
    """Does everything hold that the scenario requires, and nothing that it forbids?

    Each criterion is a separate question, so that one does not influence another. The judge is not told whether it must
    hold. The group of a mark is `must` or `must not`. Undefined without criteria or a turn.
    """
    asked = [question_about(conversation, criterion, rubrics) for criterion in conversation.criteria]
    for criterion, verdict in zip(conversation.criteria, judge(asked) if conversation.turns else (), strict=False):
        group = "must" if criterion.must else "must not"
        if verdict.holds is NO_LABEL:
            yield Unlabelled(criterion.text)
            continue
        turn = None if verdict.turn is NO_LABEL else turn_at(conversation, verdict.turn)
        kept = float(verdict.holds == criterion.must)
        yield Mark(kept, criterion.text, turn.id if turn else "", verdict.reasoning, group)


def question_about(conversation: Conversation, criterion: Criterion, rubrics: Rubrics) -> Question[Any]:
    """The question whether a criterion holds."""
    about = (About("holds", conversation.key, at=criterion.text, label="criteria"),)
    shown = material(conversation, criterion=criterion.text)
    return Question(rubrics.text("criterion"), CriterionVerdict, shown, about=about)
