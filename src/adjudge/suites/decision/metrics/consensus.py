"""How far the agents agree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.rules.beliefs import is_distribution, likeness, pair_cosines, pignistic_distribution
from adjudge.suites.decision.rules.preferences import is_choice, leaders, votes

SOURCE = "Evaluation Methodology (repository kerbgr/crisis_mas_poc), 2 Consensus Level"
CONSENSUS_BANDS = (
    Band(0.0, "no consensus"),
    Band(0.4, "low consensus", above=True),
    Band(0.6, "moderate consensus", above=True),
    Band(0.8, "strong consensus", above=True),
)


agreement_metric = partial(metric, better="neither", pool="conversations", probes=("consensus",))


@agreement_metric(
    "CL",
    formula="mean over pairs of agents of the cosine of their beliefs",
    unit="pair",
    bands=CONSENSUS_BANDS,
    source=SOURCE,
    primary=True,
)
def consensus(decision: Decision) -> Iterator[Mark]:
    """How alike are the agents' beliefs when the decision is made?

    Each agent's last assessment counts. Undefined with fewer than two agents. A pair in which one agent has no beliefs
    has no cosine. Agreement is not quality: a group can agree and be wrong.
    """
    if is_choice(decision):
        for (first, second), value in pair_cosines(decision.last).items():
            yield Mark(value, at=f"{first} - {second}")


@agreement_metric(
    "JSA",
    formula="mean over pairs of agents of 1 - Jensen-Shannon divergence of their beliefs (in bits)",
    unit="pair",
    source="Lin (1991), Divergence measures based on the Shannon entropy",
)
def belief_agreement(decision: Decision) -> Iterator[Mark]:
    """How alike are the agents' beliefs as distributions?

    Unlike the cosine, this is 0 only if the agents share no belief, and 1 only if their beliefs are equal. Unassigned
    belief is spread evenly over the alternatives. Beliefs that sum to more than 1 are not a distribution and are left
    out.
    """
    if not is_choice(decision):
        return
    shares = {
        assessment.agent: pignistic_distribution(assessment.beliefs, decision.scenario.alternatives)
        for assessment in decision.last
        if is_distribution(assessment.beliefs)
    }
    for (first, ours), (second, theirs) in combinations(shares.items(), 2):
        yield Mark(likeness(ours, theirs), at=f"{first} - {second}")


@agreement_metric(
    "Agreement",
    formula="agents who prefer the most popular alternative / agents",
    unit="decision",
    source=SOURCE,
)
def choice_agreement(decision: Decision) -> Iterator[Mark]:
    """What share of the agents prefers the most popular alternative?

    This is the source's agreement percentage. An agent who prefers several alternatives equally splits its vote among
    them.
    """
    voters = [assessment for assessment in decision.last if assessment.choices]
    if len(voters) < 2 or not is_choice(decision):
        return
    counts = votes(voters)
    first, *others = leaders(counts)
    tied = f", as many for {', '.join(map(repr, others))}" if others else ""
    yield Mark(min(counts[first] / len(voters), 1.0), why=f"{counts[first]:g} of {len(voters)} for {first!r}{tied}")
