"""How confident the decision and its agents are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import fmean, pvariance
from typing import NamedTuple

from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision, difference
from adjudge.suites.decision.rules.beliefs import mean_confidence, pair_cosines

COMPOSED = "0.6 consensus + 0.4 mean confidence"
REPORTED = "self-reported"
# The weights of the source.
OF_CONSENSUS, OF_AGENTS = 0.6, 0.4

confidence_metric = partial(
    metric,
    unit="decision",
    better="neither",
    pool="conversations",
    probes=("confidence",),
    predicts=("confidences",),
    source="Evaluation Methodology (repository kerbgr/crisis_mas_poc), 3 Confidence Score",
)


class Confidence(NamedTuple):
    """How confident a decision is, and what that rests on."""

    value: float
    basis: str


def confidence_of(decision: Decision) -> Confidence | None:
    """The confidence in a decision; None where nothing is known.

    For a group it comes from its consensus and its agents' confidences. For a single agent, and for a group whose
    consensus or confidences are not known, it is the stated one.
    """
    agreed = pair_cosines(decision.last).values()
    sure = mean_confidence(decision.last)
    if agreed and sure is not None:
        return Confidence(OF_CONSENSUS * fmean(agreed) + OF_AGENTS * sure, COMPOSED)
    if decision.confidence is not None:
        return Confidence(decision.confidence, REPORTED)
    return Confidence(sure, REPORTED) if sure is not None and len(decision.last) == 1 else None


@confidence_metric(
    "CS",
    formula="group: 0.6 * consensus + 0.4 * mean confidence of the agents; single agent: its own confidence",
    departs="The two formulas are different measures. Each result names its basis, and the two are never compared.",
    primary=True,
)
def decision_confidence(decision: Decision) -> Iterator[Mark]:
    """How confident is the decision?

    The stated confidence counts for a single agent, and for a group whose consensus or confidences are not known.
    """
    confidence = confidence_of(decision)
    if confidence:
        yield Mark(confidence.value, basis=confidence.basis)


@confidence_metric(
    "Uncertainty",
    formula="1 - decision_confidence",
)
def uncertainty(decision: Decision) -> Iterator[Mark]:
    """How uncertain is the decision?

    The complement of decision_confidence.
    """
    confidence = confidence_of(decision)
    if confidence:
        yield Mark(1 - confidence.value, basis=confidence.basis)


@confidence_metric(
    "AggregationGain",
    formula="decision_confidence of a group - mean confidence of its agents",
    scale=(-1.0, 1.0),
    bands=(Band(-1.0, "introduces doubt"), Band(0.0, "provides benefit", above=True)),
)
def aggregation_gain(decision: Decision) -> Iterator[Mark]:
    """Is the group more confident than its agents are on average?

    In the source, a value above 0 means that aggregation helps, and a value below 0 that it introduces doubt. Undefined
    for a single agent.
    """
    confidence, sure = confidence_of(decision), mean_confidence(decision.last)
    if confidence and sure is not None and confidence.basis == COMPOSED:
        yield Mark(difference(confidence.value, sure), why=f"group {confidence.value:.3f}, agents {sure:.3f}")


@confidence_metric(
    "MeanConf",
    formula="mean over agents of their confidence",
    unit="agent",
)
def average_confidence(decision: Decision) -> Iterator[Mark]:
    """How confident are the agents themselves?

    This has the same meaning for a group and for a single agent. Agents without a confidence are left out.
    """
    for assessment in decision.last:
        if assessment.confidence is not None:
            yield Mark(assessment.confidence, at=assessment.agent)


@confidence_metric(
    "ConfVar",
    formula="mean over agents of (confidence - mean confidence) squared",
    scale=(0.0, 0.25),
    bands=(Band(0.0, "consistent"), Band(0.05, "mixed"), Band(0.1, "disagreeing", above=True)),
)
def confidence_variance(decision: Decision) -> Iterator[Mark]:
    """How far apart are the agents' confidences?

    The population variance over the agents (divided by n). Undefined with fewer than two confidences.
    """
    given = [assessment.confidence for assessment in decision.last if assessment.confidence is not None]
    if len(given) > 1:
        spread = pvariance(given)
        yield Mark(
            min(spread, 0.25), why=f"from {min(given):g} to {max(given):g}, standard deviation {spread**0.5:.3f}"
        )
