"""Three pairs with an obvious relation, to find models whose labels are in another order than they say."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.core.ask import Pair, Relation
from adjudge.core.errors import BadInput, Unanswered
from adjudge.tools.nli import EntailmentModel, Probabilities

CANARIES: Mapping[Relation, Pair] = {
    "entail": Pair("A man is playing a guitar on a stage.", "A man is playing an instrument."),
    "contradict": Pair("The shop is closed on Sundays.", "The shop is open on Sundays."),
    "neutral": Pair("A woman is reading a book in the park.", "The woman is a doctor."),
}


def check_canaries(model: EntailmentModel) -> None:
    """Classify the three pairs; raises BadInput with what was found and expected unless all three are right."""
    try:
        classified = dict(zip(CANARIES, model.classify(list(CANARIES.values())), strict=True))
    except Unanswered as failure:
        raise BadInput(f"entailment model {model.name}: cannot be asked: {failure.why}") from None
    if all(likeliest(probabilities) == relation for relation, probabilities in classified.items()):
        return
    lines = [
        f"  {CANARIES[relation].premise!r} / {CANARIES[relation].hypothesis!r}: expected {relation}, "
        f"found {likeliest(probabilities)} ({probabilities[likeliest(probabilities)]:.2f})"
        for relation, probabilities in classified.items()
    ]
    raise BadInput(
        f"entailment model {model.name}: it fails pairs that every such model gets right, so its labels may be in "
        "another order than it says, or it is not a model of entailment:\n" + "\n".join(lines)
    )


def likeliest(probabilities: Probabilities) -> Relation:
    """The most probable relation."""
    return max(probabilities, key=lambda relation: probabilities[relation])
