"""What is scored: a plan, and the suite and metrics that it names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from adjudge.core.card import Metric
from adjudge.core.entry_points import entry_points
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.core.selection import ALL
from adjudge.core.suite import Suite, declared_metrics
from adjudge.read.python_file import load_module
from adjudge.run.manifest import Store

GROUP = "adjudge.suites"


class Plan(Struct, frozen=True, kw_only=True):
    """What to score: a suite, files, its options, and metrics by name (none: all of them).

    `keep` says how much the run keeps (`adjudge.run.keep`), `store` in which format.
    """

    suite: str
    files: tuple[str, ...]
    options: dict[str, Any] = {}
    metrics: tuple[str, ...] = ()
    metric_files: tuple[str, ...] = ()
    on_duplicate: str = "error"
    skip_bad: bool = False
    keep: str = "all"
    store: Store = "json"


def find_suite(name: str) -> Suite:
    """The suite registered under a name by this or another package."""
    entries = {entry.name: entry for entry in entry_points(GROUP)}
    if name not in entries:
        raise BadInput(f"no suite {name!r}{did_you_mean(name, entries)} (there are: {', '.join(sorted(entries))})")
    suite = entries[name].load()
    if not isinstance(suite, Suite):
        raise BadInput(f"suite {name!r}: {entries[name].value} is a {type(suite).__name__}, expected a Suite")
    return suite


def suite_names() -> list[str]:
    """The names of all suites that are installed."""
    return sorted({entry.name for entry in entry_points(GROUP)})


def choose_metrics(suite: Suite, plan: Plan) -> list[Metric]:
    """The metrics of a plan: the suite's and those of the user's own files, or the ones named."""
    own = [metric for file in plan.metric_files for metric in load_metrics(Path(file))]
    own += suite.own_metrics(plan.options) if suite.own_metrics else ()
    by_name: dict[str, Metric] = {}
    for metric in [*suite.metrics(), *own]:
        if metric.card.name in by_name:
            places = ", ".join(plan.metric_files) or metric.card.source
            raise BadInput(f"two metrics are named {metric.card.name!r}; rename the one in {places}")
        by_name[metric.card.name] = metric
    if not plan.metrics or ALL in plan.metrics:
        return list(by_name.values())
    for name in plan.metrics:
        if name not in by_name:
            raise BadInput(_unknown_metric(name, suite, by_name))
    return [by_name[name] for name in plan.metrics]


def load_metrics(path: Path) -> list[Metric]:
    """The metrics declared in a user's Python file."""
    missing = f"{path}: no such Python file; expected one that declares metrics with @metric"
    module = load_module(path, "adjudge_metrics", missing)
    metrics = [_as_primary(metric) for metric in declared_metrics(vars(module))]
    if not metrics:
        raise BadInput(f"{path}: declares no metric; expected a function under @metric (adjudge.metric)")
    return metrics


def _as_primary(metric: Metric) -> Metric:
    """A metric of the user's own, which stands among the metrics that tables and comparisons show first."""
    return metric if metric.card.variant else Metric(structs.replace(metric.card, primary=True), metric.function)


def _unknown_metric(name: str, suite: Suite, by_name: Mapping[str, Metric]) -> str:
    symbols = {metric.card.symbol: known for known, metric in by_name.items()}
    hint = f"; did you mean {symbols[name]!r}?" if name in symbols else did_you_mean(name, by_name)
    return f"no metric {name!r} in suite {suite.name!r}{hint} (adjudge list {suite.name})"
