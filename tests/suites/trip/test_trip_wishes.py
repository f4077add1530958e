"""What wishes want and do not want, and whether places give it."""

from __future__ import annotations

import pytest
from wishing import attraction, event, lodging, restaurant, trip, values

from adjudge.suites.trip.data import ACTIONABLE
from adjudge.suites.trip.dialogue import Preference
from adjudge.suites.trip.wishes import Parsed, affirmed, parse, read
from adjudge.suites.trip.words import data, informative, kinds, lexicon, stem, top, with_categories

ENTIRE, PRIVATE, SHARED = "Entire home/apt", "Private room", "Shared room"


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("no seafood", "", ("seafood",)),
        ("Not a hostel.", "", ("hostel",)),
        ("Thai without peanuts", "Thai", ("peanuts",)),
        ("anything but museums", "", ("museums",)),
        ("everything except opera, I fall asleep there", "", ("opera",)),
        ("avoid casinos", "", ("casinos",)),
        ("I hate karaoke", "", ("karaoke",)),
        ("I don't like horror shows", "", ("horror shows",)),
        ("I don’t want a dorm", "", ("dorm",)),
        ("I'd rather not eat Indian", "", ("eat Indian",)),
        ("music other than techno", "music", ("techno",)),
        ("never a bunk bed", "", ("bunk bed",)),
        ("I'm allergic to nuts", "", ("nuts",)),
        ("I can't stand clowns", "", ("clowns",)),
        ("I can't eat dairy", "", ("dairy",)),
        ("parks instead of malls", "parks", ("malls",)),
        ("no seafood, pizza or burgers", "", ("seafood", "pizza", "burgers")),
        ("no clubs or bars; a quiet garden", "a quiet garden", ("clubs", "bars")),
        ("French, but no snails", "French", ("snails",)),
        ("not museums but beaches", "beaches", ("museums",)),
        ("Beaches yes, museums no", "Beaches yes", ("museums",)),
        ("Zoos bore me", "", ("Zoos",)),
        ("a smoke-free apartment", "apartment", ("smoke",)),
        ("a non-smoking room", "", ("smoking room",)),
        ("I hate zoos and want to be outdoors", "want to be outdoors", ("zoos",)),
        ("no stairs because my knee hurts", "", ("stairs",)),
    ],
)
def test_negation_reaches_to_the_end_of_its_clause(text: str, wanted: str, unwanted: tuple[str, ...]) -> None:
    assert parse(text) == Parsed(wanted, unwanted)


@pytest.mark.parametrize(
    "text",
    [
        "Not only museums but parks too",
        "Indian is not bad at all, yes",
        "Nothing but beaches",
        "I can't wait to see the zoo",
        "I've never been to an opera and would love to go",
        "Why not a musical",
        "Breakfast free of charge",
        "Somewhere not far from the sea",
        "I can't get enough of ramen",
    ],
)
def test_what_only_looks_like_a_negation_wants_all_that_is_said(text: str) -> None:
    assert parse(text) == Parsed(text)


@pytest.mark.parametrize(
    "text",
    [
        "No preference.",
        "Anything is fine",
        "I don't mind",
        "whatever the others want",
        "Up to you!",
        "",
        "N/A",
        "None",
        "no",
    ],
)
def test_indifference_is_no_wish(text: str) -> None:
    assert parse(text) == Parsed(indifferent=True)


def test_a_wish_with_an_indifferent_phrase_in_it_is_a_wish() -> None:
    assert parse("A private room, otherwise anything goes").wanted


@pytest.mark.parametrize("strength", ["avoid", "reject"])
def test_what_is_avoided_or_rejected_is_unwanted_whether_its_words_negate_or_not(strength: str) -> None:
    assert read(Preference("Ann", "cuisine", "seafood and pizza", strength)) == Parsed("", ("seafood", "pizza"))
    assert read(Preference("Ann", "cuisine", "no seafood", strength)) == Parsed("", ("seafood",))


def test_what_every_lodging_is_is_not_wanted() -> None:
    assert read(Preference("Ann", "lodging", "a room, but not a shared one")) == Parsed("", ("shared one",))


def test_a_description_affirms_what_it_does_not_deny() -> None:
    assert affirmed("A nut-free kitchen. It has a terrace, no parking.") == "A, kitchen, It has a terrace"


def test_only_the_first_six_informative_words_count() -> None:
    assert top("I would love a big old red brick house near the quiet lake") == (
        "big",
        "old",
        "red",
        "brick",
        "hous",
        "near",
    )
    assert informative("a restaurant for dinner", "cuisine") == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [("museum", "museums"), ("galleries", "gallery"), ("movie", "movies"), ("hike", "hiking"), ("shop", "shopping")],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_different_words_keep_different_stems() -> None:
    assert len({stem(word) for word in ("diner", "dinner", "dining", "theme park", "bass", "base")}) == 6


def test_a_word_that_shares_its_stem_with_an_empty_one_tells() -> None:
    assert informative("a theme for them") == (stem("theme"),)


def test_the_longest_phrase_tells_the_category() -> None:
    assert kinds("amusement parks", lexicon("attraction")) == {"amusement", "amusement park"}
    assert "park" in kinds("parks", lexicon("attraction"))


def test_categories_of_the_catalogue_are_known_beside_the_general_ones() -> None:
    known = with_categories("cuisine", ["Georgian", "Soups & Stews"])
    assert kinds("Georgian stews, or pasta", known) == {"georgian", "stew", "italian", "pasta"}


