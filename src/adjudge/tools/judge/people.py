"""People as the judge: questions are answered from a file of human labels, by what each field is about."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec import Struct, inspect

from adjudge.core.ask import NO_LABEL, About, Labelled, NoLabel, Question, Reply
from adjudge.core.equipment import Contents
from adjudge.core.errors import BadInput, Complaint, Unanswered, did_you_mean, listing
from adjudge.core.panel import LABEL_FILE
from adjudge.read.labels import Label, read_labels
from adjudge.tools.judge.label_values import ExpectedType, combine, expected_at, list_above, read_value
from adjudge.tools.judge.schema import type_info
from adjudge.tools.judge.stray_labels import AskedPlaces, stray_remark

RATERS_SHOWN = 5
NAMES_SHOWN = 3
NO_ABOUT = "the question does not say what it is about, so labels cannot answer it"

# A case, a field's name in the file, a turn and what was judged there.
_Place = tuple[str, str, str, str]


class LabelFile:
    """The labels of a file, by what they are about."""

    def __init__(self, path: Path) -> None:
        labels = read_labels(path).entries
        if repetitions := list(_repetitions(labels)):
            raise BadInput(listing(repetitions))
        self.path = path
        self.arms = Counter(label.arm for label in labels if label.arm)
        self.cases = Counter(label.case for label in labels)
        self.metrics = Counter(label.metric for label in labels if label.metric)
        self.raters = sorted({label.rater for label in labels if label.rater})
        self.sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        self._by_place: dict[_Place, list[Label]] = {}
        for label in labels:
            name, _, key = (label.field or label.metric).partition(".")
            place = (label.case, name, label.whole_turn, label.at)
            self._by_place.setdefault(place, []).append(label)
            if key and not name:
                raise BadInput(f"{label.where}: field: found {label.field!r}; expected a name before the dot")
        self._used: dict[str, About] = {}
        self._labels = labels
        self._asked = AskedPlaces()

    @property
    def identity(self) -> str:
        """What runs call this judge: labels, with the file's name, its hash and who labelled."""
        shown = self.raters[:RATERS_SHOWN]
        more = [f"{len(self.raters) - RATERS_SHOWN} more"] if len(self.raters) > RATERS_SHOWN else []
        raters = f", raters {', '.join([*shown, *more])}" if shown else ""
        return f"{LABEL_FILE}{self.path.name}, sha256 {self.sha256[:16]}{raters})"

    def remarks(self, contents: Contents) -> list[str]:
        """The arms, cases and metrics that labels name and the run does not have, a sentence for each kind."""
        lines = [
            f"{self.path.name}: {number} labels of arm {arm!r}, which the data does not have"
            f"{did_you_mean(arm, contents.arms)}"
            for arm, number in self.arms.items()
            if arm not in contents.arms
        ]
        if missing := _without(self.cases, contents.cases):
            lines.append(self._line(missing, "cases that the data does not have", contents.cases))
        if missing := _without(self.metrics, contents.metrics):
            lines.append(self._line(missing, "metrics that the suite does not have", contents.metrics))
        return lines

    def closing_remarks(self) -> list[str]:
        """The labels of turns or items that no question was about, once the run is over."""
        return stray_remark(self.path.name, self._labels, self._asked)

    def _line(self, missing: Mapping[str, int], what: str, known: Collection[str]) -> str:
        """How many labels are of what is missing, with the first names and what was probably meant by the first."""
        number = sum(missing.values())
        shown = ", ".join(map(repr, list(missing)[:NAMES_SHOWN]))
        more = f" and {len(missing) - NAMES_SHOWN} more" if len(missing) > NAMES_SHOWN else ""
        hint = did_you_mean(next(iter(missing)), known)
        labels = "label is" if number == 1 else "labels are"
        return f"{self.path.name}: {number} {labels} of {what} ({shown}{more}){hint}"

    def about(self, about: About) -> list[Label]:
        """The labels of a field of an answer; a label may leave out arm, trial, turn or `at` where one thing fits."""
        name = about.label or about.field.rpartition(".")[2]
        self._asked.add(about, name)
        places = [(about.turn, about.at), ("", about.at), (about.turn, "")]
        if about.turn or about.at:
            places = [place for place in places if place != ("", "")]
        for turn, at in dict.fromkeys(places):
            labels = self._by_place.get((about.record.case, name, turn, at), [])
            if fitting := [label for label in labels if _fits(label, about)]:
                for label in fitting:
                    _check_key(label, about)
                    self._claim(label, about)
                return fitting
        return []

    def _claim(self, label: Label, about: About) -> None:
        """Note what a label is about; raises BadInput where it is about two things."""
        first = self._used.setdefault(label.where, about)
        if (first.record, first.turn, first.at) == (about.record, about.turn, about.at):
            return
        column = next(
            name
            for name, first_value, second_value in (
                ("arm", first.record.arm, about.record.arm),
                ("trial", first.record.trial, about.record.trial),
                ("turn", first.turn, about.turn),
                ("at", first.at, about.at),
            )
            if first_value != second_value
        )
        raise BadInput(f"{label.where}: {label.thing} is about several things; tell them apart in the column {column}")


