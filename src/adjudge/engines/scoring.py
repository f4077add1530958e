"""The second pass: the records that a run does not have yet are scored, in the order of the input.

Workers score the metrics that ask nobody, a shard at a time, into parts of the run. Metrics that ask a judge or a model
are scored here, through the cache, the budget and the limits of the run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from adjudge.core.card import Metric
from adjudge.core.errors import BadInput
from adjudge.core.garbage import no_garbage_collection
from adjudge.core.mark import Score, ScoreRow
from adjudge.core.record import Key, Record
from adjudge.core.suite import Missing
from adjudge.core.version import __version__
from adjudge.engines.job import Job
from adjudge.engines.parts import ORDER, Order, Part, batches_of, part_name, remove_others, remove_part
from adjudge.engines.rows import SurveyedShard, records_in
from adjudge.engines.shard_survey import DIGEST, digest
from adjudge.engines.survey import Inventory, records_of
from adjudge.engines.tallying import ShardTallies
from adjudge.engines.tasks import ScoredPart, batches, encode_plan, score_task
from adjudge.engines.workers import LostTask, Task, Workers
from adjudge.run.batch import Scored, ScoredBatch
from adjudge.run.manifest import Manifest
from adjudge.run.whole_file import write_whole
from adjudge.score import Scorer

Tools = Mapping[str, object]

# Records that are appended together where none waits for answers: a write for each takes a twentieth of the time.
AT_ONCE = 16


def score_here(
    job: Job, inventory: Inventory, done: set[Key], tools: Tools, tallies: ShardTallies
) -> Iterator[ScoredBatch]:
    """Score in this process; records that the budget does not cover are left for another time."""
    scorer, keeper = job.scorer(inventory.coverage, tools), job.keeper()
    records = records_of(job, inventory)
    if done:
        records = (record for record in records if record.key not in done)
    with no_garbage_collection():
        if scorer.asks():
            yield from batches(keeper, tallies.watch(_affordable(in_order(scorer, records))), least=1)
        else:
            yield from batches(keeper, tallies.watch(scorer.score(records)), least=AT_ONCE)


class PartScoring:
    """Scores by workers; `lost` names the shards that could not be scored, with the reason.

    `tallies` are those of all scores when all batches have been taken; None if some were not made by these workers.
    """

    def __init__(self, job: Job, inventory: Inventory, manifest: Manifest, tools: Tools, folder: Path) -> None:
        self.lost: list[str] = []
        self._job = job
        self._inventory = inventory
        self._tools = tools
        self._folder = folder.absolute()
        asked = {name for name, tool in tools.items() if not isinstance(tool, Missing)}
        self._asking = [metric for metric in job.metrics if asked & {*metric.card.needs, *metric.card.optional}]
        self._alone = [metric for metric in job.metrics if metric not in self._asking]
        self.tallies: ShardTallies | None = None if self._asking else ShardTallies()
        self._order = msgspec.json.encode(
            Order(
                adjudge=__version__,
                plan=encode_plan(job),
                fields={arm: covered.fields for arm, covered in inventory.coverage.arms.items()},
                metrics=tuple(metric.card.name for metric in self._alone),
                missing={name: tool.why for name, tool in tools.items() if isinstance(tool, Missing)},
                inputs=tuple(file.sha256 for file in manifest.inputs),
                is_partial=bool(self._asking),
            )
        )

    def batches(self, workers: Workers, done: set[Key]) -> Iterator[ScoredBatch]:
        """What the run keeps of the records that are not done, in order."""
        self._folder.mkdir(exist_ok=True)
        shards = self._unfinished_shards(done)
        remove_others(self._folder, {part_name(self._order, each) for each in shards})
        write_whole(self._folder / ORDER, self._order)
        outcomes = self._outcomes(workers, shards, done)
        return self._merged_batches(outcomes, done) if self._asking else self._part_batches(outcomes, done)

    def _unfinished_shards(self, done: set[Key]) -> list[SurveyedShard]:
        if not done:
            return self._inventory.shards
        digests = {digest(key) for key in done}
        return [each for each in self._inventory.shards if not digests.issuperset(_digests(each))]

    def _outcomes(
        self, workers: Workers, shards: Sequence[SurveyedShard], done: set[Key]
    ) -> Iterator[tuple[SurveyedShard, Part | None]]:
        """Each shard with its part; None for a shard of which some records are done, so that it is scored here."""
        digests = {digest(key) for key in done}
        whole = [not digests or digests.isdisjoint(_digests(each)) for each in shards]
        results = workers.results(
            Task(score_task, (self._order, str(self._folder), each))
            for each, is_whole in zip(shards, whole, strict=True)
            if is_whole
        )
        for each, is_whole in zip(shards, whole, strict=True):
            result: ScoredPart | LostTask | None = next(results) if is_whole else None
            if isinstance(result, LostTask):
                self.lost.append(_describe_loss(each, result))
                continue
            if result is not None:
                _check_part(each, result.part)
            self._add_tallies(result.tallies if result else None)
            yield each, result.part if result else None

    def _add_tallies(self, tallies: ShardTallies | None) -> None:
        """Take in the tallies of the next shard; None where its scores were made before or will be made here."""
        if tallies is None:
            self.tallies = None
        elif self.tallies is not None:
            self.tallies.merge(tallies)

    def _part_batches(
        self, outcomes: Iterator[tuple[SurveyedShard, Part | None]], done: set[Key]
    ) -> Iterator[ScoredBatch]:
        """The batches of parts as they are; a part is removed when its batches have been taken."""
        for surveyed, part in outcomes:
            if part is None:
                scored = self._scorer(self._alone).score(self._records(surveyed, done))
                yield from batches(self._job.keeper(), scored)
                continue
            yield from batches_of(self._folder, part)
            remove_part(self._folder, part.name)

    def _merged_batches(
        self, outcomes: Iterator[tuple[SurveyedShard, Part | None]], done: set[Key]
    ) -> Iterator[ScoredBatch]:
        """The scores of metrics that ask, each record's merged with those of its part."""
        parts: dict[Key, Mapping[str, Score]] = {}

        def records() -> Iterator[Record]:
            for surveyed, part in outcomes:
                parts.update(self._scores_alone(surveyed, part, done))
                yield from self._records(surveyed, done)

        scored = (self._merge(pair, parts.pop(pair[0].key)) for pair in in_order(self._scorer(self._asking), records()))
        with no_garbage_collection():
            yield from batches(self._job.keeper(), _affordable(scored), least=1)

    def _merge(self, scored: Scored, others: Mapping[str, Score]) -> Scored:
        """A record with all its scores, in the order of the metrics."""
        record, scores = scored
        both = {**others, **scores}
        return record, {metric.card.name: both[metric.card.name] for metric in self._job.metrics}

    def _scores_alone(
        self, surveyed: SurveyedShard, part: Part | None, done: set[Key]
    ) -> Iterator[tuple[Key, Mapping[str, Score]]]:
        """The scores of the metrics that ask nobody, of each record of a shard."""
        if part is None:
            for record, scores in self._scorer(self._alone).score(self._records(surveyed, done)):
                yield record.key, scores
            return
        decoder = msgspec.json.Decoder(ScoreRow)
        for batch in batches_of(self._folder, part):
            for line in batch.scores.splitlines():
                row = decoder.decode(line)
                yield row.key, row.scores

    def _records(self, surveyed: SurveyedShard, done: set[Key]) -> Iterator[Record]:
        records = records_in(self._job, surveyed)
        return (record for record in records if record.key not in done)

    def _scorer(self, metrics: Sequence[Metric]) -> Scorer:
        return self._job.scorer(self._inventory.coverage, self._tools, metrics)


