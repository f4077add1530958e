"""Whether confidence goes with being right."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.metrics.confidence import confidence_of
from adjudge.suites.decision.rules import leaders, votes

BINS = 10
SHARE = "share of agents behind the decision"


@metric(
    "Brier",
    formula="(confidence - 1 where right, 0 where wrong) squared",
    unit="decision",
    better="lower",
    pool="conversations",
    probes=("calibration",),
    predicts=("a decision",),
    source="Brier (1950), Verification of forecasts expressed in terms of probability",
)
def brier(decision: Decision) -> Iterator[Mark]:
    """How far is the confidence from the outcome?

    The confidence is decision_confidence or, where that is not known, the share of agents who prefer what was decided.
    Undefined where no truth is known. Always 0.5 sure gives 0.25. Of a lottery its foremost alternative counts.
    """
    for sure, right, basis in _forecast(decision):
        yield Mark((sure - right) ** 2, why=_said(sure, right, basis))


@metric(
    "ECE",
    formula="mean over ten bins of confidence, by their size, of |mean confidence - share right|",
    unit="decision",
    better="lower",
    pool="groups",
    scale=(-1.0, 1.0),
    probes=("calibration",),
    predicts=("a decision",),
    source="Naeini, Cooper & Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning",
)
def calibration_error(decision: Decision) -> Iterator[Mark]:
    """How far are confidences from the share of decisions that are right (expected calibration error)?

    Each mark is confidence less outcome, above 0 where too sure; its group is the bin of confidence, so that the table
    by group is the reliability curve. Few decisions make it look larger than it is.
    """
    for sure, right, basis in _forecast(decision):
        low = min(int(sure * BINS), BINS - 1) / BINS
        group = f"confidence {low:.1f}-{low + 1 / BINS:.1f}"
        yield Mark(sure - right, why=_said(sure, right, basis), group=group)


@metric(
    "Overconfidence",
    formula="mean of confidence - 1 where right, 0 where wrong",
    unit="decision",
    better="neither",
    pool="conversations",
    scale=(-1.0, 1.0),
    probes=("calibration",),
    predicts=("a decision",),
    source="our own",
)
def overconfidence(decision: Decision) -> Iterator[Mark]:
    """Is the decision surer than it has reason to be?

    Above 0: too sure on average; below 0: not sure enough. 0 is best.
    """
    for sure, right, basis in _forecast(decision):
        yield Mark(sure - right, why=_said(sure, right, basis))


def _forecast(decision: Decision) -> Iterator[tuple[float, float, str]]:
    """The confidence in one decision, whether it is right, and what the confidence rests on; nothing if unknown."""
    foremost = leaders(decision.shares)
    if decision.truth is None or len(foremost) != 1:
        return
    decided, right = foremost[0], float(foremost[0] == decision.truth)
    voters = [one for one in decision.last if one.choices]
    if decision.lottery and voters:
        yield decision.lottery[decided], right, SHARE
    elif not decision.lottery and (found := confidence_of(decision)):
        yield found[0], right, found[1]
    elif len(voters) > 1:
        yield min(votes(voters).get(decided, 0.0) / len(voters), 1.0), right, SHARE


def _said(sure: float, right: float, basis: str) -> str:
    return f"{sure:.3f} sure ({basis}) and {'right' if right else 'wrong'}"
