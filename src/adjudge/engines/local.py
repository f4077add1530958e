"""Scoring on this machine: survey everything, then score record by record or in several processes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import structs

from adjudge.core.mark import Score
from adjudge.core.record import Key, Record
from adjudge.core.usage import Usage
from adjudge.engines.canaries import ask_canaries
from adjudge.engines.job import Job
from adjudge.engines.manifest import manifest_of
from adjudge.engines.survey import Inventory, Progress, no_garbage_collection, quiet, records_of, survey
from adjudge.engines.workers import ScoredBatch, score_in_processes, score_row
from adjudge.run import Run, RunWriter
from adjudge.run.inputs import time_stamp
from adjudge.score import Scorer

__all__ = ["Inventory", "Job", "execute", "records_of", "survey"]


def execute(
    job: Job,
    folder: Path,
    *,
    jobs: int = 1,
    fresh: bool = False,
    inventory: Inventory | None = None,
    progress: Progress = quiet,
) -> Run:
    """Score a job into a run folder, or go on where an earlier attempt stopped.

    `jobs` is the number of processes, `fresh` starts over, and `inventory` is what `survey` gave for this job, if it
    was called before.
    """
    inventory = inventory or survey(job, progress)
    with RunWriter(folder, manifest_of(job, inventory), fresh) as writer:
        if writer.manifest.status != "complete":
            _score_into(writer, job, inventory, jobs, progress)
    return Run(folder)


def _score_into(writer: RunWriter, job: Job, inventory: Inventory, jobs: int, progress: Progress) -> None:
    """Score what the run folder does not have yet, and write the manifest of the finished run."""
    started = time.perf_counter()
    with job.equipment.open(writer.folder, job.tool_names()) as tools:
        canaries = _ask_canaries(job, tools)
        for batch in _score_remaining(job, inventory, writer.done, tools, jobs):
            writer.append(*batch)
            progress("scoring", len(writer.done), inventory.records)
    coverage = inventory.coverage
    coverage = structs.replace(coverage, warnings=[*coverage.warnings, *job.equipment.closing_remarks()])
    writer.finish(
        structs.replace(
            writer.manifest,
            status="complete" if len(writer.done) == inventory.records else "stopped",
            counts={"records": len(writer.done), "rows": inventory.rows},
            usage=_total_usage(writer.spent, job.equipment.usage()),
            canaries=canaries,
            coverage=coverage,
            finished=time_stamp(),
            seconds=round(time.perf_counter() - started, 3),
        )
    )


def _total_usage(earlier: dict[str, Usage], latest: dict[str, Usage]) -> dict[str, Usage]:
    """What all attempts at a run cost, by metric."""
    return {name: earlier.get(name, Usage()) + latest.get(name, Usage()) for name in {**earlier, **latest}}


def _ask_canaries(job: Job, tools: Mapping[str, object]) -> dict[str, str]:
    """How the judge answered the suite's canaries, if the plan asks for them."""
    judge = tools.get("judge")
    if not job.plan.options.get("canaries") or job.suite.canaries is None or judge is None:
        return {}
    return ask_canaries(job.suite.canaries(job.tools), judge)


def _score_remaining(
    job: Job, inventory: Inventory, done: set[Key], tools: Mapping[str, object], jobs: int
) -> Iterator[ScoredBatch]:
    """Score in several processes if no judge or model is asked, otherwise in this process."""
    if jobs > 1 and not tools:
        return score_in_processes(job, inventory, done, jobs)
    return _score_one_by_one(job, inventory, done, tools)


def _score_one_by_one(
    job: Job, inventory: Inventory, done: set[Key], tools: Mapping[str, object]
) -> Iterator[ScoredBatch]:
    """Score in this process, a record at a time; records that the budget does not cover are left for another time."""
    scorer = job.scorer(inventory.coverage, tools)
    encode = msgspec.json.Encoder().encode
    records = (record for record in records_of(job, inventory) if record.key not in done)
    with no_garbage_collection():
        for record, scores in in_order(scorer, records):
            if any(score.skipped and score.skipped.status == "over_budget" for score in scores.values()):
                continue  # A run with a higher limit scores this record. Replies on their way are still used.
            yield ScoredBatch([record.key], encode(record) + b"\n", encode(score_row(record, scores)) + b"\n")


def in_order(scorer: Scorer, records: Iterable[Record]) -> Iterator[tuple[Record, dict[str, Score]]]:
    """The scores of records in the order of the records, whichever is complete first."""
    waiting: deque[Key] = deque()
    ready: dict[Key, tuple[Record, dict[str, Score]]] = {}

    def note_keys() -> Iterator[Record]:
        for record in records:
            waiting.append(record.key)
            yield record

    for record, scores in scorer.score(note_keys()):
        ready[record.key] = record, scores
        while waiting and waiting[0] in ready:
            yield ready.pop(waiting.popleft())