class PeopleAnswerer:
    """Answers questions from a file of labels: at once, without network and without cost.

    A field that nobody labelled holds `NO_LABEL`; a question that does not say what it is about stays unanswered.
    """

    def __init__(self, labels: LabelFile) -> None:
        self.labels = labels
        self._ready: list[tuple[Question[Any], Reply]] = []
        self._lock = Lock()

    def ask(self, requests: Iterable[Question[Any]], asker: str = "") -> None:
        """Look the answers up; raises BadInput where a label does not fit what was asked."""
        replies = [(question, Reply(self._answer(question), cached=True)) for question in requests]
        with self._lock:
            self._ready += replies

    def wait(self) -> list[tuple[Question[Any], Reply]]:
        """All that was asked, with its answers."""
        with self._lock:
            ready, self._ready = self._ready, []
            return ready

    def _answer(self, question: Question[Any]) -> object:
        if not question.about:
            return Unanswered("no_label", NO_ABOUT)
        fields = _Fields(question.answer)
        for about in question.about:
            fields.add(about, self.labels.about(about))
        return fields.answer()


def unlabelled_answer(question: Question[Any]) -> object:
    """The answer to a question about which nobody has said anything: every field holds `NO_LABEL`."""
    fields = _Fields(question.answer)
    for about in question.about:
        fields.add(about, ())
    return fields.answer()


class _Value(Struct, frozen=True):
    """The value of a field with the reasons that its raters gave."""

    value: Any
    why: str


class _Fields:
    """The fields of an answer while their labels are looked up."""

    def __init__(self, answer: Any) -> None:
        self._type = type_info(answer)
        self._values: dict[str, _Value] = {}
        self._lists: dict[str, list[Labelled]] = {}

    def add(self, about: About, labels: Sequence[Label]) -> None:
        """Take in the labels of one field; of several names for a field the first that has labels counts."""
        expected = expected_at(self._type, about.field)
        above = list_above(self._type, about.field)
        if above is not None:
            self._add_elements(above, about, labels, expected)
        elif labels and about.field not in self._values:
            self._values[about.field] = _Value(_combine_labels(labels, expected), _reason(labels))

    def _add_elements(self, path: str, about: About, labels: Sequence[Label], expected: ExpectedType) -> None:
        known = self._lists.setdefault(path, [])
        if any(element.about.label != about.label and element.value is not NO_LABEL for element in known):
            return
        by_key: dict[str, list[Label]] = {}
        for label in labels:
            by_key.setdefault(_key(label), []).append(label)
        known += [
            Labelled(about, _combine_labels(group, expected), _reason(group), key) for key, group in by_key.items()
        ] or [Labelled(about, NO_LABEL)]

    def answer(self) -> object:
        """The answer, with `NO_LABEL` in fields without a label."""
        return self._build(self._type, "")

    def _build(self, struct: Any, prefix: str) -> object:
        values: dict[str, Any] = {}
        names = [field.name for field in struct.fields]
        for number, field in enumerate(struct.fields):
            path = prefix + field.name
            if isinstance(field.type, inspect.StructType):
                values[field.name] = self._build(field.type, path + ".")
            elif path in self._lists:
                values[field.name] = tuple(self._lists[path])
            elif path in self._values:
                values[field.name] = self._values[path].value
            elif isinstance(field.type, inspect.StrType):
                values[field.name] = self._reason_of([prefix + name for name in names[number + 1 :]])
            else:
                values[field.name] = NO_LABEL
        return struct.cls(**values)

    def _reason_of(self, following: Sequence[str]) -> str:
        """The reasons of the fields after a text without a label, up to the next such text: reasons come first."""
        reasons: list[str] = []
        for path in following:
            if path in self._values:
                reasons.append(self._values[path].why)
            elif path in self._lists:
                reasons += [element.why for element in self._lists[path]]
            elif isinstance(expected_at(self._type, path).type, inspect.StrType):
                break
        return "; ".join(dict.fromkeys(filter(None, reasons)))


def _combine_labels(labels: Sequence[Label], expected: ExpectedType) -> Any | NoLabel:
    return combine([read_value(label, expected) for label in labels], expected)


def _reason(labels: Sequence[Label]) -> str:
    reasons: Mapping[str, None] = dict.fromkeys(
        f"{label.rater}: {label.why}" if label.rater and len(labels) > 1 else label.why for label in labels if label.why
    )
    return "; ".join(reasons)


def _without(counts: Mapping[str, int], known: Collection[str]) -> dict[str, int]:
    return {name: number for name, number in counts.items() if name not in known}


def _check_key(label: Label, about: About) -> None:
    """Refuse a name after the dot that is none of those that the question knows, such as a misspelt profile item."""
    key = _key(label)
    if key and about.keys and key not in about.keys:
        hint = did_you_mean(key, about.keys)
        raise BadInput(f"{label.where}: field: found {label.field!r}; expected a known name after the dot{hint}")


def _key(label: Label) -> str:
    """What stands after the dot of a field's name, such as the profile item of `related.tobacco`."""
    return (label.field or label.metric).partition(".")[2]


def _fits(label: Label, about: About) -> bool:
    return label.arm in (None, about.record.arm) and label.trial in (None, about.record.trial)


def _repetitions(labels: Sequence[Label]) -> Iterable[Complaint]:
    """Labels of the same thing by the same rater."""
    first: dict[object, Label] = {}
    for label in labels:
        key = (
            (label.case, label.arm, label.trial, label.whole_turn, label.at),
            (label.field or label.metric, label.rater),
        )
        before = first.setdefault(key, label)
        if before is not label:
            rater = f"rater {label.rater!r}" if label.rater else "a rater without a name"
            yield Complaint(
                label.where,
                f"{rater} labelled {label.thing} before, at {before.where}; expected one label of "
                f"{label.field or label.metric!r} each",
            )
