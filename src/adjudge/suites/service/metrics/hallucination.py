"""Invented slot values."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import ServiceDialogue, domain_of
from adjudge.suites.service.rules.tracking import pair_list, tracked_turns
from adjudge.suites.service.rules.values import Match


@metric(
    "Hall",
    formula="turn: predicted pairs of the active domain that are not in gold / its predicted pairs; "
    "data set: mean over turns",
    unit="turn",
    better="lower",
    probes=("supervisor", "action"),
    predicts=("state",),
    source="MAS4CS evaluation choices, 6",
    primary=True,
)
def hallucination(dialogue: ServiceDialogue, match: Match) -> Iterator[Mark]:
    """Did the system track values that the user never gave?

    Only pairs of the active domain are looked at: the domain of the gold intent and, where the arm names
    one, the domain it routed the turn to. A wrong domain, slot or value all count. A turn without a
    predicted pair there is undefined.
    """
    for turn in tracked_turns(dialogue, match):
        active = turn.active_domains
        size = sum([domain_of(slot) in active for slot in turn.predicted])
        if not size:
            continue
        invented = [slot for slot in turn.extra if domain_of(slot) in active]
        if not invented:
            yield turn.exchange.zero_mark
            continue
        why = f"not in gold: {pair_list(invented, turn.predicted)}"
        yield Mark(len(invented) / size, "", turn.exchange.turn, why, turn.exchange.group)
