"""Welfare, fairness, envy and strengths: worked examples and edges."""

from __future__ import annotations

import pytest
from wishing import attraction, cosines, event, hidden, lodging, marks, restaurant, trip, value, values

from adjudge.suites.trip.metrics.fairness import gini
from adjudge.suites.trip.metrics.welfare import mean_rate, nash_rate, worst_rate

PLACES = (
    lodging("Hill House", "Private room"),
    restaurant("Frida", "Mexican"),
    event("Blue Note", "Music", "Jazz"),
    attraction("Maritime Museum", "Museum"),
)
ALL = {"lodging": "a private room", "cuisine": "Mexican", "event": "jazz", "attraction": "museums"}
HALF = {"lodging": "a private room", "cuisine": "Thai"}
NOTHING = {"cuisine": "Thai", "event": "tennis"}
WELFARE = ("welfare_mean", "welfare_worst", "welfare_nash")
STRICT = tuple(f"{name}_strict" for name in WELFARE)
OF_TWO = ("satisfaction_gini", "worst_to_best", "envy", "sacrificed", "fairness_gini")


def test_welfare_is_the_mean_of_members_and_satisfaction_the_mean_of_pairs() -> None:
    record = trip({"Ann": ALL, "Bo": HALF}, *PLACES)
    assert value("welfare_mean", record) == 0.75
    assert value("satisfaction", record) == pytest.approx(0.8333, abs=5e-5)


def test_the_three_welfares_of_4_of_4_and_1_of_2() -> None:
    record = trip({"Ann": ALL, "Bo": HALF}, *PLACES)
    assert value("welfare_worst", record) == 0.5
    assert value("welfare_nash", record) == pytest.approx(0.5**0.5)


def test_one_member_with_nothing_makes_worst_and_nash_zero_but_not_the_mean() -> None:
    record = trip({"Ann": ALL, "Bo": NOTHING}, *PLACES)
    assert [value(name, record) for name in WELFARE] == [0.5, 0.0, 0.0]


def test_the_planners_own_text_counts_for_welfare_but_not_strictly() -> None:
    record = trip({"Ann": {"cuisine": "Ethiopian lentils"}}, *PLACES, raw="Ethiopian lentils")
    assert [value(name, record) for name in WELFARE] == [1.0, 1.0, 1.0]
    assert [value(name, record) for name in STRICT] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("name", [*WELFARE, *STRICT])
def test_the_reason_says_over_whom_and_the_basis_the_threshold(name: str) -> None:
    heard = trip({"Ann": ALL}, *PLACES)
    members = (*heard.members, hidden("Bo", cuisine="Thai"), hidden("Cy"))
    (mark,) = marks(name, trip({"Ann": ALL}, *PLACES, members=members, member_count=4))
    assert mark.why == "2 of 4 members, 1 by hidden wishes: Ann 1.000, Bo 0.000"
    assert mark.basis == "cosine from 0.42"


@pytest.mark.parametrize("name", [*WELFARE, *STRICT, *OF_TWO])
def test_without_a_plan_or_wishes_nothing_is_said(name: str) -> None:
    assert marks(name, trip({"Ann": ALL, "Bo": ALL})) == []
    assert marks(name, trip({"Ann": {}, "Bo": {}}, *PLACES)) == []


@pytest.mark.parametrize("name", OF_TWO)
def test_fairness_needs_two_members_with_a_wish(name: str) -> None:
    assert marks(name, trip({"Ann": ALL, "Bo": {"cuisine": "no preference"}}, *PLACES)) == []


def test_the_gini_of_the_source_is_0_0158() -> None:
    assert gini([0.38, 0.41, 0.39, 0.40]) == pytest.approx(0.0158, abs=5e-5)


def test_the_fairness_gini_is_over_members_means_of_semantic_satisfaction() -> None:
    said = {name: {"cuisine": f"wish {name}"} for name in ("Ann", "Bo", "Cy", "Di")}
    embed = cosines({"wish Ann": 0.38, "wish Bo": 0.41, "wish Cy": 0.39, "wish Di": 0.40})
    assert value("fairness_gini", trip(said, *PLACES), embed=embed) == pytest.approx(0.0158, abs=5e-5)


