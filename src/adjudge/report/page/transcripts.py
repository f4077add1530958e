"""The worst conversations as they were, with what was judged wrong put where it was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.core.mark import Mark, ScoreRow
from adjudge.core.record import Key
from adjudge.report.page.facts import Fact, facts
from adjudge.report.page.legible import LONGEST, Passage, passage
from adjudge.report.worst import Worst, short
from adjudge.run import RECORDS, Run

T = TypeVar("T")

CASES = 24
LETTERS = 24_000
TURNS = 80
NOTES = 8
WHY = 400

SHOWN = ("id", "case", "arm", "trial", "turns")
SPOKEN = ("id", "speaker", "text")


class Note(Struct, frozen=True):
    """What was judged at one place and why, with the value of each metric that says so."""

    at: str
    why: Passage
    values: list[tuple[str, float]]


class Notes(Struct, frozen=True):
    """The notes of one turn or of a whole conversation, and how many more there were."""

    shown: list[Note]
    more: int = 0


class Line(Struct, frozen=True):
    """A turn: what was said, what was judged in it, and where that is wrong what else the record says there."""

    turn: str
    speaker: str
    role: str
    said: Passage
    notes: Notes
    facts: list[Fact]


class Case(Struct, frozen=True):
    """A conversation: why it is shown, what was judged of it as a whole, its turns and its other facts."""

    key: Key
    name: str
    among: list[Worst]
    notes: Notes
    lines: list[Line]
    omitted: int
    facts: list[Fact]


def chosen(found: Iterable[Worst], most: int = CASES) -> list[Key]:
    """The conversations that between them show a worst case of as many metrics as can be, arm by arm in turns."""
    arms: dict[str, dict[Key, set[str]]] = {}
    for one in found:
        arms.setdefault(one.arm, {}).setdefault(Key(one.case, one.arm, one.trial), set()).add(one.metric)
    turns = zip_longest(*(list(_covering(keys)) for keys in arms.values()))
    return [key for turn in turns for key in turn if key is not None][:most]


def cases(run: Run, found: list[Worst]) -> list[Case]:
    """The worst conversations that are shown whole."""
    keys = {key: place for place, key in enumerate(chosen(found))}
    scored = {place: row for place, row in enumerate(run.rows()) if _key(row) in keys}
    read = [_case(record, row, run.manifest.cards, found) for row, record in records(run, scored)]
    return sorted(read, key=lambda case: keys[case.key])


def _covering(keys: dict[Key, set[str]]) -> Iterator[Key]:
    """Keys in the order in which they add the most metrics not seen before, until all are seen."""
    unseen = set().union(*keys.values())
    while unseen:
        key = max(keys, key=lambda key: len(keys[key] & unseen))
        unseen -= keys[key]
        yield key


def _key(row: ScoreRow) -> Key:
    return Key(row.case, row.arm, row.trial)


def records(run: Run, wanted: dict[int, T]) -> Iterator[tuple[T, dict[str, Any]]]:
    """The records at some places of a run, each with what is wanted there."""
    for place, line in enumerate(run.records()):
        if place not in wanted:
            continue
        try:
            yield wanted[place], msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.MsgspecError as error:
            raise BadInput(
                f"{run.folder / RECORDS}:{place + 1}: {error}; the file was changed; score the run again with --fresh"
            ) from error


def _case(record: dict[str, Any], row: ScoreRow, cards: dict[str, Card], found: list[Worst]) -> Case:
    key = _key(row)
    among = [one for one in found if Key(one.case, one.arm, one.trial) == key]
    turns = listed(record, "turns")
    marks = _by_turn(row, cards)
    known = {str(turn.get("id", "")) for turn in turns}
    whole = [pair for turn, those in marks.items() if not turn or turn not in known for pair in those]
    lines = list(_lines(turns, marks, roles(record)))
    return Case(
        key=key,
        name=among[0].name,
        among=among,
        notes=_noted(whole),
        lines=lines,
        omitted=len(turns) - len(lines),
        facts=facts(record, SHOWN),
    )


def _by_turn(row: ScoreRow, cards: dict[str, Card]) -> dict[str, list[tuple[str, Mark]]]:
    """The marks that are short of the best value, with their metric, by turn."""
    found: dict[str, list[tuple[str, Mark]]] = {}
    for metric, score in row.scores.items():
        card = cards[metric]
        if card.variant or card.better == "neither":
            continue
        for mark in score.marks:
            if short(mark.value, card):
                found.setdefault(mark.turn, []).append((metric, mark))
    return found


def _noted(marks: list[tuple[str, Mark]]) -> Notes:
    """The marks as notes, those that say the same of the same together, those that say why first."""
    places: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for metric, mark in marks:
        places.setdefault((mark.at, mark.why), []).append((metric, mark.value))
    notes = [Note(at, passage(why, WHY), values) for (at, why), values in places.items()]
    said = sorted(notes, key=lambda note: not note.why.text)
    return Notes(said[:NOTES], max(len(said) - NOTES, 0))


def listed(record: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list in a record; none where it is no such list."""
    found = record.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def roles(record: dict[str, Any]) -> dict[str, str]:
    """The roles of those who speak in a record."""
    return {str(one.get("id", "")): str(one.get("role", "")) for one in listed(record, "participants")}


def _lines(
    turns: list[dict[str, Any]], marks: dict[str, list[tuple[str, Mark]]], roles: dict[str, str]
) -> Iterator[Line]:
    room = LETTERS
    for turn in turns[:TURNS]:
        if room <= 0:
            return
        text, name, speaker = (str(turn.get(key) or "") for key in ("text", "id", "speaker"))
        said = passage(text, min(LONGEST, room))
        room -= len(said.text)
        wrong = marks.get(name, [])
        role = roles.get(speaker, "")
        yield Line(
            turn=name,
            speaker=speaker,
            role="" if role == speaker else role,
            said=said,
            notes=_noted(wrong),
            facts=facts(turn, SPOKEN) if wrong else [],
        )
