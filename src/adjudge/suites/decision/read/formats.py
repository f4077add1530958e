"""The file formats of decision systems: output of a coordinator, of a single agent, or of the agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import structs

from adjudge.core.errors import BadRecord, Warnings, bad_record
from adjudge.read.decode import check_depth, decode
from adjudge.suites.decision.data import (
    Assessment,
    Criterion,
    Decision,
    DecisionScenario,
    DecisionTurn,
    Effort,
    StatedScores,
)
from adjudge.suites.decision.read.check import renaming
from adjudge.suites.decision.read.layouts import (
    CriterionFacts,
    GroundTruth,
    Opinion,
    ScenarioId,
    WildAssessment,
    WildDecision,
    WildMessage,
    WildScenario,
)

GROUP, SINGLE = "group", "single"

Nested = dict[str, dict[str, float]]


OWN = msgspec.json.Decoder(Decision)
WILD = msgspec.json.Decoder(WildDecision)
SCENARIO_ID = msgspec.json.Decoder(ScenarioId)
ASSESSED = msgspec.json.Decoder(WildAssessment)
ACTIONS = msgspec.json.Decoder(WildScenario)
KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])
# A row without any of these keys is no decision, assessment or scenario.
TELLING = {"id", "recommended_alternative", "belief_distribution", "available_actions"}

Read = Callable[[str, bytes], Decision]


def reader_of(where: str, row: bytes) -> Read:
    """The reader for this row, chosen by its keys."""
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
    """The scenario id of a row with one agent's assessment, empty if the row has none; None for other rows."""
    try:
        if reader_of("", row) is not read_assessment:
            return None
        return SCENARIO_ID.decode(row).scenario_id
    except (BadRecord, msgspec.DecodeError):
        return None  # Refused with its reason when it is read.


def read_own(where: str, row: bytes) -> Decision:
    """A decision in our own format."""
    return decode(where, row, OWN)


def read_decision(where: str, row: bytes) -> Decision:
    """A coordinator's or a single agent's decision; opinions, assessments or combined scores mark a group's."""
    wild = decode(where, row, WILD)
    assessments = _assessments(where, wild)
    is_group = bool(wild.agent_opinions or wild.collection_info or wild.er_scores or wild.mcda_scores)
    return Decision(
        id=wild.scenario_id or wild.scenario_type,
        arm=GROUP if is_group else SINGLE,
        trial=wild.trial,
        scenario=DecisionScenario(alternatives=_alternatives(wild, assessments)),
        assessments=assessments,
        recommended=wild.recommended_alternative,
        confidence=wild.confidence,
        truth=wild.ground_truth.correct if isinstance(wild.ground_truth, GroundTruth) else wild.ground_truth,
        turns=tuple(_turn(place, message, _ids(wild)) for place, message in enumerate(wild.transcript)),
        log=wild.execution_log,
        effort=None if wild.decision_time_seconds is None else Effort(seconds=wild.decision_time_seconds),
        stated=StatedScores(
            wild.decision_quality_score, wild.consensus_level, wild.final_scores, wild.er_scores, wild.mcda_scores
        ),
    )


def read_assessment(where: str, row: bytes) -> Decision:
    """A single assessment, as a record without a decision."""
    wild = decode(where, row, ASSESSED)
    assessment = _assessment(where, wild.agent_id, wild)
    return Decision(
        id=wild.scenario_id,
        arm=GROUP,
        scenario=DecisionScenario(alternatives=tuple(dict.fromkeys(alternatives_of(assessment)))),
        assessments=(assessment,),
    )


def read_scenario(where: str, row: bytes) -> tuple[str, str, DecisionScenario]:
    """The id, the type and the content of a scenario file."""
    wild = decode(where, row, ACTIONS)
    criteria = list(dict.fromkeys(name for action in wild.available_actions for name in action.criteria_scores))
    scenario = DecisionScenario(
        alternatives=tuple(action.id for action in wild.available_actions),
        criteria=tuple(Criterion(name) for name in criteria),
        matrix={action.id: action.criteria_scores for action in wild.available_actions if action.criteria_scores},
        name=wild.name,
        description=wild.description,
    )
    return wild.id, wild.type, scenario


