"""Every metric of the decision suite: its worked example, its edges, and a computation that is not its own."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise, permutations
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from decision_strategies import amounts
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from scipy.spatial.distance import cosine as cosine_distance
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy, kendalltau
from sklearn.metrics import brier_score_loss

from adjudge.aggregate import Row, breakdown, table
from adjudge.core.mark import Mark, Score
from adjudge.engines.local import Job, execute
from adjudge.run import Run
from adjudge.score import Plan
from adjudge.suites.decision import suite
from adjudge.suites.decision.data import (
    Assessment,
    Criterion,
    Decision,
    DecisionTurn,
    Effort,
    LogEntry,
    Scenario,
    Stated,
)
from adjudge.suites.decision.rules.baselines import baselines

QUICKLY = settings(max_examples=100, deadline=None, database=None)

METRICS = {metric.card.name: metric for metric in suite.metrics()}
AMOUNTS = {"time_to_consensus", "api_calls", "processing_time", "tokens_used", "cost"}

# The worked examples of the source (shared/spec/decision.md); right values are those of RULINGS.md.
BELIEFS = (
    {"alt1": 0.6, "alt2": 0.3, "alt3": 0.1},
    {"alt1": 0.7, "alt2": 0.2, "alt3": 0.1},
    {"alt1": 0.5, "alt2": 0.4, "alt3": 0.1},
)
MATRIX = {
    "alt1": {"safety": 0.90, "cost": 0.50, "speed": 0.95},
    "alt2": {"safety": 0.85, "cost": 0.80, "speed": 0.90},
    "alt3": {"safety": 0.70, "cost": 0.60, "speed": 0.65},
}
CONFIDENCES = (0.82, 0.78, 0.88, 0.71)
CONTRIBUTIONS = (0.75, 0.68, 0.82, 0.71)


def marks(name: str, decision: Decision) -> list[Mark]:
    return list(METRICS[name](decision))


def value(name: str, decision: Decision) -> float | None:
    """What the metric says of a decision, within its scale; None: undefined."""
    return Score.of(marks(name, decision), METRICS[name].card.scale).value


def by_place(name: str, decision: Decision) -> dict[str, float]:
    return {mark.at: mark.value for mark in marks(name, decision)}


def agents(
    *beliefs: Mapping[str, float], confidences: Sequence[float | None] = (), round: int = 0
) -> tuple[Assessment, ...]:
    """Assessments of agent1, agent2, ... with these beliefs and confidences."""
    sure = [*confidences, *[None] * (len(beliefs) - len(confidences))]
    return tuple(
        Assessment(f"agent{number}", dict(one), confidence, round=round)
        for number, (one, confidence) in enumerate(zip(beliefs, sure, strict=True), 1)
    )


def scenario(matrix: Mapping[str, Mapping[str, float]], **criteria: Any) -> Scenario:
    """A scenario with this matrix; keywords are a criterion's weight, or a Criterion without its id."""
    ids = list(next(iter(matrix.values())))
    made = [_criterion(name, criteria.get(name)) for name in ids]
    return Scenario(tuple(matrix), tuple(made), {name: dict(row) for name, row in matrix.items()})


def _criterion(name: str, given: Any) -> Criterion:
    return structs.replace(given, id=name) if isinstance(given, Criterion) else Criterion(name, weight=given)


def decision(recommended: str | None = None, **more: Any) -> Decision:
    return Decision(id="s1", arm="group", recommended=recommended, **more)


def group(*beliefs: Mapping[str, float], confidences: Sequence[float | None] = (), **more: Any) -> Decision:
    """A decision of agents with these beliefs over the alternatives that they name."""
    names = tuple(dict.fromkeys(name for one in beliefs for name in one))
    more = {"scenario": Scenario(names), **more}
    return decision(assessments=agents(*beliefs, confidences=confidences), **more)


# Quality.


def test_quality_of_the_worked_example() -> None:
    decided = decision("alt1", scenario=scenario(MATRIX))
    assert value("decision_quality", decided) == pytest.approx(0.78333, abs=5e-6)
    assert by_place("decision_quality", decided) == {"safety": 0.90, "cost": 0.50, "speed": 0.95}


def test_weighted_quality_of_the_worked_example() -> None:
    decided = decision("alt1", scenario=scenario(MATRIX, safety=0.4, cost=0.3, speed=0.3))
    expected = (0.4 * 0.9 + 0.3 * 0.5 + 0.3 * 0.95) / (0.4 + 0.3 + 0.3)
    assert value("decision_quality_weighted", decided) == pytest.approx(expected, abs=1e-12)
    assert value("decision_quality", decided) == pytest.approx(0.78333, abs=5e-6)


def test_weights_need_not_sum_to_one() -> None:
    once = decision("alt2", scenario=scenario(MATRIX, safety=0.4, cost=0.3, speed=0.3))
    tenfold = decision("alt2", scenario=scenario(MATRIX, safety=4, cost=3, speed=3))
    for name in ("decision_quality_weighted", "decision_closeness", "regret"):
        assert value(name, tenfold) == pytest.approx(value(name, once), abs=1e-12)


def test_weighted_quality_is_undefined_without_weights() -> None:
    assert value("decision_quality_weighted", decision("alt1", scenario=scenario(MATRIX))) is None


def test_criterion_without_weight_counts_for_nothing() -> None:
    decided = decision("alt1", scenario=scenario(MATRIX, safety=1.0, cost=0.0, speed=1.0))
    assert by_place("decision_quality_weighted", decided) == {"safety": 0.90, "speed": 0.95}


def test_cost_is_satisfied_by_little_of_it() -> None:
    rows = {"cheap": {"price": 150.0, "comfort": 0.2}, "dear": {"price": 300.0, "comfort": 0.9}}
    priced = scenario(rows, price=Criterion("", kind="cost", scale=(100.0, 300.0)))
    assert by_place("decision_quality", decision("cheap", scenario=priced)) == {"price": 0.75, "comfort": 0.2}
    assert by_place("decision_quality", decision("dear", scenario=priced)) == {"price": 0.0, "comfort": 0.9}


@pytest.mark.parametrize("score", [1.2, -0.1])
def test_quality_is_undefined_outside_the_scale_and_closeness_is_not(score: float) -> None:
    decided = decision("a", scenario=scenario({"a": {"x": score, "y": 0.4}, "b": {"x": 0.4, "y": 0.9}}))
    for name in ("decision_quality", "decision_quality_boosted", "regret", "weight_robustness"):
        assert value(name, decided) is None
    assert value("decision_closeness", decided) is not None


def test_quality_of_a_lottery_is_the_mean_over_its_shares() -> None:
    shares = {"alt1": 0.25, "alt3": 0.75}
    weighted = scenario(MATRIX, safety=0.5, cost=0.2, speed=0.3)
    drawn = decision(lottery=shares, scenario=weighted, truth="alt3")
    for name in (
        "decision_quality",
        "decision_quality_weighted",
        "decision_closeness",
        "regret",
        "ground_truth_match",
    ):
        alone = {one: value(name, decision(one, scenario=weighted, truth="alt3")) for one in shares}
        expected = sum(share * (alone[one] or 0.0) for one, share in shares.items())
        assert value(name, drawn) == pytest.approx(expected, abs=1e-12), name


def test_shares_that_sum_to_one_within_rounding_give_values_within_the_scale() -> None:
    best = {"x": 1.0, "y": 1.0}
    rows = {"a": best, "b": best, "c": best, "d": {"x": 0.0, "y": 0.0}}
    thirds = dict.fromkeys("abc", 0.3333333334)
    first = agents({"d": 1.0}, {"d": 1.0})
    drawn = decision(lottery=thirds, scenario=scenario(rows, x=1.0, y=1.0), assessments=first, truth="a")
    for name in ("decision_quality", "decision_quality_weighted", "decision_closeness", "gain_over_average"):
        assert value(name, drawn) == pytest.approx(1.0, abs=1e-9), name


