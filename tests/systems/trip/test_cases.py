"""Cases from files: trips with hidden wishes, queries of TravelPlanner, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.errors import BadInput
from adjudge.score import find_suite
from adjudge.suites.trip.data import Wish
from adjudge.systems.trip.cases import SAMPLE, read_cases
from adjudge.systems.trip.data import TripCase
from workspace import Workspace

TRIP: dict[str, Any] = {
    "id": "t1",
    "members": [{"id": "Ann", "hidden": [{"slot": "cuisine", "text": "Thai food"}]}, {"id": "Bo"}],
    "request": {"days": 3, "people": 2},
}
QUERY = (
    "Please plan a 3-day trip for two from Ames to Bend from March 3rd to March 5th, 2022, with a budget of $900. We "
    "want to try Thai, Indian and French cuisines and need an entire home."
)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return Workspace(tmp_path, capsys)


def cases(desk: Workspace, *rows: dict[str, Any]) -> list[TripCase]:
    return [row.case for row in read_cases([desk.write("trips.jsonl", rows)], {})]


def test_a_trip_is_a_case_with_the_wishes_of_its_members(desk: Workspace) -> None:
    [case] = cases(desk, TRIP)

    assert [person.id for person in case.members] == ["Ann", "Bo"]
    assert case.wishes == {"Ann": (Wish("cuisine", "Thai food"),)}
    assert case.conflicts is None


def test_trips_of_one_case_are_played_once() -> None:
    """The suite's own sample has every group under five conditions."""
    read = [row.case for row in read_cases([find_suite("trip").sample], {})]

    assert len(read) == len({case.id for case in read}) == 10
    assert all("condition" not in case.facets for case in read)


def test_the_people_of_a_query_are_members_who_share_out_what_it_asks_for(desk: Workspace) -> None:
    [case] = cases(desk, {"idx": 1, "query": QUERY, "plan": [], "ref": {}})

    assert [person.id for person in case.members] == ["traveler 1", "traveler 2"]
    assert [wish.text for wish in case.wishes["traveler 1"]] == ["Thai food", "French food", "an entire home"]
    assert [wish.text for wish in case.wishes["traveler 2"]] == ["Indian food", "an entire home"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"request": {}}, "request: empty; expected what the group asks for"),
        ({"members": [{"id": "system"}]}, "members: a member is called 'system'; expected another name"),
        ({"members": [{"id": "planner"}]}, "members: a member is called 'planner'; expected another name"),
        ({"members": [{"id": f"m{number}"} for number in range(21)]}, "members: found 21; expected at most 20"),
        ({"members": "Ann"}, "members: expected a list, found 'Ann'"),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_place(
    desk: Workspace, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(BadInput) as refused:
        cases(desk, {**TRIP, **changes})

    assert message in str(refused.value)
    assert "trips.jsonl:1" in str(refused.value)


def test_all_that_is_broken_is_named(desk: Workspace) -> None:
    with pytest.raises(BadInput) as refused:
        cases(desk, {**TRIP, "request": {}}, TRIP, {**TRIP, "members": "Ann"})

    assert "trips.jsonl:1: request: empty" in str(refused.value)
    assert "trips.jsonl:3: members: expected a list" in str(refused.value)


def test_a_request_that_nothing_fits_is_played_and_has_no_plan(desk: Workspace) -> None:
    row = json.loads(SAMPLE.read_text("utf-8").splitlines()[0])
    file = desk.write("poor.jsonl", ({**row, "request": {**row["request"], "budget": 20}},))

    done = desk.adjudge("play", "trip", file, "--arm", "C3", "--metrics", "plan_delivered", "-o", desk.run)

    assert done.code == 0, done.err
    assert "no plan keeps to the budget of 20" in done.out
    [scores] = (desk.run / "scores.jsonl").read_text("utf-8").splitlines()
    assert json.loads(scores)["scores"]["plan_delivered"]["value"] == 0.0


def test_a_mediator_of_the_users_own_hears_members_and_calls_the_planner(desk: Workspace) -> None:
    desk.write("mine.py", MINE)

    done = desk.adjudge("play", "trip", "--arm", "mine=py:mine.py:reply", "--limit", 1, "--no-score", "-o", desk.run)
    [line] = (desk.run / "conversations.jsonl").read_text("utf-8").splitlines()
    trip = json.loads(line)

    assert done.code == 0, done.err
    assert [turn.get("intent") for turn in trip["turns"]][:2] == ["sys_request_cuisine", "user_provide_cuisine"]
    assert trip["plan"]["days"]


MINE = """
from adjudge import Said, View


def reply(view: View) -> Said:
    if view.turn == 0:
        return Said("Which food would you like?")
    if view.facts.plan is None:
        claims = [{"member": each.member, "slot": "cuisine", "text": each.lines[0].text} for each in view.facts.answers]
        return Said("One moment.", to=("planner",), facts={"brief": {"claims": claims}})
    return Said("Here is the plan.", ends="done")
"""
