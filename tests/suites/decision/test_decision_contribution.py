"""What each agent contributes and changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

import pytest
from decision_records import BELIEFS, CONTRIBUTIONS, METRICS, SAID, by_place, combined_by_hand, group, value
from decision_strategies import QUICKLY, masses
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from adjudge.suites.decision.data import (
    DecisionTurn,
)

# Contribution.


def test_balance_of_the_worked_example() -> None:
    # Sure beliefs have no entropy, so that contributions are half the confidences and have their Gini.
    decided = group(*({"a": 1.0, "b": 0.0},) * 4, confidences=CONTRIBUTIONS)
    actual = value("contribution_balance", decided)
    assert actual == pytest.approx(0.96115, abs=5e-6)
    assert 1 - (actual or 0) == pytest.approx(0.03885, abs=5e-6)
    assert METRICS["contribution_balance"].card.band(actual or 0) == "well balanced"


def gini_by_pairs(amounts: Sequence[float]) -> float:
    """The mean absolute difference over twice the mean."""
    return fmean(abs(x - y) for x in amounts for y in amounts) / (2 * fmean(amounts))


def test_contribution_is_half_confidence_and_half_entropy() -> None:
    decided = group(*BELIEFS, confidences=(0.9, 0.5, 0.1))
    unsure = [entropy(list(beliefs.values())) / math.log(3) for beliefs in BELIEFS]
    amounts = [(sure + share) / 2 for sure, share in zip((0.9, 0.5, 0.1), unsure, strict=True)]
    assert value("contribution_balance", decided) == pytest.approx(1 - gini_by_pairs(amounts), abs=1e-12)


def test_balance_is_undefined_where_nobody_contributes() -> None:
    certain = ({"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0})
    assert value("contribution_balance", group(*certain, confidences=(0.0, 0.0))) is None


def test_diversity_counts_different_preferences() -> None:
    assert value("diversity", group({"a": 1.0}, {"b": 1.0}, {"c": 1.0}, {"c": 1.0})) == 0.75
    assert value("diversity", group({"a": 1.0}, {"b": 1.0})) == 1.0


def test_participation_is_balanced_by_messages_words_and_tokens() -> None:
    decided = group(*BELIEFS, turns=SAID)
    expected = {"messages": (2, 1, 0), "words": (5, 1, 0), "tokens": (8, 2, 0)}
    actual = by_place("participation_balance", decided)
    assert actual == pytest.approx({name: 1 - gini_by_pairs(amounts) for name, amounts in expected.items()})


def test_tokens_that_are_not_all_known_are_left_out() -> None:
    decided = group(*BELIEFS, turns=(*SAID, DecisionTurn("4", "agent3", "hm")))
    assert list(by_place("participation_balance", decided)) == ["messages", "words"]


def test_participation_is_undefined_where_no_agent_speaks() -> None:
    assert value("participation_balance", group(*BELIEFS)) is None
    assert value("participation_balance", group(*BELIEFS, turns=SAID[3:])) is None
    wordless = tuple(DecisionTurn(str(place), f"agent{place}") for place in (1, 2, 3))
    assert by_place("participation_balance", group(*BELIEFS, turns=wordless)) == {"messages": 1.0}


# Influence.


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