def test_a_mean_cosine_below_zero_counts_as_zero() -> None:
    said = {"Ann": {"cuisine": "wish Ann"}, "Bo": {"cuisine": "wish Bo"}}
    record = trip(said, *PLACES)
    assert value("fairness_gini", record, embed=cosines({"wish Ann": -0.2, "wish Bo": 0.4})) == pytest.approx(0.5)
    assert marks("fairness_gini", record, embed=cosines({"wish Ann": -0.2, "wish Bo": -0.4})) == []


def test_the_gini_of_satisfaction_of_1_and_one_half() -> None:
    # |1 - .5| * 2 / (2 * 4 * .75)
    assert value("satisfaction_gini", trip({"Ann": ALL, "Bo": HALF}, *PLACES)) == pytest.approx(1 / 6)


def test_where_nobody_gets_anything_gini_and_ratio_are_undefined_and_nobody_is_sacrificed() -> None:
    record = trip({"Ann": NOTHING, "Bo": NOTHING}, *PLACES)
    assert marks("satisfaction_gini", record) == marks("worst_to_best", record) == []
    assert value("envy", record) == 0.0
    assert values("sacrificed", record) == {"Ann": 0.0, "Bo": 0.0}


def test_the_worst_off_gets_half_of_what_the_best_off_gets() -> None:
    assert value("worst_to_best", trip({"Ann": ALL, "Bo": HALF}, *PLACES)) == 0.5


def test_envy_is_the_mean_over_ordered_pairs() -> None:
    # 1, .5 and 0: Bo envies Ann .5; Cy envies Ann 1 and Bo .5; six ordered pairs.
    record = trip({"Ann": ALL, "Bo": HALF, "Cy": NOTHING}, *PLACES)
    assert value("envy", record) == pytest.approx(2 / 6)


def test_the_sacrificed_member_is_named_with_what_was_lost() -> None:
    found = marks("sacrificed", trip({"Ann": ALL, "Cy": NOTHING}, *PLACES))
    assert [(mark.at, mark.value, mark.why) for mark in found] == [
        ("Ann", 0.0, "1.000 satisfied"),
        ("Cy", 1.0, "lost: cuisine, event"),
    ]


def test_equal_rates_give_equal_welfares() -> None:
    rates = dict.fromkeys("abcdefg", 1 / 3)
    assert mean_rate(rates) == nash_rate(rates) == worst_rate(rates) == 1 / 3


def test_what_members_insist_on_is_kept_or_not() -> None:
    strengths = {"Ann: lodging": "must", "Ann: cuisine": "must", "Ann: event": "prefer"}
    said = {"Ann": {"lodging": "a private room", "cuisine": "Thai", "event": "tennis"}}
    record = trip(said, *PLACES, strengths=strengths, raw="Thai for Ann")
    assert values("must_kept", record) == {"Ann: lodging": 1.0, "Ann: cuisine": 0.0}
    assert value("violations", record) == 1.0


def test_what_is_avoided_or_rejected_is_named_by_its_own_words() -> None:
    strengths = {"Ann: cuisine": "reject", "Ann: attraction": "avoid", "Bo: attraction": "avoid"}
    said = {"Ann": {"cuisine": "seafood", "attraction": "museums"}, "Bo": {"attraction": "no casinos"}}
    record = trip(said, *PLACES, strengths=strengths)
    assert values("avoided", record) == {"Ann: cuisine": 1.0, "Ann: attraction": 0.0, "Bo: attraction": 1.0}
    # An avoided thing that is there is no violation, a rejected one is.
    assert value("violations", record) == 0.0
    rejected = trip(said, *PLACES, strengths={**strengths, "Ann: attraction": "reject"})
    assert value("violations", rejected) == 1.0
    assert marks("violations", rejected)[0].why.startswith("Ann: attraction: Maritime Museum: museum")


def test_without_strengths_nothing_is_insisted_on_or_rejected() -> None:
    record = trip({"Ann": ALL}, *PLACES)
    assert marks("must_kept", record) == marks("avoided", record) == marks("violations", record) == []
