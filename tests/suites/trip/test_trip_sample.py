"""The sample of the trip suite: what it covers, what was planted in it, and that all else is clean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec
import pytest
from msgspec import Struct

from adjudge.suites.trip.data import (
    ACTIONABLE,
    SLOTS,
    Ballot,
    CatalogueEntry,
    Day,
    Place,
    PlaceKind,
    Promise,
    Trip,
    TripTurn,
)

HERE = files("adjudge.suites.trip")
CASES = [f"t{number:02}" for number in range(1, 11)]
CONDITIONS = ["C1", "C2", "C3", "C4", "C5"]
AT_LEAST = {
    "conflict_missed": 4,
    "false_conflict": 1,
    "strategy_not_followed": 3,
    "vote_total_wrong": 1,
    "promise_broken": 3,
    "theory_leak": 2,
    "strategy_line": 1,
    "invented_restaurant": 1,
    "near_miss": 1,
    "wrong_city": 1,
    "repeated_restaurant": 1,
    "overnight_ok": 1,
    "time_disorder": 1,
    "meal_missing": 1,
    "event_outside_dates": 1,
    "house_rule_broken": 1,
    "over_budget": 1,
    "unwanted_present": 2,
    "echo_only": 1,
    "member_sacrificed": 2,
    "silent_member": 1,
}
# The word by which a place shows what a member does not want.
UNWANTED = {
    ("t01", "Jonas", "cuisine"): "seafood",
    ("t01", "Jonas", "attraction"): "museum",
    ("t02", "Leila", "attraction"): "zoo",
    ("t02", "Amir", "cuisine"): "spicy",
    ("t03", "Walter", "attraction"): "hiking",
    ("t03", "Greta", "lodging"): "shared",
    ("t03", "Greta", "cuisine"): "shellfish",
    ("t04", "Mina", "cuisine"): "fast food",
    ("t05", "Odile", "lodging"): "stairs",
    ("t05", "Odile", "cuisine"): "bbq",
    ("t06", "Sana", "cuisine"): "pizza",
    ("t06", "Bea", "lodging"): "shared",
    ("t06", "Bea", "attraction"): "museum",
    ("t07", "Dana", "attraction"): "casino",
    ("t07", "Owen", "cuisine"): "steak",
    ("t08", "Noor", "cuisine"): "seafood",
    ("t08", "Noor", "event"): "loud",
    ("t09", "Kemi", "lodging"): "shared",
    ("t09", "Kemi", "cuisine"): "grill",
    ("t10", "Celia", "cuisine"): "spicy",
    ("t10", "Dev", "event"): "sport",
}
# The words of places that would please a member who gets nothing somewhere.
PLEASING = {
    ("t02", "Amir"): ("puppet", "playground"),
    ("t05", "Odile"): ("private", "play", "cathedral"),
    ("t08", "Stefan"): ("private", "seafood", "opera", "spa"),
    ("t09", "Lars"): ("private", "french", "orchestra", "monastery"),
    ("t10", "Dev"): ("indian", "rowing"),
}
ECHOED = {"Dana": "jazz", "Priya": "vegetarian"}
THEORY = re.compile(
    r"parental authority|misery|stamina|subgroup|hard constraint|veto|weighted|approval|log.?roll|strategy|theory", re.I
)
EMPTY_WORDS = {"lunch", "dinner", "meal", "saturday", "sunday", "thursday", "evening"}
KINDS: dict[str, PlaceKind] = {
    "breakfast": "restaurant",
    "lunch": "restaurant",
    "dinner": "restaurant",
    "attraction": "attraction",
    "event": "event",
    "lodging": "lodging",
}


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    case: str
    condition: str
    fault: str
    where: str
    why: str

    @property
    def place(self) -> tuple[str, str]:
        return f"{self.case}-{self.condition}", self.where

    @property
    def turn(self) -> TripTurn:
        return next(turn for turn in trip(self.place[0]).turns if turn.id == self.where.split()[1])

    @property
    def detail(self) -> str:
        return self.where.split(maxsplit=2)[2]


@cache
def sample() -> tuple[Trip, ...]:
    rows = HERE.joinpath("sample", "sample.jsonl").read_bytes().splitlines()
    return tuple(msgspec.json.decode(row, type=Trip) for row in rows)


@cache
def faults() -> tuple[Fault, ...]:
    return tuple(msgspec.json.decode(HERE.joinpath("sample", "faults.json").read_bytes(), type=list[Fault]))


def trip(id: str) -> Trip:
    return next(record for record in sample() if record.id == id)


def faults_named(*names: str) -> list[Fault]:
    return [fault for fault in faults() if fault.fault in names]


def at(*names: str) -> set[tuple[str, str]]:
    return {fault.place for fault in faults_named(*names)}


def places(day: Day) -> Iterator[tuple[str, Place]]:
    yield from ((meal, place) for meal, place in day.meals.items() if place)
    yield from (("attraction", place) for place in day.attractions)
    yield from (("event", place) for place in day.events)
    if day.lodging:
        yield "lodging", day.lodging


def planned_places(record: Trip) -> Iterator[tuple[Day, str, Place]]:
    return ((day, spot, place) for day in record.days for spot, place in places(day))


def entry(record: Trip, spot: str, place: Place) -> CatalogueEntry | None:
    same = [e for e in record.catalogue if (e.kind, e.name, e.city) == (KINDS[spot], place.name, place.city)]
    return same[0] if same else None


def says(listing: CatalogueEntry, word: str) -> bool:
    text = " ; ".join((listing.name, *listing.cuisines, *listing.categories, listing.room_type, listing.about))
    return re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) is not None


def planned_entries(record: Trip) -> list[CatalogueEntry]:
    return [listing for _, spot, place in planned_places(record) if (listing := entry(record, spot, place))]


def speakers(record: Trip) -> set[str]:
    return {turn.speaker for turn in record.turns if turn.intent.startswith("user_provide_")}


def travels(day: Day) -> bool:
    return day.city.startswith("from ")


def nights(record: Trip) -> Counter[str]:
    return Counter(day.lodging.name for day in record.days if day.lodging)


def test_every_case_has_all_five_conditions() -> None:
    assert [(record.case, record.condition) for record in sample()] == [(case, c) for case in CASES for c in CONDITIONS]
    for record in sample():
        assert (record.id, record.arm) == (f"{record.case}-{record.condition}", record.condition)
        assert record.facets == {"condition": record.condition, "group_type": record.group_type}
    assert len(HERE.joinpath("sample", "sample.jsonl").read_bytes()) < 620_000


def test_each_type_of_group_plans_two_trips() -> None:
    counted = Counter(record.group_type for record in sample() if record.condition == "C1")
    assert counted == dict.fromkeys(("family", "elder_young", "spouses", "colleagues", "strangers"), 2)


def test_groups_have_three_to_five_members_with_hidden_wishes() -> None:
    for record in sample():
        assert 3 <= len(record.members) <= 5
        assert record.request.people == len(record.members)
        for member in record.members:
            assert member.role
            assert 3 <= len([wish for wish in member.hidden if wish.slot in ACTIONABLE]) <= 4, (record.id, member.id)
            assert {wish.slot for wish in member.hidden} <= set(SLOTS)


@pytest.mark.parametrize("case", CASES)
def test_conditions_of_a_case_differ_in_dialogue_and_plan_only(case: str) -> None:
    same = [record for record in sample() if record.case == case]
    assert (
        len({msgspec.json.encode((record.members, record.request, record.catalogue, record.legs)) for record in same})
        == 1
    )
    assert len({msgspec.json.encode(record.plan) for record in same}) == len(same)


def test_turns_are_numbered_and_spoken_by_members_or_the_system() -> None:
    for record in sample():
        assert [turn.id for turn in record.turns] == [str(number) for number in range(1, len(record.turns) + 1)]
        assert {turn.speaker for turn in record.turns} <= {"system", *(member.id for member in record.members)}
        assert 12 <= len(record.turns) <= 46
        assert all(turn.text and (turn.speaker == "system") == turn.intent.startswith("sys_") for turn in record.turns)


def test_spoken_wishes_are_hidden_wishes_of_the_same_strength() -> None:
    for record in sample():
        hidden = {(member.id, wish.slot): wish.strength for member in record.members for wish in member.hidden}
        for turn in record.turns:
            if turn.intent.startswith("user_provide_"):
                assert hidden[turn.speaker, turn.intent.removeprefix("user_provide_")] == turn.strength


def test_one_member_speaks_in_c1_and_all_elsewhere_except_where_planted() -> None:
    silent = set()
    for record in sample():
        if record.condition == "C1":
            assert len(speakers(record)) == 1
        else:
            silent |= {
                (record.id, f"member {member.id}") for member in record.members if member.id not in speakers(record)
            }
    assert silent == at("silent_member")


def test_each_condition_adds_its_own_kind_of_turn() -> None:
    for record in sample():
        intents = " ".join(turn.intent for turn in record.turns)
        assert ("sys_synthesize_" in intents) == (record.condition in {"C3", "C4", "C5"})
        assert any(turn.vote for turn in record.turns) == (record.condition in {"C4", "C5"})
        assert ("user_feedback_" in intents) == ("sys_feedback_" in intents) == (record.condition == "C5")


def test_strategies_are_named_from_c4_on() -> None:
    for record in sample():
        for turn in record.turns:
            if (note := turn.synthesis) and turn.intent.removeprefix("sys_synthesize_") in ACTIONABLE:
                named = note.resolution_strategy != "N/A"
                assert named == bool(record.condition != "C3" and note.has_conflict), (record.id, turn.id)


def test_two_cases_have_real_acceptance_and_the_others_accept_by_script() -> None:
    real = {record.case for record in sample() if not record.scripted_acceptance}
    rejected = {record.case for record in sample() if any(turn.intent == "user_reject_plan" for turn in record.turns)}
    assert len(real) == 2
    assert rejected == real


def test_every_kind_of_fault_was_planted_often_enough() -> None:
    counted = Counter(record.fault for record in faults())
    assert set(counted) == set(AT_LEAST)
    assert {name: least for name, least in AT_LEAST.items() if counted[name] < least} == {}
    assert len({(record.place, record.fault) for record in faults()}) == len(faults())
    assert all(record.why for record in faults())


def test_conflicts_are_noted_alike_in_all_conditions_except_where_planted() -> None:
    noted: dict[tuple[str, str], dict[tuple[str, str], bool | None]] = {}
    for record in sample():
        for turn in record.turns:
            if turn.synthesis:
                noted.setdefault((record.case, turn.intent), {})[record.id, f"turn {turn.id}"] = (
                    turn.synthesis.has_conflict
                )
                assert bool(turn.synthesis.conflict_description) == turn.synthesis.has_conflict
                assert turn.synthesis.resolution_explanation
    odd = {
        (where, listing)
        for seen in noted.values()
        for where, listing in seen.items()
        if list(seen.values()).count(listing) == 1
    }
    assert odd == {(where, False) for where in at("conflict_missed")} | {
        (where, True) for where in at("false_conflict")
    }


def score(ballot: Ballot, option: str) -> int:
    if option in ballot.hard_no:
        return -1
    return 2 if option == ballot.top_choice else int(option in ballot.acceptable)


def cast(record: Trip, slot: str) -> list[Ballot]:
    return [ballot for turn in record.turns if turn.intent.endswith(f"_{slot}") for ballot in turn.ballots]


def votes() -> Iterator[tuple[Trip, TripTurn, list[Ballot]]]:
    for record in sample():
        for turn in record.turns:
            if turn.vote:
                yield record, turn, cast(record, turn.intent.removeprefix("sys_synthesize_"))


def test_totals_follow_from_ballots_except_where_planted() -> None:
    wrong = set()
    for record, turn, ballots in votes():
        assert turn.vote
        assert {ballot.member for ballot in ballots} == {member.id for member in record.members}
        for count in turn.vote.option_details:
            assert count.member_scores == {ballot.member: score(ballot, count.option) for ballot in ballots}
            assert count.strong_rejections == sum(count.option in ballot.hard_no for ballot in ballots)
            if count.total_score != sum(count.member_scores.values()):
                wrong.add((record.id, f"turn {turn.id} {count.option}"))
    assert wrong == at("vote_total_wrong")


def winners(record: Trip, strategy: str, options: list[str], ballots: list[Ballot]) -> set[str]:
    parents = [ballot for ballot in ballots for m in record.members if m.id == ballot.member and m.role == "parent"]
    scores = {option: [score(ballot, option) for ballot in ballots] for option in options}
    rank = {
        "weighted_avg": lambda option: sum(scores[option]),
        "approval_vote_plus_coverage": lambda option: sum(value > 0 for value in scores[option]),
        "mutual_interest": lambda option: all(value > 0 for value in scores[option]),
        "least_misery": lambda option: (-scores[option].count(-1), min(scores[option])),
        "parent_vote_lower_misery": lambda option: sum(score(ballot, option) > 0 for ballot in parents),
    }[strategy]
    return {option for option in options if rank(option) == max(map(rank, options))}


def test_votes_select_what_their_strategy_yields_except_where_planted() -> None:
    unfaithful = set()
    for record, turn, ballots in votes():
        assert turn.vote
        assert turn.synthesis
        assert turn.vote.strategy_id == turn.synthesis.resolution_strategy
        options = [count.option for count in turn.vote.option_details]
        if turn.vote.strategy_id == "include_both":
            assert all(ballot.top_choice in turn.vote.selected_option for ballot in ballots)
        elif turn.vote.selected_option not in winners(record, turn.vote.strategy_id, options, ballots):
            unfaithful.add((record.id, f"turn {turn.id}"))
    assert unfaithful == at("strategy_not_followed")


def is_kept(record: Trip, promise: Promise) -> bool:
    words = set(re.findall(r"[a-z]{4,}", promise.text.lower())) - EMPTY_WORDS
    kind = {"cuisine": "restaurant"}.get(promise.slot, promise.slot)
    assert words
    return any(
        all(says(listing, word) for word in words) for listing in planned_entries(record) if listing.kind == kind
    )


def test_promises_are_kept_except_where_planted() -> None:
    broken = {
        (record.id, f"turn {turn.id}", promise.member)
        for record in sample()
        for turn in record.turns
        for promise in turn.promises
        if not is_kept(record, promise)
    }
    assert {(id, turn) for id, turn, _ in broken} == {
        (fault.place[0], f"turn {fault.turn.id}") for fault in faults_named("promise_broken")
    }
    for fault in faults_named("promise_broken"):
        record = trip(fault.place[0])
        assert fault.detail in {listing.name for listing in record.catalogue} - {
            place.name for _, _, place in planned_places(record)
        }


def test_theory_shows_only_where_planted() -> None:
    shown = {
        (record.id, turn.id)
        for record in sample()
        for turn in record.turns
        if turn.intent[:4] == "sys_" and THEORY.search(turn.text)
    }
    leaks = faults_named("theory_leak", "strategy_line")
    assert shown == {(fault.place[0], fault.turn.id) for fault in leaks}
    assert all(fault.detail in fault.turn.text for fault in leaks)


def test_places_are_in_the_catalogue_except_where_planted() -> None:
    missing = {
        (record.id, f"day {day.number} {spot}"): place.name
        for record in sample()
        for day, spot, place in planned_places(record)
        if not entry(record, spot, place)
    }
    assert set(missing) == at("invented_restaurant", "near_miss", "wrong_city")


def place_of(fault: Fault) -> Place:
    _, number, spot = fault.where.split(",")[0].split()
    day = next(day for day in trip(fault.place[0]).days if day.number == int(number))
    return next(place for name, place in places(day) if name == spot and not entry(trip(fault.place[0]), name, place))


def test_missing_places_are_what_their_fault_says() -> None:
    known = {listing.name for record in sample() for listing in record.catalogue}
    (invented,), (near,), (abroad,) = (
        faults_named(name) for name in ("invented_restaurant", "near_miss", "wrong_city")
    )
    assert place_of(invented).name not in known
    assert place_of(near).name not in known
    assert place_of(near).name.replace("cch", "cc") in {listing.name for listing in trip(near.place[0]).catalogue}
    homes = {listing.city for listing in trip(abroad.place[0]).catalogue if listing.name == place_of(abroad).name}
    assert homes == {"Wexmarsh"}
    assert place_of(abroad).city == "Tarn Ebury"


def test_two_cases_visit_two_cities_that_share_the_name_of_a_place() -> None:
    shared = set()
    for record in sample():
        counted = Counter(listing.name for listing in record.catalogue)
        shared |= {(record.case, name) for name, number in counted.items() if number > 1}
    assert shared == {("t04", "The Blue Door"), ("t10", "The Green Man")}


def test_days_follow_the_request() -> None:
    for record in sample():
        assert [day.number for day in record.days] == list(range(1, (record.request.days or 0) + 1))
        assert (record.days[0].date, record.days[-1].date) == (record.request.start, record.request.end)
        assert [travels(day) for day in record.days] in ([True, False, True], [True, False, True, True])
        assert [bool(day.lodging) for day in record.days] == [True] * (len(record.days) - 1) + [False]


def test_meals_are_filled_on_full_days_except_where_planted() -> None:
    empty = {
        (record.id, f"day {day.number} {meal}")
        for record in sample()
        for day in record.days
        for meal, place in day.meals.items()
        if not travels(day) and not place
    }
    assert empty == at("meal_missing")


def test_restaurants_are_repeated_only_where_planted() -> None:
    repeated = set()
    for record in sample():
        seen: set[Place] = set()
        for day, spot, place in planned_places(record):
            if KINDS[spot] == "restaurant" and place in seen:
                repeated.add((record.id, f"day {day.number} {spot}"))
            seen.add(place)
    assert repeated == at("repeated_restaurant")


def test_timed_entries_follow_one_another_except_where_planted() -> None:
    backwards, overnight = set(), set()
    for record in sample():
        for day in record.days:
            starts = [visit.start for visit in day.visits]
            if starts != sorted(starts):
                backwards.add((record.id, f"day {day.number} visit"))
            overnight |= {(record.id, f"day {day.number} visit") for visit in day.visits if visit.end <= visit.start}
            assert {visit.name for visit in day.visits} <= {place.name for _, place in places(day)}
    assert (backwards, overnight) == (at("time_disorder"), at("overnight_ok"))


def test_events_are_visited_on_their_date_except_where_planted() -> None:
    amiss = {
        (record.id, f"day {day.number} {spot}"): listing.date
        for record in sample()
        for day, spot, place in planned_places(record)
        if (listing := entry(record, spot, place)) and spot == "event" and listing.date != day.date
    }
    assert set(amiss) == at("event_outside_dates")
    assert all(not trip(id).request.start <= date <= trip(id).request.end for (id, _), date in amiss.items())


def test_lodgings_take_the_group_except_where_planted() -> None:
    refused = set()
    for record in sample():
        for listing in planned_entries(record):
            if listing.kind == "lodging":
                assert nights(record)[listing.name] >= (listing.minimum_nights or 0)
                assert (listing.occupancy or 0) >= len(record.members)
                if any(
                    rule.lower().startswith(f"no {need}") for rule in listing.rules for need in record.request.needs
                ):
                    refused.add((record.id, "day 1 lodging"))
    assert refused == at("house_rule_broken")


def cost(record: Trip) -> float:
    people = len(record.members)
    spent = sum(
        (listing.price or 0) * (1 if listing.kind == "lodging" else people) for listing in planned_entries(record)
    )
    return spent + sum((leg.price or 0) * (people if leg.mode == "flight" else 1) for leg in record.legs)


def test_plans_keep_to_the_budget_except_where_planted() -> None:
    over = {(record.id, "plan") for record in sample() if cost(record) > (record.request.budget or 0)}
    assert over == at("over_budget")
    assert [cost(trip(fault.place[0])) for fault in faults_named("over_budget")] == [2156]


def test_every_refusal_has_its_word() -> None:
    refusing = {
        (record.case, member.id, wish.slot)
        for record in sample()
        for member in record.members
        for wish in member.hidden
        if wish.strength in {"avoid", "reject"}
    }
    assert refusing <= set(UNWANTED)
    assert all(re.search(r"\b(no|not)\b", wish_text(*key)) for key in set(UNWANTED) - refusing)


def wish_text(case: str, member: str, slot: str) -> str:
    hidden = next(m.hidden for m in trip(f"{case}-C1").members if m.id == member)
    return next(wish.text for wish in hidden if wish.slot == slot)


def test_unwanted_things_are_in_plans_only_where_planted() -> None:
    found_at = set()
    for record in sample():
        for (case, member, slot), word in UNWANTED.items():
            kind = {"cuisine": "restaurant"}.get(slot, slot)
            for day, spot, place in planned_places(record):
                listing = entry(record, spot, place)
                if case == record.case and listing and listing.kind == kind and says(listing, word):
                    found_at.add((record.id, f"day {1 if kind == 'lodging' else day.number} {spot}, {member}"))
    assert found_at == at("unwanted_present")


def test_echoed_wishes_are_in_the_text_and_in_no_place() -> None:
    for fault in faults_named("echo_only"):
        _, member, slot = fault.where.split(", ")
        record = trip(fault.place[0])
        assert record.plan
        assert ECHOED[member] in wish_text(record.case, member, slot)
        assert ECHOED[member] in record.plan.raw
        assert not any(says(listing, ECHOED[member]) for listing in planned_entries(record))


def test_sacrificed_members_get_nothing_there_and_something_elsewhere() -> None:
    for fault in faults_named("member_sacrificed"):
        member = fault.where.removeprefix("member ")
        pleased = {
            record.condition: any(
                says(listing, word) for listing in planned_entries(record) for word in PLEASING[record.case, member]
            )
            for record in sample()
            if record.case == fault.case
        }
        assert pleased.pop(trip(fault.place[0]).condition) is False
        assert any(pleased.values())
        broken = {
            place for id, place in at("unwanted_present") if id == fault.place[0] and place.endswith(f", {member}")
        }
        refusals = {slot for case, who, slot in UNWANTED if (case, who) == (fault.case, member)}
        assert len({place.split()[2] for place in broken}) >= len(refusals)
