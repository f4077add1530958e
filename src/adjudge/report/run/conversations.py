"""The worst conversations, with what was judged wrong put where it was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.mark import Mark, ScoreRow
from adjudge.core.record import Key
from adjudge.report.page.facts import Fact, record_facts
from adjudge.report.page.transcript import (
    CONVERSATIONS,
    LETTERS,
    RECORD_FIELDS,
    TURN_FIELDS,
    TURNS,
    NotedMark,
    Notes,
    Record,
    ShownTurn,
    covering_rounds,
    group_notes,
    objects,
    read_records,
    speaker_roles,
    take_in_turns,
    utterance,
)
from adjudge.report.run.worst import Worst, falls_short
from adjudge.report.words import figure
from adjudge.run import Run

MarksByTurn = dict[str, list[tuple[str, Mark]]]


class WorstTurn(Struct, frozen=True):
    """A turn with what was judged in it and, where that is wrong, what else the record holds of it."""

    turn: ShownTurn
    notes: Notes
    facts: list[Fact]


class WorstConversation(Struct, frozen=True):
    """A conversation: why it is shown, what was judged of it as a whole, its turns and its other facts."""

    key: Key
    name: str
    among: list[Worst]
    notes: Notes
    lines: list[WorstTurn]
    omitted: int
    facts: list[Fact]


def read_worst_conversations(run: Run, worst: list[Worst]) -> list[WorstConversation]:
    """The worst conversations that are shown whole."""
    keys = {key: place for place, key in enumerate(choose_conversations(worst))}
    rows = {place: row for place, row in enumerate(run.rows()) if _key(row) in keys}
    shown = [_conversation(record, row, run.manifest.cards, worst) for row, record in read_records(run, rows)]
    return sorted(shown, key=lambda conversation: keys[conversation.key])


def choose_conversations(worst: Iterable[Worst], most: int = CONVERSATIONS) -> list[Key]:
    """The conversations that together show a worst case of as many metrics as can be, arm by arm in turns."""
    arms: dict[str, dict[Key, set[str]]] = {}
    for item in worst:
        arms.setdefault(item.arm, {}).setdefault(Key(item.case, item.arm, item.trial), set()).add(item.metric)
    return take_in_turns((next(covering_rounds(keys)) for keys in arms.values()), most)


def _key(row: ScoreRow) -> Key:
    return Key(row.case, row.arm, row.trial)


def _conversation(record: Record, row: ScoreRow, cards: dict[str, Card], worst: list[Worst]) -> WorstConversation:
    key = _key(row)
    among = [item for item in worst if Key(item.case, item.arm, item.trial) == key]
    turns = objects(record, "turns")
    marks = _marks_by_turn(row, cards)
    names = {str(turn.get("id", "")) for turn in turns}
    whole = [pair for turn, pairs in marks.items() if not turn or turn not in names for pair in pairs]
    lines = list(_lines(turns, marks, speaker_roles(record)))
    return WorstConversation(
        key=key,
        name=among[0].name,
        among=among,
        notes=_notes(whole),
        lines=lines,
        omitted=len(turns) - len(lines),
        facts=record_facts(record, RECORD_FIELDS),
    )


def _marks_by_turn(row: ScoreRow, cards: dict[str, Card]) -> MarksByTurn:
    """The marks that are short of the best value, with their metric, by turn."""
    marks: MarksByTurn = {}
    for metric, score in row.scores.items():
        card = cards[metric]
        if card.variant or card.better == "neither":
            continue
        for mark in score.marks:
            if falls_short(mark.value, card):
                marks.setdefault(mark.turn, []).append((metric, mark))
    return marks


def _lines(turns: list[Record], marks: MarksByTurn, roles: dict[str, str]) -> Iterator[WorstTurn]:
    room = LETTERS
    for turn in turns[:TURNS]:
        if room <= 0:
            return
        shown = utterance(turn, roles, room)
        room -= len(shown.text.text)
        wrong = marks.get(shown.turn, [])
        yield WorstTurn(shown, _notes(wrong), record_facts(turn, TURN_FIELDS) if wrong else [])


def _notes(marks: list[tuple[str, Mark]]) -> Notes:
    return group_notes(NotedMark(metric, figure(mark.value), "", mark.at, mark.why) for metric, mark in marks)
