"""How good decisions are: worked examples, edges, and computations that are not the metrics' own."""

from __future__ import annotations

from statistics import fmean

import pytest
from decision_records import (
    BELIEFS,
    MATRIX,
    METRICS,
    QUALITIES,
    agents,
    by_place,
    closeness_by_hand,
    decision,
    group,
    marks,
    scenario,
    value,
)
from decision_strategies import QUICKLY, scores
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from adjudge.suites.decision.data import (
    Assessment,
    Criterion,
    Decision,
    DecisionScenario,
    StatedScores,
)

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
        alone = {
            alternative: value(name, decision(alternative, scenario=weighted, truth="alt3")) for alternative in shares
        }
        expected = sum(share * (alone[alternative] or 0.0) for alternative, share in shares.items())
        assert value(name, drawn) == pytest.approx(expected, abs=1e-12), name


def test_shares_that_sum_to_one_within_rounding_give_values_within_the_scale() -> None:
    best = {"x": 1.0, "y": 1.0}
    rows = {"a": best, "b": best, "c": best, "d": {"x": 0.0, "y": 0.0}}
    thirds = dict.fromkeys("abc", 0.3333333334)
    first = agents({"d": 1.0}, {"d": 1.0})
    drawn = decision(lottery=thirds, scenario=scenario(rows, x=1.0, y=1.0), assessments=first, truth="a")
    for name in ("decision_quality", "decision_quality_weighted", "decision_closeness", "gain_over_average"):
        assert value(name, drawn) == pytest.approx(1.0, abs=1e-9), name


def test_closeness_of_a_published_problem() -> None:
    """Tzeng & Huang (2011), Multiple Attribute Decision Making, to the four places of the book."""
    rows = {"a1": (5, 8, 4), "a2": (7, 6, 8), "a3": (8, 8, 6), "a4": (7, 4, 6)}
    named = {name: dict(zip("xyz", map(float, row), strict=True)) for name, row in rows.items()}
    published = {"a1": 0.5037, "a2": 0.6581, "a3": 0.7482, "a4": 0.3340}
    cars = scenario(named, x=0.3, y=0.4, z=0.3)
    actual = {name: value("decision_closeness", decision(name, scenario=cars)) for name in rows}
    assert actual == pytest.approx(published, abs=1e-4)


@QUICKLY
@given(st.data(), st.integers(2, 5), st.integers(1, 4))
def test_closeness_is_that_of_topsis_by_hand(data: st.DataObject, alternatives: int, criteria: int) -> None:
    rows = data.draw(
        st.lists(st.lists(scores, min_size=criteria, max_size=criteria), min_size=2, max_size=alternatives)
    )
    weights = data.draw(st.lists(st.integers(1, 9), min_size=criteria, max_size=criteria))
    benefit = data.draw(st.lists(st.booleans(), min_size=criteria, max_size=criteria))
    made = DecisionScenario(
        tuple(f"a{i}" for i in range(len(rows))),
        tuple(
            Criterion(f"c{j}", "benefit" if good else "cost", float(weight))
            for j, (good, weight) in enumerate(zip(benefit, weights, strict=True))
        ),
        {f"a{i}": {f"c{j}": x for j, x in enumerate(row)} for i, row in enumerate(rows)},
    )
    actual = [value("decision_closeness", decision(name, scenario=made)) for name in made.alternatives]
    expected = closeness_by_hand(rows, weights, benefit)
    assert actual == ([None] * len(rows) if expected is None else pytest.approx(expected, abs=1e-9))


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
    actual = value("regret", decision("fast", scenario=scenario(rows, speed=1, safety=3)))
    assert actual == pytest.approx((0.4 + 3 * 0.9) / 4 - (1.0 + 3 * 0.2) / 4, abs=1e-12)


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
    stated = StatedScores(final_scores={"alt1": 0.31}, mcda_scores={"alt1": 0.720, "alt2": 0.550, "alt3": 0.810})
    single = decision("alt1", assessments=(Assessment("one", matrix=MATRIX),), stated=stated)
    coordinator = decision("alt1", assessments=agents(*BELIEFS), stated=stated)
    final = decision("alt1", stated=structs.replace(stated, mcda_scores={}))
    three = (single, coordinator, final)
    qualities = [value("decision_quality_literal", decided) for decided in three]
    assert qualities == pytest.approx([0.78333, 0.720, 0.31], abs=5e-6)
    assert len({marks("decision_quality_literal", decided)[0].basis for decided in three}) == 3
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
