"""The arms: one expert, the vote of all, one round that is combined, and rounds of deliberation."""

from __future__ import annotations

from functools import partial

from adjudge.core.play import Ask, Said, View
from adjudge.core.system import Cast, system
from adjudge.systems.decision.asking import assess_by_model
from adjudge.systems.decision.coordinator import chair, combine_round, count_votes, relay
from adjudge.systems.decision.data import COORDINATOR
from adjudge.systems.decision.expert import assess_by_rule
from adjudge.systems.decision.meeting import one_expert
from adjudge.systems.prompts import Prompts

SOURCE = "Evaluation Methodology (repository kerbgr/crisis_mas_poc)"
EXPERT = "expert"

# Every arm has experts that go by rule, or ask the model that the user names for the part `expert`.
decision_system = partial(
    system,
    "decision",
    plays=(EXPERT, COORDINATOR),
    source=SOURCE,
    asks=(EXPERT,),
    by_rule=(EXPERT,),
    fixed=(EXPERT,),
    prompts=(EXPERT,),
)


@decision_system(parts=(EXPERT,))
def single() -> Cast:
    """One expert decides: the first of the case.

    The coordinator hands on what it prefers, with the confidence that it states itself.
    """
    return Cast({EXPERT: assess, COORDINATOR: relay}, one_expert)


@decision_system(parts=(EXPERT,))
def majority() -> Cast:
    """All experts assess alone, and what most of them prefer is decided.

    A tie is shared equally among the alternatives that tie.
    """
    return Cast({EXPERT: assess, COORDINATOR: count_votes})


@decision_system(parts=(EXPERT, "criteria", "confidence"))
def group() -> Cast:
    """All experts assess alone, and the coordinator combines what they say in one round.

    Beliefs are combined by evidential reasoning, and each expert's own criteria scores by TOPSIS; the score of an
    alternative is the mean of both. Experts count by the confidence that they state. Without criteria, beliefs alone
    are combined; without confidence, all experts count alike.
    """
    return Cast({EXPERT: assess, COORDINATOR: combine_round})


@decision_system(parts=(EXPERT, "criteria", "confidence", "exchange"))
def deliberation() -> Cast:
    """Experts assess alone, exchange their criteria scores, and assess again, until they agree or nothing changes.

    An expert adopts the scores of criteria that it lacks from those who have them, weighted by their competence. The
    coordinator names the pairs that are furthest apart, stops at the consensus of --consensus once the experts have
    heard each other, where nobody changes anything, or after --rounds, and then combines as the system group does.
    Without exchange, experts move their beliefs towards the mean of the others instead.
    """
    return Cast({EXPERT: assess, COORDINATOR: chair})


def assess(view: View[None], ask: Ask, prompts: Prompts, parts: frozenset[str], asking: frozenset[str]) -> Said[None]:
    """What an expert says in a round."""
    if EXPERT in asking:
        assessment = assess_by_model(view.facts, ask, prompts)
    else:
        assessment = assess_by_rule(view.facts, "exchange" in parts)
    return Said(assessment.reasoning, facts=assessment)
