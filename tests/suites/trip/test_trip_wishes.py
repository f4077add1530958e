"""What wishes want and do not want, and whether places give it."""

from __future__ import annotations

import pytest
from msgspec import structs
from trip_rows import rows_of
from wishing import attraction, categories_in, event, lodging, marks, restaurant, trip, values

from adjudge.english.tokens import stem
from adjudge.suites.trip.data import ACTIONABLE, CatalogueEntry
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.channels import Finding, WishPair, category, house_rules, is_untold
from adjudge.suites.trip.rules.dialogue import SlotPreference
from adjudge.suites.trip.rules.offers import Offer
from adjudge.suites.trip.rules.vocabulary import informative, lexicon, top, with_categories
from adjudge.suites.trip.rules.wishes import ParsedWish, affirmed_text, parse_wish, read_wish

ENTIRE, PRIVATE, SHARED = "Entire home/apt", "Private room", "Shared room"


@rows_of("wishes")
def test_negation_reaches_to_the_end_of_its_clause(text: str, wanted: str, unwanted: tuple[str, ...]) -> None:
    assert parse_wish(text) == ParsedWish(wanted, unwanted)


@rows_of("wishes")
def test_a_reason_that_points_back_to_a_refusal_refuses_nothing_else(
    text: str, wanted: str, unwanted: tuple[str, ...]
) -> None:
    assert parse_wish(text) == ParsedWish(wanted, unwanted)


@rows_of("wishes")
def test_a_refusal_that_names_nothing_refuses_what_stands_before_it(
    text: str, wanted: str, unwanted: tuple[str, ...]
) -> None:
    assert parse_wish(text) == ParsedWish(wanted, unwanted)


@rows_of("wishes")
def test_what_is_free_of_a_thing_does_not_want_it(text: str, wanted: str, unwanted: tuple[str, ...]) -> None:
    assert parse_wish(text) == ParsedWish(wanted, unwanted)


def test_who_would_not_pay_for_a_thing_may_want_it() -> None:
    assert parse_wish("A free museum, I don't want to pay for it").wanted == "A free museum"


@pytest.mark.parametrize("text", ["Thai, you can't beat it", "Sushi, I can't help it", "A free concert, tax-free even"])
def test_praise_and_gifts_refuse_nothing(text: str) -> None:
    assert parse_wish(text) == ParsedWish(text)


@rows_of("wishes")
def test_a_price_is_no_word_but_a_limit(text: str, wanted: str, unwanted: tuple[str, ...], most: float) -> None:
    assert parse_wish(text) == ParsedWish(wanted, unwanted, most=most)


@rows_of("wishes")
def test_a_number_that_is_no_price_for_one_and_words_without_a_number_set_no_limit(text: str) -> None:
    assert parse_wish(text) == ParsedWish(text)


@rows_of("wishes")
def test_what_only_looks_like_a_negation_wants_all_that_is_said(text: str) -> None:
    assert parse_wish(text) == ParsedWish(text)


@rows_of("wishes")
def test_indifference_is_no_wish(text: str) -> None:
    assert parse_wish(text) == ParsedWish(indifferent=True)


@rows_of("wishes")
def test_a_refusal_by_idiom_is_a_refusal(text: str, unwanted: tuple[str, ...]) -> None:
    assert parse_wish(text) == ParsedWish("", unwanted)


@rows_of("wishes")
def test_what_is_twice_negated_is_wanted(text: str, wanted: str) -> None:
    assert parse_wish(text) == ParsedWish(wanted)


@rows_of("wishes")
def test_what_is_only_not_minded_is_no_wish(text: str) -> None:
    assert parse_wish(text) == ParsedWish(indifferent=True)


@rows_of("wishes")
def test_what_is_said_beside_a_denied_preference_counts(text: str, wanted: str, unwanted: tuple[str, ...]) -> None:
    assert parse_wish(text) == ParsedWish(wanted, unwanted)


@rows_of("wishes")
def test_a_refusal_goes_on_through_a_list(text: str, wanted: str, unwanted: tuple[str, ...]) -> None:
    assert parse_wish(text) == ParsedWish(wanted, unwanted)


def test_long_runs_of_white_space_are_one_space() -> None:
    assert parse_wish("no" + 20_000 * " " + "seafood" + 20_000 * " " + "pots") == ParsedWish("", ("seafood pots",))


def test_a_wish_with_an_indifferent_phrase_in_it_is_a_wish() -> None:
    assert parse_wish("A private room, otherwise anything goes").wanted


