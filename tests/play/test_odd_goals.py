"""Goals that no corpus has: the customer finds words for each, or the file is refused with the place."""

from __future__ import annotations

from typing import Any

import pytest
from playing import lines

from adjudge.systems.service.cases import SAMPLE_DB
from workspace import CommandResult, Workspace

TRAIN = {"departure": "wexcombe", "destination": "port ashby", "day": "sunday"}
ODD: dict[str, dict[str, Any]] = {
    "an alternative that is the same": {"restaurant": {"info": {"food": "klingon"}, "fail_info": {"food": "klingon"}}},
    "an alternative with more constraints": {
        "hotel": {"info": {"area": "north"}, "fail_info": {"area": "north", "stars": "5"}, "reqt": ["phone"]}
    },
    "another day": {"train": {"info": TRAIN, "fail_info": {**TRAIN, "day": "someday"}, "reqt": ["duration"]}},
    "another time and town": {
        "train": {
            "info": {**TRAIN, "leaveAt": "08:00"},
            "fail_info": {"departure": "atlantis", "destination": "avalon", "day": "sunday", "leaveAt": "23:59"},
        }
    },
    "another department": {"hospital": {"info": {"department": "cardiology"}, "fail_info": {"department": "magic"}}},
    "the same booking again": {
        "train": {"info": TRAIN, "book": {"people": "3"}, "fail_book": {"people": "3"}},
        "restaurant": {
            "info": {"area": "north"},
            "book": {"people": "1", "day": "monday", "time": "11:00"},
            "fail_book": {"time": "11:00"},
        },
    },
    "half a booking": {"hotel": {"info": {"area": "north"}, "book": {"people": "2"}}},
    "another booking and none to settle for": {"hotel": {"info": {"area": "north"}, "fail_book": {"stay": "2"}}},
    "a taxi between places that no database has": {
        "taxi": {"info": {"departure": "here", "destination": "there", "arriveBy": "09:00"}, "reqt": ["car type"]}
    },
}


def play(desk: Workspace, goals: list[dict[str, Any]], *more: object) -> CommandResult:
    rows = [{"dialogue_id": f"g{n}", "services": list(goal), "turns": [], "goal": goal} for n, goal in enumerate(goals)]
    cases = desk.write("goals.jsonl", tuple(rows))
    return desk.adjudge("play", "service", cases, "--db", SAMPLE_DB, "--arm", "rules", "-o", desk.run, *more)


@pytest.mark.parametrize("wordings", ["first", "second"])
@pytest.mark.parametrize("availability", ["0", "0.5", "1"])
def test_the_customer_comes_to_an_end_with_odd_goals(desk: Workspace, wordings: str, availability: str) -> None:
    more = ("--availability", availability, "--wordings", wordings, "--no-score", "--trials", 4)

    done = play(desk, list(ODD.values()), *more)

    assert done.code == 0, (desk.run / "ends.jsonl").read_text()
    ends = [line["end"] for line in lines(desk.run / "ends.jsonl")]
    assert {(end["reason"], end["by"]) for end in ends} == {("participant", "user")}


REFUSED = {
    "a booking of an attraction": (
        {"attraction": {"info": {"area": "north"}, "book": {"people": "2"}}},
        "unknown attraction: 'people' in book; expected one of none",
    ),
    "a train for some nights": (
        {"train": {"info": TRAIN, "book": {"people": "2", "stay": "2"}}},
        "unknown train: 'stay' in book; expected one of people",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_bookings_without_words_are_refused_with_their_place(desk: Workspace, what: str) -> None:
    goal, message = REFUSED[what]

    done = play(desk, [goal])

    assert done.code == 2
    assert f"goals.jsonl:1: goal: {message}" in done.err
