"""The conversations that a page shows whole, with what was judged wrong put where it was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, structs

from adjudge.core.card import Card
from adjudge.core.mark import ScoreRow
from adjudge.core.record import Key
from adjudge.report.page.choice import CONVERSATIONS, covering_rounds, take_in_turns
from adjudge.report.page.transcript import NotedMark, NoteKind, Record, Transcript, read_records, transcript
from adjudge.report.page.verdict import is_neutral, verdict
from adjudge.report.play.work import TurnWork, read_work
from adjudge.report.run.worst import Worst
from adjudge.report.words import figure
from adjudge.run import Run
from adjudge.run.played import Played, is_played
from adjudge.run.worst import falls_short


class ShownConversation(Struct, frozen=True):
    """A conversation that is shown whole, and by which metrics it is among the worst.

    `work` is what happened inside its turns, by turn, if it was played here.
    """

    key: Key
    among: list[Worst]
    transcript: Transcript
    work: dict[str, TurnWork] = {}

    @property
    def name(self) -> str:
        """The case, with the trial where there are several."""
        return f"{self.key.case} #{self.key.trial}" if self.key.trial else self.key.case


def read_conversations(run: Run, worst: list[Worst], named: Iterable[Key]) -> list[ShownConversation]:
    """The conversations that are shown whole: of the worst and of those named elsewhere on the page."""
    keys = {key: place for place, key in enumerate(choose_conversations(worst, named))}
    work = read_work(Played(run.folder), keys) if is_played(run.folder) else {}
    rows = dict(run.rows_of(keys))
    shown = [_conversation(record, row, run.manifest.cards, worst) for row, record in read_records(run, rows)]
    ordered = sorted(shown, key=lambda conversation: keys[conversation.key])
    return [structs.replace(conversation, work=work.get(conversation.key, {})) for conversation in ordered]


def choose_conversations(worst: Sequence[Worst], named: Iterable[Key] = (), most: int = CONVERSATIONS) -> list[Key]:
    """First the conversations that show a worst case of as many metrics as can be, arm by arm in turns; then others.

    The others are those named elsewhere on the page, then the remaining worst, as far as there is room.
    """
    arms: dict[str, dict[Key, set[str]]] = {}
    for item in worst:
        arms.setdefault(item.arm, {}).setdefault(item.key, set()).add(item.metric)
    covering = take_in_turns((next(covering_rounds(keys)) for keys in arms.values()), most)
    return list(dict.fromkeys([*covering, *named, *(item.key for item in worst)]))[:most]


def _conversation(record: Record, row: ScoreRow, cards: dict[str, Card], worst: list[Worst]) -> ShownConversation:
    among = [item for item in worst if item.key == row.key]
    return ShownConversation(row.key, among, transcript({row.arm: record}, list(_wrong_marks(row, cards))))


def _wrong_marks(row: ScoreRow, cards: dict[str, Card]) -> Iterator[NotedMark]:
    """The marks that are short of the best value."""
    for metric, score in row.scores.items():
        card = cards[metric]
        if card.variant or card.better == "neither":
            continue
        for mark in score.marks:
            if falls_short(mark.value, card):
                yield NotedMark(metric, figure(mark.value), mark.turn, mark.at, mark.why, _kind(mark.value, card))


def _kind(value: float, card: Card) -> NoteKind:
    """What a mark short of the best value says; on a scale without a worst end it cannot be wholly wrong."""
    if is_neutral(value, card):
        return "neutral"
    return "wrong" if verdict(value, card) == "wrong" else "partly"
