"""The cases that changed between two arms as they were told: both arms' turns side by side, with what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from typing import Any

from msgspec import Struct

from adjudge.compare.flips import Flip, MarkFlip
from adjudge.compare.sheet import Place, Sheet
from adjudge.report.page.facts import Fact, facts
from adjudge.report.page.legible import LONGEST, Passage, passage
from adjudge.report.page.transcripts import CASES, LETTERS, NOTES, SHOWN, SPOKEN, TURNS, WHY, listed, records, roles
from adjudge.report.words import NONE, figure
from adjudge.run import Run

Record = dict[str, Any]


class Listed(Struct, frozen=True):
    """A case in the list of those that changed by a metric: of which pair of arms, and in which row."""

    pair: int
    row: int
    flip: Flip

    @property
    def key(self) -> tuple[int, Place]:
        """The conversation: a case and trial of a pair of arms."""
        return self.pair, (self.flip.case, self.flip.trial)


class Shift(Struct, frozen=True):
    """What was judged differently at one place, with the values of each metric that says so; `turn` if elsewhere."""

    turn: str
    at: str
    why: Passage
    values: list[tuple[str, str]]


class Shifts(Struct, frozen=True):
    """The shifts of one turn or of a whole conversation, and how many more there were."""

    shown: list[Shift]
    more: int = 0


class Said(Struct, frozen=True):
    """What was said in a turn, by one arm or, where the arm is None, by both."""

    arm: str | None
    turn: str
    speaker: str
    role: str
    text: Passage


class Told(Struct, frozen=True):
    """What the record of one arm says, or, where the arm is None, the records of both."""

    arm: str | None
    facts: list[Fact]


class Line(Struct, frozen=True):
    """The turns at one place of both records: once where they are the same, else from one arm to the other."""

    said: list[Said]
    shifts: Shifts
    told: list[Told]


class Conversation(Struct, frozen=True):
    """A case that changed: where it is listed, what changed in it as a whole, its turns and other facts."""

    pair: int
    flip: Flip
    among: list[Listed]
    shifts: Shifts
    lines: list[Line]
    omitted: int
    told: list[Told]


def conversations(entries: list[Listed], runs: list[Run]) -> list[Conversation]:
    """The listed cases that are shown whole."""
    among: dict[tuple[int, Place], list[Listed]] = {}
    for entry in entries:
        among.setdefault(entry.key, []).append(entry)
    shown = [among[key] for key in chosen(entries)]
    wanted = {(arm, one.flip.case, one.flip.trial) for one, *_ in shown for arm in (one.flip.a, one.flip.b)}
    found = _read(runs, wanted) if wanted else {}
    return [_conversation(those, found) for those in shown]


def chosen(entries: Iterable[Listed], most: int = CASES) -> list[tuple[int, Place]]:
    """Cases that show gains and losses of as many metrics as can be, pair by pair in turns, until there is no room."""
    pairs: dict[int, dict[tuple[int, Place], set[tuple[str, bool]]]] = {}
    for one in entries:
        ways = pairs.setdefault(one.pair, {}).setdefault(one.key, set())
        ways.add((one.flip.metric, one.flip.difference > 0))
    turns = zip_longest(*(list(_covering(keys)) for keys in pairs.values()))
    return [key for turn in turns for key in turn if key is not None][:most]


def _covering(keys: dict[tuple[int, Place], set[tuple[str, bool]]]) -> Iterator[tuple[int, Place]]:
    """All keys, each the one that adds most to those since everything left to see was last seen."""
    left, unseen = dict(keys), set[tuple[str, bool]]()
    while left:
        rest = set(chain.from_iterable(left.values()))
        unseen = unseen & rest or rest
        key = max(left, key=lambda key: len(left[key] & unseen))
        unseen -= left.pop(key)
        yield key


def _read(runs: list[Run], wanted: set[tuple[str, str, int]]) -> dict[tuple[str, str, int], Record]:
    """The records of arms, cases and trials, arms called as the comparison calls them."""
    sheet = Sheet(runs, force=True, rows=lambda _: ())
    found: dict[tuple[str, str, int], Record] = {}
    for run in runs:
        names = sheet.names(run)
        keys = ((names.get(row.arm, row.arm), row.case, row.trial) for row in run.summaries())
        places = {place: key for place, key in enumerate(keys) if key in wanted}
        found |= dict(records(run, places))
    return found


def _conversation(among: list[Listed], found: dict[tuple[str, str, int], Record]) -> Conversation:
    flip = among[0].flip
    sides = {arm: found.get((arm, flip.case, flip.trial), {}) for arm in (flip.b, flip.a)}
    marks = [(one.flip.metric, mark) for one in among for mark in one.flip.marks]
    lines = list(_lines(sides, marks))
    seen = {said.turn for line in lines for said in line.said}
    return Conversation(
        pair=among[0].pair,
        flip=flip,
        among=among,
        shifts=_shifts([(metric, mark) for metric, mark in marks if not mark.turn or mark.turn not in seen]),
        lines=lines,
        omitted=max(len(listed(record, "turns")) for record in sides.values()) - len(lines),
        told=_told(sides, SHOWN),
    )


def _lines(sides: dict[str, Record], marks: list[tuple[str, MarkFlip]]) -> Iterator[Line]:
    room, seen = LETTERS, set[str]()
    parts = {arm: roles(record) for arm, record in sides.items()}
    turns = zip_longest(*(listed(record, "turns") for record in sides.values()))
    for both in list(turns)[:TURNS]:
        if room <= 0:
            return
        there = {arm: turn for arm, turn in zip(sides, both, strict=True) if turn is not None}
        said = _merged([_said(arm, turn, parts[arm], room // len(there)) for arm, turn in there.items()])
        room -= sum(len(one.text.text) for one in said)
        new = {one.turn for one in said} - seen - {""}
        changed = [(metric, mark) for metric, mark in marks if mark.turn in new]
        seen |= new
        yield Line(said, _shifts(changed), _told(there, SPOKEN) if changed else [])


def _said(arm: str, turn: Record, parts: dict[str, str], room: int) -> Said:
    text, name, speaker = (str(turn.get(key) or "") for key in ("text", "id", "speaker"))
    role = parts.get(speaker, "")
    return Said(arm, name, speaker, "" if role == speaker else role, passage(text, min(LONGEST, room)))


def _merged(said: list[Said]) -> list[Said]:
    """One turn for two that are the same."""
    alike = [Said(None, one.turn, one.speaker, one.role, one.text) for one in said]
    return alike[:1] if len(said) > 1 and alike[0] == alike[1] else said


def _told(sides: dict[str, Record], known: tuple[str, ...]) -> list[Told]:
    """What records say: first what is the same in both, then what each has of its own."""
    each = {arm: facts(record, known) for arm, record in sides.items()}
    first, *others = each.values()
    shared = [fact for fact in first if others and all(fact in other for other in others)]
    own = [Told(arm, [fact for fact in found if fact not in shared]) for arm, found in each.items()]
    return [told for told in (Told(None, shared), *own) if told.facts]


def _shifts(marks: list[tuple[str, MarkFlip]]) -> Shifts:
    """Marks that changed, those that say the same of the same together, those that say why first."""
    places: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for metric, mark in marks:
        values = " to ".join(NONE if value is None else figure(value) for value in (mark.b, mark.a))
        places.setdefault((mark.turn, mark.at, mark.why), []).append((metric, values))
    found = [Shift(turn, at, passage(why, WHY), values) for (turn, at, why), values in places.items()]
    said = sorted(found, key=lambda shift: not shift.why.text)
    return Shifts(said[:NOTES], max(len(said) - NOTES, 0))
