"""The surveys of all shards in order, made here or by workers, and the rows that stand twice among them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from adjudge.core.errors import BadInput, Warnings
from adjudge.core.shard import Shard
from adjudge.engines.duplicates import RowContent, excluded_rows, repeated_rows, rows_at
from adjudge.engines.job import Job
from adjudge.engines.rows import SurveyedShard
from adjudge.engines.shard_survey import DIGEST, KEPT_BYTES, ShardSurvey, survey_shard
from adjudge.engines.shards import PlannedShard, plan_shards, split_rows
from adjudge.engines.tasks import encode_plan, rows_task, survey_task
from adjudge.engines.workers import LostTask, Task, Workers
from adjudge.read.shards import size_of

T = TypeVar("T")

# Rows of an input that only one process can survey which are scored together.
ROWS_TOGETHER = 512

Progress = Callable[[str, int, int], None]
# Rows that are left out, by the number of their shard.
Excluded = Mapping[int, set[int]]


def quiet(stage: str, done: int, total: int) -> None:
    """Progress that nobody sees."""


class ShardRows(NamedTuple):
    """A shard, the numbers of its rows that give records, and the digests of the keys of the first record of each."""

    planned: PlannedShard
    numbers: array[int]
    row_keys: bytes


class ShardSurveys:
    """Surveys the shards of a job, here or by workers."""

    def __init__(self, job: Job, workers: Workers | None, shard_bytes: int, progress: Progress) -> None:
        self.progress = progress
        self._job = job
        self._workers = workers
        self._shard_bytes = shard_bytes

    def surveys(self, excluded: Excluded) -> Iterator[tuple[PlannedShard, ShardSurvey]]:
        """The survey of each shard in order, but for the rows that are excluded."""
        planned: list[PlannedShard] = []
        results = self._by_workers(planned, excluded) if self._workers else self._here(planned, excluded)
        for number, result in enumerate(results):
            yield planned[number], _result_of(planned[number].shard, result)

    def repeated_rows(self, shards: Sequence[ShardRows], warnings: Warnings, on_duplicate: str) -> Excluded:
        """The rows that are left out because another one of the same key is used."""
        repeated = repeated_rows([shard.numbers for shard in shards], [shard.row_keys for shard in shards])
        if not repeated:
            return {}
        contents = self._contents({number: (shards[number].planned.shard, rows) for number, rows in repeated.items()})
        return excluded_rows(contents, on_duplicate, warnings)

    def _here(self, planned: list[PlannedShard], excluded: Excluded) -> Iterator[ShardSurvey]:
        rows = 0
        # Records of a large input would fill the memory until it is clear that they are too many.
        keep = sum(map(size_of, self._job.source.shardable_files())) <= KEPT_BYTES
        for number, each in enumerate(plan_shards(self._job.source, self._shard_bytes)):
            planned.append(each)
            surveyed = survey_shard(self._job, each, excluded.get(number, ()), keep, partial(self._show, rows))
            rows += surveyed.rows
            yield surveyed

    def _show(self, before: int, rows: int) -> None:
        """Show how many rows have been read, in earlier shards and in this one."""
        self.progress("reading", before + rows, 0)

    def _by_workers(self, planned: list[PlannedShard], excluded: Excluded) -> Iterator[ShardSurvey | LostTask]:
        assert self._workers is not None
        plan = encode_plan(self._job)

        def tasks() -> Iterator[Task]:
            for number, each in enumerate(plan_shards(self._job.source, self._shard_bytes)):
                planned.append(each)
                yield Task(survey_task, (plan, each, excluded.get(number, ())))

        return self._workers.results(tasks())

    def _contents(self, rows: Mapping[int, tuple[Shard, set[int]]]) -> dict[int, list[RowContent]]:
        """Rows of shards, by the number of the shard."""
        if self._workers is None:
            return {number: rows_at(self._job, shard, wanted) for number, (shard, wanted) in rows.items()}
        plan = encode_plan(self._job)
        results = self._workers.results(Task(rows_task, (plan, shard, wanted)) for shard, wanted in rows.values())
        contents = {}
        for (number, (shard, _)), result in zip(rows.items(), results, strict=True):
            contents[number] = _result_of(shard, result)
        return contents


def surveyed_shards(shard: Shard, part: ShardSurvey, excluded: set[int]) -> list[SurveyedShard]:
    """The shards to score: the surveyed one, or ranges of rows if the whole input was surveyed at once."""
    left_out = excluded | part.bad_rows
    if shard.file:
        return [SurveyedShard(shard, frozenset(left_out), bytes(part.keys), part.credentialed)]
    return [
        SurveyedShard(
            rows,
            frozenset(number - rows.start for number in left_out if rows.start <= number < (rows.stop or 0)),
            _keys_between(part, rows.start, rows.stop or 0),
            part.credentialed,
        )
        for rows in split_rows(part.seen_rows, ROWS_TOGETHER)
    ]


def _keys_between(part: ShardSurvey, start: int, stop: int) -> bytes:
    """The digests of the records of a range of rows."""
    firsts = [*part.firsts, part.records]
    first, last = (firsts[bisect_left(part.numbers, number)] for number in (start, stop))
    return bytes(part.keys[DIGEST * first : DIGEST * last])


def _result_of(shard: Shard, result: T | LostTask) -> T:
    """A result; raises BadInput where it was lost."""
    if isinstance(result, LostTask):
        raise BadInput(
            f"{shard}: three processes ended while they read it (the last one was {result.why}); nothing was scored; "
            "look for a huge record there, or give the processes more memory"
        )
    return result