def read_criteria(where: str, raw: bytes, warnings: Warnings) -> dict[str, CriterionFacts]:
    """Weight and direction by criterion: `{criterion: weight}`, `{criterion: {weight, type}}`, or sections of these.

    Sections are named `criteria` or `..._criteria`; the rest of a file with sections is ignored. If sections share a
    criterion, the first one counts.
    """
    content = decode(where, raw, KEYS)
    sections = {name: raw for name, raw in content.items() if name == "criteria" or name.endswith("_criteria")}
    if len(sections) > 1:
        warnings.add("sections", f"{where}: the weights of {' and '.join(sections)} are taken together")
    parts = [bytes(section) for section in sections.values()] or [raw]
    facts: dict[str, CriterionFacts] = {}
    for part in reversed(parts):
        both = decode(where, part, msgspec.json.Decoder(dict[str, float | CriterionFacts]))
        facts |= {
            name: fact if isinstance(fact, CriterionFacts) else CriterionFacts(fact) for name, fact in both.items()
        }
    for name, fact in facts.items():
        if fact.type not in ("benefit", "cost"):
            raise bad_record(where, f"found {fact.type!r}; expected 'benefit' or 'cost'", f"{name}.type")
    return facts


def with_facts(scenario: DecisionScenario, facts: Mapping[str, CriterionFacts], where: str) -> DecisionScenario:
    """The scenario with the weights and directions of a criteria file, which must have every criterion."""
    ids = [criterion.id for criterion in scenario.criteria]
    if missing := [name for name in ids if name not in facts]:
        raise bad_record(
            where,
            f"no weight for {', '.join(map(repr, missing))}: the matrix has {', '.join(ids)}; --criteria has "
            f"{', '.join(facts)}; expected the same ids{renaming(facts, ids) or '; rename with --map OLD=NEW'}",
            "criteria",
        )
    criteria = tuple(
        structs.replace(criterion, weight=facts[criterion.id].weight, kind=facts[criterion.id].type)
        for criterion in scenario.criteria
    )
    return structs.replace(scenario, criteria=criteria)


def _assessments(where: str, wild: WildDecision) -> tuple[Assessment, ...]:
    collected = wild.collection_info.assessments if wild.collection_info else {}
    if collected or wild.agent_opinions:
        noted = {id: opinion for id, opinion in wild.agent_opinions.items() if id not in collected}
        return (
            *(_assessment(where, id, assessment) for id, assessment in collected.items()),
            *(_opinion(id, opinion) for id, opinion in noted.items()),
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
    """The opinion that a coordinator noted. Its belief score is left out: it covers one alternative only."""
    return Assessment(agent=agent, confidence=wild.confidence, choice=wild.preference, reasoning=wild.reasoning)


def _matrix(where: str, wild: WildAssessment, choice: str | None) -> Nested:
    """Scores by alternative and criterion; scores without an alternative belong to the agent's choice."""
    scores = wild.criteria_scores or _in_metadata(where, wild)
    matrix: Nested = {}
    for criterion, value in scores.items():
        cells = value if isinstance(value, dict) else {} if choice is None else {choice: value}
        for alternative, score in cells.items():
            matrix.setdefault(alternative, {})[criterion] = score
    return matrix


def _in_metadata(where: str, wild: WildAssessment) -> dict[str, dict[str, float] | float]:
    scores = wild.metadata.get("criteria_scores") or {}
    try:
        return msgspec.convert(scores, dict[str, dict[str, float] | float])
    except msgspec.ValidationError as error:
        raise bad_record(where, str(error), "metadata.criteria_scores") from None


def _alternatives(wild: WildDecision, assessments: tuple[Assessment, ...]) -> tuple[str, ...]:
    """The alternatives that scores and beliefs name."""
    scored = [*wild.final_scores, *wild.er_scores, *wild.mcda_scores]
    return tuple(
        dict.fromkeys([*scored, *(name for assessment in assessments for name in alternatives_of(assessment))])
    )


def alternatives_of(assessment: Assessment) -> list[str]:
    """The alternatives that an assessment names."""
    return [*assessment.beliefs, *assessment.choices, *assessment.matrix]


def _turn(place: int, message: WildMessage, ids: Mapping[str, str]) -> DecisionTurn:
    speaker = message.speaker or message.agent or message.name or message.role
    return DecisionTurn(
        str(place), ids.get(speaker, speaker), message.text or message.content or message.message, message.tokens
    )


def _ids(wild: WildDecision) -> dict[str, str]:
    """The ids of agents by their names."""
    collected = wild.collection_info.assessments if wild.collection_info else {}
    names = [(agent.agent_name, id) for id, agent in wild.agent_opinions.items()]
    names += [(agent.agent_name, id) for id, agent in collected.items()]
    return {name: id for name, id in names if name}
