"""Invented slot values and invented facts in replies."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.actions import Actions
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.replies import checked_replies
from adjudge.suites.service.rules.tracking import pair_list, tracked_turns
from adjudge.suites.service.rules.values import Match


@metric(
    "Hall",
    formula="turn: predicted pairs that are not in gold / judged predicted pairs; dataset: mean over turns",
    unit="turn",
    better="lower",
    probes=("supervisor", "action"),
    predicts=("state",),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 6 Hallucination Rate",
    primary=True,
    version=2,
)
def hallucination(dialogue: ServiceDialogue, match: Match) -> Iterator[Mark]:
    """Did the system track values that the user never gave?

    The judged pairs are those of the active domain and those of domains without any gold pair. The active domain is
    that of the gold intent and, if the arm names one, the domain to which it routed the turn. Pairs of another domain
    that gold has from earlier turns are not judged. A wrong domain, slot or value counts. A turn without judged pairs
    is undefined.
    """
    for turn in tracked_turns(dialogue, match):
        examined = turn.examined_slots
        invented = [slot for slot in examined if slot in turn.extra] if turn.extra else []
        if invented:
            why = f"not in gold: {pair_list(invented, turn.predicted)}"
            yield Mark(len(invented) / len(examined), "", turn.exchange.turn, why, turn.exchange.group)
        elif examined:
            yield turn.exchange.zero_mark


@metric(
    "Hall-reply",
    formula="turn: claims of the reply that nothing confirms / its claims; dataset: mean over turns",
    unit="turn",
    better="lower",
    probes=("supervisor", "action"),
    predicts=("reply",),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 9 System Correctness, example 3",
)
def reply_hallucination(dialogue: ServiceDialogue, db: Venues, actions: Actions) -> Iterator[Mark]:
    """Did a reply state a venue, phone, address, postcode, train or reference that does not exist?

    A claim is confirmed by a database row that the dialogue is about, by the user's own words, or by a result: the gold
    acts of the reply, or what a tool returned. A reference is confirmed by a booking in this turn or an earlier one.
    Venues are searched for only after words such as "recommend" and in numbered lists, and only if they are
    capitalised. Replies with placeholders and replies without a claim are undefined.

    False alarms were counted on the 14,737 human replies of the MultiWOZ dev and test sets, without their acts. Of
    these, 4,614 make a claim, and 40 are marked for a venue or a fact. Of their 44 marked claims, 42 contradict the
    database and 2 are false alarms. Another 20 references are marked because the annotation has no booking act.
    """
    for reply in checked_replies(dialogue, db, actions):
        if reply.invented:
            share = len(reply.invented) / reply.claims
            yield Mark(share, "", reply.exchange.turn, "; ".join(reply.invented), reply.exchange.group)
        else:
            yield reply.exchange.zero_mark