def closeness_by_hand(rows: Sequence[Sequence[float]], weights: Sequence[float], benefit: Sequence[bool]) -> Any:
    """TOPSIS with vector normalisation, spelt out; None where all alternatives are alike."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    total = math.fsum(weights)
    placed = []
    for column, weight in zip(columns, weights, strict=True):
        length = math.sqrt(math.fsum(x * x for x in column))
        placed.append([weight / total * x / length if length else 0.0 for x in column])
    ideal = [max(c) if good else min(c) for c, good in zip(placed, benefit, strict=True)]
    worst = [min(c) if good else max(c) for c, good in zip(placed, benefit, strict=True)]
    points = list(zip(*placed, strict=True))
    far = [(math.dist(point, ideal), math.dist(point, worst)) for point in points]
    return [below / (above + below) for above, below in far] if math.dist(ideal, worst) > 1e-12 else None


def test_closeness_of_a_published_problem() -> None:
    """Tzeng & Huang (2011), Multiple Attribute Decision Making, to the four places of the book."""
    rows = {"a1": (5, 8, 4), "a2": (7, 6, 8), "a3": (8, 8, 6), "a4": (7, 4, 6)}
    named = {name: dict(zip("xyz", map(float, row), strict=True)) for name, row in rows.items()}
    published = {"a1": 0.5037, "a2": 0.6581, "a3": 0.7482, "a4": 0.3340}
    cars = scenario(named, x=0.3, y=0.4, z=0.3)
    found = {name: value("decision_closeness", decision(name, scenario=cars)) for name in rows}
    assert found == pytest.approx(published, abs=1e-4)


scores = st.integers(0, 20).map(lambda n: n / 20)


@QUICKLY
@given(st.data(), st.integers(2, 5), st.integers(1, 4))
def test_closeness_is_that_of_topsis_by_hand(data: st.DataObject, alternatives: int, criteria: int) -> None:
    rows = data.draw(
        st.lists(st.lists(scores, min_size=criteria, max_size=criteria), min_size=2, max_size=alternatives)
    )
    weights = data.draw(st.lists(st.integers(1, 9), min_size=criteria, max_size=criteria))
    benefit = data.draw(st.lists(st.booleans(), min_size=criteria, max_size=criteria))
    made = Scenario(
        tuple(f"a{i}" for i in range(len(rows))),
        tuple(
            Criterion(f"c{j}", "benefit" if good else "cost", float(weight))
            for j, (good, weight) in enumerate(zip(benefit, weights, strict=True))
        ),
        {f"a{i}": {f"c{j}": x for j, x in enumerate(row)} for i, row in enumerate(rows)},
    )
    found = [value("decision_closeness", decision(name, scenario=made)) for name in made.alternatives]
    expected = closeness_by_hand(rows, weights, benefit)
    assert found == ([None] * len(rows) if expected is None else pytest.approx(expected, abs=1e-9))


def test_closeness_is_undefined_where_alternatives_are_alike() -> None:
    alike = {"a": {"x": 0.3, "y": 0.8}, "b": {"x": 0.3, "y": 0.8}}
    assert value("decision_closeness", decision("a", scenario=scenario(alike))) is None
    assert value("decision_closeness", decision("a", scenario=scenario({"a": {"x": 0.3}}))) is None


def test_constant_criterion_changes_no_closeness() -> None:
    rows = {"a": {"x": 0.3, "y": 0.8}, "b": {"x": 0.6, "y": 0.1}, "c": {"x": 0.5, "y": 0.5}}
    wider = {name: {**row, "same": 0.7} for name, row in rows.items()}
    for name in rows:
        with_it = value("decision_closeness", decision(name, scenario=scenario(wider)))
        assert with_it == pytest.approx(value("decision_closeness", decision(name, scenario=scenario(rows))), abs=1e-12)


def test_regret_is_what_the_best_alternative_would_have_added() -> None:
    best = fmean(MATRIX["alt2"].values())
    assert value("regret", decision("alt1", scenario=scenario(MATRIX))) == pytest.approx(best - 0.78333, abs=5e-6)
    assert value("regret", decision("alt2", scenario=scenario(MATRIX))) == 0.0


def test_regret_goes_by_the_weights() -> None:
    rows = {"fast": {"speed": 1.0, "safety": 0.2}, "safe": {"speed": 0.4, "safety": 0.9}}
    assert value("regret", decision("fast", scenario=scenario(rows, speed=9, safety=1))) == 0.0
    found = value("regret", decision("fast", scenario=scenario(rows, speed=1, safety=3)))
    assert found == pytest.approx((0.4 + 3 * 0.9) / 4 - (1.0 + 3 * 0.2) / 4, abs=1e-12)


@pytest.mark.parametrize(("recommended", "truth", "expected"), [("alt1", "alt1", 0.9), ("alt1", "alt2", 0.78333)])
def test_boost_lifts_right_decisions_only(recommended: str, truth: str, expected: float) -> None:
    decided = decision(recommended, scenario=scenario(MATRIX), truth=truth)
    assert value("decision_quality_boosted", decided) == pytest.approx(expected, abs=5e-6)
    assert METRICS["decision_quality_boosted"].card.variant


def test_boost_never_lowers_and_needs_a_truth() -> None:
    rows = {"a": {"x": 0.95}, "b": {"x": 0.1}}
    assert value("decision_quality_boosted", decision("a", scenario=scenario(rows), truth="a")) == 0.95
    assert value("decision_quality_boosted", decision("b", scenario=scenario(rows))) == 0.1


def test_literal_quality_takes_three_ways_and_names_each() -> None:
    stated = Stated(final_scores={"alt1": 0.31}, mcda_scores={"alt1": 0.720, "alt2": 0.550, "alt3": 0.810})
    single = decision("alt1", assessments=(Assessment("one", matrix=MATRIX),), stated=stated)
    coordinator = decision("alt1", assessments=agents(*BELIEFS), stated=stated)
    final = decision("alt1", stated=structs.replace(stated, mcda_scores={}))
    found = [(value("decision_quality_literal", one), marks("decision_quality_literal", one)[0].basis) for one in
             (single, coordinator, final)]  # fmt: skip
    assert [one for one, _ in found] == pytest.approx([0.78333, 0.720, 0.31], abs=5e-6)
    assert len({basis for _, basis in found}) == 3
    assert value("decision_quality_literal", decision("alt1")) is None


def test_quality_names_whose_scores_it_rests_on() -> None:
    decided = decision("alt1", scenario=scenario(MATRIX), matrix_source="the matrix of ann")
    for name in ("decision_quality", "decision_closeness", "regret", "weight_robustness"):
        assert {mark.basis for mark in marks(name, decided)} == {"the matrix of ann"}, name


# Truth.


def test_match_is_one_zero_or_undefined() -> None:
    assert value("ground_truth_match", decision("a", truth="a")) == 1.0
    assert value("ground_truth_match", decision("b", truth="a")) == 0.0
    assert value("ground_truth_match", decision("a")) is None
    assert value("ground_truth_match", decision(truth="a")) is None


def test_match_of_a_lottery_is_the_share_that_is_right() -> None:
    assert value("ground_truth_match", decision(lottery={"a": 0.25, "b": 0.75}, truth="a")) == 0.25
    assert value("ground_truth_match", decision(lottery={"b": 0.5, "c": 0.5}, truth="a")) == 0.0


def test_unanimous_groups_are_right_or_wrong() -> None:
    same = ({"a": 0.9, "b": 0.1}, {"a": 0.6, "b": 0.4})
    assert value("unanimous_wrong", group(*same, truth="b")) == 1.0
    assert value("unanimous_wrong", group(*same, truth="a")) == 0.0


@pytest.mark.parametrize(
    "decided",
    [
        group({"a": 1.0}, {"b": 1.0}, truth="a"),
        group({"a": 1.0}, {"a": 1.0}),
        group({"a": 1.0}, truth="a"),
        group({"a": 1.0}, {"a": 0.0}, truth="a"),
        group({"a": 0.5, "b": 0.5}, {"a": 0.5, "b": 0.5}, truth="a"),
    ],
    ids=["divided", "no truth", "one agent", "one without a preference", "both undecided"],
)
def test_unanimity_is_undefined(decided: Decision) -> None:
    assert value("unanimous_wrong", decided) is None


# Against the members.

QUALITIES = scenario({"a": {"x": 0.2}, "b": {"x": 0.5}, "c": {"x": 0.8}})


@pytest.mark.parametrize(
    ("recommended", "gain", "beats_average", "beats_best", "matches_best"),
    [("a", -0.15, 0.0, 0.0, 0.0), ("b", 0.15, 1.0, 0.0, 1.0), ("c", 0.45, 1.0, 1.0, 1.0)],
)
def test_decision_against_its_members(
    recommended: str, gain: float, beats_average: float, beats_best: float, matches_best: float
) -> None:
    decided = decision(recommended, scenario=QUALITIES, assessments=agents({"a": 1.0}, {"b": 1.0}))
    assert value("gain_over_average", decided) == pytest.approx(gain, abs=1e-12)
    assert value("beats_average", decided) == beats_average
    assert value("beats_best", decided) == beats_best
    assert value("matches_best", decided) == matches_best


def test_as_good_as_the_average_is_not_better() -> None:
    decided = decision("b", scenario=QUALITIES, assessments=agents({"a": 1.0}, {"c": 1.0}))
    assert value("gain_over_average", decided) == pytest.approx(0.0, abs=1e-12)
    assert value("beats_average", decided) == 0.0


def test_members_count_with_what_they_thought_first() -> None:
    both = (*agents({"a": 1.0}, {"a": 1.0}), *agents({"c": 1.0}, {"c": 1.0}, round=1))
    decided = decision("c", scenario=QUALITIES, assessments=both)
    assert value("gain_over_average", decided) == pytest.approx(0.6, abs=1e-12)


def test_single_agent_is_not_set_against_itself() -> None:
    alone = decision("a", scenario=QUALITIES, assessments=agents({"b": 1.0}))
    for name in ("gain_over_average", "beats_average", "beats_best", "matches_best"):
        assert value(name, alone) is None


# Consensus.


def test_consensus_of_the_worked_example() -> None:
    decided = group(*BELIEFS)
    found = by_place("consensus", decided)
    assert {pair: round(one, 5) for pair, one in found.items()} == {
        "agent1 - agent2": 0.98315,
        "agent1 - agent3": 0.97828,
        "agent2 - agent3": 0.92391,
    }
    assert value("consensus", decided) == pytest.approx(0.96178, abs=5e-6)
    assert METRICS["consensus"].card.band(value("consensus", decided) or 0) == "strong consensus"


def test_agreement_of_top_choices_of_the_worked_example() -> None:
    assert value("choice_agreement", group(*BELIEFS)) == 1.0
    assert value("diversity", group(*BELIEFS)) == pytest.approx(1 / 3)


masses = amounts(3, 10)


@QUICKLY
@given(st.lists(masses, min_size=2, max_size=5))
def test_consensus_is_the_mean_cosine_of_scipy(rows: list[list[int]]) -> None:
    shares = [[x / sum(row) for x in row] for row in rows]
    decided = group(*(dict(zip("abc", row, strict=True)) for row in shares))
    expected = [1 - cosine_distance(one, other) for one, other in combinations(shares, 2)]
    assert [mark.value for mark in marks("consensus", decided)] == pytest.approx(expected, abs=1e-12)
    assert value("consensus", decided) == pytest.approx(fmean(expected), abs=1e-12)


@QUICKLY
@given(st.lists(masses, min_size=2, max_size=5), st.sampled_from([1.0, 0.75]))
def test_belief_agreement_is_one_less_the_divergence_of_scipy(rows: list[list[int]], assigned: float) -> None:
    shares = [[assigned * x / sum(row) for x in row] for row in rows]
    decided = group(*(dict(zip("abc", row, strict=True)) for row in shares))
    spread = [[x + (1 - assigned) / 3 for x in row] for row in shares]
    # Where two are alike scipy takes the root of a rounding error below 0.
    with np.errstate(invalid="ignore"):
        divergences = [np.nan_to_num(jensenshannon(one, other, base=2) ** 2) for one, other in combinations(spread, 2)]
    expected = [1 - one for one in divergences]
    assert [mark.value for mark in marks("belief_agreement", decided)] == pytest.approx(expected, abs=1e-9)


def test_beliefs_without_overlap_agree_in_nothing() -> None:
    decided = group({"a": 1.0}, {"b": 0.4, "c": 0.6})
    assert value("consensus", decided) == 0.0
    assert value("belief_agreement", decided) == 0.0


def test_beliefs_above_one_have_a_cosine_and_no_divergence() -> None:
    decided = group({"a": 0.9, "b": 0.9}, {"a": 0.5, "b": 0.5}, {"a": 0.5, "b": 0.5})
    assert value("consensus", decided) == pytest.approx(1.0, abs=1e-12)
    assert list(by_place("belief_agreement", decided)) == ["agent2 - agent3"]


def test_agents_who_prefer_several_alike_are_counted_in_parts() -> None:
    decided = group({"a": 0.5, "b": 0.5}, {"a": 1.0}, {"b": 0.8, "a": 0.2}, {"a": 0.9, "b": 0.1})
    assert value("choice_agreement", decided) == pytest.approx(2.5 / 4)


def test_choice_named_apart_from_beliefs_counts() -> None:
    stubborn = structs.replace(agents({"a": 0.6, "b": 0.4})[0], agent="agent2", choice="b")
    decided = decision(scenario=Scenario(("a", "b")), assessments=(*agents({"a": 0.6, "b": 0.4}), stubborn))
    assert value("consensus", decided) == pytest.approx(1.0, abs=1e-12)
    assert value("choice_agreement", decided) == 0.5
    assert value("diversity", decided) == 1.0


def test_bands_of_consensus_hold_their_upper_border() -> None:
    card = METRICS["consensus"].card
    words = {0.0: "no", 0.4: "no", 0.6: "low", 0.8: "moderate", 1.0: "strong"}
    assert {border: card.band(border).split()[0] for border in words} == words
    above = {border: card.band(math.nextafter(border, 1)).split()[0] for border in (0.4, 0.6, 0.8)}
    assert above == {0.4: "low", 0.6: "moderate", 0.8: "strong"}


def test_consensus_of_exactly_four_fifths_is_moderate() -> None:
    decided = group({"a": 1.0, "b": 0.0}, {"a": 0.5, "b": 0.375})
    found = value("consensus", decided)
    assert found == 0.8
    assert METRICS["consensus"].card.band(found) == "moderate consensus"


def test_bands_of_quality_contribution_variance_and_diversity() -> None:
    assert _bands("decision_quality", 0.29, 0.3, 0.5, 0.7, 0.9, 1.0) == [
        "poor",
        "below average",
        "acceptable",
        "good",
        "excellent",
        "excellent",
    ]
    assert _bands("contribution_balance", 0.8, 0.81, 0.9, 0.91) == [
        "unequal",
        "relatively equal",
        "relatively equal",
        "well balanced",
    ]
    assert _bands("confidence_variance", 0.049, 0.05, 0.1, 0.11) == ["consistent", "mixed", "mixed", "disagreeing"]
    assert _bands("diversity", 0.49, 0.5, 0.99, 1.0) == ["most agree", "", "", "all differ"]


def _bands(name: str, *borders: float) -> list[str]:
    return [METRICS[name].card.band(border) for border in borders]


# Rounds.


def test_consensus_moves_from_round_to_round() -> None:
    apart, nearer, one = ({"a": 1.0}, {"b": 1.0}), ({"a": 1.0}, {"a": 0.6, "b": 0.8}), ({"a": 1.0}, {"a": 1.0})
    rounds = (*agents(*apart), *agents(*nearer, round=1), *agents(*one, round=2))
    decided = decision(scenario=Scenario(("a", "b")), assessments=rounds)
    assert by_place("consensus_by_round", decided) == pytest.approx({"round 0": 0.0, "round 1": 0.6, "round 2": 1.0})
    assert [mark.group for mark in marks("consensus_by_round", decided)] == ["round 0", "round 1", "round 2"]
    assert value("consensus_before", decided) == 0.0
    assert value("consensus", decided) == 1.0
    assert value("consensus_gain", decided) == 1.0


def test_agent_that_is_silent_in_a_round_keeps_its_beliefs() -> None:
    rounds = (*agents({"a": 1.0}, {"b": 1.0}), *agents({"b": 1.0}, round=1))
    decided = decision(scenario=Scenario(("a", "b")), assessments=rounds)
    assert by_place("consensus_by_round", decided) == {"round 0": 0.0, "round 1": 1.0}
    assert value("consensus", decided) == 1.0


def test_one_round_shows_no_movement() -> None:
    for name in ("consensus_by_round", "consensus_before", "consensus_gain"):
        assert value(name, group(*BELIEFS)) is None


def test_movement_is_undefined_where_only_the_last_round_has_a_pair() -> None:
    rounds = (*agents({"a": 1.0}), *agents({"a": 1.0}, {"a": 1.0}, round=1))
    decided = decision(scenario=Scenario(("a", "b")), assessments=rounds)
    for name in ("consensus_before", "consensus_gain"):
        assert value(name, decided) is None


# Confidence.


def test_confidence_of_a_group_is_three_fifths_consensus() -> None:
    decided = group(*BELIEFS, confidences=(0.82, 0.78, 0.88))
    expected = 0.6 * 0.96178 + 0.4 * fmean((0.82, 0.78, 0.88))
    assert value("decision_confidence", decided) == pytest.approx(expected, abs=5e-6)
    assert value("uncertainty", decided) == pytest.approx(1 - expected, abs=5e-6)
    assert value("average_confidence", decided) == pytest.approx(fmean((0.82, 0.78, 0.88)))


def test_confidence_of_a_single_agent_is_its_own() -> None:
    alone = decision("a", assessments=agents({"a": 0.9, "b": 0.1}, confidences=(0.82,)), confidence=0.82)
    assert value("decision_confidence", alone) == 0.82
    assert value("uncertainty", alone) == pytest.approx(0.18)
    said = decision("a", assessments=agents({"a": 0.9, "b": 0.1}, confidences=(0.7,)))
    assert value("decision_confidence", said) == 0.7


def test_confidences_of_a_group_and_of_one_agent_rest_on_different_things() -> None:
    both = group(*BELIEFS, confidences=(0.8, 0.8, 0.8)), decision("a", confidence=0.8)
    bases = [mark.basis for one in both for mark in marks("decision_confidence", one)]
    assert len(set(bases)) == 2
    assert all(bases)


def test_stated_confidence_stands_in_where_agents_give_none() -> None:
    assert value("decision_confidence", group(*BELIEFS, confidence=0.5)) == 0.5
    assert value("decision_confidence", group(*BELIEFS)) is None
    assert value("uncertainty", group(*BELIEFS)) is None


def test_variance_of_the_worked_example() -> None:
    decided = group(*({"a": 1.0},) * 4, confidences=CONFIDENCES)
    found = value("confidence_variance", decided)
    assert found == pytest.approx(0.003819, abs=5e-7)
    assert math.sqrt(found or 0) == pytest.approx(0.0618, abs=5e-5)
    assert found == pytest.approx(float(np.var(CONFIDENCES)), abs=1e-15)
    (mark,) = marks("confidence_variance", decided)
    assert mark.why == "from 0.71 to 0.88, standard deviation 0.062"
    assert METRICS["confidence_variance"].card.band(found or 0) == "consistent"


def test_variance_reaches_the_end_of_its_scale() -> None:
    assert value("confidence_variance", group({"a": 1.0}, {"a": 1.0}, confidences=(0.0, 1.0))) == 0.25


def test_variance_needs_two_confidences() -> None:
    assert value("confidence_variance", group({"a": 1.0}, {"a": 1.0}, confidences=(0.9, None))) is None


# Calibration.


def test_brier_and_overconfidence_of_one_forecast() -> None:
    wrong = decision("a", confidence=0.9, truth="b")
    assert value("brier", wrong) == pytest.approx(0.81)
    assert value("overconfidence", wrong) == pytest.approx(0.9)
    right = decision("a", confidence=0.9, truth="a")
    assert value("brier", right) == pytest.approx(0.01)
    assert value("overconfidence", right) == pytest.approx(-0.1)


def test_share_of_agents_is_the_forecast_where_nobody_says_how_sure() -> None:
    decided = group({"a": 1.0}, {"a": 1.0}, {"a": 1.0}, {"b": 1.0}, recommended="a", truth="b")
    assert value("brier", decided) == pytest.approx(0.75**2)
    assert "share of agents behind the decision" in marks("brier", decided)[0].why


@pytest.mark.parametrize("name", ["brier", "calibration_error", "overconfidence"])
@pytest.mark.parametrize(
    "decided",
    [
        decision("a", confidence=0.9),
        decision("a", truth="a"),
        decision(truth="a", confidence=0.9),
        group({"a": 1.0}, {"b": 1.0}, lottery={"a": 0.5, "b": 0.5}, truth="a"),
    ],
    ids=["no truth", "no confidence", "no decision", "no foremost alternative"],
)
def test_calibration_is_undefined(name: str, decided: Decision) -> None:
    assert value(name, decided) is None


@pytest.fixture(scope="module")
def forecasts() -> list[tuple[float, int]]:
    """Confidences off the borders of bins with outcomes that are right less often than that."""
    dice = np.random.default_rng(7)
    sure = (dice.integers(0, 100, 240) + 0.5) / 100
    return [(float(p), int(dice.random() < p * 0.8)) for p in sure]


@pytest.fixture(scope="module")
def forecast_run(forecasts: list[tuple[float, int]], tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("forecasts")
    records = [
        {
            "id": f"f{number}",
            "arm": "single",
            "scenario": {"alternatives": ["a", "b"]},
            "recommended": "a",
            "confidence": sure,
            "truth": "a" if right else "b",
        }
        for number, (sure, right) in enumerate(forecasts)
    ]
    file = folder / "forecasts.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return execute(Job.open(Plan(suite="decision", files=(str(file),))), folder / "run")


def row_of(run: Run, name: str) -> Row:
    (found,) = [row for row in table(run) if row.metric == name]
    return found


def test_brier_of_many_is_that_of_scikit_learn(forecast_run: Run, forecasts: list[tuple[float, int]]) -> None:
    expected = brier_score_loss([right for _, right in forecasts], [sure for sure, _ in forecasts])
    assert row_of(forecast_run, "brier").value == pytest.approx(expected, abs=1e-12)


def test_calibration_error_is_that_of_ten_bins(forecast_run: Run, forecasts: list[tuple[float, int]]) -> None:
    expected, curve = 0.0, {}
    for low in range(10):
        inside = [(sure, right) for sure, right in forecasts if low / 10 <= sure < (low + 1) / 10]
        gap = fmean(sure for sure, _ in inside) - fmean(right for _, right in inside)
        expected += len(inside) / len(forecasts) * abs(gap)
        curve[f"confidence {low / 10:.1f}-{(low + 1) / 10:.1f}"] = gap
    assert row_of(forecast_run, "calibration_error").value == pytest.approx(expected, abs=1e-12)
    found = {row.group: row.value for row in breakdown(forecast_run) if row.metric == "calibration_error"}
    assert found == pytest.approx(curve, abs=1e-12)


def test_overconfidence_is_the_mean_gap(forecast_run: Run, forecasts: list[tuple[float, int]]) -> None:
    expected = fmean(sure - right for sure, right in forecasts)
    assert row_of(forecast_run, "overconfidence").value == pytest.approx(expected, abs=1e-12)


def test_full_confidence_belongs_to_the_last_bin() -> None:
    groups = {sure: marks("calibration_error", decision("a", confidence=sure, truth="a"))[0].group for sure in
              (0.0, 0.1, 0.3, 0.6, 0.7, 0.9, 1.0)}  # fmt: skip
    assert groups == {
        0.0: "confidence 0.0-0.1",
        0.1: "confidence 0.1-0.2",
        0.3: "confidence 0.3-0.4",
        0.6: "confidence 0.6-0.7",
        0.7: "confidence 0.7-0.8",
        0.9: "confidence 0.9-1.0",
        1.0: "confidence 0.9-1.0",
    }


# Contribution.


def test_balance_of_the_worked_example() -> None:
    # Sure beliefs have no entropy, so that contributions are half the confidences and have their Gini.
    decided = group(*({"a": 1.0, "b": 0.0},) * 4, confidences=CONTRIBUTIONS)
    found = value("contribution_balance", decided)
    assert found == pytest.approx(0.96115, abs=5e-6)
    assert 1 - (found or 0) == pytest.approx(0.03885, abs=5e-6)
    assert METRICS["contribution_balance"].card.band(found or 0) == "well balanced"


def gini_by_pairs(amounts: Sequence[float]) -> float:
    """The mean absolute difference over twice the mean."""
    return fmean(abs(x - y) for x in amounts for y in amounts) / (2 * fmean(amounts))


def test_contribution_is_half_confidence_and_half_entropy() -> None:
    decided = group(*BELIEFS, confidences=(0.9, 0.5, 0.1))
    unsure = [entropy(list(one.values())) / math.log(3) for one in BELIEFS]
    amounts = [(sure + one) / 2 for sure, one in zip((0.9, 0.5, 0.1), unsure, strict=True)]
    assert value("contribution_balance", decided) == pytest.approx(1 - gini_by_pairs(amounts), abs=1e-12)


def test_balance_is_undefined_where_nobody_contributes() -> None:
    certain = ({"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0})
    assert value("contribution_balance", group(*certain, confidences=(0.0, 0.0))) is None


def test_diversity_counts_different_preferences() -> None:
    assert value("diversity", group({"a": 1.0}, {"b": 1.0}, {"c": 1.0}, {"c": 1.0})) == 0.75
    assert value("diversity", group({"a": 1.0}, {"b": 1.0})) == 1.0


SAID = (
    DecisionTurn("0", "agent1", "one two three", 5),
    DecisionTurn("1", "agent2", "one", 2),
    DecisionTurn("2", "agent1", "one two", 3),
    DecisionTurn("3", "moderator", "a lot of words that nobody counts", 90),
)


def test_participation_is_balanced_by_messages_words_and_tokens() -> None:
    decided = group(*BELIEFS, turns=SAID)
    expected = {"messages": (2, 1, 0), "words": (5, 1, 0), "tokens": (8, 2, 0)}
    found = by_place("participation_balance", decided)
    assert found == pytest.approx({name: 1 - gini_by_pairs(amounts) for name, amounts in expected.items()})


def test_tokens_that_are_not_all_known_are_left_out() -> None:
    decided = group(*BELIEFS, turns=(*SAID, DecisionTurn("4", "agent3", "hm")))
    assert list(by_place("participation_balance", decided)) == ["messages", "words"]


def test_participation_is_undefined_where_no_agent_speaks() -> None:
    assert value("participation_balance", group(*BELIEFS)) is None
    assert value("participation_balance", group(*BELIEFS, turns=SAID[3:])) is None
    wordless = tuple(DecisionTurn(str(place), f"agent{place}") for place in (1, 2, 3))
    assert by_place("participation_balance", group(*BELIEFS, turns=wordless)) == {"messages": 1.0}


# Influence.


def combined_by_hand(rows: Sequence[Sequence[float]]) -> list[float]:
    """Yang & Xu's recursion with equal weights in plain sums; the last number is what stays unassigned."""
    weight = 1 / len(rows)
    pieces = [([weight * b for b in row], weight * max(1 - sum(row), 0.0), 1 - weight) for row in rows]
    assigned, lacking, idle = pieces[0]
    for theirs, their_lack, their_idle in pieces[1:]:
        conflict = sum(x * y for i, x in enumerate(assigned) for j, y in enumerate(theirs) if i != j)
        k = 1 / (1 - conflict)
        free, their_free = lacking + idle, their_lack + their_idle
        assigned = [k * (x * y + x * their_free + free * y) for x, y in zip(assigned, theirs, strict=True)]
        lacking = k * (lacking * their_lack + idle * their_lack + lacking * their_idle)
        idle = k * idle * their_idle
    return [x / (1 - idle) for x in (*assigned, lacking)]


