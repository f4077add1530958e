"""Outputs that could not be read."""

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.service.data import NO_PREDICTION, ServiceDialogue


@metric(
    "Unparsed",
    formula="turns whose output could not be read / turns with an output",
    unit="turn",
    better="lower",
    probes=("supervisor",),
    source="our own",
)
def unparsed_output(dialogue: ServiceDialogue) -> list[Mark]:
    """How often could the system's output not be read?

    The record says so in `predicted.unparsed`. Every other metric counts such a turn as predicted and wrong.
    """
    return [
        Mark(1.0, "", exchange.turn, exchange.predicted.unparsed[:200], exchange.group)
        if exchange.predicted.unparsed is not None
        else exchange.zero_mark
        for exchange in dialogue.exchanges
        if exchange.predicted is not None and exchange.predicted != NO_PREDICTION
    ]
