"""A job: a plan with everything it names opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adjudge.core.coverage import Coverage
from adjudge.core.equipment import Equipment, NoEquipment
from adjudge.core.suite import Source, Suite
from adjudge.score import Plan, Scorer, choose_metrics, find_suite


@dataclass(frozen=True)
class Job:
    """A plan with everything it names opened."""

    plan: Plan
    suite: Suite
    source: Source
    tools: Mapping[str, object]
    equipment: Equipment

    @classmethod
    def open(cls, plan: Plan, equipment: Equipment | None = None) -> Job:
        """Open the suite, its files and its own tools; `equipment` is opened when the run begins."""
        suite = find_suite(plan.suite)
        choose_metrics(suite, plan)  # A name that is wrong is said before anything is read.
        source = suite.open([Path(file) for file in plan.files], plan.options)
        return cls(plan, suite, source, suite.tools(plan.options), equipment or NoEquipment())

    def scorer(self, coverage: Coverage, equipment: Mapping[str, object] | None = None) -> Scorer:
        """The scorer for arms that predict what the coverage says."""
        fields = {arm: seen.fields for arm, seen in coverage.arms.items()}
        return Scorer(choose_metrics(self.suite, self.plan), {**self.tools, **(equipment or {})}, fields)

    def needed(self) -> set[str]:
        """The tools that the metrics of the plan take."""
        cards = [metric.card for metric in choose_metrics(self.suite, self.plan)]
        return {tool for card in cards for tool in (*card.needs, *card.optional)}

    def identity(self) -> dict[str, str]:
        """The tools that change scores, by name; rubrics and the like only where somebody is asked."""
        needed = self.needed()
        asked = self.equipment.identity(needed)
        if not asked:
            return {}
        named = {
            name: tool.identity for name, tool in self.tools.items() if name in needed and hasattr(tool, "identity")
        }
        return {**named, **asked}