@QUICKLY
@given(st.lists(masses, min_size=2, max_size=4), st.sampled_from([1.0, 0.8]))
def test_influence_is_the_shift_of_combined_beliefs(rows: list[list[int]], assigned: float) -> None:
    shares = [[assigned * x / sum(row) for x in row] for row in rows]
    decided = group(*(dict(zip("abc", row, strict=True)) for row in shares))
    whole = combined_by_hand(shares)
    expected = {}
    for place in range(len(shares)):
        rest = combined_by_hand([row for other, row in enumerate(shares) if other != place])
        expected[f"agent{place + 1}"] = sum(abs(x - y) for x, y in zip(whole, rest, strict=True)) / 2
    assert by_place("influence", decided) == pytest.approx(expected, abs=1e-9)


def test_agent_is_pivotal_where_another_alternative_would_lead() -> None:
    decided = group({"a": 0.9, "b": 0.1}, {"a": 0.45, "b": 0.55}, {"a": 0.45, "b": 0.55})
    assert by_place("pivotal", decided) == {"agent1": 1.0, "agent2": 0.0, "agent3": 0.0}


def test_alike_agents_change_nothing() -> None:
    decided = group({"a": 1.0, "b": 0.0}, {"a": 1.0, "b": 0.0})
    assert value("influence", decided) == pytest.approx(0.0, abs=1e-12)
    assert value("pivotal", decided) == 0.0


