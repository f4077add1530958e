"""The first pass over all records, before anything is scored: bad records, duplicates, coverage."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from adjudge.core.coverage import Coverage
from adjudge.core.equipment import Contents
from adjudge.core.errors import SHOWN, BadInput, BadRecord, Complaint, Warnings, listing
from adjudge.core.record import Record
from adjudge.engines.duplicates import DuplicateRows
from adjudge.engines.job import Job
from adjudge.read.decode import refuse_duplicate_keys
from adjudge.score import Plan

# The records of up to this many rows and bytes stay in memory between the two passes. Larger files are read twice.
KEPT_ROWS = 16_384
KEPT_BYTES = 48 << 20
# The search for repeated keys decodes each row a second time, so it stops after the first 32 MiB.
KEYS_CHECKED = 32 << 20

Progress = Callable[[str, int, int], None]
Placed = tuple[str, bytes]


def quiet(stage: str, done: int, total: int) -> None:
    """Progress that nobody sees."""


@dataclass
class Inventory:
    """The result of the first pass over all records.

    `excluded_rows` are the numbers of rows that are not scored; `kept` the records by row, or None where there are
    too many to keep.
    """

    coverage: Coverage
    rows: int = 0
    records: int = 0
    credentialed: int = 0
    cases: set[str] = field(default_factory=set)
    excluded_rows: set[int] = field(default_factory=set)
    kept: list[Sequence[Record]] | None = None


def survey(job: Job, progress: Progress = quiet) -> Inventory:
    """Read everything once: refuse what is bad, settle duplicates, and measure coverage.

    Raises BadInput with all complaints, unless the plan skips bad records.
    """
    first_pass = _FirstPass(job)
    with no_garbage_collection():
        first_pass.read_rows(progress)
    return first_pass.inventory()


def records_of(job: Job, inventory: Inventory) -> Iterator[Record]:
    """All records that are to be scored, in order."""
    if inventory.kept is not None:
        for records in inventory.kept:
            yield from records
        return
    for where, row in rows_of(job, inventory):
        yield from job.source.records(where, row, Warnings())


def rows_of(job: Job, inventory: Inventory) -> Iterator[Placed]:
    """All rows that are to be scored, in order."""
    for number, placed in enumerate(job.source.rows(Warnings(), lambda complaint: None)):
        if number not in inventory.excluded_rows:
            yield placed


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Switch garbage collection off: records hold no cycles, and searching for cycles takes a tenth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _FirstPass:
    """Reads every row once, and collects complaints, warnings and what the suite's survey counts."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.source = job.source
        self.suite_survey = job.source.survey()
        self.warnings = Warnings()
        self.complaints: list[Complaint] = []
        self.duplicates = DuplicateRows(job.plan.on_duplicate, self.warnings)
        self.result = Inventory(Coverage(), kept=[])
        self.bytes_read = 0

    def read_rows(self, progress: Progress) -> None:
        """Read all rows but those that a later one replaces."""
        if self.job.plan.on_duplicate == "last":
            self.duplicates.exclude_all_but_last(self.source)
        for number, (where, row) in enumerate(self.source.rows(self.warnings, self.complaints.append)):
            if number in self.duplicates.excluded:
                continue
            try:
                records = self.read_row(where, row)
            except BadRecord as error:
                self.complaints.append(error.complaint)
                self.result.excluded_rows.add(number)
                continue
            if records and self.duplicates.excludes(records[0].key, number, where, row):
                continue
            self.add(records)
            if not records:
                self.suite_survey.add_unscored(where, row)
            progress("reading", self.result.rows, 0)

    def read_row(self, where: str, row: bytes) -> Sequence[Record]:
        """The records of one row; raises BadRecord."""
        self.bytes_read += len(row)
        if self.bytes_read <= KEYS_CHECKED:
            refuse_duplicate_keys(where, row)
        return list(self.source.records(where, row, self.warnings))

    def add(self, records: Sequence[Record]) -> None:
        """Count the records of a row, and keep them as long as they are few."""
        for record in records:
            self.suite_survey.add(record)
            self.result.cases.add(record.case)
        self.result.rows += 1
        self.result.records += len(records)
        self.result.credentialed += sum(record.credentialed for record in records)
        if self.result.kept is not None:
            self.result.kept.append(records)
            if len(self.result.kept) > KEPT_ROWS or self.bytes_read > KEPT_BYTES:
                self.result.kept = None

    def inventory(self) -> Inventory:
        """The result with its coverage; raises BadInput where nothing can be scored."""
        result, skip_bad = self.result, self.job.plan.skip_bad
        result.excluded_rows |= self.duplicates.excluded
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
            *self.source.warnings.lines(),
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
    what = "dialogues that the prediction files know (compare the ids in both)"
    return f"{', '.join(plan.files)}: no record to score; expected {what if plan.options.get('predictions') else 'one'}"
