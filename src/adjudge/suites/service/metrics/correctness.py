"""Whether the system did what the turn called for."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import Annotation, ServiceDialogue
from adjudge.suites.service.rules.actions import Actions, expected_actions
from adjudge.suites.service.rules.booking import bookings
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.policy import Policy
from adjudge.suites.service.rules.replies import CheckedReply, checked_references, checked_replies
from adjudge.suites.service.rules.tracking import TrackedTurn, tracked_turns
from adjudge.suites.service.rules.values import Match

SOURCE = "Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 9 System Correctness"
DEPARTS = (
    "The expected action comes from the gold intent and the gold state, so a wrong intent cannot excuse a wrong "
    "action. A reply with several actions is right if the expected one is among them and it makes no booking that "
    "was not asked for."
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
    version=2,
)
def system_correctness(
    dialogue: ServiceDialogue, match: Match, policy: Policy, actions: Actions, db: Venues | None = None
) -> Iterator[Mark]:
    """Did the system take the right action in each turn?

    A find intent requires a search. A book intent requires a booking if all required slots are known, and a request if
    one is missing. No intent requires an inform. With a database, a reply that states a venue or a fact that does not
    exist is wrong too (see reply_hallucination).
    """
    invented = {turn.exchange.turn: _inventions(turn) for turn in tracked_turns(dialogue, match) if turn.extra}
    broken = {turn.exchange.turn: turn.broken for turn in bookings(dialogue, policy, actions) if turn.broken}
    untrue = _claims_by_turn(checked_replies(dialogue, db, actions)) if db is not None else {}
    for exchange, wanted in zip(dialogue.exchanges, expected_actions(dialogue, policy), strict=True):
        if wanted and exchange.predicted is not None:
            turn = exchange.turn
            faults = [
                *_wrong_action(wanted, exchange.predicted, actions),
                *invented.get(turn, ()),
                *broken.get(turn, ()),
                *untrue.get(turn, ()),
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
    version=2,
)
def system_correctness_ceiling(
    dialogue: ServiceDialogue, policy: Policy, actions: Actions, db: Venues | None = None
) -> Iterator[Mark]:
    """What would the gold replies score under the same rule?

    A ceiling below 1 shows how far the rule and the annotation disagree. Read system_correctness against it.
    """
    untrue = _claims_by_turn(checked_references(dialogue, db, actions)) if db is not None else {}
    for exchange, wanted in zip(dialogue.exchanges, expected_actions(dialogue, policy), strict=True):
        if wanted and exchange.gold is not None and exchange.gold.acts is not None:
            is_right = _is_right(wanted, actions.of(exchange.gold)) and exchange.turn not in untrue
            yield exchange.one_mark if is_right else exchange.zero_mark


def _wrong_action(wanted: str, reply: Annotation, actions: Actions) -> list[str]:
    done = actions.of(reply)
    return [] if _is_right(wanted, done) else [f"expected {wanted}, did {', '.join(sorted(done)) or 'nothing'}"]


def _is_right(wanted: str, done: frozenset[str]) -> bool:
    """Whether the expected action is among those done, and nothing was booked unasked."""
    return wanted in done and (wanted == "book" or "book" not in done)


def _inventions(turn: TrackedTurn) -> list[str]:
    return [f"invented {slot}" for slot in turn.invented_slots]


def _claims_by_turn(replies: list[CheckedReply]) -> dict[str, tuple[str, ...]]:
    """What replies claim and nothing confirms, by turn."""
    return {reply.exchange.turn: reply.invented for reply in replies if reply.invented}
