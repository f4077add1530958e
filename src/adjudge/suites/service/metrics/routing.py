"""Domain routing."""

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import Annotation, ServiceDialogue, domain_of
from adjudge.suites.service.overlap import Overlap, exact

SOURCE = "MAS4CS evaluation choices, 1"


@metric(
    "DomainAcc",
    formula="turn: predicted domains = domains of the gold intents; dialogue: mean over turns; data set: mean over dialogues",
    unit="turn",
    better="higher",
    pool="conversations",
    probes=("triage",),
    predicts=("domains",),
    source=SOURCE,
    departs="Turns without a gold intent are undefined; domain_accuracy_all_turns counts them.",
)
def domain_accuracy(dialogue: ServiceDialogue) -> Iterator[Mark]:
    """Was each turn routed to the right domain?

    The domains an arm names count; where it names none, those of its intents. Several domains in one turn
    are compared as a set.
    """
    return exact(overlap for overlap in _routed(dialogue) if overlap.wanted)


@metric(
    "DomainAcc-all",
    formula="as domain_accuracy, over all turns",
    unit="turn",
    better="higher",
    pool="conversations",
    probes=("triage",),
    predicts=("domains",),
    source=SOURCE,
    variant=True,
)
def domain_accuracy_all_turns(dialogue: ServiceDialogue) -> Iterator[Mark]:
    """Was each turn routed to the right domain, or to none where there is no intent?"""
    return exact(_routed(dialogue))


def _routed(dialogue: ServiceDialogue) -> Iterator[Overlap]:
    for exchange in dialogue.exchanges:
        gold, predicted = exchange.gold, exchange.predicted
        if gold is not None and predicted is not None and not (gold.intents is None and gold.domains is None):
            yield Overlap(exchange, _domains(predicted), _domains(gold))


def _domains(said: Annotation) -> frozenset[str]:
    if said.domains or not said.intents:
        return frozenset(said.domains or ())
    return frozenset(filter(None, map(domain_of, said.intents)))
