"""What the mediators of C1 to C5 do with what they hear."""

from __future__ import annotations

import pytest
from playing_trips import CONDITIONS, group, played_trips

from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.metrics.strategy import minority_named, strategy_faithfulness, vote_totals
from adjudge.suites.trip.metrics.voice import voice_coverage
from adjudge.systems.trip.data import TripCase
from adjudge.systems.trip.generation.groups import Groups, make_groups

QUARREL = group(
    ("Ada", "cuisine", "Thai food"),
    ("Ada", "attraction", "a museum"),
    ("Bo", "cuisine", "Mediterranean food"),
    ("Bo", "attraction", "museums"),
    group_type="family",
)


def played(case: TripCase, condition: str, without: str = "") -> Trip:
    [trip] = played_trips([case], condition, without=without)
    return trip


def intents(trip: Trip) -> list[str]:
    return [turn.intent for turn in trip.turns]


def test_in_c1_one_speaks_for_all() -> None:
    trip = played(QUARREL, "C1")

    assert {turn.speaker for turn in trip.turns if turn.intent.startswith("user_provide_")} == {"Ada"}
    assert [mark.value for mark in voice_coverage.function(trip)] == [1.0, 0.0]
    assert intents(trip).count("user_accept_plan") + intents(trip).count("user_reject_plan") == 2, "all decide"


def test_in_c2_the_last_word_on_a_slot_is_not_always_the_same_member() -> None:
    spoken = [turn for turn in played(QUARREL, "C2").turns if turn.intent.startswith("user_provide_")]
    last = {turn.intent: turn.speaker for turn in spoken}

    assert set(last.values()) == {"Ada", "Bo"}


def test_from_c3_on_conflicts_are_called_by_what_is_meant() -> None:
    for condition in ("C3", "C4", "C5"):
        noted = {turn.intent: turn.synthesis for turn in played(QUARREL, condition).turns if turn.synthesis}
        cuisine, attraction = noted["sys_synthesize_cuisine"], noted["sys_synthesize_attraction"]
        assert cuisine is not None
        assert cuisine.has_conflict
        assert "Ada says" in cuisine.conflict_description
        assert attraction is not None
        assert not attraction.has_conflict, "a museum and museums are the same"


def test_strategies_are_named_from_c4_on_only() -> None:
    def strategies(condition: str) -> set[str]:
        return {turn.synthesis.resolution_strategy for turn in played(QUARREL, condition).turns if turn.synthesis}

    assert strategies("C3") == {"N/A"}
    assert "include_both" in strategies("C4")


def test_members_who_differ_vote_and_what_is_selected_is_promised() -> None:
    [turn] = [turn for turn in played(QUARREL, "C4").turns if turn.vote]

    assert turn.intent == "sys_resolve_conflict_cuisine"
    assert turn.vote is not None
    assert turn.vote.selected_option == "thai and mediterranean"
    assert {(promise.text, promise.member) for promise in turn.promises} == {("thai", "Ada"), ("mediterranean", "Bo")}


@pytest.mark.parametrize(("part", "lost"), [("vote", "sys_request_vote_cuisine"), ("feedback", "sys_feedback_cuisine")])
def test_parts_can_be_left_out(part: str, lost: str) -> None:
    assert lost in intents(played(QUARREL, "C5"))
    assert lost not in intents(played(QUARREL, "C5", without=part))


def test_in_c5_members_say_what_they_lack_and_the_plan_is_repaired() -> None:
    trips = list(played_trips(make_groups(Groups(n=20, seed=1)), "C5"))
    repaired = [trip for trip in trips if intents(trip).count("sys_summary_state") == 2]

    assert 0 < len(repaired) < len(trips), "only where somebody lacks something"
    assert all(any(name.startswith("user_feedback_") for name in intents(trip)) for trip in repaired)


def test_votes_are_counted_as_the_strategy_says() -> None:
    trips = list(played_trips(make_groups(Groups(n=10, seed=5)), "C4"))

    for metric in (strategy_faithfulness, vote_totals, minority_named):
        marks = [mark for trip in trips for mark in metric.function(trip)]
        assert marks
        assert all(mark.value == 1.0 for mark in marks), metric.card.name


@pytest.mark.parametrize("condition", CONDITIONS)
def test_without_a_plan_the_mediator_says_why_and_ends(condition: str) -> None:
    trip = played(group(("Ada", "cuisine", "Thai food"), budget=1.0), condition)

    assert trip.plan is None
    assert "no plan keeps to the budget" in trip.plan_fault
    assert trip.turns[-1].intent == "sys_present_plan"
    assert "no plan keeps to the budget" in trip.turns[-1].text
    assert "user_accept_plan" not in intents(trip)


def test_nobody_sees_the_wishes_of_another_member() -> None:
    from adjudge.core.play import PlayedTurn, Said
    from adjudge.systems.trip.data import TurnFacts, TurnPart
    from adjudge.systems.trip.played import participants, view

    asked = PlayedTurn(0, "system", Said("Food?", facts=TurnFacts((TurnPart("Food?", "sys_request_cuisine"),))))
    secrets = {name: own[0].text for name, own in QUARREL.wishes.items()}

    for participant in participants(QUARREL):
        shown = repr(view(QUARREL, participant, (asked,)).facts)
        known = {name for name, secret in secrets.items() if secret in shown}
        assert known == ({participant.id} if participant.role == "member" else set())
