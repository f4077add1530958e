"""Several answers to one question: the scores of several judges or samples combined into one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

from msgspec import structs

from adjudge.core.mark import UNDEFINED, Mark, Scale, Score, marks_by_place
from adjudge.core.panel import Combine


def combine_draws(draws: Mapping[str, Score], how: Combine, scale: Scale) -> Score:
    """Combine several draws into one score; `missing` names the failed draws with their reasons.

    If the budget ran out before all draws were asked, the score is skipped as over budget. Marks of the same turn about
    the same thing become one mark: its value is the mean or the majority, its spread the distance between the lowest
    and the highest, and its reason that of the draw closest to the value.
    """
    given = [score for score in draws.values() if score.skipped is None]
    unpaid = [score for score in draws.values() if score.skipped and score.skipped.status == "over_budget"]
    if unpaid or not given:
        return (unpaid or list(draws.values()))[0]
    missing = {label: score.skipped for label, score in draws.items() if score.skipped is not None}
    placed = {label: marks_by_place(score.marks) for label, score in draws.items()}
    places = dict.fromkeys(place for marks in placed.values() for place in marks)
    if not places:
        return structs.replace(UNDEFINED, missing=missing) if missing else UNDEFINED
    marks = [_combine_marks([marks[place] for marks in placed.values() if place in marks], how) for place in places]
    values = {
        label: tuple(marks[place].value if place in marks else None for place in places)
        for label, marks in placed.items()
    }
    unlabelled = _unlabelled_by_all(draws, len(marks))
    return structs.replace(Score.of(marks, scale), draws=values, missing=missing, unlabelled=unlabelled)


def _unlabelled_by_all(draws: Mapping[str, Score], marks: int) -> int:
    """The number of items that no member labelled: the most items that one member saw, minus those with a mark."""
    return max(0, max(score.n + score.unlabelled for score in draws.values()) - marks)


def _combine_marks(marks: Sequence[Mark], how: Combine) -> Mark:
    values = [float(mark.value) for mark in marks]
    value = _majority(values) if how == "majority" else fmean(values)
    nearest = min(marks, key=lambda mark: abs(mark.value - value))
    return structs.replace(nearest, value=value, spread=max(values) - min(values))


def _majority(values: Sequence[float]) -> float:
    """The most frequent value; where several are equally frequent, their mean."""
    counts = Counter(values)
    most = max(counts.values())
    return fmean(value for value, count in counts.items() if count == most)
