"""Changes from one arm to the other: the cases that are higher or lower, and the marks behind them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from msgspec import Struct

from adjudge.compare.column import shared_sums
from adjudge.compare.sheet import Place, Sheet
from adjudge.core.mark import Score, marks_by_place
from adjudge.core.record import Key
from adjudge.stats.variance import ROUNDING

# For each metric, at most this many gained and this many lost cases are shown.
SHOWN = 10


class MarkFlip(Struct, frozen=True):
    """One mark on which the arms differ; the value of an arm is None if it has no such mark.

    `why` is the reason that one of the arms' marks gives, and `arm` is that arm.
    """

    turn: str
    at: str
    a: float | None
    b: float | None
    why: str = ""
    arm: str = ""


class Flip(Struct, frozen=True):
    """A case in which two arms differ by one metric, with the marks that differ; none where an arm's are not kept."""

    metric: str
    a: str
    b: str
    case: str
    trial: int
    value_a: float
    value_b: float
    marks: tuple[MarkFlip, ...] = ()

    @property
    def difference(self) -> float:
        """The value of a minus the value of b."""
        return self.value_a - self.value_b

    @property
    def name(self) -> str:
        """The case, with the trial if there are several."""
        return f"{self.case} #{self.trial}" if self.trial else self.case


def flips(sheet: Sheet, metrics: Collection[str], pair: tuple[str, str], shown: int = SHOWN) -> list[Flip]:
    """For each metric the cases that differ most between two arms, at most `shown` gained and `shown` lost."""
    chosen = {metric: _most_changed(sheet, metric, pair, shown) for metric in metrics}
    wanted = {(metric, *place) for metric, places in chosen.items() for place in places}
    marks = dict(_marks(sheet, wanted, pair))
    return [_flip(sheet, metric, pair, place, marks) for metric, places in chosen.items() for place in places]


def _most_changed(sheet: Sheet, metric: str, pair: tuple[str, str], shown: int) -> list[Place]:
    ours, theirs = shared_sums(*(sheet.column(metric, arm) for arm in pair))
    apart = ours.totals / ours.weights - theirs.totals / theirs.weights
    names = sheet.places.names

    def furthest(sign: int) -> list[Place]:
        # The tolerance ignores differences that come from rounding.
        numbers = np.flatnonzero(sign * apart > ROUNDING)
        if len(numbers) > shown > 0:  # Of those that are equal, names decide.
            least = np.partition(sign * apart[numbers], -shown)[-shown]
            numbers = numbers[sign * apart[numbers] >= least]
        order = sorted(((float(apart[number]), names[ours.places[number]]) for number in numbers), reverse=sign > 0)
        return [place for _, place in order[:shown]]

    return [*furthest(1), *furthest(-1)]


def _marks(
    sheet: Sheet, wanted: Collection[tuple[str, str, int]], pair: tuple[str, str]
) -> Iterator[tuple[tuple[str, str, str, int], Score]]:
    """The scores, with their marks, of the requested metrics, arms and cases."""
    for run in sheet.runs:
        names = {arm: name for arm, name in sheet.names(run).items() if name in pair}
        keys = {Key(case, arm, trial) for _, case, trial in wanted for arm in names}
        for _, row in run.rows_of(keys):
            for metric, score in row.scores.items():
                if (metric, row.case, row.trial) in wanted:
                    yield (metric, names[row.arm], row.case, row.trial), score


def _flip(
    sheet: Sheet,
    metric: str,
    pair: tuple[str, str],
    place: Place,
    marks: dict[tuple[str, str, str, int], Score],
) -> Flip:
    # Marks of one arm alone would seem to be those that the other one lacks.
    kept = [score for arm in pair if (score := marks.get((metric, arm, *place)))]
    ours, theirs = (sheet.column(metric, arm).value(place) for arm in pair)
    return Flip(metric, *pair, *place, ours, theirs, tuple(_mark_flips(pair, *kept)) if len(kept) == 2 else ())


def _mark_flips(pair: tuple[str, str], first: Score, second: Score) -> Iterator[MarkFlip]:
    ours, theirs = marks_by_place(first.marks), marks_by_place(second.marks)
    for key in dict.fromkeys([*ours, *theirs]):
        mark, other = ours.get(key), theirs.get(key)
        if mark is None or other is None or abs(mark.value - other.value) > ROUNDING:
            sides = zip((mark, other), pair, strict=True)
            reasons = [(side.why, arm) for side, arm in sides if side is not None and side.why]
            yield MarkFlip(
                key[0],
                key[1],
                None if mark is None else mark.value,
                None if other is None else other.value,
                *(reasons[0] if reasons else ("", "")),
            )
