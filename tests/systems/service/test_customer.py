"""The simulated customer: what it wants, how it reads replies, what it says, and that it keeps to its goal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from adjudge.core.play import Said, Utterance, View
from adjudge.suites.service.rules.database import Venues
from adjudge.systems.service.agenda import take_step
from adjudge.systems.service.cases import SAMPLE, SAMPLE_DB, read_cases
from adjudge.systems.service.customer import reading, wording
from adjudge.systems.service.customer.acts import Agenda
from adjudge.systems.service.customer.reading import read_reply
from adjudge.systems.service.customer.wishes import DomainWish, wishes_of
from adjudge.systems.service.customer.wording import WORDINGS, wordings_of
from adjudge.systems.service.data import ServiceCase

DB = Venues.load(SAMPLE_DB)
HOTEL = DomainWish(
    {"area": "west", "pricerange": "cheap"},
    requests=("phone",),
    booking={"bookpeople": "2", "bookday": "friday", "bookstay": "3"},
)


def converse(wishes: dict[str, DomainWish], *replies: str) -> Iterator[Said[Agenda]]:
    """The turns of a customer before and after given replies."""
    turns: list[Utterance] = []
    notes: Agenda | None = None
    for number, reply in enumerate(("", *replies)):
        if number:
            turns.append(Utterance(len(turns), "system", reply))
        view: View[Agenda] = View("user", ServiceCase(id="c", wishes=wishes), tuple(turns), notes, turn=len(turns))
        step = take_step(view, DB, wordings_of("first"), Random(number))
        notes = step.notes
        turns.append(Utterance(len(turns), "user", step.text))
        yield step


def states(steps: list[Said[Agenda]]) -> list[dict[str, str]]:
    return [step.facts.gold.state for step in steps if not step.passes]


def test_it_says_its_wishes_asks_books_and_leaves() -> None:
    steps = list(
        converse(
            {"hotel": HOTEL},
            "Which area of town would you like, and what price range?",
            "I recommend Rowan Lodge.",
            "The phone number is 01632 960053.",
            "Your room at Rowan Lodge is booked. The reference number is 7GAWK763.",
            "Goodbye.",
        )
    )

    assert states(steps)[1].items() >= {"hotel-area": "west", "hotel-pricerange": "cheap"}.items()
    assert steps[2].facts.gold.requested == ("hotel-phone",)
    assert states(steps)[2]["hotel-name"] == "rowan lodge"
    assert steps[3].facts.gold.intents == ("book_hotel",)
    assert (steps[4].ends, steps[5].passes, steps[5].ends) == ("", True, "said goodbye")


def test_it_has_no_preference_where_its_goal_is_silent() -> None:
    wishes = {"hotel": DomainWish({"area": "west"})}
    *_, step = converse(wishes, "What price range do you have in mind?")

    assert step.facts.gold.state == {"hotel-area": "west", "hotel-pricerange": "dontcare"}


def test_it_takes_the_alternative_where_nothing_is_found() -> None:
    wish = DomainWish({"food": "thai", "area": "west"}, first={"food": "korean", "area": "west"})
    first, second = converse(
        {"restaurant": wish}, "I am sorry, no restaurant fits that. Would you like something else?"
    )

    assert first.facts.gold.state["restaurant-food"] == "korean"
    assert second.facts.gold.state["restaurant-food"] == "thai"


def test_it_takes_the_alternative_where_a_booking_is_refused() -> None:
    wish = structs.replace(HOTEL, requests=(), first_booking={**HOTEL.booking, "bookstay": "9"})
    steps = converse(
        {"hotel": wish},
        "Which area, and what price range?",
        "I recommend Rowan Lodge.",
        "What day would you like? How many nights? How many people?",
        "I am sorry, Rowan Lodge has no room free then.",
    )

    assert [state.get("hotel-bookstay", "") for state in states(list(steps))][-2:] == ["9", "3"]


def test_it_gives_up_after_a_while_and_ends_the_conversation() -> None:
    steps = list(converse({"hotel": HOTEL}, *["Hm."] * 14))

    assert any(step.ends for step in steps)


@pytest.mark.parametrize("name", WORDINGS)
def test_every_act_has_at_least_four_wordings(name: str) -> None:
    wordings = wordings_of(name)
    frames = {kind: len(table.get("frame", ())) for kind, table in wordings.items()}
    counts = {
        (kind, slot): max(1, frames[kind]) * len(texts)
        for kind, table in wordings.items()
        for slot, texts in table.items()
    }

    assert {key: count for key, count in counts.items() if count < 4} == {}
    assert {kind: set(table) for kind, table in wordings.items()} == {
        kind: set(table) for kind, table in wordings_of("first").items()
    }


def test_the_customer_shares_no_lexicon_and_no_templates_with_the_system() -> None:
    package = Path(wording.__file__).parent
    imported = {
        name
        for path in package.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (name := node.module or "").startswith("adjudge.systems")
    }

    assert {name for name in imported if ".customer" not in name} == {"adjudge.systems.service.catalogue"}
    assert {path.parent for path in WORDINGS.values()} == {package} == {reading.HERE}


def test_a_goal_of_multiwoz_counts_alternatives_that_its_message_speaks_of() -> None:
    goal = {
        "hotel": {"info": {"area": "east"}, "fail_info": {"area": "west"}, "reqt": ["entrance fee"], "fail_book": {}},
        "train": {"info": {"leaveAt": "10:00"}, "book": {"people": "2", "invalid": False}},
        "message": [
            "You are looking for a <span class='emphasis'>train</span>.",
            "You are also looking for a <span class='emphasis'>place to stay</span>. The hotel should be in the west.",
        ],
        "topic": {"hotel": False},
    }

    assert list(wishes_of(goal)) == ["train", "hotel"]
    assert wishes_of(goal)["hotel"] == DomainWish({"area": "east"}, requests=("fee",))
    assert wishes_of(goal)["train"] == DomainWish({"leaveat": "10:00"}, booking={"bookpeople": "2"})
    told = {**goal, "message": [*goal["message"], "If there is no such hotel, how about one in the east"]}
    assert wishes_of(told)["hotel"].first == {"area": "west"}


def test_replies_are_read_by_what_they_name_give_and_ask() -> None:
    offer = read_reply("I recommend Rowan Lodge. Which day would you like to stay?", "hotel", DB)
    refusal = read_reply("I am sorry, Rowan Lodge is fully booked.", "hotel", DB)
    nothing = read_reply("Unfortunately there is no hotel like that.", "hotel", DB)
    booked = read_reply("All done, your reference number is 7GAWK763.", "hotel", DB)

    assert (offer.venue, offer.refuses, "day" in offer.asks) == ("rowan lodge", False, True)
    assert (refusal.refuses, refusal.finds_nothing) == (True, False)
    assert nothing.finds_nothing
    assert booked.confirms


def test_the_goals_of_the_sample_can_be_fulfilled() -> None:
    cases = [read.case for read in read_cases([SAMPLE], {})]

    assert len(cases) == 40
    for case in cases:
        for domain, goal in case.goal.items():
            assert domain == "taxi" or DB.query(domain, goal.informable), f"{case.id}: {domain}"
            first = case.wishes[domain].first
            assert not first or not DB.query(domain, first), f"{case.id}: {domain}"
