"""What the metrics of the suite share: satisfaction of criteria, likeness of beliefs, inequality."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log, log2, sqrt
from statistics import fmean

from adjudge.suites.decision.data import Assessment, Criterion, Decision, Scenario

ROUNDING = 1e-9


def has_weights(scenario: Scenario) -> bool:
    """Whether the criteria have weights of their own."""
    return bool(scenario.criteria) and all(one.weight is not None for one in scenario.criteria)


def weight_of(criterion: Criterion) -> float:
    """The criterion's weight; all are alike where none is given."""
    return 1.0 if criterion.weight is None else criterion.weight


def satisfactions(scenario: Scenario, alternative: str) -> dict[str, float] | None:
    """How far an alternative satisfies each criterion; None where it has no scores, or some outside the scale."""
    scores = scenario.matrix.get(alternative)
    if not scores:
        return None
    found = {one.id: one.satisfaction(scores[one.id]) for one in scenario.criteria}
    return found if all(-ROUNDING <= value <= 1 + ROUNDING for value in found.values()) else None


def mixed(decision: Decision) -> dict[str, float] | None:
    """The satisfaction of each criterion by what was decided, over the shares of a lottery; None: not known."""
    shares = decision.shares
    parts = {name: satisfactions(decision.scenario, name) for name in shares}
    if not parts or any(part is None for part in parts.values()):
        return None
    return {
        one.id: min(max(sum(shares[name] * (part or {})[one.id] for name, part in parts.items()), 0.0), 1.0)
        for one in decision.scenario.criteria
    }


def quality(scenario: Scenario, alternative: str) -> float | None:
    """The mean satisfaction of the criteria, by weight where they have one; None: not known."""
    found = satisfactions(scenario, alternative)
    if found is None:
        return None
    weights = {one.id: weight_of(one) for one in scenario.criteria}
    return sum(weights[name] * value for name, value in found.items()) / sum(weights.values())


def expected_quality(scenario: Scenario, shares: Mapping[str, float]) -> float | None:
    """The mean quality over shares of alternatives; None where one of them is not known."""
    found = [(share, quality(scenario, name)) for name, share in shares.items()]
    if not found or any(value is None for _, value in found):
        return None
    return min(sum(share * (value or 0.0) for share, value in found), 1.0)


def split(choices: Sequence[str]) -> dict[str, float]:
    """Equal shares for alternatives chosen alike.

    >>> split(("a", "b"))
    {'a': 0.5, 'b': 0.5}
    """
    return dict.fromkeys(choices, 1 / len(choices)) if choices else {}


def votes(assessments: Iterable[Assessment]) -> dict[str, float]:
    """How many agents prefer each alternative; one who prefers several gives each its part."""
    found: dict[str, float] = {}
    for one in assessments:
        for name, share in split(one.choices).items():
            found[name] = found.get(name, 0.0) + share
    return found


def leaders(counts: Mapping[str, float]) -> tuple[str, ...]:
    """The alternatives with most votes."""
    most = max(counts.values(), default=0.0)
    return tuple(name for name, count in counts.items() if count >= most - ROUNDING)


def is_distribution(beliefs: Mapping[str, float]) -> bool:
    """Whether beliefs share out a mass above 0 and of at most 1."""
    return 0 < sum(beliefs.values()) <= 1 + ROUNDING


def spread_out(beliefs: Mapping[str, float], alternatives: Sequence[str]) -> list[float]:
    """Beliefs as a distribution over the alternatives; what is unassigned is shared out evenly (pignistic).

    >>> spread_out({"a": 0.6}, ["a", "b"])
    [0.8, 0.2]
    """
    rest = max(1 - sum(beliefs.values()), 0.0) / len(alternatives)
    return [beliefs.get(name, 0.0) + rest for name in alternatives]


def cosine(first: Mapping[str, float], second: Mapping[str, float]) -> float | None:
    """The cosine of two belief vectors; None where one is zero.

    >>> cosine({"a": 1.0}, {"a": 0.3, "b": 0.4})
    0.6
    """
    lengths = sqrt(sum(v * v for v in first.values()) * sum(v * v for v in second.values()))
    if not lengths:
        return None
    return min(sum(value * second.get(name, 0.0) for name, value in first.items()) / lengths, 1.0)


def pair_cosines(assessments: Sequence[Assessment]) -> dict[tuple[str, str], float]:
    """The cosine of the beliefs of every two agents that both believe in something."""
    found = {(one.agent, two.agent): cosine(one.beliefs, two.beliefs) for one, two in combinations(assessments, 2)}
    return {pair: value for pair, value in found.items() if value is not None}


def is_choice(decision: Decision) -> bool:
    """Whether there was something to choose from: with one alternative agreement says nothing."""
    return len(decision.scenario.alternatives) > 1


def decided(decision: Decision) -> str:
    """What was decided, in words."""
    if not decision.lottery:
        return repr(decision.recommended)
    return ", ".join(f"{name!r} ({share:.0%})" for name, share in decision.lottery.items())


def likeness(first: Sequence[float], second: Sequence[float]) -> float:
    """One less the Jensen-Shannon divergence of two distributions, in bits: 1 for equal ones, 0 without overlap.

    >>> likeness([1.0, 0.0], [0.0, 1.0]), likeness([0.5, 0.5], [0.5, 0.5])
    (0.0, 1.0)
    """
    middle = [(p + q) / 2 for p, q in zip(first, second, strict=True)]
    apart = (_divergence(first, middle) + _divergence(second, middle)) / 2
    return min(max(1 - apart, 0.0), 1.0)


def _divergence(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(p * log2(p / q) for p, q in zip(first, second, strict=True) if p > 0)


def entropy(shares: Sequence[float]) -> float | None:
    """The entropy of a distribution in parts of the largest possible; None for a single alternative.

    >>> entropy([0.5, 0.5]), entropy([1.0, 0.0])
    (1.0, 0.0)
    """
    if len(shares) < 2:
        return None
    return min(max(0.0, -sum(p * log(p) for p in shares if p > 0) / log(len(shares))), 1.0)


def gini(amounts: Iterable[float]) -> float | None:
    """The Gini coefficient: 0 where all have the same; None for nobody, or where nobody has anything.

    >>> round(gini([0.75, 0.68, 0.82, 0.71]), 5)
    0.03885
    """
    ordered = sorted(amounts)
    n, total = len(ordered), sum(ordered)
    if not total:
        return None
    return max(sum((2 * place - n - 1) * amount for place, amount in enumerate(ordered, 1)) / (n * total), 0.0)


def mean_confidence(assessments: Iterable[Assessment]) -> float | None:
    """The mean of the confidences that agents give; None where none does."""
    given = [one.confidence for one in assessments if one.confidence is not None]
    return fmean(given) if given else None
