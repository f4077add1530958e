"""The first pass over all records, before anything is scored: bad records, duplicates, coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adjudge.core.coverage import Coverage
from adjudge.core.equipment import Contents
from adjudge.core.errors import SHOWN, BadInput, Complaint, Warnings, listing
from adjudge.core.garbage import no_garbage_collection
from adjudge.core.record import Record
from adjudge.core.suite import MergeableSurvey
from adjudge.engines.job import Job
from adjudge.engines.rows import SurveyedShard, records_in
from adjudge.engines.shard_survey import KEPT_BYTES, KEPT_ROWS, ShardSurvey
from adjudge.engines.shard_surveys import Excluded, Progress, ShardRows, ShardSurveys, quiet, surveyed_shards
from adjudge.engines.shards import PlannedShard, shard_size
from adjudge.engines.workers import Workers
from adjudge.score import Plan

__all__ = ["Inventory", "Progress", "quiet", "records_of", "survey"]


@dataclass
class Inventory:
    """The result of the first pass over all records; `kept` is None where there are too many records to keep."""

    coverage: Coverage
    rows: int = 0
    records: int = 0
    credentialed: int = 0
    cases: set[str] = field(default_factory=set)
    shards: list[SurveyedShard] = field(default_factory=list)
    kept: list[Sequence[Record]] | None = None


def survey(
    job: Job, progress: Progress = quiet, workers: Workers | None = None, shard_bytes: int | None = None
) -> Inventory:
    """Read everything once: refuse what is bad, settle duplicates, and measure coverage.

    `workers` read the shards of an input that can be shared. Raises BadInput with all complaints, unless the plan skips
    bad records.
    """
    size = shard_bytes or shard_size(job.source, workers.count if workers else 1)
    shards = ShardSurveys(job, workers if job.source.shardable_files() else None, size, progress)
    warnings = Warnings()
    with no_garbage_collection():
        whole = _WholeSurvey(job, shards, {})
        if excluded := shards.repeated_rows(whole.parts, warnings, job.plan.on_duplicate):
            # What was counted in these rows cannot be taken back, so everything is read again without them.
            whole = _WholeSurvey(job, shards, excluded)
    whole.warnings.merge(warnings)
    return whole.inventory()


def records_of(job: Job, inventory: Inventory) -> Iterator[Record]:
    """All records that are to be scored, in order.

    Those that were kept are handed out once, so that each can go when it is scored; after that they are read again.
    """
    if inventory.kept is not None:
        kept, inventory.kept = inventory.kept[::-1], None
        while kept:
            yield from kept.pop()
        return
    for surveyed in inventory.shards:
        yield from records_in(job, surveyed)


class _WholeSurvey:
    """What was counted in all shards, merged in their order."""

    def __init__(self, job: Job, shards: ShardSurveys, excluded: Excluded) -> None:
        self.job = job
        self.suite_survey = job.source.survey()
        self.warnings = Warnings()
        self.complaints: list[Complaint] = []
        self.parts: list[ShardRows] = []
        self.bytes_read = 0
        self.result = Inventory(Coverage(), kept=[])
        for number, (planned, part) in enumerate(shards.surveys(excluded)):
            self.add(planned, part, excluded.get(number, set()))
            shards.progress("reading", self.result.rows, 0)

    def add(self, planned: PlannedShard, part: ShardSurvey, excluded: set[int]) -> None:
        """Take in a shard that comes after all others so far."""
        result = self.result
        result.rows += part.rows
        result.records += part.records
        result.credentialed += part.credentialed
        result.cases |= part.cases
        result.shards += surveyed_shards(planned.shard, part, excluded)
        self.parts.append(ShardRows(planned, part.numbers, part.row_keys()))
        self.warnings.merge(part.warnings)
        self.complaints += part.complaints
        if part.survey is not None:
            self.suite_survey = part.survey
        elif isinstance(self.suite_survey, MergeableSurvey):
            self.suite_survey.merge(part.counts)
        self.keep(part)

    def keep(self, part: ShardSurvey) -> None:
        """Keep the records of a shard as long as all of them are few."""
        self.bytes_read += part.bytes_read
        result = self.result
        if result.kept is None or part.kept is None or self.bytes_read > KEPT_BYTES or result.rows > KEPT_ROWS:
            result.kept = None
        else:
            result.kept += part.kept

    def inventory(self) -> Inventory:
        """The result with its coverage; raises BadInput where nothing can be scored."""
        result, skip_bad = self.result, self.job.plan.skip_bad
        # If bad records stop the run, the survey's complaints would only be consequences of the missing records.
        if skip_bad or not self.complaints:
            self.complaints += self.suite_survey.complaints()
        if self.complaints and not skip_bad:
            raise BadInput(
                listing(self.complaints) + "\nnothing was scored; fix these, or leave them out with --skip-bad"
            )
        if not result.records:
            raise BadInput(_nothing_to_score(self.job.plan))
        result.coverage = self.suite_survey.coverage()
        result.coverage.refused = len(self.complaints)
        result.coverage.warnings = self.all_warnings(list(result.coverage.arms))
        return result

    def all_warnings(self, arms: Sequence[str]) -> list[str]:
        """A sentence for each kind of warning of the reader, the first complaints, and those of the equipment."""
        return [
            *self.job.source.warnings.lines(),
            *self.warnings.lines(),
            *map(str, self.complaints[:SHOWN]),
            *self.job.equipment.warnings(self.contents(arms)),
        ]

    def contents(self, arms: Sequence[str]) -> Contents:
        """What the equipment is told about the run."""
        job, result = self.job, self.result
        metrics = {metric.card.name for metric in (*job.suite.metrics(), *job.metrics)}
        return Contents(arms, result.cases, metrics, job.tool_names(), result.records, result.credentialed)


def _nothing_to_score(plan: Plan) -> str:
    what = "dialogues whose ids are in the prediction files (compare the ids in both)"
    return f"{', '.join(plan.files)}: no record to score; expected {what if plan.options.get('predictions') else 'one'}"
