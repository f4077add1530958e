"""Dialogue tables, plans and our own records, read as a user has them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from trip_rows import rows_of

from adjudge.cli.main import main
from adjudge.core.coverage import Coverage
from adjudge.engines.local import Job, survey
from adjudge.score import Plan
from adjudge.suites.trip import suite
from adjudge.suites.trip.data import (
    Ballot,
    CatalogueEntry,
    Member,
    OptionCount,
    Place,
    Promise,
    Synthesis,
    Trip,
    Visit,
    Vote,
    Wish,
)
from adjudge.suites.trip.read.mojibake import repair_text
from growth import assert_linear

TRAVELPLANNER = Path(__file__).parents[4] / "shared" / "data" / "travelplanner" / "train45_query_goldplan_ref.jsonl.gz"

Row = dict[str, Any]
METRICS = {metric.card.name: metric for metric in suite.metrics()}

FLAGS = {"multi_user": True, "enable_synthesis": True, "use_social_theory": True, "enable_feedback": False}
MEMBERS = [
    {"id": "ann", "role": "parent", "hidden_preferences": {"cuisine": "Thai food"}},
    {"id": "bob", "role": "child"},
    {"id": "cem", "hidden_preferences": [{"slot": "accommodation", "text": "a quiet room", "strength": "must"}]},
]
STAYS = [{"NAME": "Harbour Loft", "city": "Lund", "room type": "Private room", "price": 90.0}]
TABLES = [{"Name": "Blue Door", "City": "Lund", "Cuisines": "Thai, Greek", "Average Cost": 20}]
PLAN = {
    "raw_output": "Day 1 in Lund.",
    "days": [
        {
            "day": 1,
            "city": "Lund",
            "meals": {"breakfast": "-", "lunch": "Blue Door, Lund", "dinner": {"name": "Old Mill", "cost": 14}},
            "accommodations": ["Harbour Loft, Lund"],
            "attractions": ["Botanic Garden, Lund", "Cathedral, Lund"],
            "events": "Jazz Night, Lund;",
            "poi_list": [
                {"name": "Cathedral", "start": "10:00", "end": "11:30"},
                "Blue Door, visit from 12:00 to 13:00, nearest transit: Square, 84.1m away",
            ],
        }
    ],
}


class Seen(NamedTuple):
    """What was read."""

    trips: list[Trip]
    coverage: Coverage

    @property
    def trip(self) -> Trip:
        (trip,) = self.trips
        return trip

    @property
    def warnings(self) -> str:
        return "\n".join(self.coverage.warnings)

    @property
    def remarks(self) -> str:
        return "\n".join(remark for arm in self.coverage.arms.values() for remark in arm.remarks)


def read(*paths: Path, skip_bad: bool = False, **options: Any) -> Seen:
    """Read files as `validate` does."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    plan = Plan(suite="trip", files=tuple(map(str, paths)), options=given, skip_bad=skip_bad)
    surveyed = survey(Job.open(plan))
    assert surveyed.kept is not None
    return Seen([record for records in surveyed.kept for record in records], surveyed.coverage)  # type: ignore[misc]


def say(speaker: str, intent: str, utterance: str = "so be it", **cells: Any) -> Row:
    """A row of a table; what is no text becomes JSON."""
    texts = {name: cell if isinstance(cell, str) else json.dumps(cell) for name, cell in cells.items()}
    return {"speaker": speaker, "intent": intent, "utterance": utterance, **texts}


def as_csv(rows: Sequence[Row], columns: Sequence[str] = (), delimiter: str = ",") -> str:
    names = list(columns) or list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, names, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def write(path: Path, rows: Sequence[Row], columns: Sequence[str] = (), delimiter: str = ",") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_csv(rows, columns, delimiter).encode())
    return path


def lines(path: Path, *values: Any) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


def dialogue(**first: Any) -> list[Row]:
    """A whole dialogue; `first` are cells of its first row."""
    return [
        say("system", "sys_acknowledge_trip", "Where to?", **first),
        say("ann", "user_provide_cuisine", "Thai, please"),
        say("bob", "user_provide_cuisine", "Burgers"),
        say("system", "sys_present_plan", "Here it is.", plan=PLAN),
        say("ann", "user_accept_plan", "Lovely"),
    ]


def test_a_dialogue_table_is_one_trip_with_its_turns_plan_and_catalogue(tmp_path: Path) -> None:
    rows = dialogue(constraint_state={**FLAGS, "member_count": 4, "group_type": "family", "members": MEMBERS})
    rows[0] |= {"ref_info_accommodations": json.dumps(STAYS), "ref_info_restaurants": json.dumps(TABLES)}
    trip = read(write(tmp_path / "smith_07_C4.csv", rows)).trip
    assert (trip.id, trip.case, trip.arm, trip.condition) == ("smith_07_C4", "smith_07", "C4", "C4")
    assert trip.facets == {"condition": "C4", "group_type": "family"}
    assert (trip.group_type, trip.member_count, trip.size) == ("family", 4, 4)
    assert trip.members == (
        Member("ann", "parent", (Wish("cuisine", "Thai food"),)),
        Member("bob", "child"),
        Member("cem", "", (Wish("lodging", "a quiet room", "must"),)),
    )
    assert [(turn.id, turn.speaker, turn.intent) for turn in trip.turns][:2] == [
        ("1", "system", "sys_acknowledge_trip"),
        ("2", "ann", "user_provide_cuisine"),
    ]
    assert trip.turns[1].text == "Thai, please"
    assert trip.catalogue == (
        CatalogueEntry("lodging", "Harbour Loft", "Lund", price=90, room_type="Private room"),
        CatalogueEntry("restaurant", "Blue Door", "Lund", price=20, cuisines=("Thai", "Greek")),
    )
    assert trip.plan is not None
    assert trip.plan.raw == "Day 1 in Lund."


def test_a_day_of_the_plan_has_its_meals_places_and_times(tmp_path: Path) -> None:
    (day,) = read(write(tmp_path / "a_C2.csv", dialogue())).trip.days
    assert (day.number, day.city, day.breakfast) == (1, "Lund", None)
    assert day.lunch == Place("Blue Door", "Lund")
    assert day.dinner == Place("Old Mill", cost=14)
    assert day.lodging == Place("Harbour Loft", "Lund")
    assert day.attractions == (Place("Botanic Garden", "Lund"), Place("Cathedral", "Lund"))
    assert day.events == (Place("Jazz Night", "Lund"),)
    assert day.visits == (Visit("Cathedral", "10:00", "11:30"), Visit("Blue Door", "12:00", "13:00"))