def in_order(scorer: Scorer, records: Iterable[Record]) -> Iterator[Scored]:
    """The scores of records in the order of the records, whichever is complete first."""
    waiting: deque[Key] = deque()
    ready: dict[Key, Scored] = {}

    def note_keys() -> Iterator[Record]:
        for record in records:
            waiting.append(record.key)
            yield record

    for record, scores in scorer.score(note_keys()):
        ready[record.key] = record, scores
        while waiting and waiting[0] in ready:
            yield ready.pop(waiting.popleft())


def _affordable(scored: Iterable[Scored]) -> Iterator[Scored]:
    """The records whose questions were all asked. Others are left to a run with a higher limit."""
    return (pair for pair in scored if not _is_over_budget(pair[1]))


def _is_over_budget(scores: Mapping[str, Score]) -> bool:
    return any(score.skipped and score.skipped.status == "over_budget" for score in scores.values())


def _check_part(surveyed: SurveyedShard, part: Part) -> None:
    """Raise BadInput where a part has other records than the survey found, so that none is lost in silence."""
    scored, expected = sum(len(batch.keys) for batch in part.batches), len(surveyed.keys) // DIGEST
    if scored != expected:
        raise BadInput(
            f"{surveyed.shard}: {scored} records were scored; expected {expected}, as in the first reading; "
            "run the same command again if the input was changed meanwhile"
        )


def _digests(surveyed: SurveyedShard) -> Iterator[bytes]:
    return (surveyed.keys[place : place + DIGEST] for place in range(0, len(surveyed.keys), DIGEST))


def _describe_loss(surveyed: SurveyedShard, lost: LostTask) -> str:
    records = len(surveyed.keys) // DIGEST
    return (
        f"{surveyed.shard}: its {records:,} record{'s'[: records != 1]} could not be scored: the process that scored "
        f"them ended each time it was tried (the last one was {lost.why})"
    )
