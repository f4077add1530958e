"""The cases that changed between two arms: both arms' turns side by side, with what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest

from msgspec import Struct

from adjudge.compare.flips import Flip, MarkFlip
from adjudge.compare.sheet import Place, Sheet
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
from adjudge.report.words import NONE, figure
from adjudge.run import Run

# A conversation: the number of the pair of arms, the case and the trial.
FlipKey = tuple[int, Place]
ChangedMark = tuple[str, MarkFlip]


class ListedFlip(Struct, frozen=True):
    """A case in the list of those that changed by a metric: of which pair of arms, and in which row."""

    pair: int
    row: int
    flip: Flip

    @property
    def key(self) -> FlipKey:
        """The conversation: a case and trial of a pair of arms."""
        return self.pair, (self.flip.case, self.flip.trial)


class ArmTurn(Struct, frozen=True):
    """A turn of one arm or, where the arm is None, of both."""

    arm: str | None
    turn: ShownTurn


class ArmFacts(Struct, frozen=True):
    """What the record of one arm holds or, where the arm is None, the records of both."""

    arm: str | None
    facts: list[Fact]


class ChangedTurn(Struct, frozen=True):
    """The turns at one place of both records: once where they are the same, else first the baseline's."""

    turns: list[ArmTurn]
    notes: Notes
    facts: list[ArmFacts]


class ChangedConversation(Struct, frozen=True):
    """A case that changed: where it is listed, what changed in it as a whole, its turns and other facts."""

    pair: int
    flip: Flip
    among: list[ListedFlip]
    notes: Notes
    lines: list[ChangedTurn]
    omitted: int
    facts: list[ArmFacts]


def read_changed_conversations(listed: list[ListedFlip], runs: list[Run]) -> list[ChangedConversation]:
    """The listed cases that are shown whole."""
    among: dict[FlipKey, list[ListedFlip]] = {}
    for item in listed:
        among.setdefault(item.key, []).append(item)
    shown = [among[key] for key in choose_flips(listed)]
    wanted = {(arm, first.flip.case, first.flip.trial) for first, *_ in shown for arm in (first.flip.a, first.flip.b)}
    records = _read(runs, wanted) if wanted else {}
    return [_conversation(items, records) for items in shown]


def choose_flips(listed: Iterable[ListedFlip], most: int = CONVERSATIONS) -> list[FlipKey]:
    """Cases that show gains and losses of as many metrics as can be, pair by pair in turns, until there is no room."""
    pairs: dict[int, dict[FlipKey, set[tuple[str, bool]]]] = {}
    for item in listed:
        changes = pairs.setdefault(item.pair, {}).setdefault(item.key, set())
        changes.add((item.flip.metric, item.flip.difference > 0))
    return take_in_turns((chain.from_iterable(covering_rounds(keys)) for keys in pairs.values()), most)


def _read(runs: list[Run], wanted: set[tuple[str, str, int]]) -> dict[tuple[str, str, int], Record]:
    """The records of arms, cases and trials, arms called as the comparison calls them."""
    sheet = Sheet(runs, force=True, rows=lambda _: ())
    records: dict[tuple[str, str, int], Record] = {}
    for run in runs:
        names = sheet.names(run)
        keys = ((names.get(row.arm, row.arm), row.case, row.trial) for row in run.summaries())
        places = {place: key for place, key in enumerate(keys) if key in wanted}
        records |= dict(read_records(run, places))
    return records


def _conversation(among: list[ListedFlip], records: dict[tuple[str, str, int], Record]) -> ChangedConversation:
    flip = among[0].flip
    sides = {arm: records.get((arm, flip.case, flip.trial), {}) for arm in (flip.b, flip.a)}
    marks = [(item.flip.metric, mark) for item in among for mark in item.flip.marks]
    lines = list(_lines(sides, marks))
    turns = {side.turn.turn for line in lines for side in line.turns}
    return ChangedConversation(
        pair=among[0].pair,
        flip=flip,
        among=among,
        notes=group_notes(_judgement(*mark, mark[1].turn) for mark in marks if mark[1].turn not in turns - {""}),
        lines=lines,
        omitted=max(len(objects(record, "turns")) for record in sides.values()) - len(lines),
        facts=_arm_facts(sides, RECORD_FIELDS),
    )


def _lines(sides: dict[str, Record], marks: list[ChangedMark]) -> Iterator[ChangedTurn]:
    room, seen = LETTERS, set[str]()
    roles = {arm: speaker_roles(record) for arm, record in sides.items()}
    both_turns = zip_longest(*(objects(record, "turns") for record in sides.values()))
    for both in list(both_turns)[:TURNS]:
        if room <= 0:
            return
        there = {arm: turn for arm, turn in zip(sides, both, strict=True) if turn is not None}
        turns = [ArmTurn(arm, utterance(turn, roles[arm], room // len(there))) for arm, turn in there.items()]
        turns = _merge_alike(turns)
        room -= sum(len(side.turn.text.text) for side in turns)
        new = {side.turn.turn for side in turns} - seen - {""}
        changed = [(metric, mark) for metric, mark in marks if mark.turn in new]
        seen |= new
        notes = group_notes(_judgement(metric, mark, "") for metric, mark in changed)
        yield ChangedTurn(turns, notes, _arm_facts(there, TURN_FIELDS) if changed else [])


def _merge_alike(turns: list[ArmTurn]) -> list[ArmTurn]:
    """One turn for two that are the same."""
    if len(turns) > 1 and turns[0].turn == turns[1].turn:
        return [ArmTurn(None, turns[0].turn)]
    return turns


def _arm_facts(sides: dict[str, Record], except_for: tuple[str, ...]) -> list[ArmFacts]:
    """What records hold: first what is the same in both, then what each has of its own."""
    each = {arm: record_facts(record, except_for) for arm, record in sides.items()}
    first, *others = each.values()
    shared = [fact for fact in first if others and all(fact in other for other in others)]
    own = [ArmFacts(arm, [fact for fact in facts if fact not in shared]) for arm, facts in each.items()]
    return [item for item in (ArmFacts(None, shared), *own) if item.facts]


def _judgement(metric: str, mark: MarkFlip, turn: str) -> NotedMark:
    """A mark that changed, to be noted; `turn` where the note does not stand in its turn."""
    change = " to ".join(NONE if value is None else figure(value) for value in (mark.b, mark.a))
    return NotedMark(metric, change, turn, mark.at, mark.why)
