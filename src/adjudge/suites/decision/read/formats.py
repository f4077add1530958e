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
    ExternalAssessment,
    ExternalDecision,
    ExternalMessage,
    ExternalScenario,
    GroundTruth,
    Opinion,
    ScenarioId,
)

GROUP, SINGLE = "group", "single"

Nested = dict[str, dict[str, float]]


OWN = msgspec.json.Decoder(Decision)
WILD = msgspec.json.Decoder(ExternalDecision)
SCENARIO_ID = msgspec.json.Decoder(ScenarioId)
ASSESSED = msgspec.json.Decoder(ExternalAssessment)
ACTIONS = msgspec.json.Decoder(ExternalScenario)
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
    external = decode(where, row, WILD)
    assessments = _assessments(where, external)
    is_group = bool(external.agent_opinions or external.collection_info or external.er_scores or external.mcda_scores)
    return Decision(
        id=external.scenario_id or external.scenario_type,
        arm=GROUP if is_group else SINGLE,
        trial=external.trial,
        scenario=DecisionScenario(alternatives=_alternatives(external, assessments)),
        assessments=assessments,
        recommended=external.recommended_alternative,
        confidence=external.confidence,
        truth=external.ground_truth.correct
        if isinstance(external.ground_truth, GroundTruth)
        else external.ground_truth,
        turns=tuple(_turn(place, message, _ids(external)) for place, message in enumerate(external.transcript)),
        log=external.execution_log,
        effort=None if external.decision_time_seconds is None else Effort(seconds=external.decision_time_seconds),
        stated=StatedScores(
            external.decision_quality_score,
            external.consensus_level,
            external.final_scores,
            external.er_scores,
            external.mcda_scores,
        ),
    )


def read_assessment(where: str, row: bytes) -> Decision:
    """A single assessment, as a record without a decision."""
    external = decode(where, row, ASSESSED)
    assessment = _assessment(where, external.agent_id, external)
    return Decision(
        id=external.scenario_id,
        arm=GROUP,
        scenario=DecisionScenario(alternatives=tuple(dict.fromkeys(alternatives_of(assessment)))),
        assessments=(assessment,),
    )


def read_scenario(where: str, row: bytes) -> tuple[str, str, DecisionScenario]:
    """The id, the type and the content of a scenario file."""
    external = decode(where, row, ACTIONS)
    criteria = list(dict.fromkeys(name for action in external.available_actions for name in action.criteria_scores))
    scenario = DecisionScenario(
        alternatives=tuple(action.id for action in external.available_actions),
        criteria=tuple(Criterion(name) for name in criteria),
        matrix={action.id: action.criteria_scores for action in external.available_actions if action.criteria_scores},
        name=external.name,
        description=external.description,
    )
    return external.id, external.type, scenario


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


def _assessments(where: str, external: ExternalDecision) -> tuple[Assessment, ...]:
    collected = external.collection_info.assessments if external.collection_info else {}
    if collected or external.agent_opinions:
        noted = {id: opinion for id, opinion in external.agent_opinions.items() if id not in collected}
        return (
            *(_assessment(where, id, assessment) for id, assessment in collected.items()),
            *(_opinion(id, opinion) for id, opinion in noted.items()),
        )
    if not external.belief_distribution:
        return ()
    agent = str(external.agent_info.get("agent_id") or external.agent_info.get("agent_name") or SINGLE)
    alone = ExternalAssessment(
        belief_distribution=external.belief_distribution,
        confidence=external.confidence,
        reasoning=external.reasoning,
        key_concerns=external.key_concerns,
        criteria_scores=external.criteria_scores,
        metadata=external.metadata,
        recommended_alternative=external.recommended_alternative,
    )
    return (_assessment(where, agent, alone),)


def _assessment(where: str, agent: str, external: ExternalAssessment) -> Assessment:
    choice = external.recommended_alternative or external.preference
    tops = Assessment("", external.belief_distribution).choices
    return Assessment(
        agent=agent or external.agent_id or external.agent_name,
        beliefs=external.belief_distribution,
        confidence=external.confidence,
        choice=choice if tops != (choice,) else None,
        matrix=_matrix(where, external, choice or (tops[0] if tops else None)),
        reasoning=external.reasoning,
        concerns=external.key_concerns,
        role=external.role,
        round=external.round,
    )


def _opinion(agent: str, external: Opinion) -> Assessment:
    """The opinion that a coordinator noted. Its belief score is left out: it covers one alternative only."""
    return Assessment(
        agent=agent, confidence=external.confidence, choice=external.preference, reasoning=external.reasoning
    )


def _matrix(where: str, external: ExternalAssessment, choice: str | None) -> Nested:
    """Scores by alternative and criterion; scores without an alternative belong to the agent's choice."""
    scores = external.criteria_scores or _in_metadata(where, external)
    matrix: Nested = {}
    for criterion, value in scores.items():
        cells = value if isinstance(value, dict) else {} if choice is None else {choice: value}
        for alternative, score in cells.items():
            matrix.setdefault(alternative, {})[criterion] = score
    return matrix


def _in_metadata(where: str, external: ExternalAssessment) -> dict[str, dict[str, float] | float]:
    scores = external.metadata.get("criteria_scores") or {}
    try:
        return msgspec.convert(scores, dict[str, dict[str, float] | float])
    except msgspec.ValidationError as error:
        raise bad_record(where, str(error), "metadata.criteria_scores") from None


def _alternatives(external: ExternalDecision, assessments: tuple[Assessment, ...]) -> tuple[str, ...]:
    """The alternatives that scores and beliefs name."""
    scored = [*external.final_scores, *external.er_scores, *external.mcda_scores]
    return tuple(
        dict.fromkeys([*scored, *(name for assessment in assessments for name in alternatives_of(assessment))])
    )


def alternatives_of(assessment: Assessment) -> list[str]:
    """The alternatives that an assessment names."""
    return [*assessment.beliefs, *assessment.choices, *assessment.matrix]


def _turn(place: int, message: ExternalMessage, ids: Mapping[str, str]) -> DecisionTurn:
    speaker = message.speaker or message.agent or message.name or message.role
    return DecisionTurn(
        str(place), ids.get(speaker, speaker), message.text or message.content or message.message, message.tokens
    )


def _ids(external: ExternalDecision) -> dict[str, str]:
    """The ids of agents by their names."""
    collected = external.collection_info.assessments if external.collection_info else {}
    names = [(agent.agent_name, id) for id, agent in external.agent_opinions.items()]
    names += [(agent.agent_name, id) for id, agent in collected.items()]
    return {name: id for name, id in names if name}
