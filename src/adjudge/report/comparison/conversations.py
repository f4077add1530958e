"""The cases that changed between two arms: both arms' turns side by side, with what changed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from msgspec import Struct

from adjudge.compare.flips import Flip, MarkFlip
from adjudge.compare.sheet import Place, Sheet
from adjudge.core.card import Card
from adjudge.core.record import Key
from adjudge.report.comparison.words import reason_text
from adjudge.report.page.choice import CONVERSATIONS, covering_rounds, take_in_turns
from adjudge.report.page.transcript import NotedMark, NoteKind, Record, Transcript, read_records, transcript
from adjudge.report.words import NONE, figure
from adjudge.run import Run

# A conversation: the number of the pair of arms, the case and the trial.
FlipKey = tuple[int, Place]
# A record: its arm as the comparison calls it, its case and its trial.
RecordKey = tuple[str, str, int]


class ListedFlip(Struct, frozen=True):
    """A case in the list of those that changed by a metric: of which pair of arms, and in which row."""

    pair: int
    row: int
    flip: Flip

    @property
    def key(self) -> FlipKey:
        """The conversation: a case and trial of a pair of arms."""
        return self.pair, (self.flip.case, self.flip.trial)


class ChangedConversation(Struct, frozen=True):
    """A case that changed, and where it is listed."""

    among: list[ListedFlip]
    transcript: Transcript


def read_changed_conversations(
    listed: list[ListedFlip], runs: list[Run], cards: dict[str, Card]
) -> list[ChangedConversation]:
    """The listed cases that are shown whole."""
    among: dict[FlipKey, list[ListedFlip]] = {}
    for item in listed:
        among.setdefault(item.key, []).append(item)
    shown = [among[key] for key in choose_flips(listed)]
    wanted = {(arm, first.flip.case, first.flip.trial) for first, *_ in shown for arm in (first.flip.a, first.flip.b)}
    records = _read(runs, wanted) if wanted else {}
    return [_conversation(items, records, cards) for items in shown]


def choose_flips(listed: Iterable[ListedFlip], most: int = CONVERSATIONS) -> list[FlipKey]:
    """Cases that show gains and losses of as many metrics as can be, pair by pair in turns, until there is no room."""
    pairs: dict[int, dict[FlipKey, set[tuple[str, bool]]]] = {}
    for item in listed:
        changes = pairs.setdefault(item.pair, {}).setdefault(item.key, set())
        changes.add((item.flip.metric, item.flip.difference > 0))
    return take_in_turns((chain.from_iterable(covering_rounds(keys)) for keys in pairs.values()), most)


def _read(runs: list[Run], wanted: set[RecordKey]) -> dict[RecordKey, Record]:
    """The records that are wanted."""
    sheet = Sheet(runs, force=True, chunks=lambda _: ())
    records: dict[RecordKey, Record] = {}
    for run in runs:
        names = sheet.names(run)
        keys = {Key(case, arm, trial) for name, case, trial in wanted for arm in names if names[arm] == name}
        places = {place: (names[row.arm], row.case, row.trial) for place, row in run.rows_of(keys)}
        records |= dict(read_records(run, places))
    return records


def _conversation(
    among: list[ListedFlip], records: dict[RecordKey, Record], cards: dict[str, Card]
) -> ChangedConversation:
    flip = among[0].flip
    sides = {arm: records.get((arm, flip.case, flip.trial), {}) for arm in (flip.b, flip.a)}
    marks = [_noted_mark(cards[item.flip.metric], mark) for item in among for mark in item.flip.marks]
    return ChangedConversation(among, transcript(sides, marks))


def _noted_mark(card: Card, mark: MarkFlip) -> NotedMark:
    change = " to ".join(NONE if value is None else figure(value) for value in (mark.b, mark.a))
    return NotedMark(card.name, change, mark.turn, mark.at, reason_text(mark), _kind(card, mark))


def _kind(card: Card, mark: MarkFlip) -> NoteKind:
    """Whether the first arm is better or worse here; neutral where one has no mark or no direction is better."""
    if mark.a is None or mark.b is None or card.better == "neither":
        return "neutral"
    return "better" if (mark.a > mark.b) == (card.better == "higher") else "worse"
