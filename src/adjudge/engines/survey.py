"""The first look at all records, before anything is scored: what is bad, what stands twice, what is missing."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from adjudge.core.coverage import Coverage
from adjudge.core.errors import SHOWN, BadInput, BadRecord, Complaint, Warnings, bad_record, listing
from adjudge.core.record import Key, Record
from adjudge.core.suite import Source
from adjudge.engines.job import Job
from adjudge.read.decode import duplicate_keys
from adjudge.score import Plan

KEPT_ROWS = 4096
KEYS_CHECKED = 32 << 20

Progress = Callable[[str, int, int], None]
Placed = tuple[str, bytes]


def quiet(stage: str, done: int, total: int) -> None:
    """Progress that nobody sees."""


@dataclass
class Surveyed:
    """What a first look at all records found.

    `passed_over` are the numbers of rows that are not to be scored; `kept` the records, if there are few.
    """

    coverage: Coverage
    rows: int = 0
    records: int = 0
    credentialed: int = 0
    passed_over: set[int] = field(default_factory=set)
    kept: list[list[Record]] | None = None


@contextmanager
def no_collecting() -> Iterator[None]:
    """Records hold no cycles, and there are many: looking for some takes a tenth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@no_collecting()
def survey(job: Job, progress: Progress = quiet) -> Surveyed:
    """Read everything once: refuse what is bad, settle duplicates, and measure coverage.

    Raises BadInput with all complaints, unless the plan skips bad records.
    """
    source, looked, warnings = job.source, job.source.survey(), Warnings()
    complaints: list[Complaint] = []
    found = Surveyed(Coverage())
    duplicates = _Duplicates(job.plan.on_duplicate, warnings)
    if job.plan.on_duplicate == "last":
        duplicates.foresee(source)
    kept: list[list[Record]] | None = []
    read = 0
    for number, (where, row) in enumerate(source.rows(warnings, complaints.append)):
        if number in duplicates.passed_over:
            continue
        read += len(row)
        try:
            if read <= KEYS_CHECKED:
                _refuse_repeated_keys(where, row)
            records = list(source.records(where, row, warnings))
        except BadRecord as error:
            complaints.append(error.complaint)
            found.passed_over.add(number)
            continue
        if records and duplicates.passes_over(records[0].key, number, where, row):
            continue
        for record in records:
            looked.add(record)
        if not records:
            looked.add_unscored(where, row)
        found.rows += 1
        found.records += len(records)
        found.credentialed += sum(record.credentialed for record in records)
        if kept is not None:
            kept.append(records)
            if len(kept) > KEPT_ROWS:
                kept = None
        progress("reading", found.rows, 0)
    found.passed_over |= duplicates.passed_over
    found.kept = kept
    if job.plan.skip_bad or not complaints:
        complaints += looked.complaints()
    if complaints and not job.plan.skip_bad:
        raise BadInput(listing(complaints) + "\nnothing was scored; mend these, or leave them out with --skip-bad")
    found.coverage = looked.coverage()
    found.coverage.refused = len(complaints)
    found.coverage.warnings = [*source.warnings.lines(), *warnings.lines(), *map(str, complaints[:SHOWN])]
    if not found.records:
        raise BadInput(_nothing(job.plan))
    return found


def _refuse_repeated_keys(where: str, row: bytes) -> None:
    """Of a key that stands twice in an object the last would win in silence."""
    if repeated := duplicate_keys(row):
        raise bad_record(where, "this key stands twice in one object; expected it once", repeated[0])


class _Duplicates:
    """Rows of the same case, arm and trial: one of them is scored, never two."""

    def __init__(self, choice: str, warnings: Warnings) -> None:
        self.choice = choice
        self.warnings = warnings
        self.passed_over: set[int] = set()
        self._seen: dict[Key, tuple[int, str, int]] = {}

    def foresee(self, source: Source) -> None:
        """Read everything to know which row of each key is the last one; the others are passed over."""
        last: dict[Key, tuple[int, str]] = {}
        for number, (where, row) in enumerate(source.rows(Warnings(), lambda complaint: None)):
            try:
                records = source.records(where, row, Warnings())
            except BadRecord:
                continue  # Refused with its reason when everything is surveyed.
            if records:
                key = records[0].key
                if key in last:
                    self.warnings.add("duplicate", f"{last[key][1]}: stands again at {where}, the first one left out")
                    self.passed_over.add(last[key][0])
                last[key] = (number, where)

    def passes_over(self, key: Key, number: int, where: str, row: bytes) -> bool:
        """Whether a row is left out because another of its key is used."""
        first = self._seen.get(key)
        content = hash(row)
        if first is None:
            self._seen[key] = (number, where, content)
            return False
        if first[2] == content or self.choice == "first":
            self.warnings.add("duplicate", f"{where}: stands at {first[1]} already, left out")
            self.passed_over.add(number)
            return True
        raise BadInput(
            f"{where}: the same case stands at {first[1]} with other content; expected one of each; "
            "take one out, or choose with --on-duplicate first|last"
        )


def _nothing(plan: Plan) -> str:
    what = "dialogues that the prediction files know (compare the ids in both)"
    return f"{', '.join(plan.files)}: no record to score; expected {what if plan.options.get('predictions') else 'one'}"


def records_of(job: Job, seen: Surveyed) -> Iterator[Record]:
    """All records that are to be scored, in order."""
    if seen.kept is not None:
        for records in seen.kept:
            yield from records
        return
    for where, row in rows_of(job, seen):
        yield from job.source.records(where, row, Warnings())


def rows_of(job: Job, seen: Surveyed) -> Iterator[Placed]:
    """All rows that are to be scored, in order."""
    for number, placed in enumerate(job.source.rows(Warnings(), lambda complaint: None)):
        if number not in seen.passed_over:
            yield placed
