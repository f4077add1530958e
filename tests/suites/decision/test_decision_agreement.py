"""How far agents agree, in the end and from round to round."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from decision_records import BELIEFS, METRICS, agents, bands, by_place, decision, group, marks, value
from decision_strategies import QUICKLY, masses
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from scipy.spatial.distance import cosine as cosine_distance
from scipy.spatial.distance import jensenshannon

from adjudge.suites.decision.data import (
    DecisionScenario,
)

# Consensus.


def test_consensus_of_the_worked_example() -> None:
    decided = group(*BELIEFS)
    actual = by_place("consensus", decided)
    assert {pair: round(cosine, 5) for pair, cosine in actual.items()} == {
        "agent1 - agent2": 0.98315,
        "agent1 - agent3": 0.97828,
        "agent2 - agent3": 0.92391,
    }
    assert value("consensus", decided) == pytest.approx(0.96178, abs=5e-6)
    assert METRICS["consensus"].card.band(value("consensus", decided) or 0) == "strong consensus"


def test_agreement_of_top_choices_of_the_worked_example() -> None:
    assert value("choice_agreement", group(*BELIEFS)) == 1.0
    assert value("diversity", group(*BELIEFS)) == pytest.approx(1 / 3)


@QUICKLY
@given(st.lists(masses, min_size=2, max_size=5))
def test_consensus_is_the_mean_cosine_of_scipy(rows: list[list[int]]) -> None:
    shares = [[x / sum(row) for x in row] for row in rows]
    decided = group(*(dict(zip("abc", row, strict=True)) for row in shares))
    expected = [1 - cosine_distance(first, other) for first, other in combinations(shares, 2)]
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
        divergences = [
            np.nan_to_num(jensenshannon(first, other, base=2) ** 2) for first, other in combinations(spread, 2)
        ]
    expected = [1 - divergence for divergence in divergences]
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
    decided = decision(scenario=DecisionScenario(("a", "b")), assessments=(*agents({"a": 0.6, "b": 0.4}), stubborn))
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
    actual = value("consensus", decided)
    assert actual == 0.8
    assert METRICS["consensus"].card.band(actual) == "moderate consensus"


def test_bands_of_quality_contribution_variance_and_diversity() -> None:
    assert bands("decision_quality", 0.29, 0.3, 0.5, 0.7, 0.9, 1.0) == [
        "poor",
        "below average",
        "acceptable",
        "good",
        "excellent",
        "excellent",
    ]
    assert bands("contribution_balance", 0.8, 0.81, 0.9, 0.91) == [
        "unequal",
        "relatively equal",
        "relatively equal",
        "well balanced",
    ]
    assert bands("confidence_variance", 0.049, 0.05, 0.1, 0.11) == ["consistent", "mixed", "mixed", "disagreeing"]
    assert bands("diversity", 0.49, 0.5, 0.99, 1.0) == ["most agree", "", "", "all differ"]


# Rounds.


def test_consensus_moves_from_round_to_round() -> None:
    apart, nearer, agreed = ({"a": 1.0}, {"b": 1.0}), ({"a": 1.0}, {"a": 0.6, "b": 0.8}), ({"a": 1.0}, {"a": 1.0})
    rounds = (*agents(*apart), *agents(*nearer, round=1), *agents(*agreed, round=2))
    decided = decision(scenario=DecisionScenario(("a", "b")), assessments=rounds)
    assert by_place("consensus_by_round", decided) == pytest.approx({"round 0": 0.0, "round 1": 0.6, "round 2": 1.0})
    assert [mark.group for mark in marks("consensus_by_round", decided)] == ["round 0", "round 1", "round 2"]
    assert value("consensus_before", decided) == 0.0
    assert value("consensus", decided) == 1.0
    assert value("consensus_gain", decided) == 1.0


def test_agent_that_is_silent_in_a_round_keeps_its_beliefs() -> None:
    rounds = (*agents({"a": 1.0}, {"b": 1.0}), *agents({"b": 1.0}, round=1))
    decided = decision(scenario=DecisionScenario(("a", "b")), assessments=rounds)
    assert by_place("consensus_by_round", decided) == {"round 0": 0.0, "round 1": 1.0}
    assert value("consensus", decided) == 1.0


def test_one_round_shows_no_movement() -> None:
    for name in ("consensus_by_round", "consensus_before", "consensus_gain"):
        assert value(name, group(*BELIEFS)) is None


def test_movement_is_undefined_where_only_the_last_round_has_a_pair() -> None:
    rounds = (*agents({"a": 1.0}), *agents({"a": 1.0}, {"a": 1.0}, round=1))
    decided = decision(scenario=DecisionScenario(("a", "b")), assessments=rounds)
    for name in ("consensus_before", "consensus_gain"):
        assert value(name, decided) is None
