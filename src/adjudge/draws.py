"""Several answers to one question: the scores of several judges or samples made one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from msgspec import structs

from adjudge.core.ask import Answerer
from adjudge.core.mark import UNDEFINED, Mark, Scale, Score

Combine = Literal["mean", "majority"]


@dataclass(frozen=True)
class Panel:
    """A tool of several members that are all asked the same; what they say is combined mark by mark."""

    members: Mapping[str, Answerer]
    combine: Combine = "mean"


def combined(draws: Mapping[str, Score], how: Combine, scale: Scale) -> Score:
    """The score that several draws make together; those that failed are left out and kept as having said nothing.

    Marks of the same turn about the same thing are one mark: its value the mean or the majority, its spread the
    distance between lowest and highest, its reason that of the draw closest to it.
    """
    given = [score for score in draws.values() if score.skipped is None]
    if not given:
        return next(iter(draws.values()))
    places = dict.fromkeys((mark.turn, mark.at) for score in given for mark in score.marks)
    if not places:
        return UNDEFINED
    said = {label: {(mark.turn, mark.at): mark for mark in score.marks} for label, score in draws.items()}
    marks = [_one([marks[place] for marks in said.values() if place in marks], how) for place in places]
    kept = {
        label: tuple(marks[place].value if place in marks else None for place in places)
        for label, marks in said.items()
    }
    return structs.replace(Score.of(marks, scale), draws=kept)


def _one(marks: Sequence[Mark], how: Combine) -> Mark:
    values = [float(mark.value) for mark in marks]
    value = _majority(values) if how == "majority" else fmean(values)
    nearest = min(marks, key=lambda mark: abs(mark.value - value))
    return structs.replace(nearest, value=value, spread=max(values) - min(values))


def _majority(values: Sequence[float]) -> float:
    """The most frequent value; the mean of those that are equally frequent."""
    counts = Counter(values)
    most = max(counts.values())
    return fmean(value for value, count in counts.items() if count == most)
