"""Members by rule say what they wish, in words that the suite understands, and accept what gives them enough."""

from __future__ import annotations

from random import Random

import pytest

from adjudge.suites.trip.data import ACTIONABLE, KIND_OF_SLOT, CatalogueEntry, Plan, Strength, Wish
from adjudge.suites.trip.rules.wishes import parse_wish
from adjudge.systems.trip.data import MemberView, Person, SpokenWish, TurnPart
from adjudge.systems.trip.lexicon import table_of
from adjudge.systems.trip.members import answers, provide_text
from adjudge.systems.trip.planning.matching import Matcher, PlaceVerdict, wants_of

ADA = Person("Ada", "mother")
THAI = CatalogueEntry("restaurant", "Lotus", "Bend", 12.0, cuisines=("Thai",))
GREEK = CatalogueEntry("restaurant", "Olive", "Bend", 10.0, cuisines=("Mediterranean",))


def place_of(slot: str, kind: str) -> CatalogueEntry:
    words = (kind,)
    if slot == "lodging":
        return CatalogueEntry("lodging", "Gable", "Bend", 50.0, room_type=kind)
    cuisines, categories = (words, ()) if slot == "cuisine" else ((), words)
    return CatalogueEntry(KIND_OF_SLOT[slot], "Gable", "Bend", 9.0, cuisines=cuisines, categories=categories)


def verdicts(slot: str, text: str, strength: Strength | None) -> list[PlaceVerdict]:
    """What every kind of place does for a wish in some words."""
    places = [place_of(slot, kind["name"]) for kind in table_of("groups")["kinds"][slot]]
    matcher = Matcher(places)
    [want] = wants_of([SpokenWish("Ada", slot, text, strength)])
    return [matcher.verdict(want, place) for place in places]


@pytest.mark.parametrize("slot", ACTIONABLE)
def test_a_wish_means_the_same_in_whatever_words_it_is_spoken(slot: str) -> None:
    for number, kind in enumerate(table_of("groups")["kinds"][slot]):
        for text in kind["wishes"]:
            for strength in ("must", "prefer", None):
                hidden = verdicts(slot, text, strength)
                assert [verdict.meets for verdict in hidden].index(True) == number
                assert sum(verdict.meets for verdict in hidden) == 1, f"{text} is met by other kinds as well"
                assert all(verdicts(slot, spoken, strength) == hidden for spoken in wordings(text, strength))


@pytest.mark.parametrize("slot", ACTIONABLE)
def test_a_refusal_rules_out_its_kind_in_whatever_words_it_is_spoken(slot: str) -> None:
    for number, kind in enumerate(table_of("groups")["kinds"][slot]):
        for strength in ("avoid", "reject"):
            for spoken in wordings(kind["no"], strength):
                barred = [verdict.bars for verdict in verdicts(slot, spoken, strength)]
                assert barred == [place == number for place in range(len(barred))], spoken


def wordings(text: str, strength: str | None) -> set[str]:
    wish = Wish("cuisine", text, strength)  # type: ignore[arg-type]
    spoken = {provide_text(wish, str(key)) for key in range(40)}
    assert len(spoken) == len(table_of("members")["provide"][strength or "open"])
    return spoken


def test_having_no_preference_is_no_wish() -> None:
    assert all(parse_wish(text).indifferent for text in table_of("members")["provide"]["none"])


def test_a_member_is_asked_slot_by_slot_and_says_nothing_of_other_slots() -> None:
    wishes = (Wish("cuisine", "Thai food", "must"), Wish("lodging", "an entire home"))

    [line] = answers(MemberView(ADA, wishes, (TurnPart("Food?", "sys_request_cuisine"),)), "case", Random(1))

    assert "Thai food" in line.text
    assert (line.intent, line.strength) == ("user_provide_cuisine", "must")


def test_a_member_votes_by_its_own_wishes() -> None:
    wishes = (Wish("cuisine", "Thai food", "prefer"), Wish("cuisine", "no seafood", "reject"))
    question = TurnPart("Which?", "sys_request_vote_cuisine", options=("thai", "seafood"))

    [line] = answers(MemberView(ADA, wishes, (question,)), "case", Random(1))

    [ballot] = line.ballots
    assert (ballot.top_choice, ballot.hard_no) == ("thai", ("seafood",))


@pytest.mark.parametrize(
    ("places", "strength", "intent"),
    [
        ((THAI,), "must", "user_accept_plan"),
        ((GREEK,), "must", "user_reject_plan"),
        ((GREEK,), "prefer", "user_reject_plan"),
    ],
)
def test_acceptance_is_a_choice(places: tuple[CatalogueEntry, ...], strength: Strength, intent: str) -> None:
    view = MemberView(ADA, (Wish("cuisine", "Thai food", strength),), PRESENTED, Plan(), places)

    assert [line.intent for line in answers(view, "case", Random(1))] == [intent]


def test_half_of_the_wishes_is_enough_unless_a_member_insists() -> None:
    wishes = (Wish("cuisine", "Thai food", "prefer"), Wish("attraction", "a zoo", "prefer"))
    insisting = (wishes[0], Wish("attraction", "a zoo", "must"))

    accepted = [
        next(answers(MemberView(ADA, own, PRESENTED, Plan(), (THAI,)), "case", Random(1)))
        for own in (wishes, insisting)
    ]

    assert [line.intent for line in accepted] == ["user_accept_plan", "user_reject_plan"]


def test_a_member_says_what_it_lacks_in_a_draft() -> None:
    asked = (
        *PRESENTED,
        TurnPart("The food?", "sys_feedback_cuisine"),
        TurnPart("The sights?", "sys_feedback_attraction"),
    )
    view = MemberView(ADA, (Wish("cuisine", "Thai food"), Wish("event", "live jazz")), asked, Plan(), (GREEK,))

    [line] = answers(view, "case", Random(1))

    assert line.intent == "user_feedback_cuisine"
    assert "Thai food" in line.text


PRESENTED = (TurnPart("Here is the plan.", "sys_present_plan"),)