@pytest.mark.parametrize("strength", ["avoid", "reject"])
def test_what_is_avoided_or_rejected_is_unwanted_whether_its_words_negate_or_not(strength: str) -> None:
    assert read_wish(SlotPreference("Ann", "cuisine", "seafood and pizza", strength)) == ParsedWish(
        "", ("seafood", "pizza")
    )
    assert read_wish(SlotPreference("Ann", "cuisine", "no seafood", strength)) == ParsedWish("", ("seafood",))


def test_what_every_lodging_is_is_not_wanted() -> None:
    assert read_wish(SlotPreference("Ann", "lodging", "a room, but not a shared one")) == ParsedWish(
        "", ("shared one",)
    )


def test_a_description_affirms_what_it_does_not_deny() -> None:
    assert affirmed_text("A nut-free kitchen. It has a terrace, no parking.") == "A, kitchen, It has a terrace"


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
    ("first", "other"),
    [("museum", "museums"), ("galleries", "gallery"), ("movie", "movies"), ("hike", "hiking"), ("shop", "shopping")],
)
def test_forms_of_a_word_have_one_stem(first: str, other: str) -> None:
    assert stem(first) == stem(other)


def test_different_words_keep_different_stems() -> None:
    assert len({stem(word) for word in ("diner", "dinner", "dining", "theme park", "bass", "base")}) == 6


def test_a_word_that_shares_its_stem_with_an_empty_one_tells() -> None:
    assert informative("a theme for them") == (stem("theme"),)


@pytest.mark.parametrize("text", ["my aunt plays it", "a band playing waltzes", "a place to play", "at a fair price"])
def test_words_that_only_sound_like_a_category_name_none(text: str) -> None:
    assert categories_in(text, lexicon("event")) <= {"music", "band"}


def test_a_play_is_theatre() -> None:
    assert "theatre" in categories_in("a good play", lexicon("event")) & categories_in("plays", lexicon("event"))


def test_the_longest_phrase_tells_the_category() -> None:
    assert categories_in("amusement parks", lexicon("attraction")) == {"amusement", "amusement park"}
    assert "park" in categories_in("parks", lexicon("attraction"))


def test_categories_of_the_catalogue_are_known_beside_the_general_ones() -> None:
    known = with_categories("cuisine", ["Georgian", "Soups & Stews"])
    assert categories_in("Georgian stews, or pasta", known) == {"georgian", "stew", "italian", "pasta"}


def test_every_list_of_the_data_is_of_words_in_small_letters() -> None:
    slots, wishes = table_of("categories")["kinds"], table_of("wishes")
    listed = [word for slot in slots.values() for kind, others in slot.items() for word in (kind, *others)]
    listed += wishes["stop_words"] + wishes["negation"]["cues"] + wishes["negation"]["none"]
    assert [word for word in listed if word != word.lower() or not word.strip()] == []
    assert set(wishes["generic"]) == set(ACTIONABLE)


