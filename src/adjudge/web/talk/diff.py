"""Two conversations of one case side by side: turns aligned, words and marks that differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, structs

from adjudge.core.card import Better, Card
from adjudge.core.mark import Mark, marks_by_place
from adjudge.report.page.facts import line, objects
from adjudge.report.page.speakers import Speaker, speakers_of
from adjudge.report.page.verdict import Verdict, verdict
from adjudge.stats.variance import ROUNDING
from adjudge.web.opened import OpenedConversation
from adjudge.web.talk.alignment import Pair, Turn, Words, align, compare_words
from adjudge.web.talk.units import (
    IN_EXCHANGES,
    NOBODY,
    TURN_FIELDS,
    Utterance,
    leading_metrics,
    make_utterance,
    shown_marks,
)

# The most differing facts that are shown.
FACTS = 14


class SideBySide(Struct, frozen=True):
    """A turn of both sides: the same one, two that differ, or one that a side lacks."""

    a: Utterance | None
    b: Utterance | None
    words_a: Words
    words_b: Words
    facts: list[tuple[str, str, str]]

    @property
    def turn(self) -> str:
        """The name of the turn."""
        turn = self.a or self.b
        return turn.turn if turn else ""

    @property
    def is_same(self) -> bool:
        """Whether both said the same."""
        return (
            self.a is not None
            and self.b is not None
            and self.a.text == self.b.text
            and self.a.speaker == self.b.speaker
        )


class MarkChange(Struct, frozen=True):
    """A mark on which the sides differ; a verdict is None where a side has no such mark."""

    metric: str
    at: str
    a: float | None
    b: float | None
    verdict_a: Verdict | None
    verdict_b: Verdict | None
    why_a: str
    why_b: str
    better: Better = "neither"

    @property
    def kind(self) -> str:
        """Whether the second side is better, worse (wrong) or neither."""
        gain = self._gain()
        return "better" if gain > 0 else "wrong" if gain < 0 else "neutral"

    def _gain(self) -> float:
        """How much better the second side is; a side without the mark counts as neutral."""
        if self.a is None or self.b is None:
            order = {"right": 1, "neutral": 0, "partly": -1, "wrong": -1}
            return order[self.verdict_b or "neutral"] - order[self.verdict_a or "neutral"]
        return {"higher": 1, "lower": -1, "neither": 0}[self.better] * (self.b - self.a)


class DiffUnit(Struct, frozen=True):
    """Turns of both sides that belong together; marks that differ, new ones and those as before; how many are equal."""

    rows: list[SideBySide]
    changes: list[MarkChange]
    still: list[MarkChange]
    minor: list[MarkChange]
    same: int

    @property
    def difference(self) -> str:
        """What differs here first, in a few words; empty where nothing does."""
        for row in self.rows:
            if not row.is_same or row.facts:
                what = "what is said" if not row.is_same else "what the record holds"
                return f"{what} in turn {row.turn}"
        return f"how turn {self.rows[0].turn} is judged" if self.changes or self.still or self.minor else ""


def diff_units(a: OpenedConversation, b: OpenedConversation, cards: Mapping[str, Card], suite: str) -> list[DiffUnit]:
    """The units of two conversations, aligned turn by turn."""
    people = speakers_of(a.record) | speakers_of(b.record)
    pairs = align(objects(a.record.get("turns")), objects(b.record.get("turns")))
    marks = [_marks_by_turn(side, cards) for side in (a, b)]
    units: list[DiffUnit] = []
    before: set[tuple[str, str, str, str]] = set()
    named = leading_metrics((mark for side in (a, b) for mark in shown_marks(side.scores, cards)), cards)
    for group in _group(pairs, people, suite):
        rows = [_side_by_side(pair, people) for pair in group]
        names = [_turn_names(group, side) for side in (0, 1)]
        first, second = ([mark for turn in names[side] for mark in marks[side].pop(turn, [])] for side in (0, 1))
        changes, same = _changes(first, second, cards)
        leading = [change for change in changes if change.metric in named]
        new, still = _split_known(leading, before)
        minor = [change for change in changes if change.metric not in named]
        units.append(DiffUnit(rows, new, still, minor, same))
    return units


def _turn_names(group: list[Pair], side: int) -> list[str]:
    """The names of the turns that one side has in a unit, each once."""
    turns = [pair[side] for pair in group]
    return list(dict.fromkeys(str(turn.get("id", "")) for turn in turns if turn is not None))


def whole_changes(a: OpenedConversation, b: OpenedConversation, cards: Mapping[str, Card]) -> list[MarkChange]:
    """The marks of no turn on which two conversations differ."""
    known = [{str(turn.get("id", "")) for turn in objects(side.record.get("turns"))} - {""} for side in (a, b)]
    first, second = (
        [mark for turn, there in _marks_by_turn(side, cards).items() if turn not in known[place] for mark in there]
        for place, side in enumerate((a, b))
    )
    return _changes(first, second, cards)[0]


def _group(pairs: list[Pair], people: Mapping[str, Speaker], suite: str) -> list[list[Pair]]:
    groups: list[list[Pair]] = []
    for pair in pairs:
        turn = pair[0] or pair[1] or {}
        speaker = people.get(str(turn.get("speaker") or ""), NOBODY)
        if suite in IN_EXCHANGES and groups and speaker.is_assistant and len(groups[-1]) == 1:
            groups[-1].append(pair)
        else:
            groups.append([pair])
    return groups


def _side_by_side(pair: Pair, people: Mapping[str, Speaker]) -> SideBySide:
    a, b = (_speech(turn, people) if turn is not None else None for turn in pair)
    words_a, words_b = compare_words(a.text.text, b.text.text) if a and b else ([], [])
    return SideBySide(a, b, words_a, words_b, list(_fact_changes(pair)))


def _speech(turn: Turn, people: Mapping[str, Speaker]) -> Utterance:
    """A turn without what the record holds beside it, of which only differences are shown."""
    return structs.replace(make_utterance(turn, people), facts=[], reference=None)


def _fact_changes(pair: Pair) -> Iterator[tuple[str, str, str]]:
    """What the records of a turn hold that differs: the name, and the value on each side."""
    if pair[0] is None or pair[1] is None:
        return
    first, second = (dict(_flat(turn)) for turn in pair if turn is not None)
    names = [name for name in dict.fromkeys([*first, *second]) if first.get(name) != second.get(name)]
    for name in names[:FACTS]:
        yield name, first.get(name, ""), second.get(name, "")


def _flat(turn: Turn) -> Iterator[tuple[str, str]]:
    """The facts of a turn, tables within tables by the name of the innermost two."""
    for key, value in turn.items():
        if key in TURN_FIELDS:
            continue
        for name, part in value.items() if isinstance(value, dict) else [("", value)]:
            inner = part.items() if isinstance(part, dict) and part else [("", part)]
            for innermost, cell in inner:
                yield " ".join(filter(None, (name or key, innermost))), line(cell)[:200]


def _marks_by_turn(side: OpenedConversation, cards: Mapping[str, Card]) -> dict[str, list[tuple[str, Mark]]]:
    marks: dict[str, list[tuple[str, Mark]]] = {}
    names = sorted((name for name in side.scores if name in cards), key=lambda name: not cards[name].primary)
    for name in names:
        if not cards[name].variant:
            for mark in side.scores[name].marks:
                marks.setdefault(mark.turn, []).append((name, mark))
    return marks


def _changes(
    first: list[tuple[str, Mark]], second: list[tuple[str, Mark]], cards: Mapping[str, Card]
) -> tuple[list[MarkChange], int]:
    """The marks that differ, and how many are the same."""
    changes, same = [], 0
    for metric in dict.fromkeys(name for name, _ in (*first, *second)):
        sides = [_by_place(metric, marks) for marks in (first, second)]
        for key in dict.fromkeys([*sides[0], *sides[1]]):
            a, b = sides[0].get(key), sides[1].get(key)
            if a and b and abs(a.value - b.value) <= ROUNDING:
                same += 1
            else:
                changes.append(_change(metric, a, b, cards[metric]))
    return changes, same


def _by_place(metric: str, marks: list[tuple[str, Mark]]) -> dict[tuple[str, int], Mark]:
    """The marks of a metric by what was judged; turns are aligned already."""
    placed = marks_by_place(mark for name, mark in marks if name == metric)
    by_place: dict[tuple[str, int], Mark] = {}
    for (_, at, number), mark in placed.items():
        place = number
        while (at, place) in by_place:
            place += 1
        by_place[at, place] = mark
    return by_place


def _change(metric: str, a: Mark | None, b: Mark | None, card: Card) -> MarkChange:
    return MarkChange(
        metric=metric,
        at=(a or b or Mark(0.0)).at,
        a=a.value if a else None,
        b=b.value if b else None,
        verdict_a=verdict(a.value, card) if a else None,
        verdict_b=verdict(b.value, card) if b else None,
        better=card.better,
        why_a=a.why if a else "",
        why_b=b.why if b else "",
    )


def _split_known(
    changes: list[MarkChange], before: set[tuple[str, str, str, str]]
) -> tuple[list[MarkChange], list[MarkChange]]:
    """New changes, and those that are there for the same reason as in an earlier unit."""
    new, still = [], []
    for change in changes:
        key = (change.metric, change.at, change.why_a, change.why_b)
        if key in before and (change.why_a or change.why_b):
            still.append(change)
        else:
            before.add(key)
            new.append(change)
    return new, still
