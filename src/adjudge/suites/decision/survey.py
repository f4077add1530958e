"""What is there and what is missing, before anything is scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adjudge.core.complaint import Complaint
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.suites.decision.baselines import is_baseline
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.effort import effort_of
from adjudge.suites.decision.matrices import Case
from adjudge.suites.decision.rules import satisfactions


class DecisionSurvey:
    """Counts what each arm brings, and what keeps its quality from being known."""

    def __init__(self, cases: Mapping[str, Case]) -> None:
        self.cases = cases
        self.arms: dict[str, ArmCoverage] = {}
        self.seen: set[str] = set()
        self.unscored: dict[str, int] = {}
        self.off_scale: dict[str, str] = {}

    def add(self, decision: Decision) -> None:
        """Look at one record."""
        seen = self.arms.setdefault(decision.arm, ArmCoverage())
        self.seen.add(decision.key.case)
        seen.conversations += 1
        seen.fields = list(dict.fromkeys([*seen.fields, *_fields(decision)]))
        if not is_baseline(decision):
            self._note_scores(decision)

    def complaints(self) -> list[Complaint]:
        """Cases whose arms would be scored by different methods, or whose agents name criteria differently."""
        cases = [case for name, case in self.cases.items() if name in self.seen]
        found = [complaint for case in cases for complaint in (case.mixes, case.misnamed)]
        return [complaint for complaint in found if complaint is not None]

    def coverage(self) -> Coverage:
        """What was there and what was missing."""
        for arm, seen in self.arms.items():
            seen.expected = max(len(self.seen), seen.conversations)
            if lacking := self.unscored.get(arm):
                seen.remarks.append(
                    f"{lacking} of {seen.conversations} without a criteria matrix: decision quality is undefined "
                    "there; give the scenarios with --scenarios"
                )
            if arm in self.off_scale:
                seen.remarks.append(self.off_scale[arm])
        return Coverage(arms=self.arms)

    def _note_scores(self, decision: Decision) -> None:
        scenario = decision.scenario
        if not scenario.matrix:
            self.unscored[decision.arm] = self.unscored.get(decision.arm, 0) + 1
        elif any(satisfactions(scenario, name) is None for name in scenario.matrix):
            self.off_scale.setdefault(
                decision.arm,
                f"{decision.key.case}: scores outside their criterion's scale: decision quality is undefined there "
                "(and in others like it); give each criterion its `scale`, such as [0, 500]",
            )


def _fields(decision: Decision) -> Iterator[str]:
    """What a record brings, by the words in which metrics name what they judge."""
    if decision.shares:
        yield "a decision"
    if decision.confidence is not None or any(one.confidence is not None for one in decision.assessments):
        yield "confidences"
    if decision.turns:
        yield "a transcript"
    effort = effort_of(decision)
    if any(getattr(effort, name) is not None for name in effort.__struct_fields__):
        yield "effort"