def test_influence_is_undefined_for_one_agent() -> None:
    for name in ("influence", "pivotal"):
        assert value(name, group({"a": 0.6, "b": 0.4})) is None


# Robustness.


@QUICKLY
@given(st.lists(st.tuples(scores, scores), min_size=2, max_size=4, unique=True))
def test_robustness_is_the_exact_share_of_weights_for_two_criteria(rows: list[tuple[float, float]]) -> None:
    made = scenario({f"a{place}": {"x": x, "y": y} for place, (x, y) in enumerate(rows)})
    for place, (x, y) in enumerate(rows):
        # First where w x + (1 - w) y is at least w x' + (1 - w) y' for all others: an interval of w.
        low, high = 0.0, 1.0
        for other_x, other_y in rows:
            slope, height = (x - y) - (other_x - other_y), y - other_y
            if slope > 1e-12:
                low = max(low, -height / slope)
            elif slope < -1e-12:
                high = min(high, -height / slope)
            elif height < -1e-12:
                low, high = 1.0, 0.0
        exact = max(high - low, 0.0)
        found = value("weight_robustness", decision(f"a{place}", scenario=made))
        assert found == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
def test_robustness_of_alternatives_that_are_each_best_at_one_of_three(order: tuple[int, ...]) -> None:
    rows = {f"a{place}": {f"c{other}": float(place == other) for other in order} for place in range(3)}
    for name in rows:
        assert value("weight_robustness", decision(name, scenario=scenario(rows))) == pytest.approx(1 / 3, abs=0.02)


