"""An expert that asks a model: what it is shown, and what it answers."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, to_builtins

from adjudge.core.errors import Unanswered
from adjudge.core.play import Ask, Message, Prompt
from adjudge.suites.decision.data import Assessment
from adjudge.systems.decision.data import ExpertFacts
from adjudge.systems.decision.expert import Sight, assessment_of, see
from adjudge.systems.prompts import Prompts

Share = Annotated[float, Meta(ge=0, le=1)]


class Belief(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a model believes in an alternative."""

    alternative: str
    belief: Share


class Judgement(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says as an expert; `adopts` are the criteria whose scores it takes from the others."""

    reasoning: str
    adopts: list[str]
    beliefs: list[Belief]
    confidence: Share


def assess_by_model(facts: ExpertFacts, ask: Ask, prompts: Prompts) -> Assessment:
    """The assessment that a model gives; beliefs that sum to more than 1 are divided by their sum."""
    data = msgspec.json.encode(_material(facts)).decode()
    messages = (Message("system", prompts.text("expert")), Message("user", "The material of this round:", data))
    judgement: Judgement = ask([Prompt(messages, Judgement, part="expert")])[0]
    known = [each for each in judgement.beliefs if each.alternative in facts.question.alternatives]
    if judgement.beliefs and not known:
        names = ", ".join(facts.question.alternatives)
        raise Unanswered("parse_error", f"beliefs in {judgement.beliefs[0].alternative!r}; expected some in {names}")
    total = max(sum(each.belief for each in known), 1.0)
    beliefs = {each.alternative: each.belief / total for each in known}
    return assessment_of(facts, _adopted_sight(facts, judgement), beliefs, judgement.confidence, judgement.reasoning)


def _adopted_sight(facts: ExpertFacts, judgement: Judgement) -> Sight:
    """What the expert goes by from now on: the scores that it had, and those that it takes over."""
    whole = see(facts)
    left = {name for name in whole.sources if name not in judgement.adopts}
    scores = {
        alternative: {name: score for name, score in row.items() if name not in left}
        for alternative, row in whole.scores.items()
    }
    return Sight(scores, {name: whole.sources[name] for name in whole.sources if name not in left})


def _material(facts: ExpertFacts) -> dict[str, Any]:
    """What a model is shown: the question, itself, and in later rounds what it and the others said last."""
    me = facts.me
    material = {
        "question": facts.question,
        "you": {"id": me.id, "role": me.role, "weights": me.weights, "risk_tolerance": me.risk_tolerance},
        "scores": facts.own.matrix if facts.own else me.scores,
        "colleagues": facts.colleagues,
        "your_last_assessment": facts.own,
        "assessments_of_others": facts.others,
    }
    plain: dict[str, Any] = to_builtins(material)
    return plain
