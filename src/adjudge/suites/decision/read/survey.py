"""A survey of the records before scoring: what they hold and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import Complaint
from adjudge.core.suite import Survey
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.read.matrices import (
    NO_SCORES,
    OWN_SCORES,
    ArmScores,
    CaseMatrices,
    mixed_methods_complaint,
)
from adjudge.suites.decision.rules.baselines import is_derived
from adjudge.suites.decision.rules.effort import effort_of
from adjudge.suites.decision.rules.satisfaction import satisfactions


class DecisionSurvey(Survey):
    """Counts the records and fields of each arm, and notes why a decision quality is undefined."""

    def __init__(self, cases: Mapping[str, CaseMatrices]) -> None:
        self.cases = cases
        self.arms: dict[str, ArmCoverage] = {}
        self.seen: dict[str, set[str]] = {}
        self.valued: set[str] = set()
        self.unscored: dict[str, int] = {}
        self.off_scale: dict[str, str] = {}

    def add(self, decision: Decision) -> None:
        """Look at one record."""
        seen = self.arms.setdefault(decision.arm, ArmCoverage())
        self.seen.setdefault(decision.key.case, set()).add(decision.arm)
        seen.conversations += 1
        seen.fields = list(dict.fromkeys([*seen.fields, *_fields(decision)]))
        if not is_derived(decision.arm):
            self._note_scores(decision)

    def complaints(self) -> list[Complaint]:
        """A complaint if two arms would be scored by different methods, even on different cases."""
        cases = [case for name, case in self.cases.items() if name in self.seen]
        scored = [
            ArmScores(arm, case.places[arm], OWN_SCORES)
            for case in cases
            for arm in case.scored_arms
            if case.scenario is None
        ]
        others = [
            ArmScores(arm, case.places[arm], brings)
            for case in cases
            for arm, brings in case.stated.items()
            if arm in self.arms and arm not in self.valued and brings != NO_SCORES
        ]
        return [mixed_methods_complaint(scored[0], others[0])] if scored and others else []

    def coverage(self) -> Coverage:
        """The coverage of each arm, with remarks on what is missing."""
        for arm, seen in self.arms.items():
            seen.expected = max(len(self.seen), seen.conversations)
            if lacking := self.unscored.get(arm):
                seen.remarks.append(
                    f"{lacking} of {seen.conversations} without a criteria matrix: decision quality is undefined "
                    "there; give the scenarios with --scenarios"
                )
            if arm in self.off_scale:
                seen.remarks.append(self.off_scale[arm])
            if apart := self._apart(arm):
                seen.remarks.append(
                    f"shares no case with {', '.join(apart)}: cases are identified by scenario_id (or case)"
                )
        return Coverage(arms=self.arms)

    def _apart(self, arm: str) -> list[str]:
        """The other arms that share no case with this one."""
        if is_derived(arm):
            return []
        beside = {other for arms in self.seen.values() if arm in arms for other in arms}
        return [other for other in self.arms if other not in beside and not is_derived(other)]

    def _note_scores(self, decision: Decision) -> None:
        scenario = decision.scenario
        if scenario.matrix:
            self.valued.add(decision.arm)
        if not scenario.matrix:
            self.unscored[decision.arm] = self.unscored.get(decision.arm, 0) + 1
        elif any(satisfactions(scenario, name) is None for name in scenario.matrix):
            self.off_scale.setdefault(
                decision.arm,
                f"{decision.key.case}: scores outside their criterion's scale: decision quality is undefined there "
                "(and in others like it); give each criterion its `scale`, such as [0, 500]",
            )


def _fields(decision: Decision) -> Iterator[str]:
    """The fields that a record has, by their names in the metrics' `predicts`."""
    if decision.shares:
        yield "a decision"
    if decision.confidence is not None or any(assessment.confidence is not None for assessment in decision.assessments):
        yield "confidences"
    if decision.turns:
        yield "a transcript"
    effort = effort_of(decision)
    if any(getattr(effort, name) is not None for name in effort.__struct_fields__):
        yield "effort"
