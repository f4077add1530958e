"""Business rules before a booking."""

from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.actions import Actions
from adjudge.suites.service.rules.booking import bookings
from adjudge.suites.service.rules.policy import Policy

policy_metric = partial(
    metric,
    unit="turn",
    probes=("policy",),
    predicts=("action", "state"),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 8 Policy Compliance Rate",
    departs="The source calls the rate of violations compliance; here they are two metrics.",
)


def _marks(dialogue: ServiceDialogue, policy: Policy, actions: Actions, kept: float) -> list[Mark]:
    """A mark for each turn: `kept` where the rules were kept, else its opposite with what was lacking."""
    return [
        Mark(1.0 - kept, "", turn.exchange.turn, "; ".join(turn.broken), turn.exchange.group)
        if turn.broken
        else (turn.exchange.one_mark if kept else turn.exchange.zero_mark)
        for turn in bookings(dialogue, policy, actions)
    ]


@policy_metric(
    "Violation",
    formula="turns with a booking while a required slot is missing / turns",
    better="lower",
    primary=True,
)
def policy_violation(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> list[Mark]:
    """In how many turns did the system book while a required slot was missing?

    A booking is the act Booking-Book (or any act that the act table lists as booking) or the action `book`. The policy
    file lists the slots that it requires. The predicted state is taken as what the system knew. An output that could
    not be read counts against the system.
    """
    return _marks(dialogue, policy, actions, kept=0.0)


@policy_metric(
    "Compliance",
    formula="1 - policy_violation",
    better="higher",
)
def policy_compliance(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> list[Mark]:
    """In how many turns did the system follow the booking rules?"""
    return _marks(dialogue, policy, actions, kept=1.0)


@policy_metric(
    "Violations",
    formula="dialogue: turns with a violation; dataset: mean over dialogues",
    unit="conversation",
    better="lower",
    scale=(0.0, None),
    pool="conversations",
)
def violations_per_dialogue(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> list[Mark]:
    """How many violations does a dialogue have?

    The source gives this count beside its rate; policy_violation is the rate. A dialogue without a prediction is
    undefined.
    """
    turns = bookings(dialogue, policy, actions)
    broken = [turn for turn in turns if turn.broken]
    why = "; ".join(f"turn {turn.exchange.turn}: {fault}" for turn in broken for fault in turn.broken)
    return [Mark(float(len(broken)), why=why)] if turns else []
