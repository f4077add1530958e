"""What `adjudge play` and `adjudge score RUN` share: a played run is scored, and its tables are printed."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for, progress_for
from adjudge.cli.judging import estimate, toolbox_of
from adjudge.cli.options import metric_names
from adjudge.core.selection import ALL

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.core.usage import Usage
    from adjudge.engines.local import Inventory, Job
    from adjudge.run.played import Played
    from adjudge.tools.toolbox import Toolbox


def score_played(played: Played, given: argparse.Namespace, console: Console, spent: Usage | None = None) -> int:
    """Score the conversations of a played run into its folder, and print the tables.

    `spent` is what playing has taken of the budget.
    """
    from adjudge.cli.score import exit_code
    from adjudge.engines.local import execute, survey
    from adjudge.report.play.terminal import print_worths
    from adjudge.report.run.summary import RunSummary
    from adjudge.report.run.terminal import print_coverage, print_tables

    folder = played.folder
    toolbox = toolbox_of(given, spent)
    job = _job(played, given, toolbox)
    inventory = survey(job)
    print_coverage(inventory.coverage, console)
    for line in self_judging(toolbox, played):
        print(f"warning: {line}", file=sys.stderr)
    if given.estimate:
        print("\n".join(estimate(job, inventory, toolbox)))
        return 0
    with progress_for(given.quiet) as progress:
        jobs = getattr(given, "jobs", 1) or os.cpu_count() or 1
        fresh = _starts_over(job, inventory, played, given)
        done = execute(job, folder, jobs=jobs, fresh=fresh, inventory=inventory, progress=progress)
    summary = RunSummary.brief(done)
    print_tables(summary, console, given.verbose)
    if summary.play is not None:
        print_worths(summary.play, console)
    if not given.quiet:
        name = shlex.quote(str(folder))
        more = f"; adjudge compare {name}" if len(played.manifest.arms) > 1 else ""
        console.print(
            f"\nscored into {folder}; read on with: adjudge report {name}{more}", markup=False, soft_wrap=True
        )
    return exit_code(summary, getattr(given, "require_coverage", 0.0))


def check_metrics(suite: str, given: argparse.Namespace) -> None:
    """Raise BadInput where a metric is unknown or a file of metrics broken, before anything is played."""
    from adjudge.score import Plan, choose_metrics, find_suite

    names = metric_names(given)
    plan = Plan(
        suite=suite, files=(), metrics=() if ALL in names else names, metric_files=tuple(given.metrics_file or ())
    )
    choose_metrics(find_suite(suite), plan)


def score_run(folder: Path, given: argparse.Namespace) -> int:
    """Score a played run."""
    from adjudge.run.played import Played

    return score_played(Played(folder), given, console_for(given.quiet))


def self_judging(toolbox: Toolbox, played: Played) -> list[str]:
    """A sentence for each judge that also played: judges prefer their own replies."""
    arms = {label: {_model_name(model) for model in arm.models.values()} for label, arm in played.manifest.arms.items()}
    return [
        f"the judge {name} also played in {', '.join(labels)}: judges prefer their own replies"
        for name, spec in toolbox.specs.items()
        if (labels := [label for label, models in arms.items() if _model_name(spec.model) in models])
    ]


def _model_name(name: str) -> str:
    """A model's name without its provider and address: "openai:gpt-4.1 at http://..." is gpt-4.1."""
    return name.partition(" at ")[0].rpartition(":")[2]


def _job(played: Played, given: argparse.Namespace, toolbox: Toolbox) -> Job:
    from adjudge.engines.local import Job
    from adjudge.play.registry import find_setup
    from adjudge.run.played import CONVERSATIONS
    from adjudge.score import Plan

    manifest = played.manifest
    setup = find_setup(manifest.suite)
    options = {**manifest.options, **{name: value for name, value in manifest.places.items() if name != "files"}}
    names = metric_names(given)
    plan = Plan(
        suite=manifest.suite,
        files=(str(played.folder / CONVERSATIONS),),
        options=dict(setup.scoring(options)),
        metrics=() if ALL in names else names,
        metric_files=tuple(given.metrics_file or ()),
    )
    return Job.open(plan, toolbox)


def _starts_over(job: Job, inventory: Inventory, played: Played, given: argparse.Namespace) -> bool:
    """Whether scores are made anew: what is scored or how has changed. The conversations stay what they are."""
    from adjudge.engines.manifest import manifest_of
    from adjudge.run import MANIFEST, read_manifest

    if given.fresh or given.refresh or not (Path(played.folder) / MANIFEST).exists():
        return bool(given.fresh or given.refresh)
    return bool(read_manifest(Path(played.folder)).differences(manifest_of(job, inventory)))