def test_robustness_where_two_of_three_criteria_decide() -> None:
    even = {"x": 0.0, "y": 0.0, "z": 0.0}
    rows = {"a": even, "b": {"x": 0.0, "y": 0.05, "z": 0.05}}
    made = scenario(rows, z=Criterion("", kind="cost"))
    for name in rows:
        assert value("weight_robustness", decision(name, scenario=made)) == pytest.approx(0.5, abs=0.02)


def test_robustness_of_the_dominant_and_the_dominated() -> None:
    made = scenario({"best": {"x": 0.9, "y": 0.8, "z": 0.7}, "worst": {"x": 0.1, "y": 0.2, "z": 0.3}})
    assert value("weight_robustness", decision("best", scenario=made)) == 1.0
    assert value("weight_robustness", decision("worst", scenario=made)) == 0.0


def test_robustness_turns_costs_round() -> None:
    rows = {"cheap": {"price": 0.1, "comfort": 0.5}, "dear": {"price": 0.9, "comfort": 0.5}}
    priced = scenario(rows, price=Criterion("", kind="cost"))
    assert value("weight_robustness", decision("cheap", scenario=priced)) == 1.0


def test_robustness_needs_one_decision_and_something_to_choose_from() -> None:
    assert value("weight_robustness", decision(lottery={"alt1": 0.5, "alt2": 0.5}, scenario=scenario(MATRIX))) is None
    assert value("weight_robustness", decision("a", scenario=scenario({"a": {"x": 0.5}}))) is None


