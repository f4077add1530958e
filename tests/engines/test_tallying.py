"""Tallies that are made while records are scored give the table that is read from the run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from adjudge.aggregate import table, table_rows
from adjudge.core.ask import Reply
from adjudge.core.equipment import NoEquipment
from adjudge.core.mark import Mark, Score
from adjudge.core.record import Record
from adjudge.core.tally import BLOCK
from adjudge.engines.local import Job, score_job
from adjudge.engines.processes import Processes
from adjudge.engines.tallying import ShardTallies
from adjudge.report.run.summary import RunSummary
from adjudge.run import Run
from adjudge.run.batch import Scored
from adjudge.score import Plan, find_suite


class Lengths:
    """An embedder whose vectors are the lengths of texts."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def ask(self, requests: Iterable[str], asker: str = "") -> None:
        self.asked += requests

    def wait(self) -> list[tuple[str, Reply]]:
        ready, self.asked = self.asked, []
        return [(text, Reply([float(len(text)), 1.0])) for text in ready]


class WithEmbedder(NoEquipment):
    """No tools but an embedder."""

    def open(self, folder: Path, needed: Collection[str]) -> AbstractContextManager[Mapping[str, object]]:
        return nullcontext({"embed": Lengths()})


@pytest.fixture(scope="module")
def job() -> Job:
    return Job.open(Plan(suite="service", files=(str(find_suite("service").sample),)))


def test_the_table_of_a_fresh_run_needs_no_reading(job: Job, tmp_path: Path) -> None:
    tallies = score_job(job, tmp_path / "run")
    run = Run(tmp_path / "run")
    assert tallies is not None
    assert table_rows(tallies, run) == table(run)


def test_workers_tally_their_shards(job: Job, tmp_path: Path) -> None:
    workers = Processes(2)
    try:
        tallies = score_job(job, tmp_path / "run", workers=workers)
    finally:
        workers.close()
    run = Run(tmp_path / "run")
    assert tallies is not None
    assert table_rows(tallies, run) == table(run)


def test_the_table_of_workers_has_the_metrics_that_ask(tmp_path: Path) -> None:
    sample, metrics = str(find_suite("team").sample), ("repetition_by_meaning", "step_count")
    plan = Plan(suite="team", files=(sample,), metrics=metrics)
    workers = Processes(1)
    try:
        tallies = score_job(Job.open(plan, WithEmbedder()), tmp_path / "run", workers=workers)
    finally:
        workers.close()
    rows = RunSummary.brief(Run(tmp_path / "run"), tallies).rows
    assert {row.metric for row in rows} == {"repetition_by_meaning", "step_count"}
    assert rows == table(Run(tmp_path / "run"))


def test_a_resumed_run_is_read(job: Job, tmp_path: Path) -> None:
    score_job(job, tmp_path / "run")
    assert score_job(job, tmp_path / "run") is None


@pytest.mark.parametrize("split", [0, 1, BLOCK, BLOCK + 7])
def test_shards_merge_into_what_one_pass_gives(split: int) -> None:
    # Every case has two arms, so that shards share cases, and one record in ten is undefined.
    scored = [scored_record(f"case {number // 2}", "ab"[number % 2], number) for number in range(2 * BLOCK)]
    whole, first, second = ShardTallies(), ShardTallies(), ShardTallies()
    for tallies, records in ((whole, scored), (first, scored[:split]), (second, scored[split:])):
        assert list(tallies.watch(records)) == records
    first.merge(second)
    assert first.cases == whole.cases
    for key, tally in whole.by_metric().items():
        merged = first.by_metric()[key]
        assert merged.columns() == tally.columns()
        assert (merged.marks, merged.undefined) == (tally.marks, tally.undefined)


def scored_record(case: str, arm: str, number: int) -> Scored:
    marks = [Mark(number % 3 / 2)] if number % 10 else []
    return Record(id=f"{case} {arm}", case=case, arm=arm), {"share": Score.of(marks)}
