"""Scoring on this machine: survey everything, then score record by record or in several processes."""

from __future__ import annotations

import gc
import hashlib
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

import adjudge
from adjudge.core.complaint import SHOWN, BadInput, BadRecord, Complaint, Warnings, bad_record, listing
from adjudge.core.coverage import Coverage
from adjudge.core.equipment import Equipment, NoEquipment
from adjudge.core.mark import Score, ScoreRow
from adjudge.core.record import Key, Record
from adjudge.core.suite import Source, Suite
from adjudge.read.decode import duplicate_keys
from adjudge.run import InputFile, Manifest, Run, RunWriter
from adjudge.score import Plan, Scorer, choose_metrics, find_suite, sing

KEPT_ROWS = 4096
KEYS_CHECKED = 32 << 20
BATCH = 128

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
    turns: int = 0
    passed_over: set[int] = field(default_factory=set)
    kept: list[list[Record]] | None = None


@dataclass(frozen=True)
class Job:
    """A plan with everything it names opened."""

    plan: Plan
    suite: Suite
    source: Source
    tools: Mapping[str, object]
    equipment: Equipment

    @classmethod
    def open(cls, plan: Plan, equipment: Equipment | None = None) -> Job:
        """Open the suite, its files and its own tools; `equipment` is opened when the run begins."""
        suite = find_suite(plan.suite)
        choose_metrics(suite, plan)  # A name that is wrong is said before anything is read.
        source = suite.open([Path(file) for file in plan.files], plan.options)
        return cls(plan, suite, source, suite.tools(plan.options), equipment or NoEquipment())

    def scorer(self, coverage: Coverage, equipment: Mapping[str, object] | None = None) -> Scorer:
        """The scorer for arms that predict what the coverage says."""
        fields = {arm: seen.fields for arm, seen in coverage.arms.items()}
        return Scorer(choose_metrics(self.suite, self.plan), {**self.tools, **(equipment or {})}, fields)

    def needed(self) -> set[str]:
        """The tools that the metrics of the plan take."""
        cards = [metric.card for metric in choose_metrics(self.suite, self.plan)]
        return {tool for card in cards for tool in (*card.needs, *card.optional)}

    def identity(self) -> dict[str, str]:
        """The tools that change scores, by name; rubrics and the like only where somebody is asked."""
        if not self.equipment.identity:
            return {}
        named = {name: tool.identity for name, tool in self.tools.items() if hasattr(tool, "identity")}
        return {**named, **self.equipment.identity}


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Records hold no cycles, and there are many: looking for some takes a tenth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_no_collecting()
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
        found.rows += 1
        found.records += len(records)
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
            f"{where}: the same dialogue stands at {first[1]} with other content; expected one of each; "
            "take one out, or choose with --on-duplicate first|last"
        )


def _nothing(plan: Plan) -> str:
    what = "dialogues that the prediction files know (compare the ids in both)"
    return f"{', '.join(plan.files)}: no record to score; expected {what if plan.options.get('predictions') else 'one'}"


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
                    usage=job.equipment.usage(),
                    canaries=canaries,
                    finished=_now(),
                    seconds=round(time.perf_counter() - started, 3),
                )
            )
    return Run(folder)


def _canaries(job: Job, tools: Mapping[str, object]) -> dict[str, str]:
    """How the judge met the suite's canaries, if they are to ride along."""
    judge = tools.get("judge")
    if not job.plan.options.get("canaries") or job.suite.canaries is None or judge is None:
        return {}
    return sing(job.suite.canaries(job.tools), judge)


Lines = tuple[list[Key], bytes, bytes]


def _scored(job: Job, seen: Surveyed, done: set[Key], tools: Mapping[str, object], jobs: int) -> Iterator[Lines]:
    """Score in this process, or in several where all can be computed without asking anybody."""
    if jobs > 1 and not tools:
        return _scored_together(job, seen, done, jobs)
    return _scored_alone(job, seen, done, tools)


def _scored_alone(job: Job, seen: Surveyed, done: set[Key], tools: Mapping[str, object]) -> Iterator[Lines]:
    """Score in this process, a record at a time; stops at the first record that the budget does not cover."""
    scorer = job.scorer(seen.coverage, tools)
    encoder = msgspec.json.Encoder()
    records = (record for record in records_of(job, seen) if record.key not in done)
    with _no_collecting():
        for record, scores in scorer.score(records):
            if any(score.skipped and score.skipped.status == "over_budget" for score in scores.values()):
                return
            yield [record.key], encoder.encode(record) + b"\n", encoder.encode(_line(record, scores)) + b"\n"


def records_of(job: Job, seen: Surveyed) -> Iterator[Record]:
    """All records that are to be scored, in order."""
    if seen.kept is not None:
        for records in seen.kept:
            yield from records
        return
    for where, row in _rows(job, seen):
        yield from job.source.records(where, row, Warnings())


def _rows(job: Job, seen: Surveyed) -> Iterator[Placed]:
    for number, placed in enumerate(job.source.rows(Warnings(), lambda complaint: None)):
        if number not in seen.passed_over:
            yield placed


def _line(record: Record, scores: dict[str, Score]) -> ScoreRow:
    key = record.key
    return ScoreRow(key.case, key.arm, scores, key.trial, record.facets)


_worker: tuple[Job, Scorer] | None = None


def _start_worker(plan: bytes, coverage: bytes) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its workers.
    threading.Thread(target=_end_with_parent, daemon=True).start()
    job = Job.open(msgspec.json.decode(plan, type=Plan))
    _worker = job, job.scorer(msgspec.json.decode(coverage, type=Coverage))
    gc.disable()


def _end_with_parent() -> None:
    """End this process when its parent is gone, however that ended."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _work(rows: list[Placed], done: set[Key]) -> Lines:
    assert _worker is not None
    job, scorer = _worker
    records = [record for where, row in rows for record in job.source.records(where, row, Warnings())]
    scored = list(scorer.score(record for record in records if record.key not in done))
    encode = msgspec.json.Encoder().encode
    return (
        [record.key for record, _ in scored],
        b"".join([encode(record) + b"\n" for record, _ in scored]),
        b"".join([encode(_line(record, scores)) + b"\n" for record, scores in scored]),
    )


def _scored_together(job: Job, seen: Surveyed, done: set[Key], jobs: int) -> Iterator[Lines]:
    """Score in several processes; batches come back in order, a few at a time are under way."""
    start = msgspec.json.encode(job.plan), msgspec.json.encode(seen.coverage)
    before = set(done)
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker, start)
    under_way: deque[Future[Lines]] = deque()
    try:
        for batch in _batches(_rows(job, seen)):
            under_way.append(pool.submit(_work, batch, before))
            if len(under_way) > 3 * jobs:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool as error:
        raise BadInput(
            "a scoring process was ended from outside (out of memory?); run the same command again, "
            "it goes on from there, with fewer --jobs if need be"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _batches(rows: Iterable[Placed]) -> Iterator[list[Placed]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch


def _manifest(job: Job, seen: Surveyed) -> Manifest:
    plan: dict[str, Any] = {name: value for name, value in job.plan.options.items() if value not in (None, [], ())}
    paths = {"rubrics", *(option.name for option in job.suite.options if option.is_path)}
    places = {"files": list(job.plan.files), **{name: plan.pop(name) for name in paths if name in plan}}
    for name in ("metrics", "metric_files"):
        if chosen := getattr(job.plan, name):
            plan[name] = list(chosen)
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