@pytest.mark.parametrize(
    "plan",
    [
        {"days": [{"day": 2, "lunch": "Blue Door, Lund"}]},
        {"plan": [{"days": 2, "Lunch": "Blue Door, Lund"}]},
        {"itinerary": {"Day 2": {"meals": {"Lunch": {"name": "Blue Door", "city": "Lund"}}}}},
        {"plan": {"days": [{"day_number": "Day 2", "meals": [{"type": "lunch", "name": "Blue Door, Lund"}]}]}},
        [{"days": 2, "lunch": ["Blue Door, Lund"]}],
        {"day_2": {"lunch": "Blue Door, Lund"}},
    ],
    ids=["days", "plan", "by name", "nested", "a list", "numbered keys"],
)
def test_days_are_found_under_the_names_that_planners_use(tmp_path: Path, plan: Any) -> None:
    rows = [say("system", "sys_present_plan", plan=plan)]
    (day,) = read(write(tmp_path / "a_C2.csv", rows)).trip.days
    assert (day.number, day.lunch) == (2, Place("Blue Door", "Lund"))


def read_with_plan(tmp_path: Path, plan: Any) -> Seen:
    """A dialogue with this plan."""
    return read(write(tmp_path / "a_C2.csv", [say("system", "sys_present_plan", plan=plan)]))


@pytest.mark.parametrize(
    ("entries", "visits"),
    [
        ([{"name": "Mill"}], [Visit("Mill")]),
        (["Mill"], [Visit("Mill")]),
        ([{"name": "Mill", "start": "10:00 AM", "end": "1:00 PM"}], [Visit("Mill", "10:00", "13:00")]),
        ([{"name": "Mill", "start": 10, "end": 11}], [Visit("Mill", "10:00", "11:00")]),
        ([{"name": "Mill", "start": "10.00", "end": "11.30"}], [Visit("Mill", "10:00", "11:30")]),
        ([{"name": "Mill", "start": "10:00:00", "end": "11:00:00"}], [Visit("Mill", "10:00", "11:00")]),
        (
            [{"name": "Mill", "start": "2022-05-03T10:00:00", "end": "2022-05-03 11:00"}],
            [Visit("Mill", "10:00", "11:00")],
        ),
        ([{"name": "Mill", "time": "10:00-11:00"}], [Visit("Mill", "10:00", "11:00")]),
        ([{"name": "Mill", "time_slot": "10 to 11"}], [Visit("Mill", "10:00", "11:00")]),
        ([{"poi": "Mill", "time": ["10:00", "11:00"]}], [Visit("Mill", "10:00", "11:00")]),
        ([{"name": "Mill", "time": "10:00"}], [Visit("Mill", "10:00")]),
        ([{"name": "Mill; Pond", "start": "10:00", "end": "11:00"}], [Visit("Mill; Pond", "10:00", "11:00")]),
        ([{"name": "Mill, Lund", "start": "10:00", "end": "11:00"}], [Visit("Mill", "10:00", "11:00", "Lund")]),
        ([{"name": "Mill", "city": "Lund"}], [Visit("Mill", city="Lund")]),
        ([["Mill", "10:00", "11:00"]], [Visit("Mill", "10:00", "11:00")]),
        ({"Mill": "10:00-11:00", "Zoo": None}, [Visit("Mill", "10:00", "11:00"), Visit("Zoo")]),
        ({"Mill": {"start": "10:00", "end": "11:00"}}, [Visit("Mill", "10:00", "11:00")]),
        ({"10:00": "Mill", "11:00-12:00": {"name": "Zoo"}}, [Visit("Mill", "10:00"), Visit("Zoo", "11:00", "12:00")]),
        ({"name": "Mill", "time": "10:00-11:00"}, [Visit("Mill", "10:00", "11:00")]),
        ("Mill, visit from 10:00 to 11:00; Zoo", [Visit("Mill", "10:00", "11:00"), Visit("Zoo")]),
        ({"Morning": ["Mill"], "evening": "Zoo"}, [Visit("Mill"), Visit("Zoo")]),
        (["Mill, visit from 10:00 to 11:00, nearest transit: A;B, 3m"], [Visit("Mill", "10:00", "11:00")]),
        ([{"name": "Free time", "start": "10:00", "end": "11:00"}], []),
    ],
)
def test_every_entry_of_a_day_is_a_visit_with_the_times_it_has(
    tmp_path: Path, entries: Any, visits: list[Visit]
) -> None:
    seen = read_with_plan(tmp_path, [{"day": 1, "city": "Lund", "poi_list": entries}])
    assert list(seen.trip.days[0].visits) == visits
    assert "day 1" not in seen.warnings


@pytest.mark.parametrize(
    ("entries", "visits", "warning"),
    [
        (
            [{"start": "10:00", "end": "11:00"}],
            (),
            "day 1: visits: {'start': '10:00', 'end': '11:00'} has no name; left",
        ),
        ([42], (), "day 1: visits: 42 has no name; left out"),
        ([{"name": "Mill", "start": "soon"}], (Visit("Mill"),), "day 1: visits: 'Mill': found 'soon'; expected a time"),
        ([{"name": "Mill", "time": "morning"}], (Visit("Mill"),), "'Mill': found 'morning'; expected a time of day"),
    ],
)
def test_what_is_not_read_of_an_entry_is_remarked(
    tmp_path: Path, entries: Any, visits: tuple[Visit, ...], warning: str
) -> None:
    seen = read_with_plan(tmp_path, [{"day": 1, "city": "Lund", "poi_list": entries}])
    assert seen.trip.days[0].visits == visits
    assert warning in seen.warnings


