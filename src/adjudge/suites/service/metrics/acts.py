"""Choice of dialogue acts."""

from functools import partial

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.core.memo import once
from adjudge.suites.service.data import ServiceDialogue
from adjudge.suites.service.rules.overlap import Overlap, exact, f1, precision, recall

act_metric = partial(
    metric,
    unit="turn",
    better="higher",
    probes=("action", "supervisor"),
    predicts=("acts",),
    source="Evaluation Choices for MAS4CS (repository GiX007/mas4cs), 3 Action-Type Accuracy",
)


@once
def _acts(dialogue: ServiceDialogue) -> list[Overlap]:
    """Turns whose gold reply has acts and that have a prediction."""
    return [
        Overlap.of(exchange, exchange.predicted.acts, exchange.gold.acts)
        for exchange in dialogue.exchanges
        if exchange.predicted is not None and exchange.gold is not None and exchange.gold.acts
    ]


@act_metric(
    "ActAcc",
    formula=(
        "turn: predicted set of act types = gold set of the reply; dialogue: mean over turns; dataset: mean over "
        "dialogues"
    ),
    pool="conversations",
    primary=True,
)
def act_accuracy(dialogue: ServiceDialogue) -> list[Mark]:
    """Did the system choose the right kinds of dialogue act?

    The gold acts are those of the system turn that follows the user's turn. Only the exact set is right.
    """
    return exact(_acts(dialogue))


@act_metric(
    "ActP",
    formula="predicted act types that are in gold / predicted act types",
)
def act_precision(dialogue: ServiceDialogue) -> list[Mark]:
    """How many of the chosen act types are in the gold reply?

    A turn's mark is weighted by its number of predicted act types. A turn without any is undefined.
    """
    return precision(_acts(dialogue))


@act_metric(
    "ActR",
    formula="gold act types that were predicted / gold act types",
)
def act_recall(dialogue: ServiceDialogue) -> list[Mark]:
    """How many of the gold reply's act types were chosen?

    A turn's mark is weighted by its number of gold act types.
    """
    return recall(_acts(dialogue))


@act_metric(
    "ActF1",
    formula="2 x right act types / (predicted act types + gold act types)",
)
def act_f1(dialogue: ServiceDialogue) -> list[Mark]:
    """How well do chosen and gold act types overlap?

    A turn's mark is weighted by predicted plus gold act types, so the mean over marks is the pooled F1.
    """
    return f1(_acts(dialogue))
