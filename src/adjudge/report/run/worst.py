"""The conversations to look at first: the worst of each arm and metric, with what went wrong in them."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.core.record import Key
from adjudge.run import Run

# So many conversations for each arm and metric: enough to see whether they fail in the same way.
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
    cards = {name: card for name, card in run.manifest.cards.items() if _has_worst(card)}
    kept: dict[tuple[str, str], list[Worst]] = {}
    arms: dict[str, None] = {}
    for row in run.rows():
        arms[row.arm] = None
        for name, score in row.scores.items():
            if name in cards and score.value is not None and falls_short(score.value, cards[name]):
                worst = _worst(row, cards[name], score, score.value)
                _insert(kept.setdefault((row.arm, name), []), worst, cards[name], shown)
    return [worst for arm in arms for name in cards for worst in kept.get((arm, name), [])]


def worst_by(run: Run, metric: str, shown: int) -> list[Worst]:
    """The worst conversations of a run by one metric, whatever their arm; raises BadInput where no value is worse."""
    card = run.manifest.cards[metric]
    if not _has_worst(card):
        raise BadInput(f"{metric}: has no worst conversations: no direction is better, or it is a variant")
    worst = worst_conversations(run.with_metrics([metric]), shown)
    return sorted(worst, key=_badness(card))[:shown]


def falls_short(value: float, card: Card) -> bool:
    """Whether a value is short of the best one; where the scale is open, every value is."""
    low, high = card.scale
    if card.better == "higher":
        return high is None or value < high
    return low is None or value > low


def is_neutral(value: float, card: Card) -> bool:
    """Whether a value is neither right nor wrong: the 0 of a scale with negative and positive values."""
    low, high = card.scale
    return value == 0 and low is not None and high is not None and low < 0 < high


def _has_worst(card: Card) -> bool:
    return not card.variant and card.better != "neither" and card.pool != "groups"


def _insert(kept: list[Worst], new: Worst, card: Card, shown: int) -> None:
    insort(kept, new, key=_badness(card))
    del kept[shown:]


def _badness(card: Card) -> Callable[[Worst], tuple[float, int, str, int]]:
    """The order of conversations, worst first."""
    sign = 1 if card.better == "higher" else -1
    return lambda worst: (sign * worst.value, -worst.n, worst.case, worst.trial)


def _worst(row: ScoreRow, card: Card, score: Score, value: float) -> Worst:
    mark = _telling_mark(score, card)
    return Worst(row.arm, card.name, row.case, row.trial, value, score.n, mark.turn, mark.at, mark.why)


def _telling_mark(score: Score, card: Card) -> Mark:
    wrong = [mark for mark in score.marks if falls_short(mark.value, card)]
    explained = [mark for mark in wrong if mark.why]
    return (explained or wrong or list(score.marks))[0]
