"""The checks that a decision must pass to be scored: known names, and valid shares, weights and amounts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import structs

from adjudge.core.errors import Warnings, bad_record, did_you_mean
from adjudge.suites.decision.data import (
    ROUNDING,
    SCENARIO,
    Assessment,
    Criterion,
    Decision,
    DecisionScenario,
    Effort,
    LogEntry,
)
from adjudge.suites.decision.rules.effort import moment


def check_decision(where: str, decision: Decision, warnings: Warnings) -> Decision:
    """The decision with its alternatives named; raises BadRecord with the field's path if it cannot be scored."""
    decision = _with_alternatives(decision)
    check_scenario(where, decision.scenario)
    if decision.matrix_source == SCENARIO:
        check_complete(where, decision.scenario)
    _check_decided(where, decision)
    _check_share(where, decision.confidence, "confidence")
    for place, assessment in enumerate(decision.assessments):
        check_assessment(where, assessment, f"assessments[{place}].", decision.scenario.alternatives)
        _remark_beliefs(where, assessment, f"assessments[{place}]", warnings)
    check_log(where, decision.log)
    _remark_zeros(where, decision.scenario, warnings)
    _remark_confidences(where, decision.assessments, warnings)
    _remark_speakers(where, decision, warnings)
    _check_agents(where, decision.assessments)
    _check_effort(where, decision.effort or Effort())
    return decision


def check_scenario(where: str, scenario: DecisionScenario) -> None:
    """Raise BadRecord where a scenario's names, weights or scores do not fit together."""
    _check_unique(where, scenario.alternatives, "scenario.alternatives")
    _check_unique(where, [criterion.id for criterion in scenario.criteria], "scenario.criteria")
    _check_weights(where, scenario.criteria)
    ids = [criterion.id for criterion in scenario.criteria]
    for name, scores in scenario.matrix.items():
        check_known(where, name, scenario.alternatives, "scenario.matrix")
        _check_ids(where, ids, scores, f"scenario.matrix.{name}")


def check_complete(where: str, scenario: DecisionScenario) -> None:
    """Raise BadRecord where some alternatives have scores and others have none."""
    for name in scenario.alternatives:
        if scenario.matrix and name not in scenario.matrix:
            raise bad_record(where, "missing; expected the scores of every alternative", f"scenario.matrix.{name}")


def check_known(where: str, name: str, alternatives: Iterable[str], field: str) -> None:
    """Raise BadRecord for an alternative that the scenario does not have."""
    known = list(alternatives)
    if not known:
        raise bad_record(
            where,
            f"found {name!r}, but no alternatives are named; expected them in scenario.alternatives, or the scenario "
            "with --scenarios",
            field,
        )
    if name not in known:
        hint = did_you_mean(name, known)
        raise bad_record(where, f"no alternative {name!r}{hint} (there are: {', '.join(known)})", field)


def _with_alternatives(decision: Decision) -> Decision:
    """The decision whose scenario lists the alternatives, taken from its matrix or beliefs if it lists none."""
    scenario = decision.scenario
    if scenario.alternatives:
        return decision
    believed = [name for assessment in decision.assessments for name in assessment.beliefs]
    names = tuple(scenario.matrix) or tuple(dict.fromkeys(believed))
    return structs.replace(decision, scenario=structs.replace(scenario, alternatives=names)) if names else decision


def _check_ids(where: str, criteria: list[str], scores: Mapping[str, float], field: str) -> None:
    if not set(criteria) & set(scores) or set(scores) - set(criteria):
        raise bad_record(
            where,
            f"the criteria are {', '.join(criteria) or 'none'}; the scores are for {', '.join(scores) or 'none'}; "
            f"expected the same ids{renaming(criteria, scores)}",
            field,
        )
    if missing := [name for name in criteria if name not in scores]:
        raise bad_record(where, "missing; expected a score for every criterion", f"{field}.{missing[0]}")


def renaming(criteria: Iterable[str], scores: Iterable[str]) -> str:
    """The --map arguments that make the ids equal, where they differ only by the prefix C_ (C_safety, safety)."""
    by_core = {name.removeprefix("C_"): name for name in criteria}
    pairs = [
        (name, by_core[name.removeprefix("C_")])
        for name in scores
        if name.removeprefix("C_") in by_core and name != by_core[name.removeprefix("C_")]
    ]
    return f"; rename with {' '.join(f'--map {old}={new}' for old, new in pairs)}" if pairs else ""


def _check_weights(where: str, criteria: tuple[Criterion, ...]) -> None:
    weights = {criterion.id: criterion.weight for criterion in criteria}
    given = {name: weight for name, weight in weights.items() if weight is not None}
    if given and len(given) < len(weights):
        lacking = ", ".join(name for name in weights if name not in given)
        raise bad_record(
            where,
            f"weights for {', '.join(given)}, none for {lacking}; expected one for each or none at all",
            "scenario.criteria",
        )
    for place, criterion in enumerate(criteria):
        _check_criterion(where, criterion, f"scenario.criteria[{place}]")
    if given and not sum(given.values()):
        raise bad_record(where, "all weights are 0; expected at least one above 0", "scenario.criteria")


def _check_criterion(where: str, criterion: Criterion, field: str) -> None:
    if criterion.weight is not None and criterion.weight < 0:
        raise bad_record(where, f"found {criterion.weight!r}; expected 0 or more", f"{field}.weight")
    if criterion.scale[0] >= criterion.scale[1]:
        raise bad_record(where, f"found {list(criterion.scale)}; expected the lower end first", f"{field}.scale")