def test_methods_agree_as_far_as_kendall_says() -> None:
    rows = {"a": {"x": 0.9, "y": 0.1}, "b": {"x": 0.6, "y": 0.7}, "c": {"x": 0.2, "y": 0.8}, "d": {"x": 0.3, "y": 0.4}}
    beliefs = ({"a": 0.5, "b": 0.2, "c": 0.2, "d": 0.1}, {"a": 0.1, "b": 0.3, "c": 0.5, "d": 0.1})
    decided = decision("b", scenario=scenario(rows, x=3, y=1), assessments=agents(*beliefs))
    cells = [list(row.values()) for row in rows.values()]
    by_method = {
        "weighted sum": [3 * x + y for x, y in cells],
        "TOPSIS": closeness_by_hand(cells, [3, 1], [True, True]),
        "evidential reasoning": combined_by_hand([list(one.values()) for one in beliefs])[:-1],
    }
    expected = {
        f"{one} - {other}": kendalltau(by_method[one], by_method[other]).statistic
        for one, other in combinations(by_method, 2)
    }
    assert by_place("method_agreement", decided) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_beliefs_that_differ_by_rounding_alone_are_tied(order: tuple[int, ...]) -> None:
    # b and c change places with the last two agents, so that combined beliefs in them are equal.
    beliefs = ({"a": 1.0}, {"a": 0.25, "b": 0.5, "c": 0.25}, {"a": 0.25, "b": 0.25, "c": 0.5})
    rows = {"a": {"x": 0.9}, "b": {"x": 0.5}, "c": {"x": 0.2}}
    decided = decision("a", scenario=scenario(rows), assessments=agents(*(beliefs[place] for place in order)))
    found = by_place("method_agreement", decided)
    expected = kendalltau([3, 2, 1], [2, 1, 1]).statistic
    assert found["weighted sum - evidential reasoning"] == pytest.approx(expected, abs=1e-12)


def test_agreement_of_methods_needs_two_rankings() -> None:
    assert value("method_agreement", group(*BELIEFS)) is None
    alike = scenario({"a": {"x": 0.5}, "b": {"x": 0.5}})
    assert value("method_agreement", decision("a", scenario=alike)) is None


# Effort.


def test_efficiency_of_the_worked_example() -> None:
    decided = decision("a", effort=Effort(iterations=1, calls=4, seconds=12.4))
    found = by_place("efficiency", decided)
    assert {name: round(term, 5) for name, term in found.items()} == {
        "iterations": 0.5,
        "calls": 0.42857,
        "seconds": 0.28736,
    }
    assert value("efficiency", decided) == pytest.approx(0.40531, abs=5e-6)


LOG = (
    LogEntry("start", 100.0),
    LogEntry("iteration", 100.5),
    LogEntry("api_call", 101.0, 3.0, 120, 0.002),
    LogEntry("llm_call", 105.0, 2.5, 80, 0.001),
    LogEntry("api_call", 108.0, 1.0, 50, 0.0005),
    LogEntry("api_call", 110.0, 2.0, 50, 0.0005),
    LogEntry("end", 112.4),
)


def test_effort_is_counted_from_the_log() -> None:
    decided = decision("a", log=LOG)
    found = {name: value(name, decided) for name in sorted(AMOUNTS)}
    expected = {"time_to_consensus": 1, "api_calls": 4, "processing_time": 12.4, "tokens_used": 300, "cost": 0.004}
    assert found == pytest.approx(expected, abs=1e-9)
    assert value("efficiency", decided) == pytest.approx(0.40531, abs=5e-6)


def test_stated_effort_goes_before_the_log() -> None:
    decided = decision("a", log=LOG, effort=Effort(seconds=5.0))
    assert value("processing_time", decided) == 5.0
    assert value("api_calls", decided) == 4.0


def test_time_is_the_sum_of_the_calls_where_start_and_end_are_not_known() -> None:
    assert value("processing_time", decision("a", log=LOG[:-1])) == pytest.approx(8.5)


def test_dates_are_timestamps() -> None:
    log = (LogEntry("start", "2025-01-09T10:00:00Z"), LogEntry("end", "2025-01-09T11:00:12.5+01:00"))
    assert value("processing_time", decision("a", log=log)) == pytest.approx(12.5)


def test_amounts_that_some_calls_lack_are_not_known() -> None:
    decided = decision("a", log=(LogEntry("api_call", tokens=10, cost=0.1, duration=1.0), LogEntry("llm_call")))
    assert value("api_calls", decided) == 2.0
    assert [value(name, decided) for name in ("tokens_used", "cost", "processing_time")] == [None] * 3


@pytest.mark.parametrize("lacking", ["iterations", "calls", "seconds"])
def test_efficiency_is_undefined_unless_all_three_are_known(lacking: str) -> None:
    whole = Effort(iterations=1, calls=4, seconds=12.4)
    assert value("efficiency", decision("a", effort=structs.replace(whole, **{lacking: None}))) is None


def test_no_effort_at_all_is_most_efficient() -> None:
    assert value("efficiency", decision("a", effort=Effort(iterations=0, calls=0, seconds=0.0))) == 1.0


def test_effort_that_is_not_known_is_not_zero() -> None:
    for name in AMOUNTS:
        assert value(name, decision("a")) is None


# What is undefined, over all metrics.

