"""Welfare, fairness, envy and strengths: worked examples and edges."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from wishing import (
    METRICS,
    attraction,
    cosines,
    event,
    lodging,
    marks,
    restaurant,
    silent_member,
    trip,
    value,
    values,
)

from adjudge.stats.inequality import gini
from adjudge.suites.trip.data import Member
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
FAIRNESS = ("satisfaction_gini", "worst_to_best", "envy", "sacrificed")
LOOSE = tuple(f"{name}_loose" for name in (*WELFARE, "member_satisfaction", *FAIRNESS))
OF_TWO = (*FAIRNESS, *(f"{name}_loose" for name in FAIRNESS), "fairness_gini")
OF_MEMBERS = ("member_satisfaction", "member_satisfaction_loose")
# What can do without an embedder and speaks of one member as well.
OPTIONAL = ("satisfaction_strict", "all_satisfied_strict", "member_satisfaction", *WELFARE, "must_kept", "violations")
WITHOUT = {"embed": None, "thresholds": None}


def test_what_a_spokesperson_wants_is_not_compared_with_what_all_want() -> None:
    members = (Member("Ann"), Member("Bo"))
    alone = trip({"Ann": ALL}, *PLACES, members=members, condition="C1")
    alike = ("satisfaction", "satisfaction_lexical", "satisfaction_category", "all_satisfied_strict")
    for name in (*WELFARE, *LOOSE[:3], *alike, *OF_MEMBERS):
        assert {mark.basis.rpartition(", ")[2] for mark in marks(name, alone)} == {"the spokesperson's wishes alone"}
    known = structs.replace(alone, members=(Member("Ann"), silent_member("Bo", cuisine="Thai")))
    assert {mark.basis for mark in marks("welfare_mean", known)} == {"cosine from 0.42"}
    heard = structs.replace(alone, condition="C2")
    assert {mark.basis for mark in marks("welfare_mean", heard)} == {"cosine from 0.42"}


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


def test_the_planners_own_text_counts_for_welfare_by_the_loose_rule_alone() -> None:
    record = trip({"Ann": {"cuisine": "Ethiopian lentils"}}, *PLACES, raw="Ethiopian lentils")
    assert [value(f"{name}_loose", record) for name in WELFARE] == [1.0, 1.0, 1.0]
    assert [value(name, record) for name in WELFARE] == [0.0, 0.0, 0.0]


def test_the_planners_own_text_hides_no_unfairness() -> None:
    # Ann gets her room; Bo's lentils are only in the planner's text.
    spoken = {"Ann": {"lodging": "a private room"}, "Bo": {"cuisine": "Ethiopian lentils"}}
    record = trip(spoken, *PLACES, raw="Ethiopian lentils for Bo")
    assert [value(name, record) for name in FAIRNESS] == [0.5, 0.0, 0.5, 0.5]
    assert [value(f"{name}_loose", record) for name in FAIRNESS] == [0.0, 1.0, 0.0, 0.0]
    assert values("all_satisfied", record) == {"Ann": 1.0, "Bo": 1.0}
    assert values("all_satisfied_strict", record) == {"Ann": 1.0, "Bo": 0.0}


def test_the_loose_ones_are_variants_and_only_they() -> None:
    assert [name for name in LOOSE if not METRICS[name].card.variant] == []
    assert [name for name in (*WELFARE, *FAIRNESS, "member_satisfaction") if METRICS[name].card.variant] == []


@pytest.mark.parametrize("name", [*WELFARE, *LOOSE[:3]])
def test_the_reason_says_over_whom_and_the_basis_the_threshold(name: str) -> None:
    heard = trip({"Ann": ALL}, *PLACES)
    members = (*heard.members, silent_member("Bo", cuisine="Thai"), silent_member("Cy"))
    (mark,) = marks(name, trip({"Ann": ALL}, *PLACES, members=members, member_count=4))
    assert mark.why == "2 of 4 members, 1 by hidden wishes: Ann 1.000, Bo 0.000"
    assert mark.basis == "cosine from 0.42"


@pytest.mark.parametrize("name", [*WELFARE, *LOOSE[:3], *OF_TWO])
def test_without_a_plan_or_wishes_nothing_is_said(name: str) -> None:
    assert marks(name, trip({"Ann": ALL, "Bo": ALL})) == []
    assert marks(name, trip({"Ann": {}, "Bo": {}}, *PLACES)) == []


@pytest.mark.parametrize("name", OF_TWO)
def test_fairness_needs_two_members_with_a_wish(name: str) -> None:
    assert marks(name, trip({"Ann": ALL, "Bo": {"cuisine": "no preference"}}, *PLACES)) == []


def test_each_members_share_is_worked_out_by_hand() -> None:
    # Ann 4 of 4, Bo 1 of 2 (Thai is not there), Cy 0 of 2.
    record = trip({"Ann": ALL, "Bo": HALF, "Cy": NOTHING}, *PLACES)
    for name in OF_MEMBERS:
        assert values(name, record) == {"Ann": 1.0, "Bo": 0.5, "Cy": 0.0}
        assert [mark.why for mark in marks(name, record)] == [
            "",
            "not satisfied: cuisine",
            "not satisfied: cuisine, event",
        ]
        assert {mark.basis for mark in marks(name, record)} == {"cosine from 0.42"}


def test_the_welfares_of_1_one_half_and_nothing_are_worked_out_by_hand() -> None:
    # Means 1.5 / 3, and of the first two alone 1.5 / 2 with the geometric mean of 1 and .5.
    three = trip({"Ann": ALL, "Bo": HALF, "Cy": NOTHING}, *PLACES)
    assert [value(name, three) for name in WELFARE] == [0.5, 0.0, 0.0]
    two = trip({"Ann": ALL, "Bo": HALF}, *PLACES)
    assert [value(name, two) for name in WELFARE] == [0.75, 0.5, pytest.approx(0.7071, abs=5e-5)]


def test_the_planners_own_text_raises_a_members_share_by_the_loose_rule_alone() -> None:
    # Bo's two wishes: the room is there, the lentils only in the planner's text.
    spoken = {"Bo": {"lodging": "a private room", "cuisine": "Ethiopian lentils"}}
    record = trip(spoken, *PLACES, raw="Ethiopian lentils for Bo")
    assert [values(name, record) for name in OF_MEMBERS] == [{"Bo": 0.5}, {"Bo": 1.0}]


def test_what_a_category_refutes_is_not_made_good_by_meaning() -> None:
    alike = cosines({})
    record = trip({"Bo": {"lodging": "a private room", "cuisine": "Thai"}}, *PLACES)
    assert [values(name, record, embed=alike) for name in OF_MEMBERS] == [{"Bo": 0.5}, {"Bo": 1.0}]
    assert [value(name, record, embed=alike) for name in WELFARE] == [0.5, 0.5, 0.5]


def test_members_of_one_role_make_a_group_and_those_without_a_wish_no_mark() -> None:
    heard = trip({"Ann": HALF, "Bo": {"cuisine": "no preference"}}, *PLACES)
    members = (
        Member("Ann", "parent"),
        Member("Bo", "child"),
        structs.replace(silent_member("Cy", event="jazz"), role="child"),
    )
    record = structs.replace(heard, members=members)
    for name in OF_MEMBERS:
        judged = marks(name, record)
        assert [(mark.at, mark.value, mark.group) for mark in judged] == [("Ann", 0.5, "parent"), ("Cy", 1.0, "child")]


# Without an embedder


@pytest.mark.parametrize("name", OPTIONAL)
def test_what_is_our_own_does_without_an_embedder_and_says_so(name: str) -> None:
    assert (METRICS[name].card.needs, METRICS[name].card.optional) == ((), ("embed", "thresholds"))
    strengths = dict.fromkeys(("Ann: lodging", "Ann: cuisine"), "must")
    record = trip({"Ann": HALF}, *PLACES, strengths=strengths)
    with_meaning, without = marks(name, record), marks(name, record, **WITHOUT)
    assert {mark.basis for mark in with_meaning} == {"cosine from 0.42"}
    assert {mark.basis for mark in without} == {"without meaning"}
    # To the embedder of these tests nothing is alike, so meaning adds nothing.
    assert [mark.value for mark in without] == [mark.value for mark in with_meaning]


def test_without_an_embedder_only_what_is_said_in_other_words_is_missed() -> None:
    spoken = {"Ann": {"lodging": "a private room", "attraction": "dinosaurs"}}
    record = trip(spoken, *PLACES, strengths={"Ann: attraction": "must", "Ann: lodging": "must"})
    near = cosines({"Maritime": 0.5})
    for name, with_meaning, without in (
        ("satisfaction_strict", 1.0, 0.5),
        ("member_satisfaction", 1.0, 0.5),
        ("welfare_mean", 1.0, 0.5),
        ("must_kept", 1.0, 0.5),
        ("violations", 0.0, 1.0),
    ):
        assert value(name, record, embed=near) == with_meaning, name
        assert value(name, record, **WITHOUT) == without, name


def test_what_is_avoided_never_rests_on_meaning() -> None:
    assert (METRICS["avoided"].card.needs, METRICS["avoided"].card.optional) == ((), ())


@pytest.mark.parametrize("name", ["satisfaction", "all_satisfied", "channel_semantic", *LOOSE])
def test_what_the_source_defines_needs_its_embedder(name: str) -> None:
    assert METRICS[name].card.needs == ("embed", "thresholds")


# One who speaks for all

THREE = (
    silent_member("Ann", cuisine="Mexican"),
    silent_member("Bo", cuisine="Thai"),
    silent_member("Cy", event="tennis"),
)


@pytest.mark.parametrize("name", ["welfare_mean", "welfare_mean_loose"])
def test_an_unlisted_spokesperson_is_no_member_more(name: str) -> None:
    record = trip({"user": {"cuisine": "Mexican"}}, *PLACES, members=THREE, condition="C1")
    (mark,) = marks(name, record)
    assert mark.value == pytest.approx(1 / 3)
    assert mark.why == "3 of 3 members, 3 by hidden wishes: Ann 1.000, Bo 0.000, Cy 0.000"


def test_a_listed_spokesperson_speaks_for_itself() -> None:
    record = trip({"Ann": {"cuisine": "Thai"}, "user": {"cuisine": "Mexican"}}, *PLACES, members=THREE, condition="C1")
    assert values("member_satisfaction", record) == {"Ann": 0.0, "Bo": 0.0, "Cy": 0.0}


@pytest.mark.parametrize("wishes", [{}, {"travel_purpose": "a rest"}])
def test_the_words_of_a_spokesperson_are_all_there_is_where_no_hidden_wish_is_for_a_plan(wishes: dict) -> None:
    members = (silent_member("Ann", **wishes), Member("Bo"))
    record = trip({"user": HALF}, *PLACES, members=members, condition="C1")
    (mark,) = marks("welfare_mean", record)
    assert (mark.value, mark.why) == (0.5, "1 of 2 members: user 0.500")


@pytest.mark.parametrize("condition", ["C2", None])
def test_elsewhere_an_unlisted_speaker_wants_what_it_says(condition: Any) -> None:
    record = trip({"user": {"cuisine": "Mexican"}}, *PLACES, members=THREE, condition=condition)
    assert values("member_satisfaction", record) == {"Ann": 1.0, "Bo": 0.0, "Cy": 0.0, "user": 1.0}


def test_the_gini_of_the_source_is_0_0158() -> None:
    assert gini([0.38, 0.41, 0.39, 0.40]) == pytest.approx(0.0158, abs=5e-5)


def test_the_fairness_gini_is_over_members_means_of_semantic_satisfaction() -> None:
    spoken = {name: {"cuisine": f"wish {name}"} for name in ("Ann", "Bo", "Cy", "Di")}
    embed = cosines({"wish Ann": 0.38, "wish Bo": 0.41, "wish Cy": 0.39, "wish Di": 0.40})
    assert value("fairness_gini", trip(spoken, *PLACES), embed=embed) == pytest.approx(0.0158, abs=5e-5)


def test_a_mean_cosine_below_zero_counts_as_zero() -> None:
    spoken = {"Ann": {"cuisine": "wish Ann"}, "Bo": {"cuisine": "wish Bo"}}
    record = trip(spoken, *PLACES)
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
    judged = marks("sacrificed", trip({"Ann": ALL, "Cy": NOTHING}, *PLACES))
    assert [(mark.at, mark.value, mark.why) for mark in judged] == [
        ("Ann", 0.0, "1.000 satisfied"),
        ("Cy", 1.0, "lost: cuisine, event"),
    ]


def test_equal_rates_give_equal_welfares() -> None:
    rates = dict.fromkeys("abcdefg", 1 / 3)
    assert mean_rate(rates) == nash_rate(rates) == worst_rate(rates) == 1 / 3


def test_what_members_insist_on_is_kept_or_not() -> None:
    strengths = {"Ann: lodging": "must", "Ann: cuisine": "must", "Ann: event": "prefer"}
    spoken = {"Ann": {"lodging": "a private room", "cuisine": "Thai", "event": "tennis"}}
    record = trip(spoken, *PLACES, strengths=strengths, raw="Thai for Ann")
    assert values("must_kept", record) == {"Ann: lodging": 1.0, "Ann: cuisine": 0.0}
    assert value("violations", record) == 1.0


def test_what_is_avoided_or_rejected_is_named_by_its_own_words() -> None:
    strengths = {"Ann: cuisine": "reject", "Ann: attraction": "avoid", "Bo: attraction": "avoid"}
    spoken = {"Ann": {"cuisine": "seafood", "attraction": "museums"}, "Bo": {"attraction": "no casinos"}}
    record = trip(spoken, *PLACES, strengths=strengths)
    assert values("avoided", record) == {"Ann: cuisine": 1.0, "Ann: attraction": 0.0, "Bo: attraction": 1.0}
    # An avoided thing that is there is no violation, a rejected one is.
    assert value("violations", record) == 0.0
    rejected = trip(spoken, *PLACES, strengths={**strengths, "Ann: attraction": "reject"})
    assert value("violations", rejected) == 1.0
    assert marks("violations", rejected)[0].why.startswith("Ann: attraction: Maritime Museum: museum")


def test_without_strengths_nothing_is_insisted_on_or_rejected() -> None:
    record = trip({"Ann": ALL}, *PLACES)
    assert marks("must_kept", record) == marks("avoided", record) == marks("violations", record) == []


def test_a_cuisine_that_no_place_has_is_not_made_good_by_meaning() -> None:
    # To this embedder all texts mean the same, so the loose rule passes everything.
    cuisines = ("Thai", "Uzbek", "Georgian", "Cuban", "Tibetan", "Irish", "Sri Lankan", "Basque", "Creole", "Iranian")
    for cuisine in cuisines:
        record = trip({"Ann": {"cuisine": f"I'd love {cuisine} food"}}, restaurant("Frida", "Mexican"))
        assert value("welfare_mean_loose", record, embed=cosines({})) == 1.0
        assert value("welfare_mean", record, embed=cosines({})) == 0.0, cuisine
