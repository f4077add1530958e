"""The layouts of files that decision systems write, as typed structs; unknown keys are ignored."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudge.suites.decision.data import LogEntry


class ExternalAssessment(Struct, frozen=True):
    """An assessment as agents write it; other keys are ignored."""

    agent_id: str = ""
    agent_name: str = ""
    role: str = ""
    belief_distribution: dict[str, float] = {}
    confidence: float | None = None
    reasoning: str = ""
    key_concerns: tuple[str, ...] = ()
    criteria_scores: dict[str, dict[str, float] | float] = {}
    metadata: dict[str, Any] = {}
    recommended_alternative: str | None = None
    preference: str | None = None
    round: int = 0
    scenario_id: str = ""


class ScenarioId(Struct, frozen=True):
    """The scenario of an assessment, read without the rest."""

    scenario_id: str = ""


class Opinion(Struct, frozen=True):
    """One agent's opinion as a coordinator notes it."""

    agent_name: str = ""
    preference: str | None = None
    confidence: float | None = None
    belief_score: float | None = None
    reasoning: str = ""


class Collection(Struct, frozen=True):
    """The assessments that a coordinator collected."""

    assessments: dict[str, ExternalAssessment] = {}


class GroundTruth(Struct, frozen=True):
    """The right alternative in files that wrap it in an object."""

    correct: str


class ExternalMessage(Struct, frozen=True):
    """A message of a transcript; systems use different keys for the speaker and the text."""

    speaker: str = ""
    agent: str = ""
    role: str = ""
    name: str = ""
    text: str = ""
    content: str = ""
    message: str = ""
    tokens: int | None = None


class ExternalDecision(Struct, frozen=True):
    """A decision as a coordinator or a single agent writes it; other keys are ignored."""

    recommended_alternative: str | None
    confidence: float | None = None
    decision_quality_score: float | None = None
    consensus_level: float | None = None
    final_scores: dict[str, float] = {}
    er_scores: dict[str, float] = {}
    mcda_scores: dict[str, float] = {}
    agent_opinions: dict[str, Opinion] = {}
    collection_info: Collection | None = None
    belief_distribution: dict[str, float] = {}
    criteria_scores: dict[str, dict[str, float] | float] = {}
    metadata: dict[str, Any] = {}
    reasoning: str = ""
    key_concerns: tuple[str, ...] = ()
    agent_info: dict[str, Any] = {}
    scenario_id: str = ""
    scenario_type: str = ""
    decision_time_seconds: float | None = None
    execution_log: tuple[LogEntry, ...] = ()
    transcript: tuple[ExternalMessage, ...] = ()
    ground_truth: str | GroundTruth | None = None
    trial: int = 0


class ListedAlternative(Struct, frozen=True):
    """One alternative of a scenario file."""

    id: str
    name: str = ""
    criteria_scores: dict[str, float] = {}


class ExternalScenario(Struct, frozen=True):
    """A scenario in a file with `available_actions`."""

    id: str
    available_actions: tuple[ListedAlternative, ...]
    type: str = ""
    name: str = ""
    description: str = ""


class CriterionFacts(Struct, frozen=True):
    """Weight and direction of a criterion in a criteria file."""

    weight: float | None = None
    type: str = "benefit"