def at(price: float, place: CatalogueEntry) -> CatalogueEntry:
    """A place of the catalogue at a price."""
    return structs.replace(place, price=price)


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
    # A wider kind is not enough for a narrower one, but the narrower is for the wider.
    ("event", "A blues concert", event("Iron Anvil", "Music", "Metal"), False),
    ("event", "A blues concert", event("Muddy Rivers", "Music", "Blues"), True),
    ("event", "A tennis match", event("Derby", "Sports", "Soccer"), False),
    ("event", "A musical at the theater", event("Hamlet", "Theatre"), False),
    ("event", "Live music, jazz if possible", event("The Larks", "Music", "Rock"), True),
    ("event", "Any sport, preferably golf", event("Derby", "Soccer"), True),
    ("cuisine", "A steakhouse", restaurant("Rosie's", "American", "Diner"), False),
    ("cuisine", "A diner", restaurant("Ember", "Steakhouse"), False),
    ("cuisine", "American food", restaurant("Ember", "Steakhouse"), True),
    ("cuisine", "A steakhouse", restaurant("Ember Steakhouse", "American"), True),
    ("cuisine", "Sushi", restaurant("Slurp", "Ramen"), False),
    ("cuisine", "Sushi", restaurant("Umi", "Japanese"), True),
    ("cuisine", "Turkish", restaurant("Athena", "Greek"), False),
    ("cuisine", "Asian food", restaurant("Chiang Mai", "Thai"), True),
    ("attraction", "A waterfall", attraction("Bird hide", "Nature"), False),
    ("attraction", "To be outdoors", attraction("Angel Falls", "Waterfall"), True),
    ("attraction", "A museum", attraction("The Whitfield", "Art Museum"), True),
    # A refusal reaches as far as its own word and the words that mean the same.
    ("attraction", "No hiking", attraction("Punt ride", "Nature"), True),
    ("attraction", "No hiking", attraction("Ridge", "Trail"), False),
    ("attraction", "No nature", attraction("Ridge", "Trail"), False),
    ("attraction", "No churches", attraction("Golden Pagoda", "Temple"), True),
    ("attraction", "No religious sites", attraction("Golden Pagoda", "Temple"), False),
    ("attraction", "No gambling", attraction("Lux", "Casino"), False),
    ("cuisine", "No steak", restaurant("Rosie's", "American", "Diner"), True),
    ("cuisine", "No American food", restaurant("Rosie's", "Diner"), False),
    ("cuisine", "No ramen", restaurant("Umi", "Japanese"), True),
    ("cuisine", "No ramen", restaurant("Umi", "Japanese", "Ramen"), False),
    ("cuisine", "No curry", restaurant("Dosa House", "Indian"), True),
    ("cuisine", "No barbeque", restaurant("Pit Stop", "BBQ"), False),
    ("event", "No golf", event("Derby", "Sports", "Soccer"), True),
    ("event", "No rock concerts", event("Cello night", "Music", "Classical"), True),
    ("event", "No concerts", event("Cello night", "Music", "Classical"), False),
    # What a house does not forbid it allows.
    ("lodging", "Somewhere I may smoke", lodging("Quay 4", ENTIRE, "No pets"), True),
    ("lodging", "Somewhere I may smoke", lodging("Quay 4", ENTIRE, "No smoking"), False),
    ("lodging", "Cats must be allowed", lodging("Hill House", PRIVATE), True),
    ("lodging", "A toddler-friendly place", lodging("Hill House", PRIVATE, "No parties"), True),
    ("lodging", "A toddler-friendly place", lodging("Hill House", PRIVATE, "No children under 10"), False),
    ("lodging", "A place that accepts visitors", lodging("Oak Farm", ENTIRE, "No visitors"), False),
    ("lodging", "A place that accepts visitors", lodging("Oak Farm", ENTIRE, "No smoking"), True),
    ("lodging", "A fenced garden for the dog", lodging("Tower flat", ENTIRE), False),
    ("lodging", "A shared room where I can smoke", lodging("Tower flat", ENTIRE), False),
    # A private thing is no private room.
    ("lodging", "A private pool", lodging("Palm House", ENTIRE, about="Private pool."), True),
    ("lodging", "A private place", lodging("Palm House", ENTIRE), True),
    # Prices.
    ("lodging", "Under $90 a night", at(85, lodging("Hill House", PRIVATE)), True),
    ("lodging", "Under $90 a night", at(95, lodging("Hill House", PRIVATE)), False),
    ("lodging", "A private room, at most 90 dollars", at(95, lodging("Hill House", PRIVATE)), False),
    ("lodging", "A private room, at most 90 dollars", at(85, lodging("Hill House", PRIVATE)), True),
    ("lodging", "A private room, at most 90 dollars", at(20, lodging("Pilgrim beds", SHARED)), False),
    ("cuisine", "Nothing above 35 euros", at(60, restaurant("Frida", "Mexican")), False),
    ("cuisine", "No seafood, and not over $35", at(20, restaurant("Frida", "Mexican")), True),
    ("cuisine", "No seafood, and not over $35", at(20, restaurant("Reef", "Seafood")), False),
    ("event", "Jazz for less than $20", event("Blue Note", "Music", "Jazz"), True),
]


@pytest.mark.parametrize(("slot", "wish", "place", "satisfied"), PAIRS)
def test_places_satisfy_the_wishes_that_a_reader_says_they_satisfy(slot, wish, place, satisfied) -> None:
    judged = values("satisfaction_lexical", trip({"Ann": {slot: wish}}, place))
    assert judged == {f"Ann: {slot}": float(satisfied)}


def test_a_dish_that_the_catalogue_has_as_a_category_is_not_met_by_its_cuisine() -> None:
    umi, slurp = restaurant("Umi", "Japanese"), restaurant("Slurp", "Japanese", "Ramen")
    for wish, met in (("ramen", 0.0), ("tempura", 1.0)):
        record = trip({"Ann": {"cuisine": wish}}, umi, catalogue=(umi, slurp))
        assert values("satisfaction_lexical", record) == {"Ann: cuisine": met}


def test_a_wish_about_a_price_alone_is_open_where_no_price_is_known() -> None:
    record = trip({"Ann": {"lodging": "under $90 a night"}}, lodging("Hill House", PRIVATE))
    assert values("satisfaction_lexical", record) == {}


