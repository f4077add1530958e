"""Which conversations are the worst by a metric, and a selection of these as they are scored."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

from adjudge.core.card import Card
from adjudge.core.mark import Score, ScoreRow
from adjudge.core.record import Key
from adjudge.run.summary import ScoreSummary, SummaryRow

# The order of conversations, worst first: the value (negated where lower is better), fewer marks, case and trial.
Rank = tuple[float, int, str, int]


def has_worst(card: Card) -> bool:
    """Whether a metric has worst conversations: one direction is better, and conversations have values of their own."""
    return not card.variant and card.better != "neither" and card.pool != "groups"


def falls_short(value: float, card: Card) -> bool:
    """Whether a value is short of the best one; where the scale is open, every value is."""
    low, high = card.scale
    if card.better == "higher":
        return high is None or value < high
    return low is None or value > low


def badness(card: Card, value: float, n: int, case: str, trial: int) -> Rank:
    """The rank of a conversation: the lower, the worse. Among equals those with more marks come first."""
    return (value if card.better == "higher" else -value, -n, case, trial)


class WorstSelection:
    """The worst conversations of each metric and arm among those seen, `most` of each."""

    def __init__(self, cards: Iterable[Card], most: int) -> None:
        self.most = most
        self._cards = {card.name: card for card in cards if has_worst(card)}
        self._ranks: dict[tuple[str, str], list[Rank]] = {}

    def admit(self, row: ScoreRow | SummaryRow) -> bool:
        """Take in a record; whether it is among the worst seen so far by any metric."""
        admitted = False
        scores: Mapping[str, Score | ScoreSummary] = row.scores
        for name, card in self._cards.items():
            score = scores.get(name)
            if score is None or score.value is None or not falls_short(score.value, card):
                continue
            rank = badness(card, score.value, score.n, row.case, row.trial)
            admitted |= self._insert(self._ranks.setdefault((name, row.arm), []), rank)
        return admitted

    def keys(self) -> set[Key]:
        """The keys of the records that are among the worst."""
        return {Key(case, arm, trial) for (_, arm), ranks in self._ranks.items() for _, _, case, trial in ranks}

    def _insert(self, ranks: list[Rank], rank: Rank) -> bool:
        if len(ranks) == self.most and rank > ranks[-1]:
            return False
        place = bisect_left(ranks, rank)
        # A record that comes a second time, after a lost worker, is one record.
        if place == len(ranks) or ranks[place] != rank:
            ranks.insert(place, rank)
            del ranks[self.most :]
        return True