OF_SEVERAL_AGENTS = {
    "unanimous_wrong",
    "gain_over_average",
    "beats_average",
    "beats_best",
    "matches_best",
    "consensus",
    "belief_agreement",
    "choice_agreement",
    "consensus_by_round",
    "consensus_before",
    "consensus_gain",
    "confidence_variance",
    "contribution_balance",
    "diversity",
    "participation_balance",
    "influence",
    "pivotal",
}
OF_A_MATRIX = {
    "decision_quality",
    "decision_quality_weighted",
    "decision_closeness",
    "regret",
    "decision_quality_boosted",
    "decision_quality_literal",
    "gain_over_average",
    "beats_average",
    "beats_best",
    "matches_best",
    "weight_robustness",
}
OF_BELIEFS = {
    "unanimous_wrong",
    "consensus",
    "belief_agreement",
    "choice_agreement",
    "consensus_by_round",
    "consensus_before",
    "consensus_gain",
    "contribution_balance",
    "diversity",
    "influence",
    "pivotal",
}
NOTHING = {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize(
    ("decided", "names"),
    [
        (decision("alt1", scenario=scenario(MATRIX, safety=1, cost=1, speed=1), truth="alt1"), OF_SEVERAL_AGENTS),
        (
            decision(
                "alt1",
                scenario=scenario(MATRIX, safety=1, cost=1, speed=1),
                truth="alt1",
                turns=SAID,
                assessments=agents(BELIEFS[0], confidences=(0.8,)),
            ),
            OF_SEVERAL_AGENTS,
        ),
        (group(*BELIEFS, recommended="alt1", truth="alt1", confidences=(0.5, 0.6, 0.7)), OF_A_MATRIX),
        (decision(scenario=scenario(MATRIX), truth="alt1", assessments=agents(*BELIEFS)), OF_A_MATRIX),
        (group(NOTHING, NOTHING, recommended="a", truth="b", confidences=(0.5, 0.9)), OF_BELIEFS),
        (
            decision(
                "a",
                scenario=Scenario(("a", "b")),
                truth="a",
                assessments=(*agents(NOTHING, NOTHING), *agents(NOTHING, NOTHING, round=1)),
            ),
            OF_BELIEFS,
        ),
        (group({}, {}, recommended="a", truth="a", confidences=(0.5, 0.9)), OF_BELIEFS),
        (decision(), set(METRICS)),
    ],
    ids=[
        "no agents",
        "one agent",
        "no matrix",
        "no decision",
        "beliefs all zero",
        "beliefs all zero in two rounds",
        "no beliefs",
        "nothing",
    ],
)
def test_question_that_does_not_arise_has_no_value(decided: Decision, names: set[str]) -> None:
    assert {name: found for name in sorted(names) if (found := value(name, decided)) is not None} == {}


def test_agent_that_believes_in_nothing_agrees_with_nobody_and_changes_nothing() -> None:
    decided = group({"a": 0.8, "b": 0.2}, {"a": 0.6, "b": 0.4}, NOTHING)
    assert list(by_place("consensus", decided)) == ["agent1 - agent2"]
    assert list(by_place("belief_agreement", decided)) == ["agent1 - agent2"]
    assert value("diversity", decided) == 0.5
    assert value("choice_agreement", decided) == 1.0


def test_confidences_that_are_all_zero_are_no_balance() -> None:
    decided = group(*({"a": 1.0, "b": 0.0},) * 3, confidences=(0.0, 0.0, 0.0))
    assert value("contribution_balance", decided) is None
    assert value("average_confidence", decided) == 0.0
    assert value("confidence_variance", decided) == 0.0


def test_identical_alternatives_leave_nothing_to_choose() -> None:
    row = {"x": 0.4, "y": 0.7}
    decided = decision("a", scenario=scenario({"a": row, "b": row}, x=1, y=2), assessments=agents(*BELIEFS[:0]))
    assert value("decision_closeness", decided) is None
    assert value("method_agreement", decided) is None
    assert value("decision_quality", decided) == pytest.approx(0.55)
    assert value("regret", decided) == 0.0


# Laws over decisions of all kinds.

ALTERNATIVES = ("a", "b", "c", "d")


@st.composite
def decisions(
    draw: st.DrawFn,
    least_agents: int = 0,
    scored: bool = False,
    is_decided: bool = False,
    preferring: bool = False,
) -> Decision:
    """Decisions of all kinds; `scored` ones have a matrix, in `preferring` ones an agent prefers something at first."""
    names = ALTERNATIVES[: draw(st.integers(2, 4))]
    width = draw(st.integers(1, 3))
    weights = draw(st.none() | amounts(width, 5))
    criteria = tuple(
        Criterion(f"c{place}", draw(st.sampled_from(["benefit", "cost"])), None if weights is None else weights[place])
        for place in range(width)
    )
    matrix = (
        {name: {one.id: draw(scores) for one in criteria} for name in names} if scored or draw(st.booleans()) else {}
    )
    first = draw(_assessments(names, least_agents, 0, preferring))
    second = draw(st.just(()) | _assessments(names, least_agents, 1, False))
    lottery = draw(st.just({}) | _shares(names))
    sole = st.sampled_from(names) if is_decided else st.none() | st.sampled_from(names)
    return decision(
        None if lottery else draw(sole),
        lottery=lottery,
        scenario=Scenario(names, criteria if matrix else (), matrix),
        assessments=(*first, *second),
        confidence=draw(st.none() | scores),
        truth=draw(st.none() | st.sampled_from(names)),
    )


@st.composite
def _shares(draw: st.DrawFn, names: Sequence[str], assigned: float = 1.0) -> dict[str, float]:
    parts = draw(amounts(len(names), 4))
    return {name: assigned * part / sum(parts) for name, part in zip(names, parts, strict=True)}


@st.composite
def _assessments(
    draw: st.DrawFn, names: Sequence[str], least: int, round: int, preferring: bool
) -> tuple[Assessment, ...]:
    preferences = _shares(names) | _shares(names, 0.75)
    any_beliefs = preferences | st.just(dict.fromkeys(names, 0.0)) | st.just({})
    beliefs = draw(st.lists(any_beliefs, min_size=least, max_size=4))
    if preferring:
        beliefs[draw(st.integers(0, len(beliefs) - 1))] = draw(preferences)
    confidences = [draw(st.none() | scores) for _ in beliefs]
    return agents(*beliefs, confidences=confidences, round=round)


def values(decided: Decision) -> dict[str, float]:
    """The values of all metrics that are defined."""
    found = {name: value(name, decided) for name in METRICS}
    return {name: one for name, one in found.items() if one is not None}


@QUICKLY
@given(decisions())
def test_every_value_is_within_its_scale(decided: Decision) -> None:
    for name, found in values(decided).items():
        assert math.isfinite(found), name


def reordered(mapping: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    return {name: mapping[name] for name in order if name in mapping}


@QUICKLY
@given(decisions(), st.permutations(ALTERNATIVES))
def test_order_of_alternatives_changes_nothing(decided: Decision, order: list[str]) -> None:
    made = decided.scenario
    names = tuple(name for name in order if name in made.alternatives)
    turned = structs.replace(
        decided,
        scenario=structs.replace(made, alternatives=names, matrix=reordered(made.matrix, order)),
        assessments=tuple(structs.replace(o, beliefs=reordered(o.beliefs, order)) for o in decided.assessments),
        lottery=reordered(decided.lottery, order),
    )
    assert values(turned) == pytest.approx(values(decided), abs=1e-9)


@QUICKLY
@given(decisions(), st.permutations([0, 1, 2]))
def test_order_of_criteria_changes_nothing(decided: Decision, order: list[int]) -> None:
    made = decided.scenario
    criteria = tuple(made.criteria[place] for place in order if place < len(made.criteria))
    ids = [one.id for one in criteria]
    matrix = {name: reordered(row, ids) for name, row in made.matrix.items()}
    turned = structs.replace(decided, scenario=structs.replace(made, criteria=criteria, matrix=matrix))
    assert values(turned) == pytest.approx(values(decided), abs=1e-9)


@QUICKLY
@given(decisions(), st.randoms())
def test_order_of_agents_changes_nothing(decided: Decision, dice: Any) -> None:
    shuffled = list(decided.assessments)
    dice.shuffle(shuffled)
    turned = structs.replace(decided, assessments=tuple(shuffled))
    assert values(turned) == pytest.approx(values(decided), abs=1e-9)


@QUICKLY
@given(st.data(), _shares("abc"), st.integers(2, 5))
def test_identical_agents_are_of_one_mind(data: st.DataObject, beliefs: dict[str, float], count: int) -> None:
    decided = group(*[beliefs] * count)
    assert value("consensus", decided) == pytest.approx(1.0, abs=1e-12)
    assert value("belief_agreement", decided) == pytest.approx(1.0, abs=1e-12)
    assert value("pivotal", decided) == 0.0


@QUICKLY
@given(st.lists(_shares("abc"), min_size=2, max_size=5))
def test_agent_like_another_never_lowers_the_lowest_pair(rows: list[dict[str, float]]) -> None:
    before = [mark.value for mark in marks("consensus", group(*rows))]
    after = [mark.value for mark in marks("consensus", group(*rows, rows[0]))]
    assert min(after) >= min(before) - 1e-12


@QUICKLY
@given(decisions(scored=True, is_decided=True))
def test_quality_and_regret_add_up_to_the_best_quality(decided: Decision) -> None:
    weighted = bool(decided.scenario.criteria) and decided.scenario.criteria[0].weight is not None
    name = "decision_quality_weighted" if weighted else "decision_quality"
    best = max(
        value(name, structs.replace(decided, recommended=one, lottery={})) or 0.0
        for one in decided.scenario.alternatives
    )
    found, lost = value(name, decided), value("regret", decided)
    assert found is not None
    assert lost is not None
    assert found + lost == pytest.approx(best, abs=1e-9)


# Arms derived from the members.


def derived(decided: Decision) -> dict[str, Decision]:
    return {one.arm: one for one in baselines(decided)}


def test_arms_are_derived_under_the_same_case() -> None:
    decided = decision("b", scenario=QUALITIES, assessments=agents({"a": 1.0}, {"b": 1.0}, {"b": 1.0}), truth="c")
    arms = derived(decided)
    assert list(arms) == ["group/average", "group/best", "group/majority", "group/random"]
    assert {one.key.case for one in arms.values()} == {"s1"}
    assert {one.truth for one in arms.values()} == {"c"}
    assert all(one.scenario == QUALITIES for one in arms.values())
    assert arms["group/average"].lottery == pytest.approx({"a": 1 / 3, "b": 2 / 3})
    assert arms["group/best"].recommended == "b"
    assert arms["group/majority"].recommended == "b"


def test_tie_of_the_majority_is_shared_out() -> None:
    members = agents({"a": 1.0}, {"a": 1.0}, {"b": 1.0}, {"b": 1.0}, {"c": 1.0})
    majority = derived(decision("c", scenario=QUALITIES, assessments=members))["group/majority"]
    assert majority.recommended is None
    assert majority.lottery == {"a": 0.5, "b": 0.5}
    assert value("decision_quality", majority) == pytest.approx(0.35)


def test_best_member_is_the_one_who_is_right_where_no_quality_is_known() -> None:
    members = agents({"a": 1.0}, {"b": 1.0}, {"c": 1.0})
    decided = decision("c", scenario=Scenario(("a", "b", "c")), assessments=members, truth="b")
    assert derived(decided)["group/best"].recommended == "b"
    assert "group/best" not in derived(structs.replace(decided, truth=None))


def test_best_member_goes_by_the_weights() -> None:
    rows = {"fast": {"speed": 1.0, "safety": 0.2}, "safe": {"speed": 0.4, "safety": 0.9}}
    members = agents({"fast": 1.0}, {"safe": 1.0})
    decided = decision("fast", scenario=scenario(rows, speed=1, safety=3), assessments=members)
    assert derived(decided)["group/best"].recommended == "safe"


def test_random_member_is_the_same_in_every_run() -> None:
    members = agents({"a": 1.0}, {"b": 1.0}, {"c": 1.0})
    drawn = [
        derived(structs.replace(decision("c", scenario=QUALITIES, assessments=members), id=f"s{number}"))
        for number in range(60)
        for _ in range(2)
    ]
    chosen = [arms["group/random"].recommended for arms in drawn]
    assert all(one == other for one, other in list(pairwise(chosen))[::2])
    assert set(chosen) == {"a", "b", "c"}


def test_random_member_brings_its_own_confidence() -> None:
    decided = decision("a", scenario=QUALITIES, assessments=agents({"a": 1.0}, {"a": 1.0}, confidences=(0.7, 0.7)))
    for name in ("group/best", "group/random"):
        assert value("decision_confidence", derived(decided)[name]) == 0.7


@pytest.mark.parametrize(
    "members",
    [(), agents({"a": 1.0}), agents({}, {}), agents({"a": 0.0}, {"b": 0.0})],
    ids=["nobody", "one agent", "no beliefs", "beliefs all zero"],
)
def test_no_arm_is_derived_without_members_who_prefer_something(members: tuple[Assessment, ...]) -> None:
    assert derived(decision("a", scenario=QUALITIES, assessments=members)) == {}


def test_members_without_a_first_assessment_are_left_out_of_what_members_thought() -> None:
    both = (*agents({"a": 1.0}), *agents({"c": 1.0}, {"c": 1.0}, round=1))
    arms = derived(decision("c", scenario=QUALITIES, assessments=both))
    assert arms["group/average"].recommended == "a"


@QUICKLY
@given(decisions(least_agents=2, scored=True, preferring=True))
def test_average_member_has_the_mean_quality_of_the_members(decided: Decision) -> None:
    members = [one for one in decided.first if one.choices]
    arms = derived(decided)
    for name in ("decision_quality", "decision_quality_weighted"):
        alone = [_of_member(name, decided, one) for one in members]
        found = value(name, arms["group/average"])
        assert found == (None if None in alone else pytest.approx(fmean(alone), abs=1e-9))


def _of_member(name: str, decided: Decision, member: Assessment) -> Any:
    shares = {one: 1 / len(member.choices) for one in member.choices}
    return value(name, structs.replace(decided, recommended=None, lottery=shares))


@QUICKLY
@given(decisions(least_agents=2, scored=True))
def test_best_member_is_at_least_as_good_as_any_other_arm_of_members(decided: Decision) -> None:
    arms = derived(decided)
    weighted = decided.scenario.criteria[0].weight is not None
    name = "decision_quality_weighted" if weighted else "decision_quality"
    # Where members prefer several alike, what most of them share can be better than what any of them prefers.
    clear = all(len(one.choices) < 2 for one in decided.first)
    for other in ("average", "random", *(["majority"] if clear else [])) if arms else ():
        assert (value(name, arms["group/best"]) or 0) >= (value(name, arms[f"group/{other}"]) or 0) - 1e-9, other


@QUICKLY
@given(decisions(least_agents=2, scored=True, is_decided=True, preferring=True))
def test_gain_over_average_is_the_difference_to_the_average_arm(decided: Decision) -> None:
    arms = derived(decided)
    weighted = decided.scenario.criteria[0].weight is not None
    name = "decision_quality_weighted" if weighted else "decision_quality"
    expected = (value(name, decided) or 0) - (value(name, arms["group/average"]) or 0)
    assert value("gain_over_average", decided) == pytest.approx(expected, abs=1e-9)


@QUICKLY
@given(decisions(), st.data())
def test_values_of_a_lottery_are_expectations(decided: Decision, data: st.DataObject) -> None:
    alternatives = st.sampled_from(decided.scenario.alternatives)
    names = data.draw(st.lists(alternatives, min_size=1, max_size=4, unique=True))
    drawn = structs.replace(decided, recommended=None, lottery=dict.fromkeys(names, 1 / len(names)))
    for name in ("decision_quality", "decision_quality_weighted", "decision_closeness", "regret", "ground_truth_match"):
        alone = [value(name, structs.replace(decided, recommended=one, lottery={})) for one in names]
        found = value(name, drawn)
        assert found == (None if None in alone else pytest.approx(fmean(alone), abs=1e-9)), name


def test_group_is_surer_than_its_agents_or_less_sure() -> None:
    surer = group({"a": 1.0}, {"a": 1.0}, recommended="a", confidences=(0.5, 0.7))
    assert value("aggregation_gain", surer) == pytest.approx(0.6 * 1 + 0.4 * 0.6 - 0.6)
    doubtful = group({"a": 1.0}, {"b": 1.0}, recommended="a", confidences=(0.5, 0.7))
    assert value("aggregation_gain", doubtful) == pytest.approx(0.4 * 0.6 - 0.6)
    assert _bands("aggregation_gain", -0.1, 0.1) == ["introduces doubt", "provides benefit"]
    assert value("aggregation_gain", decision("a", confidence=0.75)) is None


def test_alternatives_that_are_all_alike_are_robust_to_nothing() -> None:
    alike = scenario({"a": {"x": 0.5}, "b": {"x": 0.5}})
    assert value("weight_robustness", decision("a", scenario=alike)) is None


def test_one_alternative_alone_is_no_choice() -> None:
    alone = group({"a": 1.0}, {"a": 1.0}, recommended="a", truth="a", confidences=(0.5, 0.9))
    alone = structs.replace(alone, scenario=Scenario(("a",), (Criterion("x"),), {"a": {"x": 0.5}}))
    names = ("consensus", "belief_agreement", "choice_agreement", "diversity", "influence", "regret", "unanimous_wrong")
    assert {name: value(name, alone) for name in names} == dict.fromkeys(names)


def test_every_metric_of_the_suite_is_named_in_this_file() -> None:
    source = Path(__file__).read_text()
    assert [name for name in METRICS if f'"{name}"' not in source] == []
