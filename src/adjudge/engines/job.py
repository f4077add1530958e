"""A job: a plan with everything it names opened."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from adjudge.core.card import Metric
from adjudge.core.coverage import Coverage
from adjudge.core.equipment import Equipment, NoEquipment
from adjudge.core.suite import Suite
from adjudge.engines.protected import ProtectedSource
from adjudge.read.folders import input_files
from adjudge.run.batch import Keeper
from adjudge.run.keep import Keep, check_store, keeper_of
from adjudge.score import Plan, Scorer, choose_metrics, find_suite
from adjudge.tools.storage import input_path


@dataclass(frozen=True)
class Job:
    """A plan with everything it names opened; the plan is complete, with the defaults of all options."""

    plan: Plan
    suite: Suite
    metrics: tuple[Metric, ...]
    source: ProtectedSource
    tools: Mapping[str, object]
    equipment: Equipment

    @classmethod
    def open(cls, plan: Plan, equipment: Equipment | None = None) -> Job:
        """Open the suite, its files and its own tools; `equipment` is opened when the run begins."""
        check_store(plan.keep, plan.store)
        suite = find_suite(plan.suite)
        metrics = choose_metrics(suite, plan)  # Unknown names are reported before anything is read.
        equipment = equipment or NoEquipment()
        plan = complete_plan(plan, suite, equipment)
        inputs = input_files([input_path(file) for file in plan.files])
        source = ProtectedSource(suite.open(inputs.files, plan.options))
        for remark in inputs.remarks:
            source.warnings.add(remark, remark)
        return cls(plan, suite, tuple(metrics), source, suite.tools(plan.options), equipment)

    def scorer(
        self,
        coverage: Coverage,
        equipment: Mapping[str, object] | None = None,
        metrics: Sequence[Metric] | None = None,
    ) -> Scorer:
        """The scorer of these metrics, or of all of them, for arms that predict what the coverage says."""
        fields = {arm: covered.fields for arm, covered in coverage.arms.items()}
        return Scorer(self.metrics if metrics is None else metrics, {**self.tools, **(equipment or {})}, fields)

    def keeper(self) -> Keeper:
        """What the run keeps of the records that a process scores."""
        return keeper_of(Keep.parse(self.plan.keep), [metric.card for metric in self.metrics])

    def tool_names(self) -> set[str]:
        """The names of the tools that the metrics of the plan take."""
        return {tool for metric in self.metrics for tool in (*metric.card.needs, *metric.card.optional)}

    def identity(self) -> dict[str, str]:
        """The tools that change scores, by name; the suite's own tools only if a judge or model is asked."""
        taken = self.tool_names()
        asked = self.equipment.identity(taken)
        if not asked:
            return {}
        own = {name: tool.identity for name, tool in self.tools.items() if name in taken and hasattr(tool, "identity")}
        return {**own, **asked}


def complete_plan(plan: Plan, suite: Suite, equipment: Equipment) -> Plan:
    """The plan with default options and those of the equipment, the same from the command line and from Python."""
    given = {**plan.options, **equipment.plan_options()}
    defaults = {option.name: option.default for option in suite.options}
    options = {name: _plain_value(value) for name, value in {**defaults, **given}.items()}
    for name, default in defaults.items():
        if _is_unset(options[name]):
            options[name] = default
    return structs.replace(
        plan,
        files=tuple(map(str, plan.files)),
        metric_files=tuple(map(str, plan.metric_files)),
        options={name: value for name, value in options.items() if not _is_unset(value)},
    )


def _plain_value(value: Any) -> Any:
    """The value of an option as JSON has it: paths as text, tuples as lists."""
    if isinstance(value, list | tuple):
        return [_plain_value(item) for item in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _is_unset(value: Any) -> bool:
    """Whether the value of an option means that the option was not given."""
    return value is None or value is False or value == []
