"""Marks and scores: the result of a metric on one record."""

from __future__ import annotations

from collections.abc import Iterable
from sys import float_info
from typing import Literal

from msgspec import Struct, structs

from adjudge.core.record import Key

Status = Literal[
    "no_tool",
    "no_prediction",
    "no_label",
    "not_english",
    "parse_error",
    "refusal",
    "truncated",
    "timeout",
    "rate_limited",
    "provider_error",
    "too_long",
    "over_budget",
    "not_cached",
    "not_allowed",
    "error",
]

Scale = tuple[float | None, float | None]

BY_DESIGN = "by design"
# No number is larger, so a comparison with it tells infinities and NaN from numbers.
LARGEST = float_info.max


class Mark(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One judged fact: its value, what was judged, in which turn, and why.

    `group` is the part of the data that the fact belongs to (a domain, a group of profile items); tables can be broken
    down by it. A mark that stands for several facts of equal worth has their number as `weight`, so that the weighted
    mean of marks is the mean over the facts. If several judges or samples gave values, `value` is their mean or
    majority and `spread` the distance between the lowest and the highest. `basis` names the method behind the value if
    the metric has several: values with different bases are never compared. The basis BY_DESIGN marks a value that
    follows from the condition and not from the data.

    >>> from adjudge import Mark
    >>> Mark(0.0, at="hotel-area", turn="4", why="the user said north").why
    'the user said north'
    """

    value: float
    at: str = ""
    turn: str = ""
    why: str = ""
    group: str = ""
    weight: float = 1.0
    spread: float = 0.0
    basis: str = ""


class Unlabelled(Struct, frozen=True, gc=False):
    """An item that nobody labelled, or that a model gave no usable answer to; a metric yields it in place of a mark.

    It has no value, and the score counts it.

    >>> from adjudge import Unlabelled
    >>> Unlabelled(turn="4").turn
    '4'
    """

    at: str = ""
    turn: str = ""


class Skipped(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Why a score could not be given: a status that can be counted and a sentence for people."""

    status: Status
    why: str


class Score(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """All marks of one metric on one record.

    `value` is the weighted mean of the marks, `n` their number and `weight` the sum of their weights.
    Without marks the question did not arise: the score is undefined and `value` is None. `skipped` says why a score
    could not be given at all; then there are no marks either. If several judges or samples were asked, `draws` holds
    the value of each of them for each mark (None: it gave none), and `missing` says why one of them gave no values at
    all. `basis` is that of the marks. `unlabelled` counts the items that people left without a label, or a model
    without a usable answer.

    >>> from adjudge import Mark, Score
    >>> Score.of([Mark(1.0), Mark(0.0)]).value
    0.5
    >>> Score.of([]).value is None
    True
    """

    value: float | None = None
    n: int = 0
    weight: float = 0.0
    skipped: Skipped | None = None
    marks: tuple[Mark, ...] = ()
    draws: dict[str, tuple[float | None, ...]] = {}
    missing: dict[str, Skipped] = {}
    basis: str = ""
    unlabelled: int = 0

    @classmethod
    def of(cls, marks: list[Mark], scale: Scale = (None, None)) -> Score:
        """The score that these marks make; values that are true or false become 1.0 or 0.0.

        Raises ValueError for a value that is no number or outside the scale, and for a weight not above 0.

        >>> Score.of([Mark(1.0), Mark(0.0, weight=3.0)]).value
        0.25
        """
        if not marks:
            return UNDEFINED
        low = -LARGEST if scale[0] is None else scale[0]
        high = LARGEST if scale[1] is None else scale[1]
        weight = total = 0.0
        floats = True
        for mark in marks:
            value, heft = mark.value, mark.weight
            if not (low <= value <= high and 0.0 < heft <= LARGEST):
                raise ValueError(_out_of_range(mark, scale))
            weight += heft
            total += value * heft
            if type(value) is not float:
                floats = False
        if not floats:
            marks = [structs.replace(mark, value=float(mark.value)) for mark in marks]
        return cls(total / weight, len(marks), weight, None, tuple(marks), basis=_basis(marks))

    @classmethod
    def of_labelled(cls, items: Iterable[Mark | Unlabelled], scale: Scale = (None, None)) -> Score:
        """The score of the marks among items; skipped where nobody labelled any of them."""
        marks: list[Mark] = []
        unlabelled = 0
        for item in items:
            if isinstance(item, Mark):
                marks.append(item)
            else:
                unlabelled += 1
        if unlabelled and not marks:
            return structs.replace(cls.skip("no_label", "no item has a label"), unlabelled=unlabelled)
        score = cls.of(marks, scale)
        return structs.replace(score, unlabelled=unlabelled) if unlabelled else score

    @classmethod
    def skip(cls, status: Status, why: str) -> Score:
        """The score that could not be given, and why."""
        return cls(skipped=Skipped(status, why))


UNDEFINED = Score()


def marks_by_place(marks: Iterable[Mark]) -> dict[tuple[str, str, int], Mark]:
    """Marks by turn and by what was judged there; those that share both are numbered from 0."""
    seen: dict[tuple[str, str], int] = {}
    placed = {}
    for mark in marks:
        about = (mark.turn, mark.at)
        number = seen[about] = seen.get(about, -1) + 1
        placed[*about, number] = mark
    return placed


def _basis(marks: list[Mark]) -> str:
    """The basis of marks; several bases, which are rare, are joined by "and"."""
    first = marks[0].basis
    # Most metrics have none, and those that have one name it on every mark.
    if not first and not marks[-1].basis:
        return ""
    return " and ".join(dict.fromkeys(mark.basis for mark in marks if mark.basis))


def _out_of_range(mark: Mark, scale: Scale) -> str:
    if not 0.0 < mark.weight <= LARGEST:
        return f"weight {mark.weight!r}; expected a number above 0"
    return f"value {mark.value!r} is outside the scale {scale[0]} to {scale[1]}"


class ScoreRow(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One line of `scores.jsonl`: the scores of one record by metric.

    `given` holds a fingerprint of each part of what the case gives to every arm.
    """

    case: str
    arm: str
    scores: dict[str, Score]
    trial: int = 0
    facets: dict[str, str] = {}
    given: dict[str, str] = {}

    @property
    def key(self) -> Key:
        """The conversation that was scored."""
        return Key(self.case, self.arm, self.trial)
