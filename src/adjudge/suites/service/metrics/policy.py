"""Business rules before a booking."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import Exchange, ServiceDialogue
from adjudge.suites.service.rules import Actions, Policy, booked_domains

SOURCE = "MAS4CS evaluation choices, 8"


def violations(exchange: Exchange, policy: Policy, actions: Actions) -> list[str]:
    """What a booking in this turn lacked, a phrase per domain; empty where no rule was broken."""
    predicted = exchange.predicted
    if predicted is None:
        return []
    state = predicted.state or {}
    missing = [(domain, policy.lacks(domain, state)) for domain in booked_domains(exchange, predicted, actions)]
    return [f"booked {domain} without {', '.join(slots)}" for domain, slots in missing if slots]


@metric(
    "Violation",
    formula="turns with a booking while a required slot is missing / turns",
    unit="turn",
    better="lower",
    probes=("policy",),
    predicts=("action", "state"),
    source=SOURCE,
)
def policy_violation(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> Iterator[Mark]:
    """In how many turns did the system book without what a booking needs?

    A booking is an act Booking-Book (or what the act table counts as booking) or the action `book`; what
    it needs is in the policy file. The predicted state is what the system knew.
    """
    for exchange in dialogue.exchanges:
        if exchange.predicted is not None:
            broken = violations(exchange, policy, actions)
            yield Mark(float(bool(broken)), "", exchange.turn, "; ".join(broken), exchange.group)


@metric(
    "Compliance",
    formula="1 - policy_violation",
    unit="turn",
    better="higher",
    probes=("policy",),
    predicts=("action", "state"),
    source=SOURCE,
)
def policy_compliance(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> Iterator[Mark]:
    """In how many turns were the booking rules kept?"""
    for exchange in dialogue.exchanges:
        if exchange.predicted is not None:
            broken = violations(exchange, policy, actions)
            yield Mark(float(not broken), "", exchange.turn, "; ".join(broken), exchange.group)