@pytest.mark.parametrize(
    "row",
    [
        {"day": "Summary", "total_estimated_costs": 1200},
        {"day": "Summary", "total_estimated_costs": {"meals": 300}, "recommendations": "Bring a coat."},
        {"days": "Total", "current_city": "-", "breakfast": "-", "accommodation": "$900", "total_cost": "$1,200"},
        {"total_cost": 1200},
        {"day": "Trip overview", "notes": "Enjoy!"},
        {"day": "Budget Summary", "transportation": "$400", "accommodation": "$300", "meals": {"lunch": "$90"}},
        {"day": 3, "total_estimated_cost": 1200, "remaining_budget": 20},
    ],
)
@pytest.mark.parametrize("form", [list, lambda days: {"days": days}, lambda days: {"itinerary": days}])
def test_a_row_of_totals_is_no_day(tmp_path: Path, row: Row, form: Any) -> None:
    days = [{"day": 1, "city": "Lund", "lunch": "Blue Door, Lund"}, {"day": 2, "city": "Lund", "lunch": "-"}]
    table = read(write(tmp_path / "a_C2.csv", [say("system", "sys_present_plan", plan=form([*days, row]))]))
    plain = read(lines(tmp_path / "p.jsonl", {"idx": 1, "query": "A trip.", "plan": form([*days, row])}))
    for seen in (table, plain):
        assert [day.number for day in seen.trip.days] == [1, 2]
        assert "is not read" not in seen.warnings


@pytest.mark.parametrize(
    "row", [{"day": 3}, {"day": 3, "morning": "a walk"}, {"day": "Summary", "lunch": "Blue Door, Lund"}]
)
def test_a_row_that_may_be_a_day_is_one(tmp_path: Path, row: Row) -> None:
    days = [{"day": 1, "lunch": "Blue Door, Lund"}, {"day": 2, "lunch": "-"}, row]
    assert len(read(lines(tmp_path / "p.jsonl", {"idx": 1, "query": "A trip.", "plan": days})).trip.days) == 3


@pytest.mark.parametrize(
    ("lodging", "rooms"),
    [
        ("Loft, Lund (2 rooms)", 2),
        ("Loft, Lund, three rooms; Cost: 90", 3),
        ("Loft, Lund - 2 private rooms", 2),
        ({"name": "Loft", "city": "Lund", "rooms": 2, "cost": 90}, 2),
        ({"name": "Loft, Lund", "number_of_rooms": "two"}, 2),
        ("Loft, Lund", None),
        ("Two Rooms Loft, Lund", None),
    ],
)
def test_the_rooms_that_a_plan_books_are_read(tmp_path: Path, lodging: Any, rooms: int | None) -> None:
    days = [{"day": 1, "city": "Lund", "accommodation": lodging}]
    (day,) = read(lines(tmp_path / "p.jsonl", {"idx": 1, "query": "A trip.", "plan": days})).trip.days
    assert day.lodging is not None
    assert (day.lodging.name.removeprefix("Two Rooms "), day.lodging.city, day.lodging.rooms) == ("Loft", "Lund", rooms)


def test_days_are_found_beside_a_number_of_days(tmp_path: Path) -> None:
    seen = read_with_plan(tmp_path, {"days": 3, "plan": "see below", "itinerary": [{"lunch": "Blue Door, Lund"}]})
    assert [day.lunch for day in seen.trip.days] == [Place("Blue Door", "Lund")]


@pytest.mark.parametrize(
    "plan",
    [
        [{"lunch": "Blue Door, Lund"}, "Day 2: go home", {"lunch": "Old Mill, Lund"}],
        {"Day 1": {"lunch": "Blue Door, Lund"}, "Day 2": "go home", "Day 3": {"lunch": "Old Mill, Lund"}},
    ],
    ids=["list", "by name"],
)
def test_what_is_no_day_is_left_out_with_a_remark(tmp_path: Path, plan: Any) -> None:
    seen = read_with_plan(tmp_path, plan)
    assert [(day.number, day.lunch.name if day.lunch else "") for day in seen.trip.days] == [
        (1, "Blue Door"),
        (3, "Old Mill"),
    ]
    assert "go home'; expected an object with meals and places; left out" in seen.warnings


@pytest.mark.parametrize("form", [json.dumps, repr], ids=["JSON", "literal"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("```json\n", "\n```"),
        ("```\n", "\n```\nEnjoy [it]!"),
        ("Here's the plan [draft]: ", ""),
        ("", "\nHave fun!"),
    ],
)
def test_the_plan_is_found_in_the_text_around_it(tmp_path: Path, form: Any, before: str, after: str) -> None:
    seen = read_with_plan(tmp_path, before + form(PLAN["days"]) + after)
    assert [day.lunch for day in seen.trip.days] == [Place("Blue Door", "Lund")]
    assert "a_C2.csv:2: plan: text around the plan is left out" in seen.warnings


def test_a_quoted_text_with_the_plan_in_it_is_read(tmp_path: Path) -> None:
    fenced = "```json\n" + json.dumps(PLAN["days"]) + "\n```"
    seen = read(lines(tmp_path / "tp.jsonl", {"idx": 1, "query": "", "plan": json.dumps(fenced)}))
    assert seen.trip.days[0].lunch == Place("Blue Door", "Lund")


@pytest.mark.parametrize(
    ("cells", "lunch", "warning"),
    [
        ({"lunch": ["A, Lund", "B, Lund"]}, "A", "day 1: lunch: 'B, Lund' is left out; expected one place"),
        ({"lunch": ["-", "A, Lund"]}, "A", ""),
        ({"lunch": [{"name": "On your own", "cost": 9, "city": "Lund"}, "A, Lund"]}, "A", ""),
        ({"lunch": {"name": "A, Lund; Cost: 14", "cost": 14}}, "A", ""),
        ({"meals": ["X", "A", "Y"]}, "A", ""),
        ({"restaurants": ["X", "A", "Y"]}, "A", ""),
        ({"meals": ["X", "A"]}, None, "day 1: meals: 'X', 'A': expected three, or the name of the meal with each"),
        (
            {"meals": [{"type": "Lunch", "name": "A"}, {"type": "lunch", "name": "B"}]},
            "A",
            "day 1: lunch: 'B' is left out",
        ),
        ({"lunch": "A", "meals": {"lunch": "B"}}, "A", "day 1: lunch: 'B' is left out"),
        ({"restaurants": [{"meal": "lunch", "name": "A"}]}, "A", ""),
        ({"meals": {"brunch": "A"}}, None, "day 1: key 'brunch' is not read"),
        ({"lunch": "A", "shopping": ["B"]}, "A", "a_C2.csv:2: plan: day 1: key 'shopping' is not read"),
        ({"lunch": "A", "notes": "take a hat", "shopping": []}, "A", ""),
    ],
)
def test_places_that_a_day_cannot_hold_are_remarked(
    tmp_path: Path, cells: Any, lunch: str | None, warning: str
) -> None:
    seen = read_with_plan(tmp_path, [{"day": 1, "city": "Lund", **cells}])
    (day,) = seen.trip.days
    assert (day.lunch.name if day.lunch else None) == lunch
    assert warning in seen.warnings
    assert ("day 1" in seen.warnings) is bool(warning)


