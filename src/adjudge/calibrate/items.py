"""Items: everything that a metric judged, with the labels that people gave to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from adjudge.calibrate.scale import on_scales
from adjudge.calibrate.transcript import TurnTexts
from adjudge.core.card import Card
from adjudge.core.errors import SHOWN, BadInput, Complaint, did_you_mean, listing
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.core.record import Key
from adjudge.read.labels import Label
from adjudge.run import Run

Level = Literal["mark", "conversation"]
Subject = tuple[str, Level]

# A message lists at most this many names of arms, marks or trials.
NAMES_SHOWN = 12
# If no label has a match, the message gives the reasons for the first ones.
FIRST = 5


class Item(Struct):
    """One judged item: the metric's value, and the labels of people by rater.

    `weight` is its weight in the value of the data set. `given` is the metric's value as a label: a word if the labels
    are words. It is None if nobody labelled the item, or if the metric's card has no word for the value. `length` is
    the number of characters judged, `turn` the number of the turn from 1; None if the record does not show it.
    """

    case: str
    arm: str
    value: float
    weight: float
    labels: dict[str, str | float]
    given: str | float | None = None
    length: int | None = None
    turn: int | None = None


class LabelledMetric(Struct, frozen=True):
    """All items of one metric in the arms that have labels, by mark or by conversation."""

    card: Card
    level: Level
    items: list[Item]


class Unmatched(Struct, frozen=True):
    """A label without a match in the run, and why."""

    where: str
    metric: str
    thing: str
    why: str

    def __str__(self) -> str:
        return f"{self.where}: {self.metric}, {self.thing}: {self.why}"


class JoinedLabels(Struct, frozen=True):
    """Items with their labels, by metric and level, and the labels without a match."""

    labelled: list[LabelledMetric]
    unmatched: list[Unmatched]


def join(run: Run, labels: Sequence[Label]) -> JoinedLabels:
    """Join labels to the items they are about; raises BadInput if no label has a match in the run.

    Labels for a field of a judge's answer are meant for `--judge labels:FILE` and are left out.
    """
    labels = [label for label in labels if not label.field]
    if not labels:
        raise BadInput("no labels: every row is blank, of another metric, or missing; expected one label a row")
    run.check_whole("calibrate")
    joining = _Joining(run, on_scales(labels, run.manifest.cards))
    for row, record in zip(run.rows(), run.records(), strict=False):
        joining.add(row, record)
    return joining.result()


def level_of(label: Label) -> Level:
    """Whether a label is about a mark or about the conversation."""
    return "mark" if label.turn or label.at else "conversation"


class _Joining:
    """Joins labels to the items they are about."""

    def __init__(self, run: Run, labels: Sequence[Label]) -> None:
        self.cards = run.manifest.cards
        self.order = {label.where: place for place, label in enumerate(labels)}
        self.unmatched: list[Unmatched] = []
        self.repeated: list[Complaint] = []
        self.items: dict[Subject, list[Item]] = {(label.metric, level_of(label)): [] for label in labels}
        self.labels: dict[Key, dict[Subject, list[Label]]] = {}
        keys = _Keys(run)
        for label in labels:
            key = keys.find(label, hint=len(self.unmatched) < SHOWN)
            if isinstance(key, Key):
                self.labels.setdefault(key, {}).setdefault((label.metric, level_of(label)), []).append(label)
            else:
                self._miss(label, key)

    def add(self, row: ScoreRow, record: bytes) -> None:
        """Add the scores of one conversation."""
        about = self.labels.get(Key(row.case, row.arm, row.trial), {})
        transcript = TurnTexts(record) if about else None
        for subject, items in self.items.items():
            score = row.scores.get(subject[0], Score())
            made = list(_items(row, score, self.cards[subject[0]], subject[1]))
            items += made
            if transcript is not None and subject in about:
                self._attach(about[subject], score, made)
                _note_places(made, score.marks if subject[1] == "mark" else (), transcript)
                _put_in_label_terms(made, self.cards[subject[0]])

    def result(self) -> JoinedLabels:
        """The items with their labels, and the labels without a match."""
        if self.repeated:
            raise BadInput(listing(self.repeated))
        unmatched = sorted(self.unmatched, key=lambda label: self.order[label.where])
        labelled = [
            LabelledMetric(self.cards[metric], level, _of_labelled_arms(items))
            for (metric, level), items in self.items.items()
            if any(item.labels for item in items)
        ]
        if not labelled:
            reasons = "\n".join(map(str, unmatched[:FIRST]))
            if len(unmatched) == 1:
                raise BadInput(f"the only label matches nothing in the run:\n{reasons}")
            raise BadInput(f"none of {len(unmatched)} labels matches anything in the run; the first:\n{reasons}")
        return JoinedLabels(labelled, unmatched)

    def _attach(self, labels: list[Label], score: Score, items: list[Item]) -> None:
        before: dict[tuple[int, str], Label] = {}
        for label in labels:
            place = _place(label, score)
            if isinstance(place, str):
                self._miss(label, place)
                continue
            first = before.setdefault((place, label.rater), label)
            if first is not label:
                self.repeated.append(_repetition(label, first))
                continue
            items[place].labels[label.rater] = label.label

    def _miss(self, label: Label, why: str) -> None:
        self.unmatched.append(Unmatched(label.where, label.metric, label.thing, why))


class _Keys:
    """The conversations of a run, by case."""

    def __init__(self, run: Run) -> None:
        self.arms = list(run.manifest.coverage.arms)
        self.cases: dict[str, list[Key]] = {}
        for row in run.summaries():
            self.cases.setdefault(row.case, []).append(Key(row.case, row.arm, row.trial))

    def find(self, label: Label, hint: bool) -> Key | str:
        """The conversation a label is about, or why there is none; with `hint`, the reason suggests a similar name."""
        if label.case not in self.cases:
            return f"no case {label.case!r}{did_you_mean(label.case, self.cases) if hint else ''}"
        if label.arm is None and len(self.arms) > 1:
            return f"no arm is named; the run has {_list_names(self.arms)}; name one in the column arm"
        keys = [key for key in self.cases[label.case] if label.arm in (None, key.arm)]
        if not keys:
            return f"no arm {label.arm!r} has this case{did_you_mean(label.arm or '', self.arms) if hint else ''}"
        named = [key for key in keys if label.trial in (None, key.trial)]
        if len(named) == 1:
            return named[0]
        trials = ", ".join(str(key.trial) for key in keys[:NAMES_SHOWN])
        return (
            f"no such trial ({_list_known(trials, len(keys))})"
            if not named
            else f"trials {trials}; name one in the column trial"
        )


def _items(row: ScoreRow, score: Score, card: Card, level: Level) -> Iterator[Item]:
    """The items of a score, each with its weight in the reported value."""
    if score.value is None:
        return
    if level == "conversation":
        yield Item(row.case, row.arm, score.value, score.weight if card.pool == "marks" else 1.0, {})
        return
    share = score.weight if card.pool == "conversations" else 1.0
    for mark in score.marks:
        yield Item(row.case, row.arm, mark.value, mark.weight / share, {})


def _place(label: Label, score: Score) -> int | str:
    """The index of the item that a label is about, or why there is none."""
    if score.skipped is not None:
        return f"the metric was skipped there ({score.skipped.status})"
    if score.value is None:
        return "the metric is undefined there"
    if level_of(label) == "conversation":
        return 0
    places = [place for place, mark in enumerate(score.marks) if _is_about(label, mark)]
    if len(places) == 1:
        return places[0]
    if not places:
        known = list(dict.fromkeys(map(_spot, score.marks)))
        return f"no mark there ({_list_known(_list_names(known), len(known))})"
    spots = list(dict.fromkeys(score.marks[place].at for place in places))
    if len(spots) < len(places):
        return f"{len(places)} marks there that cannot be told apart"
    return f"{len(places)} marks there ({_list_names(spots)}); name one in the column at"


def _is_about(label: Label, mark: Mark) -> bool:
    return (not label.turn or mark.turn in (label.turn, label.whole_turn)) and label.at in ("", mark.at)


def _spot(mark: Mark) -> str:
    return ", ".join(filter(None, (f"turn {mark.turn}" if mark.turn else "", mark.at)))


def _note_places(items: list[Item], marks: Sequence[Mark], transcript: TurnTexts) -> None:
    """Set the length and the turn of each item, if the record shows them; without marks, those of the conversation."""
    for item in () if marks else items:
        item.length = transcript.whole
    for item, mark in zip(items, marks, strict=False):
        if mark.turn:
            item.length, item.turn = transcript.length(mark.turn), transcript.place(mark.turn)


def _put_in_label_terms(items: list[Item], card: Card) -> None:
    """Set `given` of labelled items: the metric's value as a number or as a word, like their labels."""
    for item in items:
        if item.labels:
            words = any(isinstance(label, str) for label in item.labels.values())
            item.given = (card.band(item.value) or None) if words else item.value


def _of_labelled_arms(items: list[Item]) -> list[Item]:
    arms = {item.arm for item in items if item.labels}
    return [item for item in items if item.arm in arms]


def _repetition(label: Label, first: Label) -> Complaint:
    rater = f"{label.rater!r}" if label.rater else "a rater without a name"
    return Complaint(
        label.where,
        f"{rater} labelled {label.thing} for {label.metric} before, at {first.where} ({first.label!r}, here "
        f"{label.label!r}); expected one label each; take one out, or tell raters apart in the column rater",
    )


def _list_known(names: str, number: int) -> str:
    return f"there is only {names}" if number == 1 else f"there are: {names}"


def _list_names(names: list[str]) -> str:
    shown = ", ".join(name or "(unnamed)" for name in names[:NAMES_SHOWN])
    rest = len(names) - NAMES_SHOWN
    return f"{shown} and {rest} more" if rest > 0 else shown
