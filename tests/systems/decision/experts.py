"""Experts and questions to test with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudge.core.play import Said, View
from adjudge.suites.decision.data import Assessment, Criterion
from adjudge.systems.decision.data import (
    Colleague,
    CoordinatorFacts,
    DecisionCase,
    DecisionQuestion,
    Expert,
    ExpertFacts,
)

QUESTION = DecisionQuestion(
    "Where to cross", "The river is high.", ("bridge", "ford"), (Criterion("safety", weight=0.6), Criterion("speed"))
)
EVEN = DecisionQuestion("", "", ("bridge", "ford"), (Criterion("safety"), Criterion("speed")))
SAFE = {"bridge": {"safety": 0.9}, "ford": {"safety": 0.3}}
FAST = {"bridge": {"speed": 0.2}, "ford": {"speed": 0.9}}


def facts_of(
    me: Expert, *others: Expert, earlier: Sequence[Assessment] = (), question: DecisionQuestion = EVEN
) -> ExpertFacts:
    colleagues = tuple(Colleague(other.id, other.role, other.competence) for other in others)
    return ExpertFacts(question, me, colleagues, tuple(earlier))


def believer(agent: str, bridge: float, confidence: float | None = 0.6, round: int = 1, **more: Any) -> Assessment:
    """An assessment with this belief in the bridge and the rest in the ford."""
    return Assessment(agent, {"bridge": bridge, "ford": 1 - bridge}, confidence, round=round, **more)


def coordinator_view(*assessments: Assessment, question: DecisionQuestion = EVEN) -> View[None]:
    return View("coordinator", CoordinatorFacts(question, assessments))


def verdict_of(said: Said[Any]) -> Any:
    return said.facts


def crossing(**changes: Any) -> DecisionCase:
    """A case with two experts, of whom each knows something that the other does not."""
    given: dict[str, Any] = {
        "id": "crossing",
        "alternatives": ("bridge", "ford"),
        "criteria": (Criterion("safety", weight=0.7), Criterion("speed", weight=0.3)),
        "matrix": {"bridge": {"safety": 0.9, "speed": 0.2}, "ford": {"safety": 0.3, "speed": 0.9}},
        "experts": (Expert("guide", scores=SAFE, lacks=("speed",)), Expert("rider", scores=FAST, lacks=("safety",))),
        "truth": "bridge",
    }
    return DecisionCase(**{**given, **changes})