def test_the_first_of_several_lodgings_is_kept_and_the_others_remarked(tmp_path: Path) -> None:
    days = [{"day": 1, "accommodations": ["H1, Lund", {"name": "H2"}]}, {"day": 2, "accommodations": ["H1", "H2"]}]
    seen = read_with_plan(tmp_path, days)
    assert [day.lodging for day in seen.trip.days] == [Place("H1", "Lund"), Place("H1")]
    assert "day 1: accommodation: 'H2' is left out; expected one place (and 1 more like it)" in seen.warnings


def test_activities_are_attractions_and_visits_where_they_have_times(tmp_path: Path) -> None:
    activities = [{"time": "09:00", "name": "Mill"}, "Zoo, Lund", "Free time"]
    seen = read_with_plan(tmp_path, [{"day": 1, "city": "Lund", "attractions": ["Park"], "activities": activities}])
    (day,) = seen.trip.days
    assert day.attractions == (Place("Park"), Place("Mill"), Place("Zoo", "Lund"))
    assert day.visits == (Visit("Mill", "09:00"),)


def test_the_last_plan_counts(tmp_path: Path) -> None:
    rows = [
        say("system", "sys_present_plan", plan={"days": [{"day": 1, "lunch": "First, Lund"}]}),
        say("system", "sys_present_plan", plan={"days": [{"day": 1, "lunch": "Second, Lund"}]}),
        say("ann", "user_accept_plan", plan=""),
        say("ann", "user_accept_plan", plan="nan"),
    ]
    assert read(write(tmp_path / "a_C2.csv", rows)).trip.days[0].lunch == Place("Second", "Lund")


@pytest.mark.parametrize("column", ["constraint_state", "metadata", "synthesis"])
@pytest.mark.parametrize("form", ["flat", "by slot", "listed", "nested"])
def test_a_synthesis_is_taken_by_its_keys_wherever_it_stands(tmp_path: Path, column: str, form: str) -> None:
    own = {
        "has_conflict": True,
        "conflict_description": "two tastes",
        "resolution_strategy": "least_misery",
        "resolution_explanation": "nobody minds it",
    }
    other = {"has_conflict": False, "resolution_explanation": "all agree"}
    cell: Any = {
        "flat": own,
        "by slot": {"event": other, "cuisine": own},
        "listed": {"slots": [{"slot": "event", **other}, {"slot": "cuisine", **own}]},
        "nested": {"state": {"event": other}, "synthesis": {"event": other, "cuisine": own}},
    }[form]
    rows = [say("system", "sys_synthesize_cuisine", **{column: cell}), say("ann", "user_respond_cuisine")]
    seen = read(write(tmp_path / "a_C3.csv", rows))
    assert seen.trip.turns[0].synthesis == Synthesis(True, "two tastes", "least_misery", "nobody minds it")
    assert seen.trip.turns[1].synthesis is None
    assert "a synthesis" in seen.coverage.arms["C3"].fields


def test_a_synthesis_may_stand_in_columns_of_its_own(tmp_path: Path) -> None:
    rows = [
        say("bot", "sys_synthesize_event", has_conflict="False", resolution_explanation="all agree"),
        say("bot", "sys_synthesize_cuisine", "Thai it is."),
    ]
    first, second = read(write(tmp_path / "a_C3.csv", rows)).trip.turns
    assert first.synthesis == Synthesis(False, resolution_explanation="all agree")
    assert second.synthesis is None


def test_ballots_votes_and_undertakings_are_read(tmp_path: Path) -> None:
    ballots = {"Ann Lee": {"top_choice": "Thai", "acceptable": ["Greek"]}, "bob": {"hard_no": ["Thai"]}}
    summary = {
        "method": "approval",
        "strategy_id": "least_misery",
        "selected_option": "Greek",
        "option_details": [
            {"option": "Greek", "total_score": 3, "member_scores": {"ann": 1, "bob": 2}, "strong_rejections": 0}
        ],
        "minority_members": ["bob"],
    }
    rows = [
        say("system", "sys_acknowledge_trip", metadata={"members": [{"id": "ann", "name": "Ann Lee"}, "bob"]}),
        say("Ann Lee", "user_vote_cuisine", metadata={"top_choice": "Thai", "acceptable": "Greek; Turkish"}),
        say("bob", "user_vote_cuisine", metadata={"ballots": ballots}),
        say("system", "sys_synthesize_cuisine", metadata={"cuisine": {"ballots": ballots, "vote_summary": summary}}),
        say(
            "system",
            "sys_feedback_cuisine",
            metadata={"coverage_commitments": [{"member": "Ann Lee", "commitment": "Thai on day 2"}, "tea for all"]},
        ),
    ]
    seen = read(write(tmp_path / "a_C5.csv", rows))
    _, ann, bob, vote, feedback = seen.trip.turns
    assert (ann.speaker, ann.ballots) == ("ann", (Ballot("ann", "Thai", ("Greek", "Turkish")),))
    assert bob.ballots == (Ballot("bob", hard_no=("Thai",)),)
    assert vote.ballots == (Ballot("ann", "Thai", ("Greek",)), Ballot("bob", hard_no=("Thai",)))
    detail = OptionCount("Greek", 3, {"ann": 1, "bob": 2}, 0)
    assert vote.vote == Vote("approval", "least_misery", "Greek", (detail,), ("bob",))
    assert feedback.promises == (Promise("Thai on day 2", "cuisine", "ann"), Promise("tea for all", "cuisine"))
    assert {"ballots", "feedback", "a synthesis", "a dialogue"} <= set(seen.coverage.arms["C5"].fields)


@pytest.mark.parametrize(
    ("cell", "promise"),
    [
        ({"feedback_decisions": {"bob": "a burger on day 1"}}, Promise("a burger on day 1", "event", "bob")),
        ({"feedback_decisions": {"lodging": "two rooms"}}, Promise("two rooms", "lodging")),
        ({"commitments": "jazz for all"}, Promise("jazz for all", "event")),
    ],
)
def test_undertakings_may_stand_by_member_or_by_slot(tmp_path: Path, cell: Any, promise: Promise) -> None:
    rows = [say("system", "sys_feedback_event", constraint_state=cell)]
    assert read(write(tmp_path / "a_C5.csv", rows)).trip.turns[0].promises == (promise,)


