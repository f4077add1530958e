"""The quality of the chosen alternative."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from adjudge.core.card import Band, metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision, difference
from adjudge.suites.decision.methods import topsis
from adjudge.suites.decision.methods.topsis import Normalisation
from adjudge.suites.decision.rules.preferences import decision_text, is_choice
from adjudge.suites.decision.rules.satisfaction import (
    decided_satisfactions,
    expected_quality,
    has_weights,
    quality_of,
    weight_of,
)

SOURCE = "Evaluation Methodology (repository kerbgr/crisis_mas_poc), 1 Decision Quality Score"
QUALITY_BANDS = (
    Band(0.0, "poor"),
    Band(0.3, "below average"),
    Band(0.5, "acceptable"),
    Band(0.7, "good"),
    Band(0.9, "excellent"),
)
DEPARTS = (
    "All arms are scored in one way, from the same criteria matrix. The source takes the mean of criteria scores for "
    "a single agent and an MCDA score for a group, which are on different scales (decision_quality_literal)."
)


criteria_metric = partial(
    metric,
    unit="criterion",
    better="higher",
    pool="conversations",
    bands=QUALITY_BANDS,
    probes=("decision",),
    predicts=("a decision",),
    source=SOURCE,
    departs=DEPARTS,
)


@criteria_metric(
    "DQS",
    formula="mean over criteria of the satisfaction by the recommended alternative: the score of a benefit, "
    "1 - the score of a cost",
    primary=True,
)
def decision_quality(decision: Decision) -> Iterator[Mark]:
    """How well does the recommended alternative satisfy the criteria, all weighted equally?

    The scores are those of the scenario, or else the mean of the agents' own scores. They are the same for all arms,
    and the basis of the result names them. Undefined without scores, and if a score is outside the scale of its
    criterion.
    """
    yield from _criterion_marks(decision, {criterion.id: 1.0 for criterion in decision.scenario.criteria})


@criteria_metric(
    "DQS-weighted",
    formula="sum over criteria of weight * satisfaction / sum of weights",
)
def decision_quality_weighted(decision: Decision) -> Iterator[Mark]:
    """How well does the recommended alternative satisfy the criteria, each with its weight?

    Undefined if the criteria have no weights.
    """
    if has_weights(decision.scenario):
        weights = {criterion.id: weight_of(criterion) for criterion in decision.scenario.criteria}
        yield from _criterion_marks(decision, weights)


@metric(
    "Closeness",
    formula="d- / (d+ + d-), with the distances to the worst and the best value of each criterion (TOPSIS)",
    unit="decision",
    better="higher",
    pool="conversations",
    probes=("decision",),
    predicts=("a decision",),
    source="TOPSIS: Hwang & Yoon (1981), Multiple Attribute Decision Making",
)
def decision_closeness(decision: Decision, normalisation: Normalisation = "vector") -> Iterator[Mark]:
    """How close is the recommended alternative to the ideal one, relative to the others (TOPSIS)?

    The normalisation is "vector", unless --normalisation names another one; the basis of the result names any other.
    The value has a scale of its own and cannot be compared with decision_quality. Undefined if all alternatives have
    the same scores.
    """
    closeness = _closeness_by_name(decision, normalisation)
    if not closeness or not decision.shares or not decision.shares.keys() <= closeness.keys():
        return
    best = max(closeness, key=closeness.__getitem__)
    value = min(sum(share * closeness[name] for name, share in decision.shares.items()), 1.0)
    why = f"decided {decision_text(decision)}; closest to the ideal is {best!r} with {closeness[best]:.3f}"
    remark = "" if normalisation == "vector" else f", normalisation {normalisation}"
    yield Mark(value, why=why, basis=decision.matrix_source + remark)


@metric(
    "Regret",
    formula="weighted quality of the best available alternative - weighted quality of the recommended one",
    unit="decision",
    better="lower",
    pool="conversations",
    probes=("decision",),
    predicts=("a decision",),
    source="our own",
)
def regret(decision: Decision) -> Iterator[Mark]:
    """How much quality was lost compared with the best available alternative?

    Undefined unless every alternative has scores.
    """
    known = {name: quality_of(decision.scenario, name) for name in decision.scenario.alternatives}
    own = expected_quality(decision.scenario, decision.shares)
    values = {name: value for name, value in known.items() if value is not None}
    if own is None or not is_choice(decision) or len(values) < len(known):
        return
    best = max(values, key=values.__getitem__)
    why = f"decided {decision_text(decision)} {own:.3f}; best is {best!r} {values[best]:.3f}"
    yield Mark(max(difference(values[best], own), 0.0), why=why, basis=decision.matrix_source)


@metric(
    "DQS-boosted",
    formula="max(decision_quality, 0.9) if the decision is right, else decision_quality",
    unit="decision",
    better="higher",
    pool="conversations",
    bands=QUALITY_BANDS,
    predicts=("a decision",),
    source=SOURCE,
    variant=True,
    compared=False,
    departs="Kept as in the source. It overwrites a measurement, so comparisons leave it out.",
)
def decision_quality_boosted(decision: Decision) -> Iterator[Mark]:
    """How good is the decision, if a right decision counts at least 0.9?

    If the truth is not known, this is decision_quality.
    """
    satisfied = decided_satisfactions(decision)
    if not satisfied:
        return
    value = sum(satisfied.values()) / len(satisfied)
    right = decision.truth is not None and decision.recommended == decision.truth
    yield Mark(
        max(value, 0.9) if right else value, why=f"decided {decision_text(decision)}", basis=decision.matrix_source
    )


@metric(
    "DQS-literal",
    formula=(
        "mean of the agent's own criteria scores of the recommended alternative; else its MCDA score; else its final "
        "score"
    ),
    unit="decision",
    better="higher",
    pool="conversations",
    scale=(None, None),
    bands=QUALITY_BANDS,
    predicts=("a decision",),
    source=SOURCE,
    variant=True,
    departs=(
        "Kept as in the source: three methods on three scales. The basis names the method, and values are never "
        "compared."
    ),
)
def decision_quality_literal(decision: Decision) -> Iterator[Mark]:
    """What quality does the source's rule give, based on the system's own statements?

    A single agent's criteria scores come first, a group's MCDA score second, a final score last.
    """
    name, stated = decision.recommended, decision.stated
    if name is None:
        return
    own = decision.last[0].matrix.get(name) if len(decision.last) == 1 else None
    if own:
        yield Mark(sum(own.values()) / len(own), basis="the agent's own criteria scores")
    elif stated and name in stated.mcda_scores:
        yield Mark(stated.mcda_scores[name], basis="the system's own MCDA score")
    elif stated and name in stated.final_scores:
        yield Mark(stated.final_scores[name], basis="the system's own final score")


def _criterion_marks(decision: Decision, weights: Mapping[str, float]) -> Iterator[Mark]:
    """The satisfaction of each criterion with weight by the decision."""
    why = f"decided {decision_text(decision)}"
    for criterion, value in (decided_satisfactions(decision) or {}).items():
        if weight := weights[criterion]:
            yield Mark(value, criterion, why=why, group=criterion, weight=weight, basis=decision.matrix_source)


def _closeness_by_name(decision: Decision, normalisation: Normalisation) -> dict[str, float]:
    """The closeness of every alternative; empty where it is not known or not defined."""
    scenario = decision.scenario
    if len(scenario.matrix) < max(len(scenario.alternatives), 2) or not scenario.criteria:
        return {}
    rows = [[scenario.matrix[name][criterion.id] for criterion in scenario.criteria] for name in scenario.alternatives]
    weights = [weight_of(criterion) for criterion in scenario.criteria]
    try:
        values = topsis(rows, weights, [criterion.kind == "benefit" for criterion in scenario.criteria], normalisation)
    except ValueError:  # All alternatives are alike, or a sum of scores is not above 0 under "sum".
        return {}
    return dict(zip(scenario.alternatives, map(float, values), strict=True))