def _check_decided(where: str, decision: Decision) -> None:
    names = decision.scenario.alternatives
    if decision.recommended is not None and decision.lottery:
        raise bad_record(where, "both recommended and lottery are there; expected one of them", "lottery")
    if decision.recommended is not None:
        check_known(where, decision.recommended, names, "recommended")
    if decision.truth is not None:
        check_known(where, decision.truth, names, "truth")
    for name, share in decision.lottery.items():
        check_known(where, name, names, "lottery")
        _check_share(where, share, f"lottery.{name}")
    if decision.lottery and abs(sum(decision.lottery.values()) - 1) > ROUNDING:
        raise bad_record(where, f"shares sum to {sum(decision.lottery.values()):g}; expected 1", "lottery")


def check_assessment(where: str, assessment: Assessment, prefix: str, alternatives: tuple[str, ...]) -> None:
    """Raise BadRecord where an assessment has an unknown name, or a share that is not between 0 and 1."""
    if not assessment.agent:
        raise bad_record(where, "missing; expected the agent's id", f"{prefix}agent")
    _check_share(where, assessment.confidence, f"{prefix}confidence")
    for name, belief in assessment.beliefs.items():
        check_known(where, name, alternatives, f"{prefix}beliefs")
        _check_share(where, belief, f"{prefix}beliefs.{name}")
    criteria = dict.fromkeys(criterion for scores in assessment.matrix.values() for criterion in scores)
    for name, scores in assessment.matrix.items():
        check_known(where, name, alternatives, f"{prefix}matrix")
        if missing := [criterion for criterion in criteria if criterion not in scores]:
            field = f"{prefix}matrix.{name}.{missing[0]}"
            raise bad_record(where, "missing; expected a score on every criterion", field)
    if assessment.choice is not None:
        check_known(where, assessment.choice, alternatives, f"{prefix}choice")


def check_log(where: str, log: tuple[LogEntry, ...]) -> None:
    """Raise BadRecord where an amount is negative, or the log ends before it starts."""
    for place, entry in enumerate(log):
        for name in ("duration", "tokens", "cost"):
            amount = getattr(entry, name)
            if amount is not None and amount < 0:
                raise bad_record(where, f"found {amount:g}; expected 0 or more", f"log[{place}].{name}")
    moments = {entry.type: moment(entry.timestamp) for entry in log if entry.type in ("start", "end")}
    start, end = moments.get("start"), moments.get("end")
    if start is not None and end is not None and end < start:
        raise bad_record(where, "ends before it starts; expected timestamps in order", "log")


def _remark_beliefs(where: str, assessment: Assessment, field: str, warnings: Warnings) -> None:
    total = sum(assessment.beliefs.values())
    if total > 1 + ROUNDING:
        warnings.add(
            "beliefs above 1",
            f"{where}: {field}.beliefs: sum to {total:.3g}; expected at most 1; scored as they are where that is "
            "defined, --beliefs normalised divides by the sum",
        )
    elif assessment.beliefs and total < 1 - ROUNDING:
        warnings.add(
            "beliefs below 1", f"{where}: {field}.beliefs: sum to {total:.3g}; the rest is taken as unassigned"
        )


def _remark_zeros(where: str, scenario: DecisionScenario, warnings: Warnings) -> None:
    """Warn of a criterion on which every alternative has 0: it looks like scores that are missing."""
    for criterion in scenario.criteria:
        if scenario.matrix and not any(scores.get(criterion.id) for scores in scenario.matrix.values()):
            warnings.add(
                "zero criterion",
                f"{where}: scenario.matrix: every alternative has 0 on {criterion.id!r}, so it cannot tell them apart; "
                "are scores missing?",
            )


def _remark_confidences(where: str, assessments: tuple[Assessment, ...], warnings: Warnings) -> None:
    given = [assessment.confidence for assessment in assessments if assessment.confidence is not None]
    if given and not any(given):
        warnings.add("no confidence", f"{where}: every agent's confidence is 0; leave it out where it is not known")


def _remark_speakers(where: str, decision: Decision, warnings: Warnings) -> None:
    known = {*decision.agents, *(participant.id for participant in decision.participants)}
    strange = dict.fromkeys(turn.speaker for turn in decision.turns if turn.speaker not in known)
    if decision.agents and strange:
        warnings.add(
            "speakers",
            f"{where}: turns: {', '.join(map(repr, strange))} assessed nothing and count as no agent "
            f"(the agents are {', '.join(decision.agents)})",
        )


def _check_agents(where: str, assessments: tuple[Assessment, ...]) -> None:
    seen: set[tuple[str, int]] = set()
    for place, assessment in enumerate(assessments):
        if (assessment.agent, assessment.round) in seen:
            raise bad_record(
                where,
                f"agent {assessment.agent!r} appears twice in round {assessment.round}; expected once",
                f"assessments[{place}].agent",
            )
        seen.add((assessment.agent, assessment.round))


def _check_effort(where: str, effort: Effort) -> None:
    for name in effort.__struct_fields__:
        amount = getattr(effort, name)
        if amount is not None and amount < 0:
            raise bad_record(where, f"found {amount!r}; expected 0 or more", f"effort.{name}")


def _check_share(where: str, value: float | None, field: str) -> None:
    if value is not None and not 0 <= value <= 1:
        raise bad_record(where, f"found {value!r}; expected a number from 0 to 1", field)


def _check_unique(where: str, names: Iterable[str], field: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise bad_record(where, f"{name!r} appears twice; expected names that differ", field)
        seen.add(name)