def test_one_place_above_the_limit_bars_the_wish_and_names_both_amounts() -> None:
    tables = (at(12, restaurant("Frida", "Mexican")), at(41.5, restaurant("Reef", "Seafood")))
    (mark,) = marks("satisfaction", trip({"Ann": {"cuisine": "Mexican, at most $40"}}, *tables))
    assert (mark.value, mark.why) == (0.0, "Reef: costs 41.5, at most 40 asked")


def wanting(slot: str, wish: str, *places: CatalogueEntry) -> WishPair:
    """A wish beside places that the catalogue knows."""
    known = with_categories(slot, [name for place in places for name in (*place.cuisines, *place.categories)])
    offers = tuple(Offer(place.name, place) for place in places)
    preference = SlotPreference("Ann", slot, wish)
    return WishPair(preference, read_wish(preference), offers, known)


@pytest.mark.parametrize(
    ("slot", "wish", "place"),
    [
        ("attraction", "Museums", attraction("The Whitfield")),
        ("attraction", "No museums", attraction("The Whitfield")),
        ("cuisine", "Thai food", restaurant("Orchid")),
        ("event", "A jazz concert", event("The Larks")),
    ],
)
def test_a_category_does_not_apply_where_none_is_known(slot: str, wish: str, place: CatalogueEntry) -> None:
    assert category(wanting(slot, wish, place)) is None
    assert values("satisfaction_category", trip({"Ann": {slot: wish}}, place)) == {}


def test_a_category_does_not_apply_to_places_that_the_catalogue_lacks() -> None:
    record = trip({"Ann": {"cuisine": "Thai food"}}, restaurant("Orchid"), catalogue=())
    assert values("satisfaction_category", record) == {}


def test_an_unknown_category_does_not_refute_the_words_of_a_description() -> None:
    place = attraction("The Whitfield", about="Steam engines of the valley.")
    record = trip({"Ann": {"attraction": "A museum of steam engines"}}, place)
    assert values("satisfaction_lexical", record) == {"Ann: attraction": 1.0}


def test_one_known_category_is_enough_to_miss_the_wanted_one() -> None:
    places = (attraction("The Whitfield"), attraction("Ridge", "Trail"))
    assert category(wanting("attraction", "Museums", *places)) == Finding(False, "no place of category museum")


@pytest.mark.parametrize("wish", ["no smoking", "I'm allergic to cats", "Somewhere without parties", "No kids, please"])
def test_silent_rules_leave_open_whether_something_is_absent(wish: str) -> None:
    pair = wanting("lodging", wish, lodging("Hill House", PRIVATE, "No visitors"))
    assert house_rules(pair) is None
    assert is_untold(pair)


@pytest.mark.parametrize(
    ("wish", "place"),
    [
        ("no smoking", lodging("Hill House", PRIVATE, "No smoking")),
        ("I'm allergic to cats", lodging("Hill House", PRIVATE, "No pets")),
        ("No kids, please", lodging("Hill House", PRIVATE, "No children under 10")),
        ("no smoking", lodging("Hill House", PRIVATE, about="A smoke-free house.")),
    ],
)
def test_a_rule_that_forbids_what_is_unwanted_satisfies(wish: str, place: CatalogueEntry) -> None:
    finding = house_rules(wanting("lodging", wish, place))
    assert finding is not None
    assert finding.passed
    assert not is_untold(wanting("lodging", wish, place))
    assert values("satisfaction_lexical", trip({"Ann": {"lodging": wish}}, place)) == {"Ann: lodging": 1.0}


@pytest.mark.parametrize("wish", ["no smoking", "A private room, no smoking", "I can't stand smokers"])
def test_a_rule_that_allows_what_is_unwanted_bars_the_wish(wish: str) -> None:
    place = lodging("Hill House", PRIVATE, "Smoking allowed")
    assert values("satisfaction_lexical", trip({"Ann": {"lodging": wish}}, place)) == {"Ann: lodging": 0.0}


@pytest.mark.parametrize("wish", ["A private room, no smoking", "no smoking and no dorms", "No house that bans dogs"])
def test_silent_rules_leave_nothing_open_where_the_wish_is_not_about_them_alone(wish: str) -> None:
    place = lodging("Hill House", PRIVATE)
    assert not is_untold(wanting("lodging", wish, place))
    assert values("satisfaction_lexical", trip({"Ann": {"lodging": wish}}, place)) == {"Ann: lodging": 1.0}
