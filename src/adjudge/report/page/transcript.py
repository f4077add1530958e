"""A conversation as a page shows it: its turns, and the notes on what was judged in each of them.

A page of a run shows the record of one arm, a page of a comparison the records of two arms side by side: the sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import BadInput
from adjudge.report.page.facts import Fact, line, objects, record_facts
from adjudge.report.page.speakers import Speaker, speakers_of
from adjudge.report.text import LONGEST_PASSAGE, Passage, passage
from adjudge.run import RECORDS, Run

T = TypeVar("T")
Record = dict[str, Any]

# The most of a conversation that a page shows, in characters of text and in turns, so that it opens fast with any run.
LETTERS = 24_000
TURNS = 80
# The most notes at one place, and the longest reason of a note in characters.
NOTES = 8
LONGEST_REASON = 400

# The fields of a record and of a turn that have their own place on the page.
RECORD_FIELDS = ("id", "case", "arm", "trial", "turns")
KINDS = ("speech", "call", "result", "thought")
TURN_FIELDS = ("id", "speaker", "text", "to", "kind", "call")
NOBODY = Speaker("", 1, "?")

# The verdict of a mark: something is wrong, partly wrong or neither, or an arm is better or worse than another.
NoteKind = Literal["wrong", "partly", "neutral", "better", "worse"]


class NotedMark(Struct, frozen=True):
    """A mark to be noted: its metric, its value in words, its place and its reason, and what it says."""

    metric: str
    value: str
    turn: str
    at: str
    why: str
    kind: NoteKind = "wrong"


class Note(Struct, frozen=True):
    """What was judged at one place and why, with the values of each metric that judged it.

    `turn` is empty where the note stands in its turn.
    """

    turn: str
    at: str
    why: Passage
    values: list[tuple[str, str]]
    kind: NoteKind = "wrong"


class Notes(Struct, frozen=True):
    """The notes of one turn or of a whole conversation, and how many more there were."""

    shown: list[Note]
    more: int

    @property
    def has_fault(self) -> bool:
        """Whether a note says that something is wrong or has changed."""
        return any(note.kind != "neutral" for note in self.shown)


class ShownTurn(Struct, frozen=True):
    """A turn as it is shown; `arm` is None where all sides have it.

    `kind` is that of the turn (speech, call, result, thought), and `act` says in words what is no plain speech.
    """

    arm: str | None
    turn: str
    speaker: Speaker
    text: Passage
    kind: str = "speech"
    act: str = ""


class SideFacts(Struct, frozen=True):
    """What else the record of an arm or, where the arm is None, the records of all sides hold."""

    arm: str | None
    facts: list[Fact]


class Line(Struct, frozen=True):
    """The turns at one place of all sides, with what was judged there and, if anything was, what else they hold."""

    turns: list[ShownTurn]
    notes: Notes
    facts: list[SideFacts]

    @property
    def turn(self) -> str:
        """The id of the turn."""
        return self.turns[0].turn


class Transcript(Struct, frozen=True):
    """A conversation: notes that belong to no turn shown, lines, how many more there are, and other facts."""

    notes: Notes
    lines: list[Line]
    omitted: int
    facts: list[SideFacts]


def transcript(sides: dict[str, Record], marks: Sequence[NotedMark]) -> Transcript:
    """The records of one or more arms, by arm, as one conversation with the marks noted where they belong."""
    lines = list(_lines(sides, marks))
    shown = {side.turn for shown_line in lines for side in shown_line.turns} - {""}
    return Transcript(
        notes=_group_notes(mark for mark in marks if mark.turn not in shown),
        lines=lines,
        omitted=max(len(objects(record.get("turns"))) for record in sides.values()) - len(lines),
        facts=_side_facts(sides, RECORD_FIELDS),
    )


def read_records(run: Run, wanted: dict[int, T]) -> Iterator[tuple[T, Record]]:
    """The records at some places of a run, each with what is wanted there."""
    for place, row in enumerate(run.records()):
        if place not in wanted:
            continue
        try:
            yield wanted[place], msgspec.json.decode(row, type=Record)
        except msgspec.MsgspecError as error:
            raise BadInput(
                f"{run.folder / RECORDS}:{place + 1}: {error}; the file was changed; score the run again with --fresh"
            ) from error


def _lines(sides: dict[str, Record], marks: Sequence[NotedMark]) -> Iterator[Line]:
    room, seen = LETTERS, {""}
    speakers = _speakers(sides.values())
    rows = zip_longest(*(objects(record.get("turns")) for record in sides.values()))
    for row in list(rows)[:TURNS]:
        if room <= 0:
            return
        there = {arm: turn for arm, turn in zip(sides, row, strict=True) if turn is not None}
        turns = [_side_turn(arm, turn, speakers, room // len(there)) for arm, turn in there.items()]
        turns = _merge_alike(turns, len(sides))
        room -= sum(len(side.text.text) for side in turns)
        new = {side.turn for side in turns} - seen
        seen |= new
        judged = [structs.replace(mark, turn="") for mark in marks if mark.turn in new]
        facts = _side_facts({arm: there.get(arm, {}) for arm in sides}, TURN_FIELDS) if judged else []
        yield Line(turns, _group_notes(judged), facts)


def _side_turn(arm: str, turn: Record, speakers: dict[str, Speaker], room: int) -> ShownTurn:
    """A turn, its text cut where it is longer than the room that is left."""
    text, name, speaker, kind = (str(turn.get(key) or "") for key in ("text", "id", "speaker", "kind"))
    call = turn.get("call")
    if kind == "call" and isinstance(call, dict) and call.get("arguments"):
        text = f"{text}\n{line(call['arguments'])}".strip()
    shown = passage(text, min(LONGEST_PASSAGE, room))
    kind = kind if kind in KINDS else "speech"
    return ShownTurn(arm, name, speakers.get(speaker, NOBODY), shown, kind, _act(turn))


def _act(turn: Record) -> str:
    """What a turn does beside being said: a call, a result, a thought, and to whom it goes."""
    call = turn.get("call") if isinstance(turn.get("call"), dict) else {}
    tool, status = str((call or {}).get("name") or ""), str((call or {}).get("status") or "")
    acts = {"call": f"calls {tool}", "result": f"result of {tool}" if tool else "result", "thought": "thinks"}
    kind, to = turn.get("kind"), turn.get("to")
    act = acts.get(kind, "") if isinstance(kind, str) else ""
    named = f"to {line(to)}" if isinstance(to, list) and to else ""
    return ", ".join(filter(None, (act, status if act else "", named)))


def _merge_alike(turns: list[ShownTurn], sides: int) -> list[ShownTurn]:
    """One turn without an arm where all sides have the same."""
    without_arm = [structs.replace(turn, arm=None) for turn in turns]
    alike = all(turn == without_arm[0] for turn in without_arm)
    return without_arm[:1] if alike and len(turns) == sides else turns


def _side_facts(sides: dict[str, Record], except_for: tuple[str, ...]) -> list[SideFacts]:
    """What records hold: first what all sides share, then what each has of its own."""
    each = {arm: record_facts(record, except_for) for arm, record in sides.items()}
    first, *others = each.values()
    shared = [fact for fact in first if all(fact in other for other in others)]
    own = [SideFacts(arm, [fact for fact in facts if fact not in shared]) for arm, facts in each.items()]
    return [side for side in (SideFacts(None, shared), *own) if side.facts]


def _group_notes(marks: Iterable[NotedMark]) -> Notes:
    """Marks as notes: one for each place and reason; neutral ones last, those with a reason and of no turn first."""
    places: dict[tuple[str, str, str], list[NotedMark]] = {}
    for mark in marks:
        places.setdefault((mark.turn, mark.at, mark.why), []).append(mark)
    notes = map(_note, places.values())
    ordered = sorted(notes, key=lambda note: (note.kind == "neutral", not note.why.text, note.turn != ""))
    return Notes(ordered[:NOTES], max(len(ordered) - NOTES, 0))


def _note(marks: list[NotedMark]) -> Note:
    """Marks of one place and reason; where one is neutral, the reason is none for a fault."""
    first, kinds = marks[0], [mark.kind for mark in marks]
    kind = next((kind for kind in ("neutral", "worse", "wrong") if kind in kinds), kinds[0])
    values = [(mark.metric, mark.value) for mark in marks]
    return Note(first.turn, first.at, passage(first.why, LONGEST_REASON), values, kind)


def _speakers(records: Iterable[Record]) -> dict[str, Speaker]:
    """The speakers of all sides, so that one who speaks in several has one face."""
    names = ("participants", "members", "turns")
    return speakers_of({name: [each for record in records for each in objects(record.get(name))] for name in names})
