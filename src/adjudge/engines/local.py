"""From a job to a run: survey everything, then score what the run does not have yet."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from pathlib import Path

from msgspec import structs

from adjudge.aggregate import Tallies, store_tables
from adjudge.core.usage import Usage
from adjudge.engines.canaries import ask_canaries
from adjudge.engines.job import Job
from adjudge.engines.manifest import manifest_of
from adjudge.engines.parts import FOLDER, remove_if_empty
from adjudge.engines.scoring import PartScoring, in_order, score_here
from adjudge.engines.survey import Inventory, Progress, quiet, records_of, survey
from adjudge.engines.tallying import ShardTallies
from adjudge.engines.workers import Workers
from adjudge.run import Manifest, Run, RunWriter
from adjudge.run.inputs import time_stamp

__all__ = ["Inventory", "Job", "execute", "in_order", "records_of", "survey"]


def execute(
    job: Job,
    folder: Path,
    *,
    workers: Workers | None = None,
    fresh: bool = False,
    inventory: Inventory | None = None,
    progress: Progress = quiet,
) -> Run:
    """Score a job into a run folder, or go on where an earlier attempt stopped.

    `workers` share the work, `fresh` starts over, and `inventory` is what `survey` gave for this job, if it was called
    before.
    """
    score_job(job, folder, workers=workers, fresh=fresh, inventory=inventory, progress=progress)
    return Run(folder)


def score_job(
    job: Job,
    folder: Path,
    *,
    workers: Workers | None = None,
    fresh: bool = False,
    inventory: Inventory | None = None,
    progress: Progress = quiet,
) -> Tallies | None:
    """Do what `execute` does; the tallies of the run's table, None where they have to be read from the folder."""
    inventory = inventory or survey(job, progress, workers)
    tallies: Tallies | None = None
    with RunWriter(folder, manifest_of(job, inventory), fresh) as writer:
        parts = writer.folder / FOLDER
        if fresh:
            shutil.rmtree(parts, ignore_errors=True)
        if writer.manifest.status != "complete":
            try:
                tallies = _score_into(writer, job, inventory, workers, progress)
            finally:
                remove_if_empty(parts)
    return tallies


def _score_into(
    writer: RunWriter, job: Job, inventory: Inventory, workers: Workers | None, progress: Progress
) -> Tallies | None:
    """Score what the run folder does not have yet, and write the manifest of the finished run."""
    started = time.perf_counter()
    lost: list[str] = []
    tallies_here = ShardTallies()
    is_resumed = bool(writer.done)
    with job.equipment.open(writer.folder, job.tool_names()) as tools:
        canaries = _ask_canaries(job, tools)
        if workers is None:
            scored = score_here(job, inventory, writer.done, tools, tallies_here)
        else:
            scoring = PartScoring(job, inventory, writer.manifest, tools, writer.folder / FOLDER)
            scored, lost = scoring.batches(workers, set(writer.done)), scoring.lost
        for batch in scored:
            writer.append(batch)
            progress("scoring", len(writer.done), inventory.records)
        tallies = tallies_here if workers is None else scoring.tallies
    if len(writer.done) == inventory.records:
        shutil.rmtree(writer.folder / FOLDER, ignore_errors=True)
    coverage = inventory.coverage
    coverage = structs.replace(coverage, warnings=[*coverage.warnings, *lost, *job.equipment.closing_remarks()])
    manifest = structs.replace(
        writer.manifest,
        status="complete" if len(writer.done) == inventory.records else "stopped",
        lost=lost,
        counts={"records": len(writer.done), "rows": inventory.rows},
        usage=_total_usage(writer.spent, job.equipment.usage()),
        canaries=canaries,
        coverage=coverage,
        finished=time_stamp(),
        seconds=round(time.perf_counter() - started, 3),
    )
    if manifest.keep == "tallies":
        store_tables(writer.folder, manifest)
    writer.finish(manifest)
    return None if tallies is None or is_resumed or not _rests_on_values(manifest) else tallies.by_metric()


def _rests_on_values(manifest: Manifest) -> bool:
    """Whether the table is made from the values of scores, which are in tallies, and not from marks or from a file."""
    return manifest.keep != "tallies" and all(card.pool != "groups" for card in manifest.cards.values())


def _total_usage(earlier: dict[str, Usage], latest: dict[str, Usage]) -> dict[str, Usage]:
    """What all attempts at a run cost, by metric."""
    return {name: earlier.get(name, Usage()) + latest.get(name, Usage()) for name in {**earlier, **latest}}


def _ask_canaries(job: Job, tools: Mapping[str, object]) -> dict[str, str]:
    """How the judge answered the suite's canaries, if the plan asks for them."""
    judge = tools.get("judge")
    if not job.plan.options.get("canaries") or job.suite.canaries is None or judge is None:
        return {}
    return ask_canaries(job.suite.canaries(job.tools), judge)
