"""Whether a simulated user kept to its goal."""

from __future__ import annotations

import pytest

from adjudge.suites.service.data import Annotation, Goal, ServiceDialogue, ServiceTurn
from adjudge.suites.service.metrics.user import user_keeps_goal

GOAL = {
    "hotel": Goal({"area": "west"}, ("PHONE", "REFERENCE"), {"people": "2", "stay": "3"}, {"area": "east"}),
    "train": Goal({"leave": "10:00"}),
}
KEPT = {
    "hotel-area": "west",
    "hotel-pricerange": "dontcare",
    "hotel-name": "rowan lodge",
    "hotel-bookpeople": "2",
    "hotel-bookstay": "3",
    "train-leaveat": "10:00",
}


def dialogue(*states: dict[str, str], end: str = "participant", gold: str = "simulator") -> ServiceDialogue:
    turns = [
        ServiceTurn(str(n), "user", "Hi.", Annotation(state=s, requested=("hotel-phone",)))
        for n, s in enumerate(states)
    ]
    return ServiceDialogue(
        id="d", turns=tuple(turns), goal=GOAL, facets={"end": end, **({"gold": gold} if gold else {})}
    )


def verdict(played: ServiceDialogue) -> tuple[float, str]:
    (mark,) = user_keeps_goal(played)
    return mark.value, mark.why


def test_a_user_that_says_all_of_its_goal_keeps_it() -> None:
    assert verdict(dialogue({"hotel-area": "east"}, KEPT)) == (1.0, "")


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({**KEPT, "hotel-area": "north"}, "hotel-area: 'north' is not in the goal"),
        ({**KEPT, "hotel-pricerange": "cheap"}, "hotel-pricerange: 'cheap' is not in the goal"),
        ({**KEPT, "hotel-bookpeople": "7"}, "hotel-bookpeople: '7' is not in the goal"),
        ({**KEPT, "taxi-leaveat": "09:00"}, "taxi: not in the goal"),
        ({slot: value for slot, value in KEPT.items() if slot != "hotel-area"}, "hotel-area: not said"),
        ({slot: value for slot, value in KEPT.items() if slot != "train-leaveat"}, "train: never spoken of"),
        ({slot: value for slot, value in KEPT.items() if "book" not in slot}, "hotel: no booking asked for"),
    ],
)
def test_what_contradicts_the_goal_or_is_left_out_is_named(state: dict[str, str], why: str) -> None:
    assert verdict(dialogue(state)) == (0.0, why)


def test_what_the_user_could_not_say_is_not_held_against_it() -> None:
    unfinished = {"hotel-area": "west"}
    never_offered = {slot: value for slot, value in KEPT.items() if "book" not in slot and slot != "hotel-name"}

    assert verdict(dialogue(unfinished, end="turns"))[0] == 1.0
    assert verdict(dialogue(never_offered))[0] == 1.0


def test_people_are_not_judged() -> None:
    assert list(user_keeps_goal(dialogue(KEPT, gold=""))) == []