@pytest.mark.parametrize(
    ("flags", "condition"),
    [
        ((False, False, False, False), "C1"),
        ((True, False, False, False), "C2"),
        ((True, True, False, False), "C3"),
        ((True, True, True, False), "C4"),
        ((True, True, True, True), "C5"),
    ],
)
@pytest.mark.parametrize("place", ["columns", "metadata", "constraint_state"])
def test_the_flags_make_the_condition(tmp_path: Path, flags: tuple[bool, ...], condition: str, place: str) -> None:
    named = dict(zip(FLAGS, flags, strict=True))
    first: Row = {name: str(flag) for name, flag in named.items()} if place == "columns" else {place: named}
    trip = read(write(tmp_path / "smith.csv", dialogue(**first))).trip
    assert (trip.condition, trip.arm, trip.case) == (condition, condition, "smith")


@pytest.mark.parametrize(
    ("flags", "name", "remark"),
    [
        ((True, True, False, True), "smith", "enable_feedback is true without use_social_theory: that is none of C1"),
        ((True, True, None, True), "smith", "enable_feedback is true without use_social_theory"),
        ((True, False, True, False), "smith", "use_social_theory is true without enable_synthesis"),
        ((True, True, False, True), "smith_C5", "the flags say that it is not C5, the name says C5"),
        ((None, False, None, None), "smith_C3", "the flags say that it is not C3, the name says C3"),
    ],
)
def test_flags_that_describe_none_of_the_five_make_no_condition(
    tmp_path: Path, flags: tuple[bool | None, ...], name: str, remark: str
) -> None:
    given = {flag: value for flag, value in zip(FLAGS, flags, strict=True) if value is not None}
    seen = read(write(tmp_path / f"{name}.csv", dialogue(metadata=given)))
    assert (seen.trip.condition, seen.trip.arm, seen.trip.case) == (None, "dialogue", "smith")
    assert remark in seen.warnings


def test_a_flag_that_theory_implies_need_not_be_given(tmp_path: Path) -> None:
    assert read(write(tmp_path / "a.csv", dialogue(metadata={"use_social_theory": True}))).trip.condition == "C4"
    agreeing = write(tmp_path / "b_C5.csv", dialogue(metadata={"enable_feedback": True, "multi_user": True}))
    assert read(agreeing).trip.condition == "C5"


def test_turns_that_the_condition_rules_out_are_remarked(tmp_path: Path) -> None:
    seen = read(write(tmp_path / "smith_C1.csv", [*dialogue(), say("system", "sys_synthesize_cuisine", "Thai")]))
    assert "in C1 one speaks for all, but ann, bob state preferences" in seen.warnings
    assert "C1 has no synthesis, but turn 6 is sys_synthesize_cuisine" in seen.warnings


def test_who_speaks_is_no_list_of_the_group_in_any_format(tmp_path: Path) -> None:
    table = read(write(tmp_path / "smith_C2.csv", dialogue()))
    turns = [{"id": "1", "speaker": "ann", "intent": "user_provide_cuisine", "text": "Thai"}]
    record = read(lines(tmp_path / "a.jsonl", {"id": "a", "condition": "C2", "turns": turns}))
    for seen in (table, record):
        assert seen.trip.size == 0
        assert list(METRICS["voice_coverage"](seen.trip)) == []
        assert "1 of 1 list no members" in seen.remarks


def test_members_with_hidden_wishes_and_those_who_speak_are_a_group(tmp_path: Path) -> None:
    hidden = {"ann": {"cuisine": "Thai"}, "cem": {"event": "jazz"}}
    table = write(tmp_path / "smith_C2.csv", dialogue(metadata={"hidden_preferences": hidden}))
    assert [member.id for member in read(table).trip.members] == ["ann", "cem", "bob"]
    first = {"hidden_preferences": hidden, "multi_user": False}
    table = write(tmp_path / "smith_C1.csv", dialogue(metadata=first))
    assert [member.id for member in read(table).trip.members] == ["ann", "cem"]


def test_flags_win_over_a_name_that_contradicts_them(tmp_path: Path) -> None:
    seen = read(write(tmp_path / "smith_C5.csv", dialogue(metadata=FLAGS)))
    assert (seen.trip.condition, seen.trip.case) == ("C4", "smith")
    assert "smith_C5.csv:2: the flags say C4, the name says C5: the flags are taken" in seen.warnings


def test_the_name_of_the_file_gives_condition_and_type_of_group(tmp_path: Path) -> None:
    trip = read(write(tmp_path / "elder_young-c3.csv", dialogue())).trip
    assert (trip.condition, trip.group_type, trip.case) == ("C3", "elder_young", "elder_young")


def test_five_tables_of_one_scenario_are_five_arms_of_one_case(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"family_01_C{number}.csv", dialogue()) for number in range(1, 6)]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for path in paths:
            archive.writestr(path.name, path.read_bytes())
    for seen in (read(*paths), read(tmp_path / "all.zip")):
        assert [trip.arm for trip in seen.trips] == ["C1", "C2", "C3", "C4", "C5"]
        assert {trip.case for trip in seen.trips} == {"family_01"}
        assert {arm.expected for arm in seen.coverage.arms.values()} == {1}


def test_a_table_named_by_its_folder_and_condition_alone_takes_the_folder_as_case(tmp_path: Path) -> None:
    trip = read(write(tmp_path / "trip_x" / "C2.csv", dialogue())).trip
    assert (trip.case, trip.arm) == ("trip_x", "C2")


def test_a_column_may_tell_several_dialogues_of_one_table_apart(tmp_path: Path) -> None:
    rows = [
        say("system", "sys_acknowledge_trip", dialogue_id="d1-C2"),
        say("ann", "user_provide_event", "Jazz", dialogue_id=""),
        say("system", "sys_acknowledge_trip", dialogue_id="d1-C3"),
        say("system", "sys_acknowledge_trip", dialogue_id="d2-C3"),
    ]
    trips = read(write(tmp_path / "all.csv", rows)).trips
    assert [(trip.id, trip.case, trip.arm, len(trip.turns)) for trip in trips] == [
        ("d1-C2", "d1", "C2", 2),
        ("d1-C3", "d1", "C3", 1),
        ("d2-C3", "d2", "C3", 1),
    ]


