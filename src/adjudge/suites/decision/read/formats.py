"""Files of decision systems as they are: what a coordinator, a single agent or the agents themselves wrote."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import BadRecord, Warnings, bad_record
from adjudge.read.decode import check_depth, decode
from adjudge.suites.decision.data import (
    Assessment,
    Criterion,
    Decision,
    DecisionTurn,
    Effort,
    LogEntry,
    Scenario,
    Stated,
)
from adjudge.suites.decision.read.check import renaming

GROUP, SINGLE = "group", "single"

Nested = dict[str, dict[str, float]]


class WildAssessment(Struct, frozen=True):
    """An assessment as agents write it; what is not named here is left out."""

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
    """What an assessment is about."""

    scenario_id: str = ""


class Opinion(Struct, frozen=True):
    """What a coordinator notes of one agent."""

    agent_name: str = ""
    preference: str | None = None
    confidence: float | None = None
    belief_score: float | None = None
    reasoning: str = ""


class Collection(Struct, frozen=True):
    """The assessments that a coordinator collected."""

    assessments: dict[str, WildAssessment] = {}


class GroundTruth(Struct, frozen=True):
    """The right alternative as some files have it."""

    correct: str


class Said(Struct, frozen=True):
    """A message of a transcript; the speaker and the text have several names in the wild."""

    speaker: str = ""
    agent: str = ""
    role: str = ""
    name: str = ""
    text: str = ""
    content: str = ""
    message: str = ""
    tokens: int | None = None


class WildDecision(Struct, frozen=True):
    """A decision as a coordinator or a single agent writes it; what is not named here is left out."""

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
    transcript: tuple[Said, ...] = ()
    ground_truth: str | GroundTruth | None = None
    trial: int = 0


class Action(Struct, frozen=True):
    """One alternative of a scenario file."""

    id: str
    name: str = ""
    criteria_scores: dict[str, float] = {}


class WildScenario(Struct, frozen=True):
    """A scenario as `available_actions` files have it."""

    id: str
    available_actions: tuple[Action, ...]
    type: str = ""
    name: str = ""
    description: str = ""


class CriterionFacts(Struct, frozen=True):
    """Weight and direction of a criterion in a file of criteria."""

    weight: float | None = None
    type: str = "benefit"


OWN = msgspec.json.Decoder(Decision)
WILD = msgspec.json.Decoder(WildDecision)
SCENARIO_ID = msgspec.json.Decoder(ScenarioId)
ASSESSED = msgspec.json.Decoder(WildAssessment)
ACTIONS = msgspec.json.Decoder(WildScenario)
KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])
TELLING = {"id", "recommended_alternative", "belief_distribution", "available_actions"}

Read = Callable[[str, bytes], Decision]


def reader_of(where: str, row: bytes) -> Read:
    """The reader for rows like this one, by its keys."""
    check_depth(where, row)
    keys = decode(where, row, KEYS).keys()
    if not keys & TELLING:
        raise bad_record(
            where,
            f"found {', '.join(map(repr, list(keys)[:5])) or 'nothing'}; expected a decision, with an id, or one of "
            "the formats of decision systems (adjudge schema decision)",
        )
    if "recommended_alternative" in keys and "agent_id" not in keys:
        return read_decision
    if "belief_distribution" in keys:
        return read_assessment
    if "available_actions" in keys:
        raise bad_record(where, "a scenario; expected a decision; give the file with --scenarios")
    return read_own


def assessed_scenario(row: bytes) -> str | None:
    """The scenario that a row with one agent's assessment is about, empty if not named; None for other rows."""
    try:
        if reader_of("", row) is not read_assessment:
            return None
        return SCENARIO_ID.decode(row).scenario_id
    except (BadRecord, msgspec.DecodeError):
        return None  # Refused with its reason when it is read.


def read_own(where: str, row: bytes) -> Decision:
    """A record of our own."""
    return decode(where, row, OWN)


