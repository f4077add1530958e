"""Scoring on this machine: survey everything, then score record by record or in several processes."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

import adjudge
from adjudge.core.record import Key
from adjudge.core.usage import Usage
from adjudge.engines.canaries import ask_canaries
from adjudge.engines.job import Job
from adjudge.engines.survey import Progress, Surveyed, no_collecting, quiet, records_of, survey
from adjudge.engines.workers import Lines, line_of, scored_together
from adjudge.run import InputFile, Manifest, Run, RunWriter
from adjudge.score import choose_metrics

__all__ = ["Job", "Surveyed", "execute", "records_of", "survey"]


def execute(
    job: Job,
    folder: Path,
    *,
    jobs: int = 1,
    fresh: bool = False,
    seen: Surveyed | None = None,
    progress: Progress = quiet,
) -> Run:
    """Score a job into a run folder, or go on where an earlier attempt stopped."""
    seen = seen or survey(job, progress)
    started = time.perf_counter()
    manifest = _manifest(job, seen)
    with RunWriter(folder, manifest, fresh) as writer:
        if writer.manifest.status != "complete":
            with job.equipment.open(folder, job.needed()) as tools:
                canaries = _canaries(job, tools)
                for keys, records, scores in _scored(job, seen, writer.done, tools, jobs):
                    writer.append(keys, records, scores)
                    progress("scoring", len(writer.done), seen.records)
            writer.finish(
                structs.replace(
                    manifest,
                    status="complete" if len(writer.done) == seen.records else "stopped",
                    counts={"records": len(writer.done), "rows": seen.rows},
                    usage=_sum(writer.spent, job.equipment.usage()),
                    canaries=canaries,
                    finished=_now(),
                    seconds=round(time.perf_counter() - started, 3),
                )
            )
    return Run(folder)


def _sum(earlier: dict[str, Usage], now: dict[str, Usage]) -> dict[str, Usage]:
    """What all attempts at a run cost, by metric."""
    return {name: earlier.get(name, Usage()) + now.get(name, Usage()) for name in {**earlier, **now}}


def _canaries(job: Job, tools: Mapping[str, object]) -> dict[str, str]:
    """How the judge met the suite's canaries, if they are to ride along."""
    judge = tools.get("judge")
    if not job.plan.options.get("canaries") or job.suite.canaries is None or judge is None:
        return {}
    return ask_canaries(job.suite.canaries(job.tools), judge)


def _scored(job: Job, seen: Surveyed, done: set[Key], tools: Mapping[str, object], jobs: int) -> Iterator[Lines]:
    """Score in this process, or in several where all can be computed without asking anybody."""
    if jobs > 1 and not tools:
        return scored_together(job, seen, done, jobs)
    return _scored_alone(job, seen, done, tools)


def _scored_alone(job: Job, seen: Surveyed, done: set[Key], tools: Mapping[str, object]) -> Iterator[Lines]:
    """Score in this process, a record at a time; records that the budget does not cover are left for another time."""
    scorer = job.scorer(seen.coverage, tools)
    encoder = msgspec.json.Encoder()
    records = (record for record in records_of(job, seen) if record.key not in done)
    with no_collecting():
        for record, scores in scorer.score(records):
            if any(score.skipped and score.skipped.status == "over_budget" for score in scores.values()):
                continue  # Not scored yet: a higher limit goes on here. What is in flight is still taken in.
            yield [record.key], encoder.encode(record) + b"\n", encoder.encode(line_of(record, scores)) + b"\n"


def _manifest(job: Job, seen: Surveyed) -> Manifest:
    plan: dict[str, Any] = {name: value for name, value in job.plan.options.items() if value not in (None, [], ())}
    paths = {"rubrics", *(option.name for option in job.suite.options if option.is_path)}
    places = {"files": list(job.plan.files), **{name: plan.pop(name) for name in paths if name in plan}}
    if job.plan.metrics:
        plan["metrics"] = list(job.plan.metrics)
    if job.plan.metric_files:
        places["metric_files"] = list(job.plan.metric_files)
    plan["on_duplicate"], plan["skip_bad"] = job.plan.on_duplicate, job.plan.skip_bad
    return Manifest(
        suite=job.suite.name,
        adjudge=adjudge.__version__,
        cards={metric.card.name: metric.card for metric in choose_metrics(job.suite, job.plan)},
        options=plan,
        places=places,
        tools=job.identity(),
        settings=_settings(job),
        inputs=[_input(path) for path in [*job.source.files, *map(Path, job.plan.metric_files)]],
        coverage=seen.coverage,
        started=_now(),
    )


def _settings(job: Job) -> dict[str, str]:
    """The options that change values, those left out that have no value."""
    chosen = {name: job.plan.options.get(name) for name in job.suite.settings}
    return {
        name: " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        for name, value in chosen.items()
        if value
    }


def _input(path: Path) -> InputFile:
    with path.open("rb") as file:
        return InputFile(str(path), os.fstat(file.fileno()).st_size, hashlib.file_digest(file, "sha256").hexdigest())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