@pytest.mark.parametrize("name", ["smith_C2.csv.gz", "smith_C2.txt", "smith_C2.tsv"])
def test_a_table_is_told_by_its_content_plain_or_packed(tmp_path: Path, name: str) -> None:
    text = as_csv(dialogue(), delimiter="\t" if name.endswith("tsv") else ",").encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    trip = read(path).trip
    assert (trip.case, trip.arm, len(trip.turns)) == ("smith", "C2", 5)


@pytest.mark.parametrize("name", ["SYSTEM", "Assistant", "agent", "bot"])
def test_the_assistant_is_the_system_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    trip = read(write(tmp_path / "a_C2.csv", [say(name, "sys_summary_state"), say("Ann", "user_provide_event")])).trip
    assert [turn.speaker for turn in trip.turns] == ["system", "Ann"]
    assert trip.members == ()


def test_python_literals_and_doubly_encoded_json_are_read_as_data_and_counted(tmp_path: Path) -> None:
    rows = dialogue(constraint_state=repr({**FLAGS, "members": MEMBERS}))
    rows[0]["ref_info_restaurants"] = json.dumps(json.dumps(TABLES))
    rows[3]["plan"] = repr(PLAN)
    seen = read(write(tmp_path / "a_C4.csv", rows))
    plain = read(write(tmp_path / "b_C4.csv", dialogue(constraint_state={**FLAGS, "members": MEMBERS}))).trip
    assert (seen.trip.plan, seen.trip.members, seen.trip.condition) == (plain.plan, plain.members, "C4")
    assert seen.trip.catalogue == (
        CatalogueEntry("restaurant", "Blue Door", "Lund", price=20, cuisines=("Thai", "Greek")),
    )
    assert "a_C4.csv:2: constraint_state: a Python literal" in seen.warnings
    assert "(and 1 more like it)" in seen.warnings


def test_nan_in_a_catalogue_is_an_unknown_value(tmp_path: Path) -> None:
    rows = [
        say("ann", "user_provide_event", ref_info_events="[{'name': 'Jazz Night', 'price': nan}]"),
        say("ann", "user_provide_event", ref_info_events='[{"name": "Fair", "price": NaN}]'),
    ]
    seen = read(write(tmp_path / "a_C2.csv", rows))
    assert [(entry.kind, entry.name, entry.price) for entry in seen.trip.catalogue] == [
        ("event", "Jazz Night", None),
        ("event", "Fair", None),
    ]
    assert "NaN is not a value in JSON; read as unknown (and 1 more like it)" in seen.warnings


def test_places_of_one_name_in_two_cities_are_both_kept_and_repeats_are_not(tmp_path: Path) -> None:
    twice = [{"Name": "Blue Door", "City": "Lund"}, {"Name": "Blue Door", "City": "Oslo"}]
    rows = [say("ann", "user_provide_event", ref_info_restaurants=twice) for _ in range(3)]
    rows.append(say("ann", "user_provide_event", ref_info_restaurants={"Lund": [{"name": "Blue Door"}]}))
    catalogue = read(write(tmp_path / "a_C2.csv", rows)).trip.catalogue
    assert [(entry.name, entry.city) for entry in catalogue] == [("Blue Door", "Lund"), ("Blue Door", "Oslo")]


def test_garbled_text_is_remarked_and_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "a_C2.csv", [say("ann", "user_provide_cuisine", "CafÃ© crÃ¨me, itâ€™s fine")])
    seen = read(path)
    assert seen.trip.turns[0].text == "CafÃ© crÃ¨me, itâ€™s fine"
    assert "a_C2.csv:2: 'CafÃ© crÃ¨me," in seen.warnings
    assert "kept as it is; --fix-mojibake repairs it" in seen.warnings


def test_garbled_text_is_repaired_on_request_in_texts_plans_and_catalogues(tmp_path: Path) -> None:
    row = say(
        "ann",
        "user_provide_cuisine",
        "itâ€™s fine",
        plan={"days": [{"day": 1, "lunch": "CafÃ© Blå, Lund"}]},
        ref_info_restaurants=[{"name": "CafÃ© Blå", "city": "Lund"}],
    )
    seen = read(write(tmp_path / "a_C2.csv", [row]), fix_mojibake=True)
    assert seen.trip.turns[0].text == "it’s fine"
    assert seen.trip.days[0].lunch == Place("Café Blå", "Lund")
    assert seen.trip.catalogue[0].name == "Café Blå"
    assert "(and 2 more like it)" in seen.warnings


@rows_of("read")
def test_garbled_text_is_repaired(text: str, meant: str) -> None:
    assert repair_text(text) == meant


@rows_of("read")
def test_real_text_with_the_same_letters_stays(text: str) -> None:
    assert repair_text(text) == text


def test_garbled_text_is_remarked_with_the_row_of_its_cell(tmp_path: Path) -> None:
    garbled = {"days": [{"day": 1, "lunch": "CafÃ© Blå, Lund"}]}
    for number, plan in enumerate((json.dumps(garbled), json.dumps(garbled, ensure_ascii=False), repr(garbled))):
        rows = [*dialogue()[:3], say("system", "sys_present_plan", plan=plan)]
        assert f"{number}_C2.csv:5: 'CafÃ© Blå'" in read(write(tmp_path / f"{number}_C2.csv", rows)).warnings


def test_who_never_spoke_is_counted_with_their_hidden_preferences(tmp_path: Path) -> None:
    listed = write(tmp_path / "a_C1.csv", dialogue(metadata={"members": MEMBERS, "member_count": 5}))
    assert (
        "3 of 5 members never spoke; hidden preferences, by which they are judged then, are known of 1 of them"
        in read(listed).remarks
    )
    counted = write(tmp_path / "b_C1.csv", dialogue(metadata={"member_count": 3}))
    assert "1 of 3 members never spoke" in read(counted).remarks
    assert "are known of none of them" in read(counted).remarks


def test_a_speaker_who_is_no_member_is_remarked(tmp_path: Path) -> None:
    seen = read(write(tmp_path / "a_C4.csv", dialogue(metadata={"members": ["ann", "cem"]})))
    assert "'bob' speaks but is not among the members ann, cem" in seen.warnings


def test_a_speaker_whose_name_is_written_otherwise_is_remarked_in_our_own_records(tmp_path: Path) -> None:
    turns = [{"id": "1", "speaker": "ann"}, {"id": "2", "speaker": "Assistant"}]
    own = {"id": "x", "condition": "C2", "members": [{"id": "Ann"}, {"id": "Bob"}], "turns": turns}
    warnings = read(lines(tmp_path / "own.jsonl", own)).warnings
    assert "own.jsonl:1: 'ann' speaks but is not among the members Ann, Bob; did you mean 'Ann'?" in warnings
    assert "speaks" not in read(lines(tmp_path / "own.jsonl", {**own, "condition": "C1"})).warnings


