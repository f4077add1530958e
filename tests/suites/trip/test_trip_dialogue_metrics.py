"""The metrics of the trip suite that look at the dialogue: worked examples of the source, edges, and laws."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from trip_rows import rows_of

from adjudge.core.card import Metric
from adjudge.core.mark import BY_DESIGN, Mark, Score
from adjudge.core.suite import declared_metrics
from adjudge.suites.trip.data import (
    Ballot,
    CatalogueEntry,
    Condition,
    Day,
    Member,
    OptionCount,
    Place,
    Plan,
    Promise,
    Synthesis,
    Trip,
    TripTurn,
    Visit,
    Vote,
)
from adjudge.suites.trip.metrics import acceptance, conflict, effort, feedback, promises, strategy, voice
from adjudge.suites.trip.metrics.strategy import theory_phrase
from examples import few_examples

QUICKLY = few_examples()

METRICS: dict[str, Metric] = {
    metric.card.name: metric
    for module in (voice, conflict, strategy, feedback, acceptance, effort, promises)
    for metric in declared_metrics(vars(module))
}
EXPECTED = """
voice_coverage speaking_balance
conflict_detection false_conflicts resolution_explained resolution_explained_strict
strategy_named strategy_known theory_leakage strategy_line_leakage strategy_faithfulness vote_totals minority_named
feedback_activation acceptance total_turns turns_per_slot feedback_turns feedback_overhead promise_kept
"""
FOUR = tuple(Member(name) for name in ("Ann", "Bo", "Cy", "Di"))


def say(speaker: str, intent: str, text: str = "", **more: Any) -> TripTurn:
    return TripTurn("", speaker, text, intent, **more)


def provide(speaker: str, slot: str, text: str) -> TripTurn:
    return say(speaker, f"user_provide_{slot}", text)


def synthesize(slot: str, text: str = "", **noted: Any) -> TripTurn:
    return say("system", f"sys_synthesize_{slot}", text, synthesis=Synthesis(**noted) if noted else None)


def trip(*turns: TripTurn, members: tuple[Member, ...] = FOUR, **more: Any) -> Trip:
    numbered = tuple(structs.replace(turn, id=str(place)) for place, turn in enumerate(turns, 1))
    return Trip(id="t", turns=numbered, members=members, **more)


def marks(name: str, record: Trip) -> list[Mark]:
    return list(METRICS[name](record))


def score(name: str, record: Trip) -> Score:
    return Score.of(marks(name, record), METRICS[name].card.scale)


def value(name: str, record: Trip) -> float | None:
    """What the metric says of a trip; None: undefined."""
    return score(name, record).value


def by_place(name: str, record: Trip) -> dict[str, float]:
    return {mark.at: mark.value for mark in marks(name, record)}


def test_these_are_all_the_metrics_of_the_dialogue() -> None:
    assert list(METRICS) == EXPECTED.split()
    symbols = [metric.card.symbol for metric in METRICS.values()]
    assert len(set(symbols)) == len(symbols)
    assert {"M1", "M2", "M3", "M4", "M4b", "M5", "M6", "M7"} <= set(symbols)


@pytest.mark.parametrize("name", METRICS)
def test_a_trip_without_a_dialogue_is_undefined(name: str) -> None:
    assert marks(name, Trip(id="t")) == []
    for condition in ("C1", "C2", "C3", "C4", "C5"):
        assert marks(name, Trip(id="t", condition=condition)) == []


# M1


def test_four_of_four_members_speak() -> None:
    record = trip(*(provide(member.id, "cuisine", "Thai") for member in FOUR), condition="C2")
    assert by_place("voice_coverage", record) == {"Ann": 1.0, "Bo": 1.0, "Cy": 1.0, "Di": 1.0}
    assert score("voice_coverage", record).basis == ""


@pytest.mark.parametrize("spokesperson", ["Ann", "user"])
def test_one_of_four_speaks_in_c1_by_design(spokesperson: str) -> None:
    record = trip(*(provide(spokesperson, slot, "Thai") for slot in ("cuisine", "event")), condition="C1")
    assert (value("voice_coverage", record), score("voice_coverage", record).n) == (0.25, 4)
    assert {mark.basis for mark in marks("voice_coverage", record)} == {BY_DESIGN}


def test_in_c1_one_speaks_for_all_however_many_speak() -> None:
    record = trip(*(provide(name, "cuisine", "Thai") for name in ("Bo", "Ann", "user")), condition="C1")
    assert by_place("voice_coverage", record) == {"Ann": 0.0, "Bo": 1.0, "Cy": 0.0, "Di": 0.0}


def test_members_who_are_only_counted_are_silent() -> None:
    record = trip(provide("Ann", "cuisine", "Thai"), members=FOUR[:2], member_count=4)
    assert by_place("voice_coverage", record) == {"Ann": 1.0, "Bo": 0.0, "member 3": 0.0, "member 4": 0.0}


def test_an_unlisted_speaker_takes_a_place_that_is_free_and_no_other() -> None:
    turns = provide("Ann", "cuisine", "Thai"), provide("Eve", "cuisine", "Greek"), provide("Flo", "cuisine", "Thai")
    counted = trip(*turns, members=FOUR[:2], member_count=3)
    assert by_place("voice_coverage", counted) == {"Ann": 1.0, "Bo": 0.0, "Eve": 1.0}
    assert by_place("voice_coverage", trip(*turns, members=FOUR[:2])) == {"Ann": 1.0, "Bo": 0.0}
    unlisted = trip(*turns, members=(), member_count=4)
    assert by_place("voice_coverage", unlisted) == {"Ann": 1.0, "Eve": 1.0, "Flo": 1.0, "member 4": 0.0}


def test_a_member_called_as_we_number_the_silent_is_counted_once() -> None:
    record = trip(provide("member 3", "cuisine", "Thai"), members=(Member("member 3"),), member_count=3)
    assert by_place("voice_coverage", record) == {"member 3": 1.0, "member 2": 0.0, "member 4": 0.0}


def test_empty_turns_and_the_system_state_no_preference() -> None:
    record = trip(
        provide("Ann", "cuisine", "  "), provide("system", "cuisine", "Thai"), say("Bo", "user_respond_x", "hm")
    )
    assert value("voice_coverage", record) == 0.0


def test_without_a_known_group_nobody_can_be_missed() -> None:
    assert value("voice_coverage", trip(provide("Ann", "cuisine", "Thai"), members=())) is None


def test_the_turn_of_a_voice_is_the_first() -> None:
    record = trip(say("system", "sys_request_cuisine"), provide("Ann", "cuisine", "a"), provide("Ann", "event", "b"))
    assert [mark.turn for mark in marks("voice_coverage", record)] == ["2", "", "", ""]


# Speaking balance


def test_balance_of_one_and_three_words_is_three_quarters() -> None:
    # Gini of 1 and 3: |1 - 3| * 2 / (2 * 4 * 2) = 0.25.
    record = trip(provide("Ann", "cuisine", "Thai"), say("Bo", "user_accept_plan", "that is fine"), members=FOUR[:2])
    assert value("speaking_balance", record) == pytest.approx(0.75)


def test_one_speaker_of_four_has_the_least_balance() -> None:
    record = trip(provide("Ann", "cuisine", "Thai please"))
    assert value("speaking_balance", record) == pytest.approx(0.25)
    assert score("speaking_balance", record).basis == ""
    assert score("speaking_balance", structs.replace(record, condition="C1")).basis == BY_DESIGN


def test_balance_needs_two_members_and_a_word() -> None:
    assert value("speaking_balance", trip(provide("Ann", "cuisine", "Thai"), members=FOUR[:1])) is None
    assert value("speaking_balance", trip(provide("Ann", "cuisine", ""))) is None
    assert value("speaking_balance", trip(say("system", "sys_present_plan", "Here it is"))) is None
    assert value("speaking_balance", trip(provide("Ann", "cuisine", "Thai"), members=())) is None


def test_where_the_group_is_not_known_those_who_speak_are_it() -> None:
    record = trip(provide("Ann", "cuisine", "Thai"), provide("Bo", "cuisine", "Greek"), members=())
    assert value("speaking_balance", record) == 1.0


# M2


def disagreement() -> list[TripTurn]:
    """Cuisine, event and attraction are disputed, lodging is not."""
    wishes = {"cuisine": ("Thai", "Greek"), "event": ("jazz", "baseball"), "attraction": ("zoo", "museums")}
    apart = [provide(who, slot, text) for slot, two in wishes.items() for who, text in zip("AB", two, strict=True)]
    return [*apart, provide("A", "lodging", "private room"), provide("B", "lodging", "a private room")]


def test_two_of_three_conflicts_are_detected() -> None:
    record = trip(
        *disagreement(),
        synthesize("cuisine", has_conflict=True),
        synthesize("event", has_conflict=True),
        synthesize("attraction", has_conflict=False),
        synthesize("lodging", has_conflict=False),
    )
    assert by_place("conflict_detection", record) == {"cuisine": 1.0, "event": 1.0, "attraction": 0.0}
    assert value("conflict_detection", record) == pytest.approx(2 / 3)
    assert [mark.group for mark in marks("conflict_detection", record)] == ["cuisine", "event", "attraction"]
    assert "'zoo'" in marks("conflict_detection", record)[2].why


def test_a_disputed_slot_without_a_synthesis_is_not_detected() -> None:
    record = trip(*disagreement(), synthesize("cuisine", has_conflict=True))
    assert by_place("conflict_detection", record) == {"cuisine": 1.0, "event": 0.0, "attraction": 0.0}


@pytest.mark.parametrize("condition", ["C1", "C2"])
def test_without_syntheses_there_is_no_detection(condition: Condition) -> None:
    assert value("conflict_detection", trip(*disagreement(), condition=condition)) is None


@pytest.mark.parametrize("condition", ["C1", "C2"])
def test_a_synthesis_where_the_condition_has_none_is_left_out(condition: Condition) -> None:
    noted = synthesize("cuisine", "so many words about it", has_conflict=True, resolution_explanation="Thai for all")
    record = trip(*disagreement(), noted, condition=condition)
    for name in ("conflict_detection", "false_conflicts", "resolution_explained", "resolution_explained_strict"):
        assert value(name, record) is None, name
        assert value(name, structs.replace(record, condition="C3")) is not None or name == "false_conflicts"


@rows_of("dialogue_metrics")
def test_words_tell_a_conflict_where_there_is_no_flag(text: str, seen: bool) -> None:
    two = provide("Ann", "cuisine", "Thai"), provide("Bo", "cuisine", "Greek")
    assert value("conflict_detection", trip(*two, synthesize("cuisine", text))) == float(seen)
    assert value("conflict_detection", trip(*two, synthesize("cuisine", text, resolution_strategy="x"))) == float(seen)


def test_a_flag_goes_before_words() -> None:
    two = provide("Ann", "cuisine", "Thai"), provide("Bo", "cuisine", "Greek")
    assert value("conflict_detection", trip(*two, synthesize("cuisine", "a conflict", has_conflict=False))) == 0.0
    assert value("conflict_detection", trip(*two, synthesize("cuisine", "no conflict", has_conflict=True))) == 1.0


def test_one_member_cannot_disagree_with_itself() -> None:
    record = trip(
        provide("Ann", "cuisine", "Thai"), provide("Ann", "cuisine", "Greek"), synthesize("cuisine", has_conflict=True)
    )
    assert value("conflict_detection", record) is None
    assert value("false_conflicts", record) == 1.0
    must, avoid = provide("Ann", "cuisine", "Thai"), provide("Ann", "cuisine", "seafood")
    strong = structs.replace(must, strength="must"), structs.replace(avoid, strength="avoid")
    assert value("conflict_detection", trip(*strong, synthesize("cuisine", has_conflict=True))) is None


def test_a_conflict_where_members_agree_is_false() -> None:
    record = trip(
        *disagreement(),
        provide("Ann", "travel_purpose", "relaxation"),
        synthesize("cuisine", has_conflict=True),
        synthesize("lodging", has_conflict=True),
        synthesize("travel_purpose", has_conflict=False),
        synthesize("spending_preference", has_conflict=True),
    )
    assert by_place("false_conflicts", record) == {"lodging": 1.0, "travel_purpose": 0.0}
    assert value("false_conflicts", trip(*disagreement())) is None


# M3


def test_four_of_four_slots_are_explained() -> None:
    slots = ("cuisine", "event", "attraction", "lodging")
    record = trip(*(synthesize(slot, resolution_explanation="Both like it.") for slot in slots))
    assert value("resolution_explained", record) == 1.0
    assert value("resolution_explained_strict", record) == 1.0


def test_six_tokens_explain_and_five_do_not() -> None:
    record = trip(synthesize("cuisine", "We will have dinner at eight"), synthesize("event", "We will go to jazz"))
    assert by_place("resolution_explained", record) == {"cuisine": 1.0, "event": 0.0}
    assert value("resolution_explained_strict", record) is None


def test_the_strict_reading_wants_an_explanation_of_every_slot() -> None:
    record = trip(
        synthesize("cuisine", "We will have dinner at eight", resolution_explanation="N/A"),
        synthesize("event", "We will all go to the jazz concert"),
        synthesize("lodging", "Here.", resolution_explanation="It is close to all."),
        synthesize("lodging", "Here.", resolution_strategy="least_misery"),
    )
    assert by_place("resolution_explained", record) == {"cuisine": 1.0, "event": 1.0, "lodging": 1.0}
    assert by_place("resolution_explained_strict", record) == {"cuisine": 0.0, "event": 0.0, "lodging": 1.0}


# M4


def source_family(condition: Condition | None) -> Trip:
    named = {"cuisine": "Family Friendly", "event": "parent_veto", "attraction": "Include Both", "lodging": "N/A"}
    others = ("traveler_type", "travel_purpose", "spending_preference")
    return trip(
        *(synthesize(slot, resolution_strategy="N/A") for slot in others),
        *(synthesize(slot, resolution_strategy=name) for slot, name in named.items()),
        condition=condition,
    )


@pytest.mark.parametrize("condition", ["C4", "C5", None])
def test_three_of_four_actionable_slots_name_a_strategy(condition: Condition | None) -> None:
    record = source_family(condition)
    assert by_place("strategy_named", record) == {"cuisine": 1.0, "event": 1.0, "attraction": 1.0, "lodging": 0.0}
    assert value("strategy_named", record) == 0.75


@pytest.mark.parametrize("condition", ["C1", "C2", "C3"])
def test_without_social_theory_the_question_does_not_arise(condition: Condition) -> None:
    assert value("strategy_named", source_family(condition)) is None


@pytest.mark.parametrize("name", ["", "N/A", "none", "-", "None", "n/a"])
def test_a_strategy_that_is_none_is_not_named(name: str) -> None:
    record = trip(synthesize("cuisine", has_conflict=True, resolution_strategy=name))
    assert value("strategy_named", record) is None
    assert value("strategy_named", structs.replace(record, condition="C4")) == 0.0
    assert value("strategy_known", record) is None


def test_a_synthesis_without_metadata_names_nothing() -> None:
    assert value("strategy_named", trip(synthesize("cuisine", "Thai for all"), condition="C4")) == 0.0


def test_known_strategies_are_those_of_the_table() -> None:
    judged = by_place("strategy_known", source_family("C4"))
    assert judged == {"Family Friendly": 0.0, "parent_veto": 1.0, "Include Both": 1.0}
    several = trip(synthesize("cuisine", resolution_strategy="least_misery + coin toss"))
    assert by_place("strategy_known", several) == {"least_misery": 1.0, "coin toss": 0.0}


# M4b


def test_one_of_eight_turns_leaks_theory() -> None:
    slots = ("cuisine", "event", "attraction", "lodging", "travel_purpose")
    record = trip(
        *(synthesize(slot, "We will do what you like.") for slot in slots),
        say("system", "sys_feedback_cuisine", "By parental authority we skip the bar."),
        say("system", "sys_feedback_event", "Is that fine?"),
        say("system", "sys_feedback_lodging", ""),
        say("system", "sys_request_lodging", "Tell me about elder stamina."),
        say("Ann", "user_feedback_event", "Is this least misery?"),
        say("system", "sys_present_plan", "Here is your plan."),
    )
    assert (value("theory_leakage", record), score("theory_leakage", record).n) == (0.125, 8)
    (leak,) = [mark for mark in marks("theory_leakage", record) if mark.value]
    assert (leak.turn, leak.group, leak.why) == ("6", "cuisine", "found 'parental authority'")


@rows_of("dialogue_metrics")
def test_theory_is_found_however_it_is_written(text: str) -> None:
    assert theory_phrase(text)


@rows_of("dialogue_metrics")
def test_ordinary_words_are_no_theory(text: str) -> None:
    assert theory_phrase(text) == ""


@rows_of("dialogue_metrics")
def test_a_machine_written_line_is_counted_apart(text: str, line: float, theory: float) -> None:
    record = trip(synthesize("cuisine", text))
    assert (value("strategy_line_leakage", record), value("theory_leakage", record)) == (line, theory)


# M5


def conflicts(*feedback: TripTurn, condition: Condition | None = "C5") -> Trip:
    flagged = (synthesize(slot, has_conflict=True) for slot in ("cuisine", "event", "lodging"))
    return trip(*flagged, synthesize("attraction", has_conflict=False), *feedback, condition=condition)


FEEDBACK = (
    say("system", "sys_feedback_cuisine", "Fine?"),
    say("Ann", "user_feedback_event", "Fine."),
    say("system", "sys_feedback_lodging", "Fine?"),
    say("Ann", "user_feedback_lodging", "Fine."),
)


@pytest.mark.parametrize("condition", ["C5", None])
def test_three_of_three_conflicts_get_feedback(condition: Condition | None) -> None:
    assert value("feedback_activation", conflicts(*FEEDBACK, condition=condition)) == 1.0


def test_a_conflict_without_feedback_counts_in_c5() -> None:
    judged = by_place("feedback_activation", conflicts(*FEEDBACK[:1]))
    assert judged == {"cuisine": 1.0, "event": 0.0, "lodging": 0.0}
    assert value("feedback_activation", conflicts()) == 0.0


def test_the_turn_of_feedback_is_its_first() -> None:
    assert [mark.turn for mark in marks("feedback_activation", conflicts(*FEEDBACK))] == ["5", "6", "7"]


@pytest.mark.parametrize("condition", ["C1", "C2", "C3", "C4"])
def test_without_a_feedback_loop_the_question_does_not_arise(condition: Condition) -> None:
    assert value("feedback_activation", conflicts(*FEEDBACK, condition=condition)) is None


def test_feedback_is_undefined_without_conflicts_and_without_any_feedback() -> None:
    calm = trip(synthesize("cuisine", has_conflict=False), *FEEDBACK, condition="C5")
    assert value("feedback_activation", calm) is None
    assert value("feedback_activation", conflicts(condition=None)) is None


# M6


def test_the_last_word_of_each_member_counts() -> None:
    record = trip(
        say("Ann", "user_reject_plan", "No."),
        say("Ann", "user_accept_plan", "Well, yes."),
        say("Bo", "user_approve_approach", "Good."),
        say("Bo", "user_reject_plan", "But not this."),
        say("Cy", "user_respond_cuisine", "Hm."),
        say("Di", "user_reject_approach", "Never."),
        say("system", "sys_reject_plan", "No."),
    )
    assert by_place("acceptance", record) == {"Ann": 1.0, "Bo": 0.0, "Di": 0.0}
    assert marks("acceptance", record)[1].why == "But not this."
    assert score("acceptance", record).basis == ""


def test_nobody_accepts_or_rejects() -> None:
    assert value("acceptance", trip(provide("Ann", "cuisine", "Thai"))) is None


def test_acceptance_is_by_design_where_the_record_says_so() -> None:
    record = trip(say("Ann", "user_accept_plan", "Fine by me."), scripted_acceptance=True)
    assert (value("acceptance", record), score("acceptance", record).basis) == (1.0, BY_DESIGN)


@pytest.mark.parametrize(
    ("second", "last", "basis"),
    [
        (say("Bo", "user_accept_plan", "Looks good to me!"), None, BY_DESIGN),
        (say("Bo", "user_accept_plan", "looks  good to me! "), None, BY_DESIGN),
        (say("Bo", "user_accept_plan", "Looks very good to me."), None, ""),
        (say("Ann", "user_accept_plan", "Looks good to me!"), None, ""),
        (say("Bo", "user_accept_plan", "Looks good to me!"), say("Cy", "user_reject_plan", "No."), ""),
        (say("Bo", "user_accept_plan", "Looks good to me!"), say("Cy", "user_accept_plan", "Well, let us go."), ""),
        (say("Bo", "user_accept_plan", "Looks good to me!"), say("Cy", "user_accept_plan", ""), ""),
    ],
)
def test_members_who_all_accept_in_the_same_words_read_a_script(
    second: TripTurn, last: TripTurn | None, basis: str
) -> None:
    turns = [say("Ann", "user_accept_plan", "Looks good to me!"), second, *([last] if last else [])]
    assert score("acceptance", trip(*turns)).basis == basis


@pytest.mark.parametrize("text", ["Yes", "Yes, please!", "Fine by me."])
def test_few_words_are_the_same_by_chance(text: str) -> None:
    turns = [say(who, "user_accept_plan", text) for who in ("Ann", "Bo", "Cy")]
    assert score("acceptance", trip(*turns)).basis == ""
    assert score("acceptance", trip(*turns, scripted_acceptance=True)).basis == BY_DESIGN


def test_silent_acceptance_is_no_script() -> None:
    turns = [say(who, "user_accept_plan") for who in ("Ann", "Bo")]
    assert (value("acceptance", trip(*turns)), score("acceptance", trip(*turns)).basis) == (1.0, "")


# M7


def test_effort_counts_turns() -> None:
    record = trip(
        say("system", "sys_request_cuisine"),
        provide("Ann", "cuisine", "Thai"),
        provide("Ann", "event", "jazz"),
        *FEEDBACK[:2],
        condition="C5",
    )
    assert value("total_turns", record) == 5.0
    assert value("turns_per_slot", record) == 2.5
    assert value("feedback_turns", record) == 2.0
    assert value("feedback_overhead", record) == pytest.approx(0.4)


def test_a_dialogue_about_no_slot_has_no_turns_per_slot() -> None:
    assert value("turns_per_slot", trip(say("system", "sys_present_plan", "Here."))) is None
    assert value("total_turns", trip(say("system", "sys_present_plan", "Here."))) == 1.0


@pytest.mark.parametrize(("condition", "basis"), [("C1", BY_DESIGN), ("C4", BY_DESIGN), (None, BY_DESIGN), ("C5", "")])
def test_no_feedback_is_by_design_where_there_is_no_loop(condition: Condition | None, basis: str) -> None:
    record = trip(provide("Ann", "cuisine", "Thai"), condition=condition)
    for name in ("feedback_turns", "feedback_overhead"):
        assert (value(name, record), score(name, record).basis) == (0.0, basis)


# Votes

BALLOTS = (
    Ballot("Ann", "Thai", ("Greek",)),
    Ballot("Bo", "Thai", (), ("Greek",)),
    Ballot("Cy", "Greek", ("Sushi",)),
    Ballot("Di", "Sushi", ("Thai",)),
)


def vote(selected: str = "Thai", strategy_id: str = "", ballots: tuple[Ballot, ...] = BALLOTS, **more: Any) -> TripTurn:
    held = Vote(strategy_id=strategy_id, selected_option=selected, **more)
    return say("system", "sys_synthesize_cuisine", ballots=ballots, vote=held)


# Approvals: Thai 3, Greek 2, Sushi 2. Tops: 2, 1, 1. Hard nos: 0, 1, 0. Scores: 5, 2, 3; minimum 0, -1, 0.
@pytest.mark.parametrize(
    ("strategy_id", "right"),
    [
        ("approval_vote_plus_coverage", {"Thai"}),
        ("least_misery", {"Thai", "Sushi"}),
        ("weighted_avg", {"Thai"}),
        ("higher_pref_with_compensation", {"Thai"}),
        ("hard_constraint", {"Thai", "Sushi"}),
        ("declare_upfront_hc", {"Thai", "Sushi"}),
    ],
)
def test_faithful_is_what_the_declared_operator_yields(strategy_id: str, right: set[str]) -> None:
    chosen = {
        name: value("strategy_faithfulness", trip(vote(name, strategy_id))) for name in ("Thai", "Greek", "Sushi")
    }
    assert chosen == {name: float(name in right) for name in chosen}


def test_an_unfaithful_vote_says_what_was_expected() -> None:
    (mark,) = marks("strategy_faithfulness", trip(vote("Greek", "approval_vote_plus_coverage")))
    assert (mark.at, mark.turn, mark.group) == ("cuisine", "1", "cuisine")
    assert mark.why == "approval yields 'thai', selected 'greek'"


@pytest.mark.parametrize(
    "turn", [vote("Thai", "unheard_of"), vote("Thai", "least_misery", ()), vote("", "least_misery"), vote("Thai")]
)
def test_faithfulness_is_undefined_without_operator_ballots_or_selection(turn: TripTurn) -> None:
    assert value("strategy_faithfulness", trip(turn)) is None


def counts(*totals: float | None, rejections: int | None = None) -> tuple[OptionCount, ...]:
    """Options with member scores 2, 1 and 0.5, 1.5: sums 3 and 2, means 1.5 and 1."""
    scores: tuple[dict[str, float], ...] = ({"Ann": 2.0, "Bo": 1.0}, {"Ann": 0.5, "Bo": 1.5})
    return tuple(
        OptionCount(name, total, given, rejections)
        for name, total, given in zip(("Thai", "Greek"), totals, scores, strict=True)
    )


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ((3.0, 2.0), {"Thai": 1.0, "Greek": 1.0}),
        ((1.5, 1.0), {"Thai": 1.0, "Greek": 1.0}),
        ((3.0, 2.5), {"Thai": 1.0, "Greek": 0.0}),
        ((3.004, 2.0), {"Thai": 1.0, "Greek": 1.0}),
        ((None, 2.0), {"Greek": 1.0}),
    ],
)
def test_totals_are_sums_or_means(totals: tuple[float | None, float], expected: dict[str, float]) -> None:
    assert by_place("vote_totals", trip(vote(option_details=counts(*totals)))) == expected


def test_totals_of_one_vote_are_not_a_sum_here_and_a_mean_there() -> None:
    judged = by_place("vote_totals", trip(vote(option_details=counts(3.0, 1.0))))
    assert sorted(judged.values()) == [0.0, 1.0]


def test_rejections_are_those_of_the_ballots() -> None:
    details = counts(None, None, rejections=1)
    judged = marks("vote_totals", trip(vote(option_details=details)))
    assert [(mark.at, mark.value) for mark in judged] == [("Thai", 0.0), ("Greek", 1.0)]
    assert judged[0].why == "1 strong rejections, the ballots have 0"
    assert value("vote_totals", trip(vote(ballots=(), option_details=details))) is None


def test_totals_add_up_without_ballots_and_selection() -> None:
    assert value("vote_totals", trip(vote("", ballots=(), option_details=counts(3.0, 2.0)))) == 1.0
    assert value("vote_totals", trip(vote(option_details=(OptionCount("Thai", 3.0),)))) is None


@pytest.mark.parametrize(
    ("named", "expected"), [(("Cy",), 1.0), (("cy",), 1.0), ((), 0.0), (("Bo", "Cy"), 0.0), (("Di",), 0.0)]
)
def test_the_minority_are_those_who_do_not_approve(named: tuple[str, ...], expected: float) -> None:
    assert value("minority_named", trip(vote("Thai", minority_members=named))) == expected


def test_a_vote_without_a_minority_is_asked_only_if_it_names_one() -> None:
    agreed = BALLOTS[:2]
    assert value("minority_named", trip(vote("Thai", ballots=agreed))) is None
    assert value("minority_named", trip(vote("Thai", ballots=agreed, minority_members=("Ann",)))) == 0.0
    assert value("minority_named", trip(vote("Thai", ballots=(), minority_members=("Ann",)))) is None


def test_whoever_gets_one_of_several_selected_options_is_no_minority() -> None:
    both = vote(
        "Thai and Greek", "include_both", minority_members=("Di",), ballots=(*BALLOTS[:3], Ballot("Di", "Soup"))
    )
    assert value("minority_named", trip(both)) == 1.0


def test_an_option_whose_name_holds_another_is_not_that_other() -> None:
    cast = Ballot("Ann", "Thai"), Ballot("Bo", "Thai Fusion"), Ballot("Cy", "Thai Fusion")
    held = vote("Thai Fusion", "approval_vote_plus_coverage", cast, minority_members=("Ann",))
    assert value("minority_named", trip(held)) == 1.0
    assert value("strategy_faithfulness", trip(held)) == 1.0


# Promises

CATALOGUE = (
    CatalogueEntry("restaurant", "Blue Door", cuisines=("Greek", "Mediterranean")),
    CatalogueEntry("restaurant", "Corner Grill", cuisines=("American",)),
    CatalogueEntry("lodging", "Hill House", room_type="Private room"),
    CatalogueEntry("attraction", "Museum of Glass", categories=("Arts",)),
)
PLAN = Plan(
    days=(
        Day(
            1,
            lunch=Place("Blue Door"),
            dinner=Place("Corner Grill"),
            attractions=(Place("Museum of Glass"),),
            lodging=Place("Hill House"),
            visits=(Visit("Night Market"),),
        ),
    )
)


def promise_value(promise: Promise, plan: Plan | None = PLAN) -> float | None:
    record = trip(say("system", "sys_feedback_cuisine", promises=(promise,)), plan=plan, catalogue=CATALOGUE)
    return value("promise_kept", record)


@pytest.mark.parametrize(
    ("text", "slot", "expected"),
    [
        ("a Greek dinner", "cuisine", 1.0),
        ("Greek on day 2", "cuisine", 1.0),
        ("Greek on Saturday evening", "cuisine", 1.0),
        ("a Thai dinner", "cuisine", 0.0),
        ("Blue Door", "cuisine", 1.0),
        ("blue doors", "", 1.0),
        ("Greek food", "", 1.0),
        ("Greek food", "attraction", 0.0),
        ("a private room", "lodging", 1.0),
        ("a shared room", "lodging", 0.0),
        ("the glass museum", "attraction", 1.0),
        ("the big glass museum", "attraction", 0.0),
        ("the big old glass museum downtown", "attraction", 1.0),
        ("the big old wax museum downtown", "attraction", 0.0),
        ("Greek American", "cuisine", 0.0),
        ("the night market", "attraction", 1.0),
        ("no seafood", "cuisine", 1.0),
        ("no Greek food", "cuisine", 0.0),
        ("American, but nothing Greek", "cuisine", 0.0),
        ("American, but no seafood", "cuisine", 1.0),
        ("Greek for Ann", "cuisine", 1.0),
        ("a live concert", "event", 0.0),
        ("something nice", "cuisine", None),
        ("a low budget", "spending_preference", None),
    ],
)
def test_a_promise_is_kept_by_a_place_that_has_its_words(text: str, slot: str, expected: float | None) -> None:
    assert promise_value(Promise(text, slot)) == expected


def test_promises_are_undefined_without_a_plan() -> None:
    assert promise_value(Promise("Greek", "cuisine"), None) is None
    assert promise_value(Promise("Greek", "cuisine"), Plan()) is None


def test_an_explanation_is_no_promise() -> None:
    turn = say("system", "sys_feedback_cuisine", "You get Thai.", synthesis=Synthesis(resolution_explanation="Thai."))
    assert value("promise_kept", trip(turn, plan=PLAN, catalogue=CATALOGUE)) is None


def test_a_vote_with_coverage_promises_the_minority_its_top_choice() -> None:
    record = trip(vote("Thai", "approval_vote_plus_coverage"), plan=PLAN, catalogue=CATALOGUE)
    assert by_place("promise_kept", record) == {"Cy: greek": 1.0}
    named = trip(vote("Thai", "Approval Vote Plus Coverage", minority_members=("Di",)), plan=PLAN, catalogue=CATALOGUE)
    assert by_place("promise_kept", named) == {"Cy: greek": 1.0, "Di: sushi": 0.0}


def test_include_both_promises_every_top_choice() -> None:
    expected = {"Ann: thai": 0.0, "Bo: thai": 0.0, "Cy: greek": 1.0, "Di: sushi": 0.0}
    voted = trip(vote("Thai and Greek", "include_both"), plan=PLAN, catalogue=CATALOGUE)
    assert by_place("promise_kept", voted) == expected
    noted = structs.replace(synthesize("cuisine", resolution_strategy="Include Both"), ballots=BALLOTS)
    assert by_place("promise_kept", trip(noted, plan=PLAN, catalogue=CATALOGUE)) == expected


def test_other_strategies_promise_nothing_and_a_promise_made_twice_counts_once() -> None:
    assert value("promise_kept", trip(vote("Thai", "least_misery"), plan=PLAN, catalogue=CATALOGUE)) is None
    twice = say("system", "sys_feedback_cuisine", promises=(Promise("Greek", "cuisine", "Cy"),))
    record = trip(twice, twice, vote("Thai", "approval_vote_plus_coverage"), plan=PLAN, catalogue=CATALOGUE)
    assert [(mark.at, mark.turn) for mark in marks("promise_kept", record)] == [("Cy: Greek", "1")]


def test_a_promise_that_later_turns_repeat_counts_once_whatever_those_are_about() -> None:
    cuisine = say("system", "sys_feedback_cuisine", promises=(Promise("Greek dinner", "cuisine", "Cy"),))
    lodging = say("system", "sys_feedback_lodging", promises=(Promise("a Greek Dinner", "lodging", "Cy"),))
    plan = say("system", "sys_present_plan", promises=(Promise("Greek dinner", "", "Cy"), Promise("Thai", "", "Cy")))
    record = trip(cuisine, lodging, plan, plan=PLAN, catalogue=CATALOGUE)
    assert [(mark.at, mark.value, mark.turn) for mark in marks("promise_kept", record)] == [
        ("Cy: Greek dinner", 1.0, "1"),
        ("Cy: Thai", 0.0, "3"),
    ]


def test_one_turn_may_promise_the_same_in_two_slots() -> None:
    both = (Promise("Museum of Glass", "attraction"), Promise("Museum of Glass", "event"))
    record = trip(say("system", "sys_present_plan", promises=both), plan=PLAN, catalogue=CATALOGUE)
    assert [mark.value for mark in marks("promise_kept", record)] == [1.0, 0.0]


def test_a_broken_promise_is_told_in_the_words_it_was_made_in() -> None:
    record = trip(say("system", "sys_x", promises=(Promise("Hiking galleries"),)), plan=PLAN, catalogue=CATALOGUE)
    assert [mark.why for mark in marks("promise_kept", record)] == ["in none of 5 places: galleries, hiking"]


def test_votes_repeated_in_the_state_are_counted_once() -> None:
    held = vote("Greek", "approval_vote_plus_coverage", option_details=counts(3.0, 2.5), minority_members=("Ann",))
    again = structs.replace(held, intent="sys_feedback_cuisine")
    for name in ("strategy_faithfulness", "vote_totals", "minority_named"):
        assert facts(name, trip(held, again, again)) == facts(name, trip(held))


# Laws

WISHES = st.sampled_from(["Thai", "no Thai", "Greek food", "anything is fine", "", "private room", "jazz or Thai"])
OPTIONS = st.sampled_from(["Thai", "Greek", "Sushi"])
SEVERAL = st.lists(OPTIONS, max_size=2, unique=True).map(tuple)
NAMES = st.sampled_from(["least_misery", "include_both", "N/A", "Parent Veto", "approval_vote_plus_coverage", "magic"])
SLOTS = st.sampled_from(["cuisine", "lodging", "event", "travel_purpose"])
NOTES = st.builds(
    Synthesis, st.sampled_from([None, True, False]), resolution_strategy=NAMES, resolution_explanation=WISHES
)
CAST = st.lists(
    st.builds(Ballot, st.sampled_from([member.id for member in FOUR]), OPTIONS, SEVERAL, SEVERAL),
    max_size=4,
    unique_by=lambda ballot: ballot.member,
).map(tuple)
VOTES = st.builds(
    Vote,
    st.sampled_from(["", "approval", "plurality"]),
    NAMES,
    st.sampled_from(["Thai", "Greek and Thai", ""]),
    st.lists(st.builds(OptionCount, OPTIONS, st.just(2.0), st.just({"Ann": 1.0}), st.just(1)), max_size=3).map(tuple),
    st.lists(st.sampled_from(["Ann", "Cy"]), max_size=2, unique=True).map(tuple),
)
SPEAKERS = st.sampled_from(["Ann", "Bo", "Cy", "user"])
USER_TURNS = st.one_of(
    st.builds(lambda who, slot, text: provide(who, slot, text), SPEAKERS, SLOTS, WISHES),
    st.builds(
        lambda who, what, text: say(who, f"user_{what}_plan", text),
        SPEAKERS,
        st.sampled_from(["accept", "reject"]),
        WISHES,
    ),
    st.builds(lambda who, slot, text: say(who, f"user_feedback_{slot}", text), SPEAKERS, SLOTS, WISHES),
)
SYSTEM_TURNS = st.builds(
    lambda act, slot, text, note, cast, held: say(
        "system", f"sys_{act}_{slot}", text, synthesis=note, ballots=cast, vote=held
    ),
    st.sampled_from(["synthesize", "feedback"]),
    SLOTS,
    st.sampled_from(["", "There is a conflict. Strategy: least_misery.", "We include both by least misery"]),
    st.none() | NOTES,
    CAST,
    st.none() | VOTES,
)
TRIPS = st.builds(
    lambda turns, size, count, condition: trip(
        *turns, members=FOUR[:size], member_count=count, condition=condition, plan=PLAN, catalogue=CATALOGUE
    ),
    st.lists(USER_TURNS | SYSTEM_TURNS, max_size=14),
    st.integers(0, 4),
    st.none() | st.integers(0, 6),
    st.sampled_from([None, "C1", "C2", "C3", "C4", "C5"]),
)


def facts(name: str, record: Trip) -> list[tuple[str, float, str]]:
    return sorted((mark.at, mark.value, mark.basis) for mark in marks(name, record))


@QUICKLY
@given(TRIPS, st.randoms(use_true_random=False))
def test_the_order_of_members_ballots_and_options_does_not_matter(record: Trip, dice: Any) -> None:
    def shuffle(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(dice.sample(items, len(items)))

    turns = tuple(
        structs.replace(
            turn,
            ballots=shuffle(turn.ballots),
            vote=turn.vote and structs.replace(turn.vote, minority_members=shuffle(turn.vote.minority_members)),
        )
        for turn in record.turns
    )
    other = structs.replace(record, members=shuffle(record.members), turns=turns)
    for name in METRICS:
        assert facts(name, record) == facts(name, other), name


@QUICKLY
@given(TRIPS)
def test_every_value_is_within_the_scale_and_every_mark_has_its_turn(record: Trip) -> None:
    turns = {turn.id for turn in record.turns} | {""}
    for name in METRICS:
        judged = score(name, record)
        assert (judged.value is None) == (judged.n == 0)
        assert all(mark.turn in turns for mark in judged.marks)


@QUICKLY
@given(TRIPS)
def test_what_metrics_say_of_the_same_trip_agrees(record: Trip) -> None:
    detected, false = marks("conflict_detection", record), marks("false_conflicts", record)
    assert not {mark.at for mark in detected} & {mark.at for mark in false}
    strict, loose = by_place("resolution_explained_strict", record), by_place("resolution_explained", record)
    assert all(loose[slot] >= strict[slot] for slot in strict)
    if record.size:
        assert score("voice_coverage", record).n == record.size
