"""The conversations to look at first: the worst of each arm and metric, with what went wrong in them."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.core.record import Key
from adjudge.run import Manifest, Run
from adjudge.run.worst import Rank, badness, falls_short, has_worst

# The number of conversations for each arm and metric: enough to see whether they fail in the same way.
SHOWN = 3


class Worst(Struct, frozen=True):
    """One of the worst conversations of an arm by a metric.

    `why`, `at` and `turn` are of its first wrong mark that says why (else of the first wrong mark).
    """

    arm: str
    metric: str
    case: str
    trial: int
    value: float
    n: int
    turn: str
    at: str
    why: str

    @property
    def key(self) -> Key:
        """The conversation."""
        return Key(self.case, self.arm, self.trial)

    @property
    def name(self) -> str:
        """The case, with the trial where there are several."""
        return f"{self.case} #{self.trial}" if self.trial else self.case


def worst_conversations(run: Run, shown: int = SHOWN) -> list[Worst]:
    """Some conversations for each arm and headline metric that are short of the best value, at most `shown` of each.

    Metrics of which neither direction is better, or that groups make, have no worst. Among equals those with more
    marks come first: they show more.
    """
    made = WorstConversations(run.manifest, shown)
    for row in run.rows():
        made.take(row)
    return made.worst()


class WorstConversations:
    """The worst conversations of each arm and headline metric, at most `shown` of each, among the rows taken in."""

    def __init__(self, manifest: Manifest, shown: int = SHOWN) -> None:
        self._cards = {name: card for name, card in manifest.cards.items() if has_worst(card)}
        self._shown = shown
        self._kept: dict[tuple[str, str], list[Worst]] = {}
        # Arms in the order of the tables: a run that keeps few records may have them in another.
        self._arms = dict.fromkeys(manifest.coverage.arms)

    def take(self, row: ScoreRow) -> None:
        """Take in the scores of a record."""
        self._arms[row.arm] = None
        for name, card in self._cards.items():
            score = row.scores.get(name)
            if score is not None and score.value is not None and falls_short(score.value, card):
                self._insert(self._kept.setdefault((row.arm, name), []), row, card, score)

    def worst(self) -> list[Worst]:
        """The worst of each arm and metric, arms in the order of the tables and metrics in that of the cards."""
        return [worst for arm in self._arms for name in self._cards for worst in self._kept.get((arm, name), [])]

    def _insert(self, kept: list[Worst], row: ScoreRow, card: Card, score: Score) -> None:
        value = 0.0 if score.value is None else score.value
        order = _badness(card)
        rank = badness(card, value, score.n, row.case, row.trial)
        if len(kept) == self._shown and rank > order(kept[-1]):
            return
        insort(kept, _worst(row, card, score, value), key=order)
        del kept[self._shown :]


def worst_by(run: Run, metric: str, shown: int) -> list[Worst]:
    """The worst conversations of a run by one metric, whatever their arm; raises BadInput where no value is worse."""
    card = run.manifest.cards[metric]
    if not has_worst(card):
        raise BadInput(f"{metric}: has no worst conversations: no direction is better, or it is a variant")
    worst = worst_conversations(run.with_metrics([metric]), shown)
    return sorted(worst, key=_badness(card))[:shown]


def _badness(card: Card) -> Callable[[Worst], Rank]:
    """The order of conversations, worst first."""
    return lambda worst: badness(card, worst.value, worst.n, worst.case, worst.trial)


def _worst(row: ScoreRow, card: Card, score: Score, value: float) -> Worst:
    mark = _telling_mark(score, card)
    return Worst(row.arm, card.name, row.case, row.trial, value, score.n, mark.turn, mark.at, mark.why)


def _telling_mark(score: Score, card: Card) -> Mark:
    wrong = [mark for mark in score.marks if falls_short(mark.value, card)]
    explained = [mark for mark in wrong if mark.why]
    return (explained or wrong or list(score.marks))[0]
