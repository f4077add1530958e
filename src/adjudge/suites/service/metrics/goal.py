"""Joint goal accuracy, under the policy of the run and under each policy by name."""

from collections.abc import Iterator
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.tracking import tracked_turns
from adjudge.suites.service.rules.values import CANONICAL, FUZZY, LEADERBOARD, STRICT, Match

joint_goal_metric = partial(
    metric,
    formula="turn: predicted state = gold state, all pairs; dataset: mean over turns",
    unit="turn",
    better="higher",
    probes=("memory", "triage"),
    predicts=("state",),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 5 Joint Goal Accuracy",
)


def _joint(dialogue: ServiceDialogue, match: Match) -> list[Mark]:
    """The marks without evidence, which joint_goal_accuracy shows."""
    return [
        turn.exchange.one_mark if turn.exact else turn.exchange.zero_mark for turn in tracked_turns(dialogue, match)
    ]


@joint_goal_metric("JGA", primary=True)
def joint_goal_accuracy(dialogue: ServiceDialogue, match: Match) -> Iterator[Mark]:
    """Is everything the user wants tracked, and nothing else, in each turn?

    Values are compared under the run's match policy. Gold lists alternatives, and any of them is right. One extra,
    missing or wrong pair makes the turn wrong.
    """
    for turn in tracked_turns(dialogue, match):
        exchange = turn.exchange
        yield exchange.one_mark if turn.exact else Mark(0.0, "", exchange.turn, turn.evidence(), exchange.group)


@joint_goal_metric("JGA-strict")
def joint_goal_accuracy_strict(dialogue: ServiceDialogue) -> list[Mark]:
    """Is the tracked state right to the letter, apart from case and white space?"""
    return _joint(dialogue, STRICT)


@joint_goal_metric("JGA-canonical")
def joint_goal_accuracy_canonical(dialogue: ServiceDialogue) -> list[Mark]:
    """Is the tracked state right if different spellings of a value count as equal?"""
    return _joint(dialogue, CANONICAL)


@joint_goal_metric("JGA-fuzzy")
def joint_goal_accuracy_fuzzy(dialogue: ServiceDialogue) -> list[Mark]:
    """Is the tracked state right if typing errors in words, but not in digits, are tolerated?"""
    return _joint(dialogue, FUZZY)


@joint_goal_metric("JGA-leaderboard")
def joint_goal_accuracy_leaderboard(dialogue: ServiceDialogue) -> list[Mark]:
    """Is the tracked state right by the rule of published tables?

    Values are normalised as in MultiWOZ_Evaluation and must then be equal. Gold slots with the value dontcare are left
    out, so predicting one counts as an extra slot.
    """
    return _joint(dialogue, LEADERBOARD)