def test_every_list_of_the_data_is_of_words_in_small_letters() -> None:
    listed = [word for slot in data()["kinds"].values() for kind, others in slot.items() for word in (kind, *others)]
    listed += data()["stop_words"] + data()["negation"]["cues"] + data()["negation"]["none"]
    assert [word for word in listed if word != word.lower() or not word.strip()] == []
    assert set(data()["generic"]) == set(ACTIONABLE)


# Wishes and places with the verdict a reader gives; no embedder is needed to reach it.
PAIRS = [
    ("lodging", "A private room, please", lodging("Number 7", PRIVATE), True),
    ("lodging", "A private room, please", lodging("Number 7", SHARED), False),
    ("lodging", "I need a room to myself", lodging("Hill House", PRIVATE), True),
    ("lodging", "A whole apartment for the four of us", lodging("Quay 4", ENTIRE), True),
    ("lodging", "A whole apartment for the four of us", lodging("Quay 4", PRIVATE), False),
    ("lodging", "Let us have the house to ourselves", lodging("Oak Farm", ENTIRE), True),
    ("lodging", "I am happy to share a room", lodging("Pilgrim beds", SHARED), True),
    ("lodging", "A dorm is all I can pay", lodging("Pilgrim beds", SHARED), True),
    ("lodging", "Don't put me in a shared room", lodging("Pilgrim beds", SHARED), False),
    ("lodging", "Don't put me in a shared room", lodging("Hill House", PRIVATE), True),
    ("lodging", "Anything but a hostel", lodging("Globe Hostel", SHARED), False),
    ("lodging", "Anything but a hostel", lodging("Hill House", ENTIRE), True),
    ("lodging", "I'd rather not share", lodging("Pilgrim beds", SHARED), False),
    ("lodging", "An entire flat where our cat is welcome", lodging("Quay 4", ENTIRE, "No pets"), False),
    ("lodging", "An entire flat where our cat is welcome", lodging("Quay 4", ENTIRE, "No smoking"), True),
    ("lodging", "An apartment for a party of six", lodging("Quay 4", ENTIRE, "No parties"), True),
    ("lodging", "No smoking in the room", lodging("Hill House", PRIVATE, "No smoking"), True),
    ("lodging", "A sauna in the garden", lodging("Nordic Lodge", ENTIRE, about="Garden with a sauna."), True),
    ("lodging", "A sauna in the garden", lodging("Nordic Lodge", ENTIRE, about="Near the port."), False),
    ("cuisine", "Mexican food", restaurant("Frida", "Mexican"), True),
    ("cuisine", "Mexican food", restaurant("Lotus", "Chinese"), False),
    ("cuisine", "A burrito would be great", restaurant("Frida", "Mexican"), True),
    ("cuisine", "BBQ all the way", restaurant("Pit Stop", "Barbecue"), True),
    ("cuisine", "no Chinese", restaurant("Lotus", "Chinese"), False),
    ("cuisine", "no Chinese", restaurant("Frida", "Mexican"), True),
    ("cuisine", "I'm allergic to prawns", restaurant("Reef", "Seafood"), False),
    ("cuisine", "I'm allergic to prawns", restaurant("Frida", "Mexican"), True),
    ("cuisine", "Italian, except pizza", restaurant("Vesuvio", "Italian", "Pizza"), False),
    ("cuisine", "Italian, except pizza", restaurant("Lucia", "Italian"), True),
    ("cuisine", "Italian, except pasta", restaurant("Lucia", "Italian"), True),
    ("cuisine", "Without nuts", restaurant("Lotus", "Chinese", about="A nut-free kitchen."), True),
    ("cuisine", "Without nuts", restaurant("Pecan", "Bakery", about="Famous for nuts."), False),
    ("cuisine", "Not only French, Korean as well", restaurant("Seoul", "Korean"), True),
    ("event", "A basketball game", event("Bulls vs. Heat", "Sports", "Basketball"), True),
    ("event", "Tennis", event("Bulls vs. Heat", "Sports", "Basketball"), False),
    ("event", "Any sport", event("Cup final", "Soccer"), True),
    ("event", "No sports", event("Cup final", "Soccer"), False),
    ("event", "No sports", event("Cello night", "Music", "Classical"), True),
    ("event", "A gig in a small club", event("The Larks", "Music"), True),
    ("event", "Opera leaves me cold", event("Carmen", "Opera"), False),
    ("event", "Opera leaves me cold", event("The Larks", "Music"), True),
    ("attraction", "Museums", attraction("Maritime Museum"), True),
    ("attraction", "No museums", attraction("Maritime Museum"), False),
    ("attraction", "No museums", attraction("Pine Forest", "Nature"), True),
    ("attraction", "Parks yes, theme parks no", attraction("Hyde Park", "Park"), True),
    ("attraction", "Parks yes, theme parks no", attraction("Wild World", "Theme Park"), False),
    ("attraction", "Hiking", attraction("Ridge", "Trail"), True),
    ("attraction", "A botanical garden or so", attraction("Casino Lux", "Casino"), False),
]


@pytest.mark.parametrize(("slot", "wish", "place", "satisfied"), PAIRS)
def test_places_satisfy_the_wishes_that_a_reader_says_they_satisfy(slot, wish, place, satisfied) -> None:
    found = values("satisfaction_lexical", trip({"Ann": {slot: wish}}, place))
    assert found == {f"Ann: {slot}": float(satisfied)}
