"""What workers do with a shard: survey it, look up some of its rows, or score it into a part."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput
from adjudge.core.shard import Shard
from adjudge.core.suite import Missing
from adjudge.engines.duplicates import RowContent, rows_at
from adjudge.engines.job import Job
from adjudge.engines.parts import (
    Order,
    Part,
    check_folder,
    count_try,
    find_part,
    forget_tries,
    part_name,
    write_part,
)
from adjudge.engines.rows import SurveyedShard, records_in
from adjudge.engines.shard_survey import ShardSurvey, survey_shard
from adjudge.engines.shards import PlannedShard
from adjudge.engines.tallying import ShardTallies
from adjudge.engines.workers import TRIES, LostTask
from adjudge.read.opening import reason_of
from adjudge.read.shards import check_size
from adjudge.run.batch import KeepAll, Keeper, Scored, ScoredBatch
from adjudge.score import Plan, Scorer
from adjudge.tools.storage import input_path

# Records that are written to a part at a time, at least.
BATCH = 256

_opened = threading.local()


class OpenedJob(NamedTuple):
    """A job that a worker has opened, with what an order asks for; `keeper` sees all shards that the worker scores."""

    order: bytes
    job: Job
    scorer: Scorer
    keeper: Keeper


class ScoredPart(NamedTuple):
    """A part, and the tallies of its scores; None for a part that was there before."""

    part: Part
    tallies: ShardTallies | None = None


def forget_other_commands(command: str) -> None:
    """Forget the job that this thread has opened for another command: its files may have changed since."""
    if getattr(_opened, "command", None) != command:
        _opened.__dict__.clear()
        _opened.command = command


def encode_plan(job: Job) -> bytes:
    """The plan of a job as it is sent to workers, which may work in another folder."""
    options = job.plan.options
    if rubrics := options.get("rubrics"):  # A setting of tools, of which `Engine.prepare` does not know.
        options = {**options, "rubrics": str(Path(rubrics).absolute())}
    return msgspec.json.encode(structs.replace(job.plan, options=options))


def survey_task(plan: bytes, planned: PlannedShard, excluded: Collection[int]) -> ShardSurvey:
    """Survey a shard."""
    check_size(planned.shard, input_path(planned.shard.file))
    return survey_shard(_job(plan), planned, excluded)


def rows_task(plan: bytes, shard: Shard, numbers: Collection[int]) -> list[RowContent]:
    """Look up rows of a shard."""
    return rows_at(_job(plan), shard, numbers)


def score_task(order: bytes, folder: str, surveyed: SurveyedShard) -> ScoredPart | LostTask:
    """Score a shard into a part, unless the part is there; `LostTask` if that has ended three processes."""
    place, name = Path(folder), part_name(order, surveyed)
    try:
        check_folder(place, order)
        if part := find_part(place, name):
            return ScoredPart(part)
        if count_try(place, name) >= TRIES:
            return LostTask("killed")
        tallies = ShardTallies()
        part = write_part(place, name, _score(order, surveyed, tallies))
        forget_tries(place, name)
        return ScoredPart(part, tallies)
    except OSError as error:
        raise BadInput(
            f"{folder}: cannot write the scores of {surveyed.shard} ({reason_of(error)}); free some space and run the "
            "same command again to continue"
        ) from error


def _score(order: bytes, surveyed: SurveyedShard, tallies: ShardTallies) -> Iterator[ScoredBatch]:
    opened = _scoring(order)
    if surveyed.shard.file:
        check_size(surveyed.shard, input_path(surveyed.shard.file))
    return batches(opened.keeper, tallies.watch(opened.scorer.score(records_in(opened.job, surveyed))))


def batches(keeper: Keeper, scored: Iterator[Scored], least: int = BATCH) -> Iterator[ScoredBatch]:
    """What a run keeps of records, a batch at a time."""
    size = max(keeper.batch_size, least)
    while together := list(islice(scored, size)):
        yield keeper.batch(together)


def _job(plan: bytes) -> Job:
    """The job of a plan; a thread keeps the last one that it opened."""
    if getattr(_opened, "plan", None) != plan:
        _opened.job = Job.open(msgspec.json.decode(plan, type=Plan))
        _opened.plan = plan
    job: Job = _opened.job
    return job


def _scoring(order: bytes) -> OpenedJob:
    """The job of an order with its scorer; a thread keeps the last one."""
    opened: OpenedJob | None = getattr(_opened, "scoring", None)
    if opened is None or opened.order != order:
        asked = msgspec.json.decode(order, type=Order)
        job = _job(asked.plan)
        metrics = [metric for metric in job.metrics if metric.card.name in asked.metrics]
        missing = {name: Missing(why) for name, why in asked.missing.items()}
        scorer = Scorer(metrics, {**job.tools, **missing}, asked.fields)
        keeper = KeepAll() if asked.is_partial else job.keeper()
        opened = _opened.scoring = OpenedJob(order, job, scorer, keeper)
    return opened
