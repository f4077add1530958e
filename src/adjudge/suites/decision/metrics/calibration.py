"""Whether confidence agrees with being right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.metrics.confidence import confidence_of
from adjudge.suites.decision.rules.preferences import leaders, votes

# Bins of width 0.1, so that the reliability table is easy to read.
BINS = 10
SHARE = "share of agents behind the decision"


class Forecast(Struct, frozen=True):
    """The confidence in a decision, what it rests on, and whether the decision is right."""

    sure: float
    right: bool
    basis: str

    @property
    def error(self) -> float:
        """The confidence minus the outcome: above 0 for overconfidence."""
        return self.sure - self.right

    @property
    def summary(self) -> str:
        """The forecast and its outcome in words."""
        return f"{self.sure:.3f} sure ({self.basis}) and {'right' if self.right else 'wrong'}"


forecast_metric = partial(
    metric,
    unit="decision",
    pool="conversations",
    probes=("calibration",),
    predicts=("a decision",),
)


@forecast_metric(
    "Brier",
    formula="(confidence - outcome) squared; outcome 1 if right, 0 if wrong",
    better="lower",
    source="Brier (1950), Verification of forecasts expressed in terms of probability",
    primary=True,
)
def brier(decision: Decision) -> Iterator[Mark]:
    """How far is the confidence from the outcome?

    The confidence is decision_confidence or, if that is not known, the share of agents who prefer the decision.
    Undefined if the truth is not known. A confidence of 0.5 always gives 0.25. For a lottery, the alternative with the
    largest share counts.
    """
    for forecast in _forecasts(decision):
        yield Mark(forecast.error**2, why=forecast.summary)


@forecast_metric(
    "ECE",
    formula="mean over ten bins of confidence, weighted by their size, of |mean confidence - share right|",
    better="lower",
    pool="groups",
    scale=(-1.0, 1.0),
    source="Naeini, Cooper & Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning",
)
def calibration_error(decision: Decision) -> Iterator[Mark]:
    """How far are confidences from the share of right decisions (expected calibration error)?

    Each mark is the confidence minus the outcome; above 0 means overconfidence. Its group is the bin of confidence, so
    the table by group is the reliability curve. With few decisions the value is biased upwards.
    """
    for forecast in _forecasts(decision):
        low = min(int(forecast.sure * BINS), BINS - 1) / BINS
        group = f"confidence {low:.1f}-{low + 1 / BINS:.1f}"
        yield Mark(forecast.error, why=forecast.summary, group=group)


@forecast_metric(
    "Overconfidence",
    formula="mean of confidence - outcome; outcome 1 if right, 0 if wrong",
    better="neither",
    scale=(-1.0, 1.0),
    source="our own",
)
def overconfidence(decision: Decision) -> Iterator[Mark]:
    """Is the decision more confident than its outcome justifies?

    A value above 0 means overconfidence on average, a value below 0 underconfidence. 0 is best.
    """
    for forecast in _forecasts(decision):
        yield Mark(forecast.error, why=forecast.summary)


def _forecasts(decision: Decision) -> Iterator[Forecast]:
    """The confidence in one decision beside its outcome; nothing where either is not known."""
    foremost = leaders(decision.shares)
    if decision.truth is None or len(foremost) != 1:
        return
    decided, right = foremost[0], foremost[0] == decision.truth
    voters = [assessment for assessment in decision.last if assessment.choices]
    if decision.lottery and voters:
        yield Forecast(decision.lottery[decided], right, SHARE)
    elif not decision.lottery and (confidence := confidence_of(decision)):
        yield Forecast(confidence.value, right, confidence.basis)
    elif len(voters) > 1:
        yield Forecast(min(votes(voters).get(decided, 0.0) / len(voters), 1.0), right, SHARE)
