"""Whether the system did what the turn called for."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import Annotation, ServiceDialogue, domain_of
from adjudge.suites.service.rules.actions import Actions, expected_actions
from adjudge.suites.service.rules.booking import bookings
from adjudge.suites.service.rules.policy import Policy
from adjudge.suites.service.rules.tracking import TrackedTurn, tracked_turns
from adjudge.suites.service.rules.values import Match

SOURCE = "MAS4CS evaluation choices, 9"
DEPARTS = (
    "The expected action comes from the gold intent and gold state, so that a wrong intent cannot excuse itself; "
    "a reply whose acts amount to several actions is right if the expected one is among them and it does not book "
    "unasked."
)


@metric(
    "SystemCorrect",
    formula="turn: expected action = actual action, no hallucination, no policy violation; dialogue: mean over turns",
    unit="turn",
    better="higher",
    pool="conversations",
    probes=("action", "policy", "supervisor"),
    predicts=("action", "state"),
    source=SOURCE,
    departs=DEPARTS,
    primary=True,
)
def system_correctness(dialogue: ServiceDialogue, match: Match, policy: Policy, actions: Actions) -> Iterator[Mark]:
    """Did the system take the right action in each turn?

    A find intent calls for a search, a book intent with all required slots for a booking, one with slots
    missing for a request, no intent for an inform.
    """
    invented = {turn.exchange.turn: _inventions(turn) for turn in tracked_turns(dialogue, match) if turn.extra}
    broken = {turn.exchange.turn: turn.broken for turn in bookings(dialogue, policy, actions) if turn.broken}
    for exchange, wanted in zip(dialogue.exchanges, expected_actions(dialogue, policy), strict=True):
        if wanted and exchange.predicted is not None:
            turn = exchange.turn
            faults = [
                *_wrong_action(wanted, exchange.predicted, actions),
                *invented.get(turn, ()),
                *broken.get(turn, ()),
            ]
            yield Mark(0.0, "", turn, "; ".join(faults), exchange.group) if faults else exchange.one_mark


@metric(
    "SystemCorrect-ceiling",
    formula="system_correctness of the gold replies themselves",
    unit="turn",
    better="neither",
    pool="conversations",
    probes=("action",),
    source=SOURCE,
)
def system_correctness_ceiling(dialogue: ServiceDialogue, policy: Policy, actions: Actions) -> Iterator[Mark]:
    """What would the gold replies score under the same rule?

    A ceiling below 1 says how far the rule and the annotation disagree: read system_correctness against it.
    """
    for exchange, wanted in zip(dialogue.exchanges, expected_actions(dialogue, policy), strict=True):
        if wanted and exchange.gold is not None and exchange.gold.acts is not None:
            yield exchange.zero_mark if _wrong_action(wanted, exchange.gold, actions) else exchange.one_mark


def _wrong_action(wanted: str, reply: Annotation, actions: Actions) -> list[str]:
    done = actions.of(reply)
    if wanted in done and (wanted == "book" or "book" not in done):
        return []
    return [f"expected {wanted}, did {', '.join(sorted(done)) or 'nothing'}"]


def _inventions(turn: TrackedTurn) -> list[str]:
    active = turn.active_domains
    return [f"invented {slot}" for slot in turn.extra if domain_of(slot) in active]
