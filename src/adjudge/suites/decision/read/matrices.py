"""The criteria matrix of each case: the scenario's, or else the mean of the agents' matrices.

All arms of a case are scored by the same matrix (docs/methods/decision.md: one scorer for every arm).
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import NamedTuple

from msgspec import structs

from adjudge.core.errors import Complaint
from adjudge.suites.decision.data import SCENARIO, Criterion, Decision, DecisionScenario
from adjudge.suites.decision.read.check import renaming

Matrix = dict[str, dict[str, float]]
OWN_SCORES = "its agents' criteria scores"
NO_SCORES = "no scores"
# An agent, and the trial in which it assessed.
Assessor = tuple[str, int]


class ArmScores(NamedTuple):
    """The place of an arm's record, and a phrase for the scores it has."""

    arm: str
    where: str
    scores: str


class CaseMatrices:
    """The scenario of one case, and the agents' own matrices from all arms.

    `by_arm` holds the agents' matrices of each arm, and `places` the place of its record. `stated` says, for an arm
    without matrices, which scores it has instead.
    """

    def __init__(self) -> None:
        self.scenario: DecisionScenario | None = None
        self.scenario_at = ""
        self.by_arm: dict[str, dict[Assessor, Matrix]] = {}
        self.places: dict[str, str] = {}
        self.stated: dict[str, str] = {}

    def add(self, where: str, decision: Decision) -> Complaint | None:
        """Add one record; returns a complaint if its matrix differs from that of an earlier record."""
        arm, scenario = decision.arm, decision.scenario
        self.places[arm] = where
        own = {
            (assessment.agent, decision.trial): assessment.matrix for assessment in decision.last if assessment.matrix
        }
        self.by_arm.setdefault(arm, {}).update(own)
        if not own:
            self.stated[arm] = _substitute_scores(decision)
        if not scenario.matrix:
            return None
        if self.scenario is None:
            self.scenario, self.scenario_at = scenario, where
        elif self.scenario.matrix != scenario.matrix or set(self.scenario.criteria) != set(scenario.criteria):
            return Complaint(
                where,
                f"the criteria or their scores differ from those of the same case at {self.scenario_at}; expected one "
                "matrix for all arms; fix it, or give the scenario once with --scenarios",
                "scenario.matrix",
            )
        return None

    def complaint(self, arm: str) -> Complaint | None:
        """The reason why an arm cannot be scored together with the others of its case; None if it can."""
        return self._mixed_complaint(arm) or self._misnamed_complaint(arm)

    @property
    def scored_arms(self) -> list[str]:
        """The arms whose agents give criteria scores of their own."""
        return [arm for arm, agents in self.by_arm.items() if agents]

    def pooled_scenario(self) -> tuple[DecisionScenario, str] | None:
        """The scenario with the mean of the agents' matrices, and a phrase for their source; None if there is none.

        The agents must score the same alternatives. If each scores only its own choice, every arm would judge itself.
        """
        matrices = [(agent, matrix) for arm in self.scored_arms for (agent, _), matrix in self.by_arm[arm].items()]
        known = [pair for pair in matrices if set(_criteria(pair[1])) == set(_criteria(matrices[0][1]))]
        if not known or any(matrix.keys() != known[0][1].keys() for _, matrix in known):
            return None
        names = ", ".join(sorted({agent for agent, _ in known}))
        source = f"the mean of the matrices of {names}" if "," in names else f"the matrix of {names}"
        criteria = tuple(map(Criterion, _criteria(known[0][1])))
        return DecisionScenario(criteria=criteria, matrix=_mean([matrix for _, matrix in known])), source

    def _mixed_complaint(self, arm: str) -> Complaint | None:
        if self.scenario is not None or not self.scored_arms or self.by_arm.get(arm):
            return None
        scored = self.scored_arms[0]
        return mixed_methods_complaint(
            ArmScores(scored, self.places[scored], OWN_SCORES), ArmScores(arm, self.places[arm], self.stated[arm])
        )

    def _misnamed_complaint(self, arm: str) -> Complaint | None:
        if self.scenario is not None or not self.by_arm.get(arm):
            return None
        (first, _), scores = next(iter(self.by_arm[self.scored_arms[0]].items()))
        known = _criteria(scores)
        for (agent, _), matrix in self.by_arm[arm].items():
            criteria = _criteria(matrix)
            if set(criteria) != set(known):
                return Complaint(
                    self.places[arm],
                    f"agent {first!r} scores {', '.join(known)}; agent {agent!r} scores {', '.join(criteria)}; "
                    f"expected the same criteria of all agents{renaming(known, criteria)}",
                    "criteria_scores",
                )
        return None


def mixed_methods_complaint(scored: ArmScores, other: ArmScores) -> Complaint:
    """The complaint that one arm has criteria scores from its agents and another has none."""
    return Complaint(
        other.where,
        f"decision quality by different methods: arm {scored.arm!r} has {scored.scores} ({scored.where}), arm "
        f"{other.arm!r} {other.scores}; these are not on one scale; give the scenario's criteria scores for all arms "
        "with --scenarios, or score the arms apart",
    )


def with_matrix(decision: Decision, case: CaseMatrices) -> Decision:
    """The decision with the matrix of its case."""
    if decision.scenario.matrix:
        return decision
    if case.scenario is not None:
        scenario = structs.replace(case.scenario, name=decision.scenario.name or case.scenario.name)
        return structs.replace(decision, scenario=scenario, matrix_source=SCENARIO)
    pooled = case.pooled_scenario()
    if pooled is None:
        return decision
    scenario, source = pooled
    known = decision.scenario.criteria or scenario.criteria
    return structs.replace(
        decision,
        scenario=structs.replace(decision.scenario, criteria=known, matrix=scenario.matrix),
        matrix_source=source,
    )


def _criteria(matrix: Matrix) -> list[str]:
    return list(dict.fromkeys(name for scores in matrix.values() for name in scores))


def _mean(matrices: Iterable[Matrix]) -> Matrix:
    """The mean of each cell over the agents who scored it."""
    cells: dict[str, dict[str, list[float]]] = {}
    for matrix in matrices:
        for alternative, scores in matrix.items():
            for criterion, score in scores.items():
                cells.setdefault(alternative, {}).setdefault(criterion, []).append(score)
    return {name: {criterion: fmean(values) for criterion, values in row.items()} for name, row in cells.items()}


def _substitute_scores(decision: Decision) -> str:
    """A phrase for the scores that an arm without criteria scores has instead."""
    stated = decision.stated
    if stated is not None and stated.mcda_scores:
        return "only its own MCDA scores"
    if stated is not None and stated.final_scores:
        return "only its own final scores"
    return NO_SCORES