def test_a_hidden_wish_in_a_slot_that_is_not_known_is_remarked(tmp_path: Path) -> None:
    own = {"id": "x", "members": [{"id": "ann", "hidden": [{"slot": "shoes", "text": "red ones"}]}]}
    expected = "hidden wish of 'ann' in slot 'shoes', which is not known; slots are traveler_type, "
    assert f"own.jsonl:1: {expected}" in read(lines(tmp_path / "own.jsonl", own)).warnings
    table = write(tmp_path / "a_C2.csv", dialogue(metadata={"members": own["members"]}))
    assert f"a_C2.csv:2: {expected}" in read(table).warnings


def test_a_table_without_a_sign_of_its_condition_is_an_arm_of_its_own(tmp_path: Path) -> None:
    path = write(tmp_path / "smith.csv", dialogue())
    seen = read(path)
    assert (seen.trip.condition, seen.trip.arm) == (None, "dialogue")
    assert "smith.csv:2: no sign of the condition: taken as arm 'dialogue'; name it with --arm" in seen.warnings
    assert "--arm" not in read(path, arm=["mine"]).warnings


def test_arms_say_what_they_bring_and_what_they_lack(tmp_path: Path) -> None:
    whole = write(tmp_path / "x_C2.csv", [*dialogue(metadata={"members": MEMBERS})])
    bare = write(tmp_path / "y_C3.csv", [say("system", "sys_acknowledge_trip")])
    arms = read(whole, bare).coverage.arms
    assert arms["C2"].fields == ["a dialogue", "a plan", "members", "acceptance"]
    assert (arms["C2"].conversations, arms["C2"].expected, arms["C2"].turns) == (1, 2, 5)
    assert arms["C3"].fields == ["a dialogue"]
    assert "1 of 1 without a plan" in arms["C3"].remarks[0]
    assert "1 of 1 with an empty catalogue" in arms["C3"].remarks[1]
    assert "1 of 1 list no members: who was not heard is not known there" in arms["C3"].remarks[2]
    assert "shares no case with C2" in arms["C3"].remarks[3]


def test_columns_that_are_not_there_are_remarked(tmp_path: Path) -> None:
    seen = read(write(tmp_path / "a_C2.csv", [say("ann", "user_provide_event", "Jazz")]))
    assert "a_C2.csv: no column constraint_state, plan, ref_info_..." in seen.warnings
    assert len(seen.trip.turns) == 1


def test_an_intent_that_no_metric_knows_is_remarked(tmp_path: Path) -> None:
    rows = [say("ann", "user_provid_event"), say("ann", "user_provide_food"), say("ann", "user_provide_event")]
    warnings = read(write(tmp_path / "a_C2.csv", rows)).warnings
    assert "turn 1: intent 'user_provid_event' is not known" in warnings
    assert "did you mean 'user_provide_event'?" in warnings
    assert "turn 2: intent 'user_provide_food' names no slot" in warnings
    assert "turn 3" not in warnings


def test_a_request_is_read_from_its_text(tmp_path: Path) -> None:
    query = "Plan a trip from Lund to Oslo for 2 people with a budget of $1,700."
    request = read(write(tmp_path / "a_C2.csv", dialogue(query=query))).trip.request
    assert (request.text, request.budget, request.people) == (query, 1700, 2)


def test_our_own_records_take_arm_case_and_facets_from_their_condition(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "own.jsonl",
        {"id": "s01-C3", "condition": "C3", "group_type": "spouses", "facets": {"language": "sv"}},
        {"id": "s01-C4", "condition": "C4", "case": "other", "arm": "mine"},
        {"id": "s01-C5"},
    )
    first, second, third = read(path).trips
    assert (first.case, first.arm) == ("s01", "C3")
    assert first.facets == {"condition": "C3", "group_type": "spouses", "language": "sv"}
    assert (second.case, second.arm) == ("other", "mine")
    assert (third.case, third.arm, third.facets) == ("s01-C5", "plan", {})


