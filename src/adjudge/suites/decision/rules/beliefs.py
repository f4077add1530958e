"""Similarity, entropy and confidence of beliefs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log, log2, sqrt
from statistics import fmean

from adjudge.suites.decision.data import ROUNDING, Assessment


def is_distribution(beliefs: Mapping[str, float]) -> bool:
    """Whether the beliefs sum to more than 0 and at most 1."""
    return 0 < sum(beliefs.values()) <= 1 + ROUNDING


def pignistic_distribution(beliefs: Mapping[str, float], alternatives: Sequence[str]) -> list[float]:
    """Beliefs as a distribution over the alternatives; unassigned belief is spread evenly (Smets 1990).

    >>> pignistic_distribution({"a": 0.6}, ["a", "b"])
    [0.8, 0.2]
    """
    rest = max(1 - sum(beliefs.values()), 0.0) / len(alternatives)
    return [beliefs.get(name, 0.0) + rest for name in alternatives]


def belief_cosine(first: Mapping[str, float], second: Mapping[str, float]) -> float | None:
    """The cosine of two belief vectors; None where one of them is all zeros.

    >>> belief_cosine({"a": 1.0}, {"a": 0.3, "b": 0.4})
    0.6
    """
    lengths = sqrt(sum(v * v for v in first.values()) * sum(v * v for v in second.values()))
    if not lengths:
        return None
    return min(sum(value * second.get(name, 0.0) for name, value in first.items()) / lengths, 1.0)


def pair_cosines(assessments: Sequence[Assessment]) -> dict[tuple[str, str], float]:
    """The cosine of the beliefs of each pair of agents; pairs with an agent without beliefs are left out."""
    cosines = {
        (first.agent, second.agent): belief_cosine(first.beliefs, second.beliefs)
        for first, second in combinations(assessments, 2)
    }
    return {pair: value for pair, value in cosines.items() if value is not None}


def likeness(first: Sequence[float], second: Sequence[float]) -> float:
    """1 - Jensen-Shannon divergence of two distributions, in bits (Lin 1991): 1 for equal ones, 0 without overlap.

    >>> likeness([1.0, 0.0], [0.0, 1.0]), likeness([0.5, 0.5], [0.5, 0.5])
    (0.0, 1.0)
    """
    middle = [(p + q) / 2 for p, q in zip(first, second, strict=True)]
    apart = (_divergence(first, middle) + _divergence(second, middle)) / 2
    return min(max(1 - apart, 0.0), 1.0)


def _divergence(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(p * log2(p / q) for p, q in zip(first, second, strict=True) if p > 0)


def entropy(shares: Sequence[float]) -> float:
    """The entropy of a distribution over two or more alternatives, divided by its maximum log(n).

    >>> entropy([0.5, 0.5]), entropy([1.0, 0.0])
    (1.0, 0.0)
    """
    return min(max(0.0, -sum(p * log(p) for p in shares if p > 0) / log(len(shares))), 1.0)


def mean_confidence(assessments: Iterable[Assessment]) -> float | None:
    """The mean of the agents' confidences; None where no agent gives one."""
    given = [assessment.confidence for assessment in assessments if assessment.confidence is not None]
    return fmean(given) if given else None