def read_decision(where: str, row: bytes) -> Decision:
    """A coordinator's or a single agent's decision; it is a group's where several agents or their scores are named."""
    wild = decode(where, row, WILD)
    assessments = _assessments(where, wild)
    is_group = bool(wild.agent_opinions or wild.collection_info or wild.er_scores or wild.mcda_scores)
    return Decision(
        id=wild.scenario_id or wild.scenario_type,
        arm=GROUP if is_group else SINGLE,
        trial=wild.trial,
        scenario=Scenario(alternatives=_alternatives(wild, assessments)),
        assessments=assessments,
        recommended=wild.recommended_alternative,
        confidence=wild.confidence,
        truth=wild.ground_truth.correct if isinstance(wild.ground_truth, GroundTruth) else wild.ground_truth,
        turns=tuple(_turn(place, said, _ids(wild)) for place, said in enumerate(wild.transcript)),
        log=wild.execution_log,
        effort=None if wild.decision_time_seconds is None else Effort(seconds=wild.decision_time_seconds),
        stated=Stated(
            wild.decision_quality_score, wild.consensus_level, wild.final_scores, wild.er_scores, wild.mcda_scores
        ),
    )


def read_assessment(where: str, row: bytes) -> Decision:
    """A single assessment, as a record in which nothing was decided."""
    wild = decode(where, row, ASSESSED)
    one = _assessment(where, wild.agent_id, wild)
    return Decision(
        id=wild.scenario_id,
        arm=GROUP,
        scenario=Scenario(alternatives=tuple(dict.fromkeys(named(one)))),
        assessments=(one,),
    )


def read_scenario(where: str, row: bytes) -> tuple[str, str, Scenario]:
    """The id, the type and the content of a scenario file."""
    wild = decode(where, row, ACTIONS)
    criteria = list(dict.fromkeys(name for action in wild.available_actions for name in action.criteria_scores))
    scenario = Scenario(
        alternatives=tuple(action.id for action in wild.available_actions),
        criteria=tuple(Criterion(name) for name in criteria),
        matrix={action.id: action.criteria_scores for action in wild.available_actions if action.criteria_scores},
        name=wild.name,
        description=wild.description,
    )
    return wild.id, wild.type, scenario


def read_criteria(where: str, raw: bytes, warnings: Warnings) -> dict[str, CriterionFacts]:
    """Weight and direction by criterion: `{criterion: weight}`, `{criterion: {weight, type}}`, or sections of such.

    Files with sections name them `..._criteria` or `criteria`; what else they hold is left out.
    """
    content = decode(where, raw, KEYS)
    sections = {name: raw for name, raw in content.items() if name == "criteria" or name.endswith("_criteria")}
    if len(sections) > 1:
        warnings.add("sections", f"{where}: the weights of {' and '.join(sections)} are taken together")
    parts = [bytes(section) for section in sections.values()] or [raw]
    found: dict[str, CriterionFacts] = {}
    for part in reversed(parts):
        both = decode(where, part, msgspec.json.Decoder(dict[str, float | CriterionFacts]))
        found |= {
            name: fact if isinstance(fact, CriterionFacts) else CriterionFacts(fact) for name, fact in both.items()
        }
    for name, fact in found.items():
        if fact.type not in ("benefit", "cost"):
            raise bad_record(where, f"found {fact.type!r}; expected 'benefit' or 'cost'", f"{name}.type")
    return found


def with_facts(scenario: Scenario, facts: Mapping[str, CriterionFacts], where: str) -> Scenario:
    """The scenario with the weights and directions of a criteria file; every criterion needs one there."""
    ids = [one.id for one in scenario.criteria]
    if missing := [name for name in ids if name not in facts]:
        raise bad_record(
            where,
            f"no weight for {', '.join(map(repr, missing))}: the matrix has {', '.join(ids)}; --criteria has "
            f"{', '.join(facts)}; expected the same ids{renaming(facts, ids) or '; rename with --map OLD=NEW'}",
            "criteria",
        )
    criteria = tuple(
        structs.replace(one, weight=facts[one.id].weight, kind=facts[one.id].type) for one in scenario.criteria
    )
    return structs.replace(scenario, criteria=criteria)