def test_the_arm_is_named_for_all_files_or_for_each(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a_C2.csv", dialogue()), lines(tmp_path / "b.jsonl", {"id": "b", "arm": "own"})]
    assert [trip.arm for trip in read(*paths, arm=["x"]).trips] == ["x", "x"]
    assert [trip.arm for trip in read(*paths, arm=["x", "y"]).trips] == ["x", "y"]


REFERENCE = {"Restaurants in Lund": TABLES, "Taxi from Oslo to Lund": "taxi, cost: 50"}
DAYS = [{"days": 1, "current_city": "Lund", "lunch": "Blue Door, Lund", "breakfast": "-"}]


@pytest.mark.parametrize("plan", [DAYS, json.dumps(DAYS), repr(DAYS)], ids=["list", "JSON", "literal"])
@pytest.mark.parametrize("key", ["ref", "reference_information"])
def test_a_travelplanner_row_is_a_plan_with_its_catalogue(tmp_path: Path, plan: Any, key: str) -> None:
    row = {"idx": 7, "query": "A trip for 3 people with a budget of $900.", "plan": plan, key: REFERENCE}
    trip = read(lines(tmp_path / "tp.jsonl", row)).trip
    assert (trip.case, trip.arm, trip.condition) == ("travelplanner-7", "plan", None)
    assert trip.days[0].lunch == Place("Blue Door", "Lund")
    assert [entry.name for entry in trip.catalogue] == ["Blue Door"]
    assert [(leg.mode, leg.price) for leg in trip.legs] == [("taxi", 50)]
    assert (trip.request.people, trip.request.budget) == (3, 900)


@pytest.mark.parametrize(
    ("keys", "id"),
    [
        ({"idx": 7.0}, "travelplanner-7"),
        ({"idx": "7a", "id": "x"}, "travelplanner-7a"),
        ({"id": "x1"}, "travelplanner-x1"),
        ({}, "travelplanner-1"),
    ],
)
def test_a_travelplanner_row_is_told_by_its_plan_and_query(tmp_path: Path, keys: Row, id: str) -> None:
    trip = read(lines(tmp_path / "tp.jsonl", {**keys, "query": "A trip for 3 people.", "plan": DAYS})).trip
    assert (trip.id, trip.request.people, len(trip.days)) == (id, 3, 1)


def test_a_query_may_be_an_object_with_its_text(tmp_path: Path) -> None:
    rows = [
        {"idx": 1, "query": {"text": "A trip for 3 people."}, "plan": DAYS},
        {"idx": 2, "query": {"x": 1}, "plan": DAYS},
    ]
    seen = read(lines(tmp_path / "tp.jsonl", *rows))
    assert [trip.request.people for trip in seen.trips] == [3, None]
    assert (
        "tp.jsonl:2: query: found only 'x'; expected a text, or an object with query or text; left out" in seen.warnings
    )


def test_plans_with_the_catalogue_of_others_are_remarked(tmp_path: Path) -> None:
    other = {"Restaurants in Lund": [{"Name": "Elsewhere", "City": "Lund"}]}
    rows = [{"idx": number, "query": "", "plan": DAYS, "ref": other if number else REFERENCE} for number in range(3)]
    remarks = read(lines(tmp_path / "tp.jsonl", *rows)).remarks
    assert "2 of 3 plans name no place of their catalogue (the first is travelplanner-1)" in remarks
    assert "catalogue" not in read(lines(tmp_path / "one.jsonl", rows[0])).remarks


@pytest.mark.parametrize("plan", [None, [], "", "null"])
def test_a_row_without_a_plan_is_kept_and_remarked(tmp_path: Path, plan: Any) -> None:
    seen = read(lines(tmp_path / "tp.jsonl", {"idx": 7, "query": "", "plan": plan}))
    assert (seen.trip.plan, seen.trip.plan_fault) == (None, "")
    assert "tp.jsonl:1: plan: empty; kept without a plan" in seen.warnings
    assert "1 of 1 without a plan" in seen.remarks


@pytest.mark.parametrize(
    "catalogue",
    [
        [REFERENCE],
        [{"idx": 7, "ref": REFERENCE}, {"idx": 8, "ref": {"Restaurants in Oslo": []}}],
        [{"7": REFERENCE}],
        [{"idx": 7, "reference_information": repr([{"Description": "Restaurants in Lund", "Content": TABLES}])}],
        [{"kind": "restaurant", "name": "Blue Door", "city": "Lund"}],
        [{"id": "travelplanner-7", "catalogue": [{"kind": "restaurant", "name": "Blue Door"}]}, {"id": "other"}],
    ],
    ids=["for all", "rows", "by idx", "descriptions", "our entries", "our records"],
)
def test_a_catalogue_may_stand_in_a_file_of_its_own(tmp_path: Path, catalogue: list[Any]) -> None:
    plans = lines(tmp_path / "tp.jsonl", {"idx": 7, "query": "", "plan": DAYS})
    given = lines(tmp_path / "catalogue.jsonl", *catalogue)
    seen = read(plans, catalogue=str(given))
    assert [entry.name for entry in seen.trip.catalogue] == ["Blue Door"]
    assert seen.remarks == ""


def test_a_catalogue_may_be_a_list_of_our_own_entries(tmp_path: Path) -> None:
    plans = lines(tmp_path / "tp.jsonl", {"idx": 7, "query": "", "plan": DAYS})
    names = [f"Place {number}" for number in range(3)]
    given = tmp_path / "catalogue.json"
    given.write_text(json.dumps([{"kind": "restaurant", "name": name} for name in names]))
    assert [entry.name for entry in read(plans, catalogue=str(given)).trip.catalogue] == names


def test_a_trip_that_the_file_of_catalogues_does_not_know_is_remarked(tmp_path: Path) -> None:
    plans = lines(tmp_path / "tp.jsonl", {"idx": 9, "query": "", "plan": DAYS})
    given = lines(tmp_path / "catalogue.jsonl", {"idx": 7, "ref": REFERENCE})
    seen = read(plans, catalogue=str(given))
    assert "has nothing for 'travelplanner-9'; it has 7" in seen.warnings
    assert "1 of 1 with an empty catalogue" in seen.remarks


def test_a_tripcraft_row_has_events_times_and_a_persona(tmp_path: Path) -> None:
    day = {
        "days": 1,
        "current_city": "Lund",
        "event": "Jazz Night, Lund",
        "point_of_interest_list": "Harbour Loft, stay from 08:00 to 08:30, nearest transit: Square, 84.1m away;",
    }
    persona = (
        "Traveler Type: Laidback; Purpose of Travel: Food; Spending Preference: Economical; Location Preference: Sea"
    )
    trip = read(
        lines(tmp_path / "tc.jsonl", {"idx": 0, "JSON": {"query": "x"}, "persona": persona, "plan": [day]})
    ).trip
    assert trip.case == "travelplanner-0"
    assert trip.days[0].events == (Place("Jazz Night", "Lund"),)
    assert trip.days[0].visits == (Visit("Harbour Loft", "08:00", "08:30"),)
    assert trip.request.text == "x"
    assert trip.members[0].hidden == (
        Wish("traveler_type", "Laidback"),
        Wish("travel_purpose", "Food"),
        Wish("spending_preference", "Economical"),
    )


def test_every_published_travelplanner_row_is_read() -> None:
    if not TRAVELPLANNER.exists():
        pytest.skip("the shared TravelPlanner file is not here")
    seen = read(TRAVELPLANNER)
    assert len(seen.trips) == 45
    assert (seen.warnings, seen.remarks) == ("", "")
    for trip in seen.trips:
        assert trip.days
        assert trip.catalogue
        assert trip.request.budget


def test_the_time_for_a_large_state_in_every_row_grows_with_the_rows(tmp_path: Path) -> None:
    state = {"slots": {f"s{slot}": {"m": [{"x": value} for value in range(20)]} for slot in range(100)}}

    def long_dialogue(rows: int) -> None:
        said_often = [say("system", "sys_synthesize_cuisine", constraint_state=state) for _ in range(rows)]
        assert len(read(write(tmp_path / f"a{rows}_C3.csv", said_often)).trip.turns) == rows

    assert_linear(long_dialogue, 25)


def test_scoring_in_several_processes_reads_the_same_trips(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"t{number}_C{number % 5 + 1}.csv", dialogue()) for number in range(6)]
    runs = [tmp_path / "one", tmp_path / "two"]
    for run, jobs in zip(runs, "12", strict=True):
        assert main(["score", "trip", *map(str, paths), "-o", str(run), "-q", "--jobs", jobs]) == 0
    assert (runs[0] / "records.jsonl").read_bytes() == (runs[1] / "records.jsonl").read_bytes()
