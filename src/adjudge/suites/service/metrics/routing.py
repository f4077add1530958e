"""Domain routing."""

from collections.abc import Collection
from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.core.memo import once
from adjudge.suites.service.data import Annotation, ServiceDialogue, domains_named
from adjudge.suites.service.rules.overlap import Overlap, exact

routing_metric = partial(
    metric,
    unit="turn",
    better="higher",
    pool="conversations",
    probes=("triage",),
    predicts=("domains",),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 1 Domain Routing Accuracy",
)


@routing_metric(
    "DomainAcc",
    formula=(
        "turn: predicted domains = domains of the gold intents; dialogue: mean over turns; dataset: mean over dialogues"
    ),
    departs="Turns without a gold intent are undefined; domain_accuracy_all_turns counts them.",
)
def domain_accuracy(dialogue: ServiceDialogue) -> list[Mark]:
    """Was each turn routed to the right domain?

    The domains that an arm names count; if it names none, those of its intents. Several domains in one turn are
    compared as a set.
    """
    return exact([overlap for overlap in _routings(dialogue) if overlap.wanted])


@routing_metric(
    "DomainAcc-all",
    formula="like domain_accuracy, over all turns",
    variant=True,
)
def domain_accuracy_all_turns(dialogue: ServiceDialogue) -> list[Mark]:
    """Was each turn routed to the right domain, or to none if there is no intent?"""
    return exact(_routings(dialogue))


@once
def _routings(dialogue: ServiceDialogue) -> list[Overlap]:
    """Turns that have a prediction and gold intents or domains."""
    return [
        Overlap.of(exchange, _domains(exchange.predicted), _domains(exchange.gold) or ())
        for exchange in dialogue.exchanges
        if exchange.predicted is not None
        and exchange.gold is not None
        and not (exchange.gold.intents is None and exchange.gold.domains is None)
    ]


def _domains(annotation: Annotation) -> Collection[str] | None:
    """The domains named, else those of the intents; None where there are neither."""
    if annotation.domains or annotation.intents is None:
        return annotation.domains
    return domains_named(annotation.intents)
