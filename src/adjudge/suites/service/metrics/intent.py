"""Intent detection."""

from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.core.memo import once
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.overlap import Overlap, exact, f1, precision, recall

intent_metric = partial(
    metric,
    unit="turn",
    better="higher",
    probes=("triage",),
    predicts=("intents",),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 2 Intent Accuracy",
)


@once
def _intents(dialogue: ServiceDialogue) -> list[Overlap]:
    """Turns that have a prediction and whose gold intents are known, even if there are none."""
    return [
        Overlap.of(exchange, exchange.predicted.intents, exchange.gold.intents)
        for exchange in dialogue.exchanges
        if exchange.predicted is not None and exchange.gold is not None and exchange.gold.intents is not None
    ]


@once
def _with_intent(dialogue: ServiceDialogue) -> list[Overlap]:
    """Turns that have a prediction and in which the user has an intent."""
    return [overlap for overlap in _intents(dialogue) if overlap.wanted]


@intent_metric(
    "IntentAcc",
    formula="turn: predicted set of intents = gold set; dialogue: mean over turns; dataset: mean over dialogues",
    pool="conversations",
    departs="Turns without a gold intent are undefined; intent_accuracy_all_turns counts them.",
    primary=True,
)
def intent_accuracy(dialogue: ServiceDialogue) -> list[Mark]:
    """Did the system identify what the user wants in each turn?

    Several intents in one turn are a set, and only the exact set is right.
    """
    return exact(_with_intent(dialogue))


@intent_metric(
    "IntentAcc-all",
    formula="like intent_accuracy, over all turns",
    pool="conversations",
    variant=True,
)
def intent_accuracy_all_turns(dialogue: ServiceDialogue) -> list[Mark]:
    """Did the system identify what the user wants in each turn, or that there is no intent?"""
    return exact(_intents(dialogue))


@intent_metric(
    "IntentP",
    formula="predicted intents that are in gold / predicted intents",
)
def intent_precision(dialogue: ServiceDialogue) -> list[Mark]:
    """How many of the predicted intents are right?

    A turn's mark is weighted by its number of predicted intents. A turn without any is undefined.
    """
    return precision(_with_intent(dialogue))


@intent_metric(
    "IntentR",
    formula="gold intents that were predicted / gold intents",
)
def intent_recall(dialogue: ServiceDialogue) -> list[Mark]:
    """How many of the user's intents were detected?

    A turn's mark is weighted by its number of gold intents.
    """
    return recall(_with_intent(dialogue))


@intent_metric(
    "IntentF1",
    formula="2 x right intents / (predicted intents + gold intents)",
)
def intent_f1(dialogue: ServiceDialogue) -> list[Mark]:
    """How well do predicted and gold intents overlap?

    A turn's mark is weighted by predicted plus gold intents, so the mean over marks is the pooled F1.
    """
    return f1(_with_intent(dialogue))
