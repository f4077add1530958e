"""Whether decisions depend on the weights or on the method."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from decision_records import (
    BELIEFS,
    MATRIX,
    agents,
    by_place,
    closeness_by_hand,
    combined_by_hand,
    decision,
    group,
    scenario,
    value,
)
from decision_strategies import QUICKLY, scores
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from adjudge.suites.decision.data import (
    Criterion,
)


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
        actual = value("weight_robustness", decision(f"a{place}", scenario=made))
        assert actual == pytest.approx(exact, abs=0.02)


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
        "evidential reasoning": combined_by_hand([list(belief.values()) for belief in beliefs])[:-1],
    }
    expected = {
        f"{first} - {other}": kendalltau(by_method[first], by_method[other]).statistic
        for first, other in combinations(by_method, 2)
    }
    assert by_place("method_agreement", decided) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_beliefs_that_differ_by_rounding_alone_are_tied(order: tuple[int, ...]) -> None:
    # b and c change places with the last two agents, so that combined beliefs in them are equal.
    beliefs = ({"a": 1.0}, {"a": 0.25, "b": 0.5, "c": 0.25}, {"a": 0.25, "b": 0.25, "c": 0.5})
    rows = {"a": {"x": 0.9}, "b": {"x": 0.5}, "c": {"x": 0.2}}
    decided = decision("a", scenario=scenario(rows), assessments=agents(*(beliefs[place] for place in order)))
    actual = by_place("method_agreement", decided)
    expected = kendalltau([3, 2, 1], [2, 1, 1]).statistic
    assert actual["weighted sum - evidential reasoning"] == pytest.approx(expected, abs=1e-12)


def test_agreement_of_methods_needs_two_rankings() -> None:
    assert value("method_agreement", group(*BELIEFS)) is None
    alike = scenario({"a": {"x": 0.5}, "b": {"x": 0.5}})
    assert value("method_agreement", decision("a", scenario=alike)) is None


def test_alternatives_that_are_all_alike_are_robust_to_nothing() -> None:
    alike = scenario({"a": {"x": 0.5}, "b": {"x": 0.5}})
    assert value("weight_robustness", decision("a", scenario=alike)) is None
