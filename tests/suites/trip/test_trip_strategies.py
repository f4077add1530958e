"""Operators against outcomes worked out by hand, the names of strategies, and when wishes differ."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trip_rows import rows_of

from adjudge.suites.trip.data import Ballot, Member, OptionCount, Synthesis, Trip, TripTurn, Vote
from adjudge.suites.trip.rules.dialogue import SlotPreference
from adjudge.suites.trip.rules.divergence import differ, first_difference, gist
from adjudge.suites.trip.rules.elections import WINNERS, Election
from adjudge.suites.trip.rules.strategies import (
    Poll,
    check_vote,
    is_strategy_named,
    names_in,
    operator_of,
    option_key,
    polls,
    strategy_of,
)
from examples import few_examples

QUICKLY = few_examples()

# The list of shared/spec/RULINGS.md.
STRATEGIES = (
    "hard_constraint weighted_avg parent_budget_hc include_both parent_veto_hc parent_vote_lower_misery least_misery "
    "subgroup_optional subgroup_required self_select elder_stamina_hc flexible_shared_first elder_accessibility_hc "
    "budget_guardrail_hc approval_vote_plus_coverage shared_rules_intersection_hc alternate "
    "higher_pref_with_compensation mutual_interest log_roll cluster individual_choice declare_upfront_hc"
).split()


def ballot(text: str) -> Ballot:
    """A ballot from "a x; yz; w": member a has x on top, accepts y and z, rules out w."""
    named, accepted, refused = (*text.split(";"), "", "")[:3]
    who, top = named.split()
    return Ballot(who, top.replace("-", ""), tuple(accepted.strip()), tuple(refused.strip()))


def election(*ballots: str, options: str = "", roles: dict[str, str] | None = None) -> Election:
    cast = tuple(map(ballot, ballots))
    named = [
        name for ballot_cast in cast for name in (ballot_cast.top_choice, *ballot_cast.acceptable, *ballot_cast.hard_no)
    ]
    held = {member: frozenset((role,)) for member, role in (roles or {}).items()}
    return Election(cast, tuple(dict.fromkeys([*filter(None, named), *options])), held)


def winners(operator: str, held: Election) -> str:
    return "".join(sorted(WINNERS[operator](held)))


def test_the_shorthand_of_these_tests_reads_as_it_says() -> None:
    assert ballot("a x; yz; w") == Ballot("a", "x", ("y", "z"), ("w",))
    assert ballot("a x") == Ballot("a", "x")
    assert ballot("a -;; w") == Ballot("a", "", (), ("w",))
    assert ballot("a x;; yz") == Ballot("a", "x", (), ("y", "z"))


# Each case: operator, ballots, and what it yields; ties are all the options that share the first place.
CASES = [
    # approval: x has a, b; y has b, c; z has c alone.
    ("approval", ["a x", "b x; y", "c y; z"], "xy"),
    # approval: y is acceptable to all three, x on top of two.
    ("approval", ["a x; y", "b x; y", "c y"], "y"),
    ("approval", ["a x", "b y", "c z"], "xyz"),
    ("approval", ["a x"], "x"),
    # An option that is on top and ruled out is ruled out.
    ("approval", ["a x;; x", "b y"], "y"),
    # approval: nobody approves anything, so all are tied.
    ("approval", ["a -;; x", "b -;; y"], "xy"),
    # plurality: x two tops, y one, whatever is acceptable.
    ("plurality", ["a x; y", "b x; y", "c y"], "x"),
    ("plurality", ["a x", "b y"], "xy"),
    ("plurality", ["a x", "b y", "c y", "d z"], "y"),
    # least misery: x is ruled out once, y by nobody.
    ("least_misery", ["a x; y", "b x; y", "c y;; x"], "y"),
    # No hard no: minimum of x is 0 (c), of y 1.
    ("least_misery", ["a x; y", "b x; y", "c y"], "y"),
    # x: 2, 0; y: 0, 2; z: 1, 1.
    ("least_misery", ["a x; z", "b y; z"], "z"),
    # Each ruled out once: minimum -1 for both, tied.
    ("least_misery", ["a x;; y", "b y;; x"], "xy"),
    # x ruled out twice, y once: y although two have x on top.
    ("least_misery", ["a x;; y", "b x", "c y;; x", "d y;; x"], "y"),
    ("least_misery", ["a x", "b y"], "xy"),
    # weighted average: x 2 + 2 + 0 = 4, y 1 + 1 + 2 = 4.
    ("weighted_average", ["a x; y", "b x; y", "c y"], "xy"),
    # x 2 + 2 - 1 = 3, y 1 + 1 + 2 = 4.
    ("weighted_average", ["a x; y", "b x; y", "c y;; x"], "y"),
    # x 2 + 2 - 1 = 3, y 0 + 0 + 2 = 2.
    ("weighted_average", ["a x", "b x", "c y;; x"], "x"),
    # x 2 + 1 = 3, y 0 + 2 = 2.
    ("weighted_average", ["a x", "b y; x"], "x"),
    # hard constraint: whatever nobody rules out.
    ("hard_constraint", ["a x; y", "b z;; x"], "yz"),
    ("hard_constraint", ["a x", "b x"], "x"),
    ("hard_constraint", ["a x;; y", "b y;; x"], ""),
    # unanimous: y is the one thing all approve.
    ("unanimous", ["a x; y", "b y", "c z; y"], "y"),
    ("unanimous", ["a x", "b y"], ""),
    ("unanimous", ["a x; y", "b y; x"], "xy"),
    ("unanimous", ["a x; y", "b y;; x"], "y"),
]
FAMILY = {"p": "parent", "q": "parent"}
FAMILY_CASES = [
    # Only p and q may veto: k's no to y does not count.
    ("parent_veto", ["p x;; z", "q y", "k z;; y"], "xy"),
    ("parent_veto", ["p x;; yz", "q y;; x", "k z"], ""),
    ("parent_veto", ["k x;; y"], ""),
    # Parents approve x twice, y once.
    ("parent_vote", ["p x", "q x; y", "k y;; x"], "x"),
    # Parents split on x and y; x is ruled out by k.
    ("parent_vote", ["p x", "q y", "k z;; x"], "y"),
    # Parents split on x and y, nobody rules out; k accepts y: minimum x 0, y 0 (p), so tied.
    ("parent_vote", ["p x", "q y", "k z; y"], "xy"),
    # Both parents approve both; x: 2, 1, 0; y: 1, 2, 1.
    ("parent_vote", ["p x; y", "q y; x", "k z; y"], "y"),
    ("parent_vote", ["k x"], ""),
]


@pytest.mark.parametrize(("operator", "ballots", "expected"), CASES)
def test_an_operator_yields_what_is_worked_out_by_hand(operator: str, ballots: list[str], expected: str) -> None:
    assert winners(operator, election(*ballots)) == expected


@pytest.mark.parametrize(("operator", "ballots", "expected"), FAMILY_CASES)
def test_parents_decide_as_worked_out_by_hand(operator: str, ballots: list[str], expected: str) -> None:
    assert winners(operator, election(*ballots, roles=FAMILY)) == expected


@pytest.mark.parametrize(("operator", "ballots", "expected"), [*CASES, *FAMILY_CASES])
def test_the_order_of_ballots_does_not_matter(operator: str, ballots: list[str], expected: str) -> None:
    assert {winners(operator, election(*order, roles=FAMILY)) for order in permutations(ballots)} == {expected}


def test_elders_veto_as_parents_do() -> None:
    held = election("g x;; y", "k y;; x", roles={"g": "elder", "k": "parent"})
    assert winners("elder_veto", held) == "x"
    assert winners("parent_veto", held) == "y"


# The ballots "a x" and "b y; x" give x 2 + 1 = 3 and y 0 + 2 = 2. What a vote declares of members is taken for their
# weights only where every ballot's own order is kept in it.
@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        # b weighs three times as much, and both orders are kept: x 2 + 0, y 0 + 6.
        ({"x": {"a": 2.0, "b": 0.0}, "y": {"a": 0.0, "b": 6.0}}, "y"),
        # a has x on top.
        ({"x": {"a": 0.0, "b": 0.0}, "y": {"a": 6.0, "b": 6.0}}, "x"),
        # a has x on top, and no weight makes that a tie.
        ({"x": {"a": 1.0, "b": 1.0}, "y": {"a": 1.0, "b": 2.0}}, "x"),
        # The ballot of b is left out.
        ({"x": {"a": 1.0}, "y": {"a": 0.0}}, "x"),
        ({"x": {"a": 6.0}, "y": {"a": 7.0, "b": 9.0}}, "x"),
        # The option x is left out.
        ({"y": {"a": 0.0, "b": 6.0}}, "x"),
        ({}, "x"),
    ],
)
def test_declared_scores_weigh_members_and_never_overrule_a_ballot(
    declared: dict[str, dict[str, float]], expected: str
) -> None:
    plainly = election("a x", "b y; x")
    assert winners("weighted_average", Election(plainly.ballots, plainly.options, {}, declared)) == expected


def test_declared_scores_are_all_there_is_without_ballots() -> None:
    declared = {"x": {"a": 0.0, "b": 3.0}, "y": {"a": 2.0, "b": 2.0}}
    assert winners("weighted_average", Election((), ("x", "y"), {}, declared)) == "y"
    assert winners("weighted_average", Election((), ("x", "y"))) == "xy"


def test_an_assistant_cannot_make_its_choice_right_by_scores_of_its_own() -> None:
    details = OptionCount("x", member_scores={"A": 0.0, "B": 0.0}), OptionCount("y", member_scores={"A": 6.0, "B": 6.0})
    for selected, faithful in (("y", False), ("x", True)):
        check = check_vote(poll_of(Vote("", "weighted_avg", selected, details), "A x", "B y; x"))
        assert check is not None
        assert (check.faithful, check.expected) == (faithful, ("x",))


def test_declared_weights_count_whatever_the_spelling_of_names() -> None:
    details = OptionCount("X", member_scores={"Al": 2.0, "Bo": 0.0}), OptionCount("Y", member_scores={"Al": 0, "Bo": 6})
    assert (
        winners("weighted_average", poll_of(Vote("weighted_avg", "", "x", details), "al x", "bo y; x").election) == "y"
    )
    half = details[0], OptionCount("Y")
    assert winners("weighted_average", poll_of(Vote("weighted_avg", "", "x", half), "al x", "bo y; x").election) == "x"


BALLOTS = st.lists(
    st.builds(
        Ballot,
        st.sampled_from("abcdef"),
        st.sampled_from(["", "x", "y", "z"]),
        st.lists(st.sampled_from("xyz"), max_size=3, unique=True).map(tuple),
        st.lists(st.sampled_from("xyz"), max_size=3, unique=True).map(tuple),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda ballot: ballot.member,
)


def points(ballot: Ballot, option: str) -> int:
    return -1 if option in ballot.hard_no else 2 if option == ballot.top_choice else int(option in ballot.acceptable)


@QUICKLY
@given(BALLOTS)
def test_operators_agree_with_pairwise_comparison_of_all_options(ballots: list[Ballot]) -> None:
    """An oracle of another kind: an option wins where no other one beats it."""

    def unbeaten(*measures: list[list[int]]) -> set[str]:
        keys = dict(zip("xyz", zip(*measures, strict=True), strict=True))
        return {option for option in "xyz" if not any(keys[other] > keys[option] for other in "xyz" if other != option)}

    table = {option: [points(ballot, option) for ballot in ballots] for option in "xyz"}
    refusals = [[-sum(value < 0 for value in table[option])] for option in "xyz"]
    held = Election(tuple(ballots), tuple("xyz"))
    assert WINNERS["approval"](held) == unbeaten([[sum(v > 0 for v in table[option])] for option in "xyz"])
    assert WINNERS["weighted_average"](held) == unbeaten([[sum(table[option])] for option in "xyz"])
    assert WINNERS["least_misery"](held) == unbeaten(refusals, [[min(table[option])] for option in "xyz"])
    assert WINNERS["hard_constraint"](held) == {option for option in "xyz" if -1 not in table[option]}
    assert WINNERS["unanimous"](held) == {option for option in "xyz" if min(table[option]) > 0}


def poll_of(vote: Vote, *ballots: str, members: tuple[Member, ...] = (), synthesis: Synthesis | None = None) -> Poll:
    turn = TripTurn("9", "system", "", "sys_synthesize_cuisine", None, synthesis, tuple(map(ballot, ballots)), vote)
    (poll,) = polls(Trip(id="t", turns=(turn,), members=members))
    return poll


def faithful(strategy: str, selected: str, *ballots: str, members: tuple[Member, ...] = ()) -> bool | None:
    check = check_vote(poll_of(Vote(strategy_id=strategy, selected_option=selected), *ballots, members=members))
    return None if check is None else check.faithful


def test_a_tie_is_kept_by_any_of_the_tied_options() -> None:
    assert [faithful("least_misery", name, "a x", "b y", "c x") for name in ("x", "y", "w")] == [True, True, False]


@pytest.mark.parametrize("strategy", ["budget_guardrail_hc", "parent_budget_hc", "log_roll", "flexible_shared_first"])
def test_what_ballots_cannot_tell_is_undefined(strategy: str) -> None:
    assert faithful(strategy, "x", "a x", "b y") is None


def test_unknown_strategies_missing_ballots_and_missing_selections_are_undefined() -> None:
    assert faithful("family_friendly", "x", "a x") is None
    assert faithful("", "x", "a x") is None
    assert faithful("least_misery", "x") is None
    assert faithful("least_misery", "", "a x") is None
    assert faithful("least_misery", "x", "a -") is None


def test_a_veto_that_leaves_nothing_is_undefined() -> None:
    assert faithful("hard_constraint", "x", "a x;; y", "b y;; x") is None


def test_the_holders_of_a_veto_are_told_by_role_or_name() -> None:
    ballots = ("Mom x;; y", "Kid y")
    by_role = (Member("Mom", "parent"), Member("Kid", "child"))
    by_name = (Member("Mom"), Member("Kid"))
    neither = (Member("Mom", "grandparent"), Member("Kid", "child"))
    assert [faithful("Parent Veto", "y", *ballots, members=who) for who in (by_role, by_name, neither)] == [
        False,
        False,
        None,
    ]
    assert faithful("Parent Veto", "x", *ballots, members=by_role) is True


def test_an_elderly_father_is_an_elder_and_a_parent() -> None:
    members = (Member("Tom", "elderly father"), Member("Kid", "child"))
    for strategy in ("parent_veto_hc", "elder_stamina_hc", "elder_accessibility_hc"):
        assert faithful(strategy, "y", "Tom x;; y", "Kid y", members=members) is False
        assert faithful(strategy, "x", "Tom x;; y", "Kid y", members=members) is True


@pytest.mark.parametrize(
    ("selected", "expected"), [("x and y", True), ("y, x", True), ("x", False), ("z", False), ("x and z", False)]
)
def test_include_both_selects_every_top_choice(selected: str, expected: bool) -> None:
    assert faithful("include_both", selected, "a x; z", "b y") is expected


def test_include_both_with_one_top_choice_needs_that_alone() -> None:
    assert faithful("include_both", "x", "a x; z", "b x") is True


@pytest.mark.parametrize(
    "strategy", ["subgroup_optional", "subgroup_required", "self_select", "individual_choice", "cluster", "alternate"]
)
def test_separate_ways_are_judged_only_where_the_vote_names_several_options(strategy: str) -> None:
    assert faithful(strategy, "x for some, y for others", "a x", "b y") is True
    assert faithful(strategy, "x for some, z for others", "a x", "b y; z") is False
    assert faithful(strategy, "everybody chooses", "a x", "b y") is None
    assert faithful(strategy, "x", "a x", "b y") is None


def test_the_strategy_goes_before_the_method_and_the_method_before_the_synthesis() -> None:
    vote = Vote("approval", "least_misery", "x")
    assert poll_of(vote, "a x").operator == "least_misery"
    assert poll_of(Vote("Approval Voting", "N/A", "x"), "a x").operator == "approval"
    assert poll_of(Vote("majority_vote", "", "x"), "a x").operator == "plurality"
    noted = Synthesis(resolution_strategy="weighted_avg")
    assert poll_of(Vote("drawing lots", "", "x"), "a x", synthesis=noted).operator == "weighted_average"
    assert poll_of(Vote("drawing lots", "", "x"), "a x").operator == ""


def test_ballots_of_earlier_turns_on_the_slot_count_and_the_last_of_a_member_goes() -> None:
    turns = (
        TripTurn("1", "a", "", "user_vote_cuisine", ballots=(ballot("a x"),)),
        TripTurn("2", "b", "", "user_vote_cuisine", ballots=(ballot("b y"),)),
        TripTurn("3", "a", "", "user_vote_lodging", ballots=(ballot("a z"),)),
        TripTurn("4", "A", "", "user_vote_cuisine", ballots=(ballot("A y"),)),
        TripTurn("5", "system", "", "sys_synthesize_cuisine", vote=Vote("plurality", "", "y")),
        TripTurn("6", "c", "", "user_vote_cuisine", ballots=(ballot("c x"),)),
    )
    (poll,) = polls(Trip(id="t", turns=turns))
    assert poll.election.ballots == (ballot("a y"), ballot("b y"))
    assert (poll.turn, poll.slot, poll.minority) == ("5", "cuisine", [])


def state(id: str, intent: str, vote: Vote | None, *ballots: str, synthesis: Synthesis | None = None) -> TripTurn:
    """A turn of the system beside which the state of the dialogue stands."""
    return TripTurn(id, "system", "", intent, None, synthesis, tuple(map(ballot, ballots)), vote)


def test_a_vote_that_later_turns_repeat_is_one_vote() -> None:
    held, noted = Vote("plurality", "", "x"), Synthesis(resolution_strategy="plurality")
    turns = (
        state("1", "sys_request_vote_cuisine", held, "a x"),
        state("2", "sys_synthesize_cuisine", held, "a x", synthesis=noted),
        state("3", "sys_synthesize_lodging", held, "a x"),
        state("4", "sys_feedback_cuisine", held),
        state("5", "sys_feedback_cuisine", None, synthesis=noted),
        state("6", "sys_feedback_cuisine", held),
    )
    assert [(poll.turn, poll.slot) for poll in polls(Trip(id="t", turns=turns)) if poll.has_ballots] == [
        ("1", "cuisine"),
        ("3", "lodging"),
    ]


def test_a_vote_after_another_or_on_other_ballots_is_a_vote_of_its_own() -> None:
    first_vote, other = Vote("plurality", "", "x"), Vote("plurality", "", "y")
    turns = (
        state("1", "sys_synthesize_cuisine", first_vote, "a x"),
        state("2", "sys_feedback_cuisine", other),
        state("3", "sys_feedback_cuisine", first_vote),
        state("4", "sys_feedback_cuisine", first_vote, "a y"),
        state("5", "sys_feedback_cuisine", first_vote, "b x"),
    )
    assert [poll.turn for poll in polls(Trip(id="t", turns=turns))] == ["1", "2", "3", "4", "5"]


def test_a_synthesis_that_later_turns_repeat_is_one_poll() -> None:
    both, least = Synthesis(resolution_strategy="include_both"), Synthesis(resolution_strategy="least_misery")
    noted = [
        state(str(at), "sys_synthesize_cuisine", None, synthesis=note) for at, note in enumerate((both, both, least))
    ]
    assert [poll.turn for poll in polls(Trip(id="t", turns=tuple(noted)))] == ["0", "2"]


def test_a_known_operator_of_a_repeated_vote_is_kept() -> None:
    held = Vote("", "", "x")
    turns = (
        state("1", "sys_request_vote_cuisine", held, "a x"),
        state("2", "sys_synthesize_cuisine", held, synthesis=Synthesis(resolution_strategy="least_misery")),
    )
    (poll,) = polls(Trip(id="t", turns=turns))
    assert (poll.turn, poll.operator) == ("1", "least_misery")


def test_options_are_compared_by_plain_name() -> None:
    cast = (Ballot("Ann", "The Thai-House"), Ballot("Bo", "thai_house", (), ("Café Roma",)))
    counts = (OptionCount("CAFE ROMA"),)
    turn = TripTurn(
        "1", "system", ballots=cast, vote=Vote("approval", "", "Thai House!", counts), intent="sys_synthesize_cuisine"
    )
    (poll,) = polls(Trip(id="t", turns=(turn,)))
    assert poll.election.options == ("thai house", "cafe roma")
    result = check_vote(poll)
    assert result is not None
    assert (result.faithful, result.expected) == (True, ("thai house",))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_of_the_rulings_has_an_operator(strategy: str) -> None:
    assert strategy_of(strategy) == strategy
    assert strategy_of(strategy.replace("_", " ").title()) == strategy
    assert strategy_of(strategy.replace("_", "-").upper()) == strategy
    assert operator_of(strategy) in {*WINNERS, "include_both", "subgroups", "unchecked"}


@rows_of("strategies")
def test_names_of_strategies_are_found_however_they_are_written(name: str, expected: str) -> None:
    assert strategy_of(name) == expected


def test_not_applicable_is_no_name() -> None:
    assert not any(map(is_strategy_named, ("", "N/A", "n/a", "none", "None", "-", "--", " ", "null", "NA")))
    assert is_strategy_named("parent_veto")
    assert names_in("least_misery, Include Both and N/A") == ["least_misery", "Include Both"]


def test_plain_names_have_no_case_accents_punctuation_or_article() -> None:
    assert [option_key(name) for name in ("The Café_Roma!", "a", "An Inn", "...")] == ["cafe roma", "a", "inn", ""]


# Slot, two wishes, and whether they differ.
PAIRS = [
    ("cuisine", "Italian", "no Italian", True),
    ("cuisine", "Italian", "Italian food please", False),
    ("cuisine", "Italian", "Thai", True),
    ("cuisine", "Italian", "Italian or Thai", False),
    ("cuisine", "sushi", "anything is fine", False),
    ("cuisine", "no seafood", "no seafood or nuts", False),
    ("cuisine", "no seafood", "seafood", True),
    (
        "cuisine",
        "Italian and Mexican and Chinese with seafood",
        "Italian and Mexican and Chinese, but no seafood",
        True,
    ),
    ("cuisine", "I would love some barbecue", "Barbecue, please!", False),
    ("cuisine", "A restaurant", "Sushi", False),
    ("cuisine", "Italian", "no seafood", True),
    ("cuisine", "Anything but seafood", "Seafood", True),
    ("cuisine", "Anything but seafood", "Avoid seafood", False),
    ("cuisine", "No preference", "no Italian", False),
    ("cuisine", "I can't wait for tacos", "tacos", False),
    ("cuisine", "I don't mind", "Thai curry", False),
    ("cuisine", "vegan", "steak", True),
    ("cuisine", "Thai curry and dumplings", "Thai curry and burgers", False),
    ("cuisine", "Thai curry", "Thai noodles", True),
    ("lodging", "private room", "shared room", True),
    ("lodging", "a private room with kitchen", "a shared room with kitchen", True),
    ("lodging", "Entire home", "entire home with a pool", False),
    ("lodging", "cheap hotel in the center", "luxury hotel in the center", True),
    ("lodging", "Whatever works for the others", "entire home", False),
    ("attraction", "museums", "a museum", False),
    ("attraction", "art museums", "museum", False),
    ("attraction", "museums", "beaches", True),
    ("attraction", "beaches", "the beach", False),
    ("attraction", "Me too", "parks", False),
    ("attraction", "no museums", "parks", True),
    ("attraction", "galleries", "a gallery", False),
    ("attraction", "quiet walks in old gardens by the lake", "lively walks in old gardens by the lake", True),
    ("event", "live jazz", "live rock", True),
    ("event", "live jazz concert", "live jazz concert outdoors", False),
    ("event", "I agree with Ann", "baseball", False),
    ("event", "not only jazz", "jazz", False),
    ("spending_preference", "low budget", "high budget", True),
    ("spending_preference", "Up to you", "luxury", False),
    ("spending_preference", "under $100", "under $500", True),
    ("travel_purpose", "relaxation", "adventure", True),
    ("traveler_type", "Adventure seeker", "adventure seekers", False),
]


@pytest.mark.parametrize(("slot", "wish", "other", "expected"), PAIRS)
def test_wishes_differ_or_agree_whichever_comes_first(slot: str, wish: str, other: str, expected: bool) -> None:
    ann, bo = SlotPreference("Ann", slot, wish), SlotPreference("Bo", slot, other)
    assert (differ(ann, bo), differ(bo, ann)) == (expected, expected)
    assert not differ(ann, ann)


def test_to_avoid_something_is_to_rule_it_out() -> None:
    avoided = SlotPreference("Ann", "cuisine", "seafood", "avoid")
    assert gist(avoided).signed_words == {"-seafood"}
    assert differ(avoided, SlotPreference("Bo", "cuisine", "seafood"))


def test_three_wishes_are_apart_where_any_two_are() -> None:
    wishes = [
        SlotPreference(who, "cuisine", text) for who, text in (("A", "any is fine"), ("B", "Thai"), ("C", "Greek"))
    ]
    pair = first_difference(wishes)
    assert pair is not None
    assert [wish.member for wish in pair] == ["B", "C"]
    assert first_difference(wishes[:2]) is None
    assert first_difference([]) is None
