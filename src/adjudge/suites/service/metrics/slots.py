"""Slot tracking, pair by pair."""

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.tracking import TrackedTurn, pair_list, tracked_turns
from adjudge.suites.service.rules.values import Match

slot_metric = partial(
    metric,
    unit="turn",
    better="higher",
    probes=("triage", "memory"),
    predicts=("state",),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 4 Slot-level Accuracy",
)


@slot_metric(
    "SlotAcc",
    formula="turn: right slot-value pairs / gold pairs; dataset: mean over turns",
    primary=True,
)
def slot_accuracy(dialogue: ServiceDialogue, match: Match) -> Iterator[Mark]:
    """How much of what the user has said so far is in the state, turn by turn?

    States are accumulated. Extra pairs do not count here; hallucination and slot_precision count them. A turn with an
    empty gold state is undefined.
    """
    for turn in tracked_turns(dialogue, match):
        exchange = turn.exchange
        if turn.missed:
            why = f"missed {pair_list(turn.missed, turn.gold)}"
            yield Mark(1 - len(turn.missed) / len(turn.gold), "", exchange.turn, why, exchange.group)
        elif turn.gold:
            yield exchange.one_mark


@slot_metric(
    "SlotP",
    formula="right pairs / predicted pairs, over all turns",
    probes=("triage", "memory", "supervisor"),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 6 Hallucination Rate, the precision side",
)
def slot_precision(dialogue: ServiceDialogue, match: Match) -> list[Mark]:
    """How many of the tracked pairs are right?

    A turn's mark is weighted by its number of predicted pairs, so the mean over marks is the pooled precision. A turn
    without predicted pairs is undefined.
    """
    return [
        _weighted_share(turn, turn.right, len(turn.predicted))
        for turn in tracked_turns(dialogue, match)
        if turn.predicted
    ]


@slot_metric(
    "SlotR",
    formula="right pairs / gold pairs, over all turns",
)
def slot_recall(dialogue: ServiceDialogue, match: Match) -> list[Mark]:
    """How many of the gold pairs are tracked?

    A turn's mark is weighted by its number of gold pairs, so the mean over marks is the pooled recall.
    """
    return [_weighted_share(turn, turn.right, len(turn.gold)) for turn in tracked_turns(dialogue, match) if turn.gold]


@slot_metric(
    "SlotF1",
    formula="2 x right pairs / (predicted pairs + gold pairs), over all turns",
    probes=("triage", "memory", "supervisor"),
)
def slot_f1(dialogue: ServiceDialogue, match: Match) -> list[Mark]:
    """How well do tracked and gold pairs overlap?

    A turn's mark is weighted by predicted plus gold pairs, so the mean over marks is the pooled F1.
    """
    return [
        _weighted_share(turn, 2 * turn.right, len(turn.predicted) + len(turn.gold))
        for turn in tracked_turns(dialogue, match)
        if turn.predicted or turn.gold
    ]


def _weighted_share(turn: TrackedTurn, part: int, size: int) -> Mark:
    """The share of a turn's pairs, weighted by their number."""
    return Mark(part / size, "", turn.exchange.turn, "", turn.exchange.group, float(size))
