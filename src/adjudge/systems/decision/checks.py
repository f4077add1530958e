"""The checks that a case must pass to be played: known names, shares from 0 to 1, and scores for all that is seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from adjudge.core.errors import bad_record, did_you_mean
from adjudge.suites.decision.data import DecisionScenario
from adjudge.suites.decision.read.check import check_complete, check_known, check_scenario
from adjudge.suites.decision.rules.satisfaction import weight_of
from adjudge.systems.decision.data import COORDINATOR, DecisionCase, Expert


def check_case(where: str, case: DecisionCase) -> None:
    """Raise BadRecord where the parts of a case do not fit together."""
    scenario = DecisionScenario(case.alternatives, case.criteria, case.matrix)
    check_scenario(where, scenario)
    check_complete(where, scenario)
    if len(case.alternatives) < 2 or not case.criteria or not case.experts:
        counts = f"{len(case.alternatives)} alternatives, {len(case.criteria)} criteria, {len(case.experts)} experts"
        raise bad_record(where, f"found {counts}; expected two or more alternatives, and a criterion and an expert")
    if case.truth is not None:
        check_known(where, case.truth, case.alternatives, "truth")
    ids = [expert.id for expert in case.experts]
    for place, expert in enumerate(case.experts):
        field = f"experts[{place}]"
        if ids.count(expert.id) > 1 or expert.id in ("", COORDINATOR):
            raise bad_record(where, f"found {expert.id!r}; expected a name of its own", f"{field}.id")
        _check_profile(where, expert, case, field)
        _check_scores(where, expert, case, field)


def _check_profile(where: str, expert: Expert, case: DecisionCase, field: str) -> None:
    """Raise BadRecord where an expert's profile names an unknown criterion, or has a share beyond 0 to 1."""
    criteria = [criterion.id for criterion in case.criteria]
    for part in ("weights", "competence", "lacks"):
        _check_criteria(where, getattr(expert, part), criteria, f"{field}.{part}")
    shares = {"confidence": expert.confidence, "risk_tolerance": expert.risk_tolerance}
    shares |= {f"competence.{name}": value for name, value in expert.competence.items()}
    shares |= {f"weights.{name}": value for name, value in expert.weights.items()}
    for part, value in shares.items():
        if value is not None and not 0 <= value <= 1:
            raise bad_record(where, f"found {value!r}; expected a number from 0 to 1", f"{field}.{part}")
    if not any(weight for name, weight in _weights(expert, case).items() if name not in expert.lacks):
        raise bad_record(where, "knows no criterion that has a weight; expected at least one", field)


def _check_scores(where: str, expert: Expert, case: DecisionCase, field: str) -> None:
    """Raise BadRecord where an expert has no score of something that it does not lack."""
    criteria = [criterion.id for criterion in case.criteria]
    matrix = expert.scores or case.matrix
    _check_alternatives(where, matrix, case, f"{field}.scores")
    for alternative in case.alternatives:
        scores = matrix.get(alternative, {})
        _check_criteria(where, scores, criteria, f"{field}.scores.{alternative}")
        for name in criteria:
            if name not in scores and name not in expert.lacks:
                place = f"{field}.scores.{alternative}.{name}"
                raise bad_record(where, "missing; expected a score, or the criterion in `lacks`", place)


def _weights(expert: Expert, case: DecisionCase) -> dict[str, float]:
    """The weights that an expert goes by: its own or those of the case; without any, all count alike."""
    return expert.weights or {criterion.id: weight_of(criterion) for criterion in case.criteria}


def _check_alternatives(where: str, names: Mapping[str, object], case: DecisionCase, field: str) -> None:
    for name in names:
        check_known(where, name, case.alternatives, field)


def _check_criteria(where: str, names: Collection[str], criteria: list[str], field: str) -> None:
    for name in names:
        if name not in criteria:
            hint = did_you_mean(name, criteria)
            raise bad_record(where, f"no criterion {name!r}{hint} (there are: {', '.join(criteria)})", field)
