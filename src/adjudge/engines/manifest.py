"""The manifest of a run before it begins: all that decides its scores."""

from __future__ import annotations

from pathlib import Path

from adjudge.core.version import __version__
from adjudge.engines.job import Job
from adjudge.engines.survey import Inventory
from adjudge.run import Manifest
from adjudge.run.inputs import input_file, time_stamp
from adjudge.run.keep import Keep
from adjudge.tools.rubrics import Rubrics


def manifest_of(job: Job, inventory: Inventory) -> Manifest:
    """The manifest of a job that has been surveyed and is not scored yet."""
    plan = job.plan
    paths = {"rubrics", *(option.name for option in job.suite.options if option.is_path)}
    options = {name: value for name, value in plan.options.items() if name not in paths}
    places = {name: value for name, value in plan.options.items() if name in paths}
    if plan.metrics:
        options["metrics"] = list(plan.metrics)
    if plan.metric_files:
        places["metric_files"] = list(plan.metric_files)
    return Manifest(
        suite=job.suite.name,
        adjudge=__version__,
        cards={metric.card.name: metric.card for metric in job.metrics},
        options={**options, "on_duplicate": plan.on_duplicate, "skip_bad": plan.skip_bad},
        places={"files": list(plan.files), **places},
        keep=str(Keep.parse(plan.keep)),
        store=plan.store,
        tools=job.identity(),
        rubrics=_rubrics(job),
        settings=_settings(job),
        inputs=[input_file(path) for path in (*job.source.files, *map(Path, plan.metric_files))],
        coverage=inventory.coverage,
        started=time_stamp(),
    )


def _rubrics(job: Job) -> dict[str, str]:
    """The rubrics that a judge may be told by the metrics of the run; none where nothing is asked."""
    rubrics = job.tools.get("rubrics") if "rubrics" in job.identity() else None
    names = dict.fromkeys(name for metric in job.metrics for name in metric.card.rubrics)
    return {name: rubrics.text(name) for name in names} if isinstance(rubrics, Rubrics) else {}


def _settings(job: Job) -> dict[str, str]:
    """The options that change values, without those that have no value."""
    chosen = {name: job.plan.options.get(name) for name in job.suite.settings}
    return {
        name: " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        for name, value in chosen.items()
        if value
    }
