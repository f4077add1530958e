"""Calibrations: how far a metric agrees with people, and its value after correction by their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from adjudge.aggregate import Row, table
from adjudge.calibrate.corrected import CorrectedEstimate, correct_value, judged_of
from adjudge.calibrate.items import Item, JoinedLabels, LabelledMetric, Level, Unmatched
from adjudge.calibrate.measures import Coefficient, of_labels, of_numbers
from adjudge.calibrate.people import Footing, footings, majority
from adjudge.calibrate.scale import steps
from adjudge.core.card import Better, Card
from adjudge.read.labels import Labels
from adjudge.run import Run
from adjudge.stats.bias import Trend, error_trend
from adjudge.stats.confusion import Confusion
from adjudge.stats.correlation import bias
from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.ratings import Label, Ratings

# With more different values than this, labels are treated as numbers: there is no confusion table and no kappa.
MOST_LABELS = 10

NO_MEAN = "labels are words, which have no mean"

By = Literal["length", "turn"]


class Leaning(Struct, frozen=True):
    """Whether the metric's error depends on the length, or on the turn, of the judged item.

    `n` counts the labelled items whose length or turn is known; `median` is taken over these, and None if there are
    none. `low` is the bias of the items up to the median, `high` the bias of those above it.
    """

    by: By
    n: int
    trend: Trend
    median: float | None
    low: Estimate
    high: Estimate


class Calibration(Struct, frozen=True, kw_only=True):
    """One metric against people, by mark or by conversation.

    `judge` says whether the metric asks a judge. `labelled` of `items` have a label, and `raters` counts the people who
    labelled. `tied` counts items without a most frequent label: they count in `numbers` but not in `agreement`.
    `agreement` and `confusion` (rows: people) treat labels as categories, `numbers` as distances; if there are none,
    `no_agreement` or `no_numbers` says why. `footings` compare the metric with single people. `corrected` has an entry
    for each arm with labels; an entry without a corrected value says why; `no_corrected` says why there is no entry.
    """

    metric: str
    version: int
    level: Level
    unit: str
    better: Better
    judge: bool
    items: int
    labelled: int
    labels: int
    raters: int
    tied: int
    agreement: list[Coefficient]
    no_agreement: str
    confusion: Confusion | None
    numbers: list[Coefficient]
    no_numbers: str
    footings: list[Footing]
    leanings: list[Leaning]
    corrected: list[CorrectedEstimate]
    no_corrected: str


class CalibrationResult(Struct, frozen=True, kw_only=True):
    """The calibrations of a run, and the parts of the labels file that were not used and why.

    `status` is the status of the run, which may be unfinished. `blank`, `others`, `unused` and `remarks` come from
    `Labels`.
    """

    run: str
    suite: str
    status: str
    tools: dict[str, str]
    labels: str
    calibrations: list[Calibration]
    unmatched: list[Unmatched]
    blank: int
    others: dict[str, int]
    unused: tuple[str, ...]
    remarks: tuple[str, ...]


def calibrate_run(run: Run, file: str, labels: Labels, joined: JoinedLabels) -> CalibrationResult:
    """The calibrations of all metrics that have labels."""
    rows = table(run)
    return CalibrationResult(
        run=str(run.folder),
        suite=run.manifest.suite,
        status=run.manifest.status,
        tools=run.manifest.tools,
        labels=file,
        calibrations=[calibration(labelled, rows) for labelled in joined.labelled],
        unmatched=joined.unmatched,
        blank=labels.blank,
        others=labels.others,
        unused=labels.unused,
        remarks=labels.remarks,
    )


def calibration(data: LabelledMetric, rows: Sequence[Row]) -> Calibration:
    """One metric against people; `rows` are the rows of the run's report."""
    card, labelled = data.card, [item for item in data.items if item.labels]
    words = any(isinstance(label, str) for item in labelled for label in item.labels.values())
    scale = _scale(card, labelled, words)
    pair = None if scale is None else _pair(labelled, scale)
    no_corrected = NO_MEAN if words else "the metric is not a mean over items" if card.pool == "groups" else ""
    return Calibration(
        metric=card.name,
        version=card.version,
        level=data.level,
        unit=card.unit if data.level == "mark" else "conversation",
        better=card.better,
        judge="judge" in card.needs,
        items=len(data.items),
        labelled=len(labelled),
        labels=sum(len(item.labels) for item in labelled),
        raters=len({rater for item in labelled for rater in item.labels}),
        tied=0 if pair is None else sum(majority(item) is None for item in labelled),
        agreement=[] if pair is None else of_labels(pair),
        no_agreement="" if pair else f"more than {MOST_LABELS} different values, which are numbers and no labels",
        confusion=None if pair is None else Confusion.of(pair),
        numbers=[] if words else of_numbers(judged_of(labelled), scale is None or len(scale) > 2),
        no_numbers=NO_MEAN if words else "",
        footings=footings(labelled, scale),
        leanings=[] if words else [_leaning(labelled, "length"), _leaning(labelled, "turn")],
        corrected=[] if no_corrected else _by_arm(data, rows),
        no_corrected=no_corrected,
    )


def _scale(card: Card, labelled: Sequence[Item], words: bool) -> tuple[Label, ...] | None:
    """All possible labels in order; None if there are too many different values to treat them as labels."""
    if words:
        return tuple(dict.fromkeys(band.word for band in card.bands))
    numbers = [label for item in labelled for label in item.labels.values() if not isinstance(label, str)]
    return steps(card, [*numbers, *(item.value for item in labelled)], MOST_LABELS)


def _pair(labelled: Sequence[Item], scale: Sequence[Label]) -> Ratings:
    """Two raters of each item: the majority of the people, and the metric."""
    rows = [[majority(item) for item in labelled], [item.given for item in labelled]]
    return Ratings.of(rows, scale, [item.case for item in labelled])


def _leaning(labelled: Sequence[Item], by: By) -> Leaning:
    seen = [(item, float(amount)) for item in labelled if (amount := getattr(item, by)) is not None]
    if not seen:
        unseen = no_estimate(f"no record shows the {by} of what was judged")
        return Leaning(by, 0, Trend(unseen), None, unseen, unseen)
    median = float(np.median([amount for _, amount in seen]))
    return Leaning(
        by,
        len(seen),
        error_trend(judged_of([item for item, _ in seen]), [amount for _, amount in seen]),
        median,
        bias(judged_of([item for item, amount in seen if amount <= median])),
        bias(judged_of([item for item, amount in seen if amount > median])),
    )


def _by_arm(data: LabelledMetric, rows: Sequence[Row]) -> list[CorrectedEstimate]:
    arms: dict[str, list[Item]] = {}
    for item in data.items:
        arms.setdefault(item.arm, []).append(item)
    own = (row for row in rows if row.metric == data.card.name and row.arm in arms)
    return [correct_value(row, arms[row.arm], data.card.scale) for row in own]