def _assessments(where: str, wild: WildDecision) -> tuple[Assessment, ...]:
    collected = wild.collection_info.assessments if wild.collection_info else {}
    if collected or wild.agent_opinions:
        noted = {id: one for id, one in wild.agent_opinions.items() if id not in collected}
        return (
            *(_assessment(where, id, one) for id, one in collected.items()),
            *(_opinion(id, one) for id, one in noted.items()),
        )
    if not wild.belief_distribution:
        return ()
    agent = str(wild.agent_info.get("agent_id") or wild.agent_info.get("agent_name") or SINGLE)
    alone = WildAssessment(
        belief_distribution=wild.belief_distribution,
        confidence=wild.confidence,
        reasoning=wild.reasoning,
        key_concerns=wild.key_concerns,
        criteria_scores=wild.criteria_scores,
        metadata=wild.metadata,
        recommended_alternative=wild.recommended_alternative,
    )
    return (_assessment(where, agent, alone),)


def _assessment(where: str, agent: str, wild: WildAssessment) -> Assessment:
    choice = wild.recommended_alternative or wild.preference
    tops = Assessment("", wild.belief_distribution).choices
    return Assessment(
        agent=agent or wild.agent_id or wild.agent_name,
        beliefs=wild.belief_distribution,
        confidence=wild.confidence,
        choice=choice if tops != (choice,) else None,
        matrix=_matrix(where, wild, choice or (tops[0] if tops else None)),
        reasoning=wild.reasoning,
        concerns=wild.key_concerns,
        role=wild.role,
        round=wild.round,
    )


def _opinion(agent: str, wild: Opinion) -> Assessment:
    """What a coordinator noted; the belief in one alternative alone is no distribution, so it is left out."""
    return Assessment(agent=agent, confidence=wild.confidence, choice=wild.preference, reasoning=wild.reasoning)


def _matrix(where: str, wild: WildAssessment, choice: str | None) -> Nested:
    """Scores by alternative and criterion; flat scores are those of the agent's choice."""
    scores = wild.criteria_scores or _in_metadata(where, wild)
    found: Nested = {}
    for criterion, value in scores.items():
        cells = value if isinstance(value, dict) else {} if choice is None else {choice: value}
        for alternative, score in cells.items():
            found.setdefault(alternative, {})[criterion] = score
    return found


def _in_metadata(where: str, wild: WildAssessment) -> dict[str, dict[str, float] | float]:
    found = wild.metadata.get("criteria_scores") or {}
    try:
        return msgspec.convert(found, dict[str, dict[str, float] | float])
    except msgspec.ValidationError as error:
        raise bad_record(where, str(error), "metadata.criteria_scores") from None


def _alternatives(wild: WildDecision, assessments: tuple[Assessment, ...]) -> tuple[str, ...]:
    """The alternatives that scores and beliefs name."""
    scored = [*wild.final_scores, *wild.er_scores, *wild.mcda_scores]
    return tuple(dict.fromkeys([*scored, *(name for one in assessments for name in named(one))]))


def named(one: Assessment) -> list[str]:
    """The alternatives that an assessment names."""
    return [*one.beliefs, *one.choices, *one.matrix]


def _turn(place: int, said: Said, ids: Mapping[str, str]) -> DecisionTurn:
    speaker = said.speaker or said.agent or said.name or said.role
    return DecisionTurn(str(place), ids.get(speaker, speaker), said.text or said.content or said.message, said.tokens)


def _ids(wild: WildDecision) -> dict[str, str]:
    """The ids of agents by their names."""
    collected = wild.collection_info.assessments if wild.collection_info else {}
    names = [(one.agent_name, id) for id, one in wild.agent_opinions.items()]
    names += [(one.agent_name, id) for id, one in collected.items()]
    return {name: id for name, id in names if name}
