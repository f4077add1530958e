"""Who carried the decision, and how evenly."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark
from adjudge.stats.inequality import gini
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.rules.beliefs import entropy, is_distribution, pignistic_distribution
from adjudge.suites.decision.rules.preferences import is_choice

SOURCE = "Evaluation Methodology (repository kerbgr/crisis_mas_poc), 4 Expert Contribution Balance"


@metric(
    "ECB",
    formula=(
        "1 - Gini of the agents' contributions; contribution = (confidence + entropy of beliefs / its maximum) / 2"
    ),
    unit="decision",
    better="higher",
    pool="conversations",
    bands=(
        Band(0.0, "unequal"),
        Band(0.8, "relatively equal", above=True),
        Band(0.9, "well balanced", above=True),
    ),
    probes=("contribution",),
    predicts=("confidences",),
    source=SOURCE,
    primary=True,
)
def contribution_balance(decision: Decision) -> Iterator[Mark]:
    """How evenly do the agents contribute, by the source's measure of contribution?

    In this measure, uncertain beliefs raise the contribution. participation_balance measures what was said instead.
    Undefined with fewer than two agents, and if nobody contributes anything.
    """
    known = _contributions(decision) if is_choice(decision) else {}
    uneven = gini(known.values()) if len(known) > 1 else None
    if uneven is not None:
        yield Mark(1 - uneven, why=", ".join(f"{agent} {value:.3f}" for agent, value in known.items()))


@metric(
    "Diversity",
    formula="different preferences / agents",
    unit="decision",
    better="neither",
    pool="conversations",
    bands=(Band(0.0, "most agree"), Band(0.5, ""), Band(1.0, "all differ")),
    probes=("contribution",),
    source=SOURCE,
)
def diversity(decision: Decision) -> Iterator[Mark]:
    """How many different alternatives do the agents prefer?

    Each agent's last preference counts. A tie between several alternatives is a preference of its own.
    """
    preferred = [
        " or ".join(sorted(map(repr, assessment.choices))) for assessment in decision.last if assessment.choices
    ]
    if len(preferred) > 1 and is_choice(decision):
        names = dict.fromkeys(preferred)
        yield Mark(len(names) / len(preferred), why=f"{len(preferred)} agents for {', '.join(names)}")


@metric(
    "Participation",
    formula="1 - Gini over agents of the amount they said, for messages, words and tokens",
    unit="measure",
    better="higher",
    pool="conversations",
    probes=("contribution",),
    predicts=("a transcript",),
    source="our own",
    primary=True,
)
def participation_balance(decision: Decision) -> Iterator[Mark]:
    """How evenly do the agents take part in the discussion?

    There is one mark each for messages, words and, if all turns have them, tokens. Agents who say nothing count as 0.
    Turns of participants who are not agents do not count.
    """
    for measure, amounts in _amounts_said(decision).items():
        uneven = gini(amounts.values()) if len(amounts) > 1 else None
        if uneven is not None:
            why = ", ".join(f"{agent} {amount:g}" for agent, amount in amounts.items())
            yield Mark(1 - uneven, at=measure, group=measure, why=why)


def _contributions(decision: Decision) -> dict[str, float]:
    alternatives = decision.scenario.alternatives
    return {
        assessment.agent: (assessment.confidence + entropy(pignistic_distribution(assessment.beliefs, alternatives)))
        / 2
        for assessment in decision.last
        if assessment.confidence is not None and is_distribution(assessment.beliefs)
    }


def _amounts_said(decision: Decision) -> dict[str, dict[str, float]]:
    """What each agent said by measure; empty without a transcript."""
    turns = [turn for turn in decision.turns if turn.speaker in decision.agents]
    if not turns:
        return {}
    sizes: dict[str, list[int | None]] = {
        "messages": [1 for _ in turns],
        "words": [len(turn.text.split()) for turn in turns],
        "tokens": [turn.tokens for turn in turns],
    }
    amounts: dict[str, dict[str, float]] = {}
    for measure, values in sizes.items():
        if None not in values:
            amounts[measure] = dict.fromkeys(decision.agents, 0.0)
            for turn, value in zip(turns, values, strict=True):
                amounts[measure][turn.speaker] += value or 0
    return amounts
