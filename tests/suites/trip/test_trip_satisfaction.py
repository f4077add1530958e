"""Addressing, satisfaction, channels, meaning, alignment and serendipity: worked examples, edges, negation.

The worked examples are those of the source (shared/spec/trip.md); where it errs, the values are those of RULINGS.md.
"""

from __future__ import annotations

import pytest
from wishing import (
    THRESHOLDS,
    attraction,
    cosines,
    event,
    lodging,
    marks,
    restaurant,
    silent_member,
    synthesis,
    trip,
    value,
    values,
)

from adjudge.core.errors import Unanswered
from adjudge.core.mark import Score
from adjudge.suites.trip.data import Day, Member, Place, Plan, Strength, Trip, TripTurn, Visit, Wish

PRIVATE = lodging("Hill House", "Private room")
MEXICAN = restaurant("Frida", "Mexican")
JAZZ = event("Blue Note", "Music", "Jazz")
MUSEUM = attraction("Maritime Museum", "Museum")
PLACES = (PRIVATE, MEXICAN, JAZZ, MUSEUM)
ALL = {"lodging": "a private room", "cuisine": "Mexican", "event": "jazz", "attraction": "museums"}
EMBEDDED = (
    "addressing",
    "addressing_synthesis",
    "addressing_plan",
    "satisfaction",
    "satisfaction_strict",
    "all_satisfied",
    "channel_semantic",
    "serendipity",
)
OF_THE_PLAN = (
    "satisfaction",
    "satisfaction_strict",
    "satisfaction_lexical",
    "satisfaction_category",
    "all_satisfied",
    "channel_room_type",
    "channel_category",
    "channel_house_rules",
    "channel_lexical",
    "channel_semantic",
    "channel_echo",
    "semantic_satisfaction",
    "semantic_satisfaction_raw",
    "serendipity",
)


def test_fourteen_of_sixteen_pairs_are_a_satisfaction_of_0_875() -> None:
    spoken = {"Ann": ALL, "Bo": ALL, "Cy": {**ALL, "cuisine": "Thai"}, "Di": {**ALL, "event": "tennis"}}
    assert value("satisfaction", trip(spoken, *PLACES)) == 0.875


def test_eight_of_twelve_pairs_of_a_category_are_a_satisfaction_of_two_thirds() -> None:
    wrong = {"cuisine": "Thai", "event": "tennis"}
    spoken = {"Ann": ALL, "Bo": ALL, "Cy": {**ALL, **wrong}, "Di": {**ALL, **wrong}}
    assert value("satisfaction_category", trip(spoken, *PLACES)) == pytest.approx(8 / 12)


def test_two_of_four_members_with_everything_are_an_all_satisfied_of_one_half() -> None:
    spoken = {"Ann": ALL, "Bo": ALL, "Cy": {**ALL, "cuisine": "Thai"}, "Di": {**ALL, "event": "tennis"}}
    assert values("all_satisfied", trip(spoken, *PLACES)) == {"Ann": 1.0, "Bo": 1.0, "Cy": 0.0, "Di": 0.0}
    assert [mark.why for mark in marks("all_satisfied", trip(spoken, *PLACES))][2] == "not satisfied: cuisine"


def test_semantic_satisfaction_is_the_mean_cosine_with_the_slots_places() -> None:
    embed = cosines({"Hill House": 0.3, "Frida": 0.48})
    record = trip({"Ann": {"lodging": "a private room", "cuisine": "tacos"}}, *PLACES, raw="Hill House, Frida and more")
    assert values("semantic_satisfaction", record, embed=embed) == pytest.approx(
        {"Ann: lodging": 0.3, "Ann: cuisine": 0.48}
    )
    assert value("semantic_satisfaction", record, embed=embed) == pytest.approx(0.39)


def test_the_raw_variant_has_the_planners_text_behind_every_slot() -> None:
    seen: list[str] = []

    def embed(texts):
        seen.extend(texts)
        return [[1.0] for _ in texts]

    record = trip({"Ann": {"cuisine": "tacos"}}, MEXICAN, raw="Day 1: we eat.")
    list(marks("semantic_satisfaction_raw", record, embed=embed))
    assert seen == ["tacos", "Frida; Day 1: we eat."]
    seen.clear()
    list(marks("semantic_satisfaction", record, embed=embed))
    assert seen == ["tacos", "Frida"]


def test_alignment_is_the_mean_cosine_with_the_explanation_of_the_resolution() -> None:
    spoken = {"Ann": {"cuisine": "Barbecue", "event": "jazz"}}
    record = trip(spoken, *PLACES)
    turns = (
        *record.turns,
        synthesis("cuisine", explanation="A family-friendly restaurant"),
        synthesis("event", explanation="A concert for all"),
    )
    record = trip(spoken, *PLACES, turns=turns)
    embed = cosines({"family-friendly": 0.35, "concert": 0.67})
    assert value("alignment", record, embed=embed) == pytest.approx(0.51)
    assert value("concession", record, embed=embed) == pytest.approx(0.49)


def test_alignment_is_undefined_without_synthesis_or_explanation() -> None:
    record = trip({"Ann": ALL}, *PLACES)
    assert marks("alignment", record) == []
    unexplained = trip({"Ann": ALL}, *PLACES, turns=(*record.turns, synthesis("cuisine", "We take Mexican.")))
    assert marks("concession", unexplained) == []


def test_a_wish_that_is_only_negated_aligns_with_nothing() -> None:
    spoken = {"Ann": {"cuisine": "no seafood"}}
    turns = (*trip(spoken).turns, synthesis("cuisine", explanation="Seafood for all."))
    assert marks("alignment", trip(spoken, *PLACES, turns=turns), embed=embed_as_alike) == []


def test_eight_of_twelve_grounded_places_are_a_serendipity_of_two_thirds() -> None:
    named = [attraction(f"Pier {number}") for number in range(2)]
    close = [attraction(f"Close {number}") for number in range(8)]
    far = [attraction(f"Far {number}") for number in range(2)]
    record = trip({"Ann": {"attraction": "Pier 0 and pier 1, the sea"}}, *named, *close, *far)
    embed = cosines({"Close": 0.3, "Far": 0.29})
    assert value("serendipity", record, embed=embed) == pytest.approx(8 / 12)
    assert marks("serendipity", record, embed=embed)[0].why == "named in a wish"


def test_serendipity_looks_at_places_of_the_catalogue_only_and_at_each_once() -> None:
    place = Place("Maritime Museum")
    days = (Day(1, attractions=(place, Place("Invented Hall"))), Day(2, attractions=(place,)))
    record = trip({"Ann": {"attraction": "ships"}}, MUSEUM, plan=Plan(days))
    assert values("serendipity", record, embed=cosines({"Maritime": 0.9})) == {"Maritime Museum": 1.0}
    assert marks("serendipity", trip({"Ann": {"attraction": "ships"}}, MUSEUM, catalogue=())) == []


def test_a_wish_that_is_only_negated_makes_nothing_serendipitous() -> None:
    assert marks("serendipity", trip({"Ann": {"attraction": "no museums"}}, MUSEUM)) == []


# Addressing


def dialogue(spoken, *more: TripTurn, raw: str = "") -> Trip:
    record = trip(spoken, MEXICAN, raw=raw)
    return trip(spoken, MEXICAN, raw=raw, turns=(*record.turns, *more))


def test_the_three_addressing_scores_tell_synthesis_from_plan() -> None:
    spoken = {
        "Ann": {"cuisine": "spicy Mexican tacos", "travel_purpose": "birthday of my mother"},
        "Bo": {"event": "jazz"},
    }
    record = dialogue(
        spoken,
        synthesis("cuisine", "We go for spicy tacos."),
        TripTurn("p", "system", "Here is your plan, with jazz on Friday.", "sys_present_plan"),
    )
    assert values("addressing_synthesis", record) == {"Ann: cuisine": 1, "Ann: travel_purpose": 0, "Bo: event": 0}
    assert values("addressing_plan", record) == {"Ann: cuisine": 0, "Ann: travel_purpose": 0, "Bo: event": 1}
    assert values("addressing", record) == {"Ann: cuisine": 1, "Ann: travel_purpose": 0, "Bo: event": 1}
    assert values("addressing_lexical", record) == values("addressing", record)


def test_one_hit_is_enough_only_where_there_is_one_informative_word() -> None:
    record = dialogue({"Ann": {"event": "jazz"}, "Bo": {"event": "live jazz outside"}}, raw="Jazz.")
    assert values("addressing_lexical", record) == {"Ann: event": 1, "Bo: event": 0}


def test_a_sentence_close_in_meaning_addresses_a_wish_from_the_threshold_on() -> None:
    record = dialogue({"Ann": {"event": "symphony"}}, synthesis("event", "We keep Friday free. Brahms it is."))
    for close, addressed in ((0.45, 1.0), (0.44, 0.0)):
        judged = marks("addressing", record, embed=cosines({"Brahms": close, "Friday": 0.0}))
        assert [(mark.value, mark.basis) for mark in judged] == [(addressed, "cosine from 0.45")]
        assert "'Brahms it is.'" in judged[0].why


def test_notes_of_the_synthesis_address_as_well() -> None:
    record = dialogue({"Ann": {"cuisine": "tacos"}}, synthesis("cuisine", "Done.", "Tacos suit everybody."))
    assert values("addressing_synthesis", record) == {"Ann: cuisine": 1.0}


def test_addressing_is_undefined_where_there_is_no_text_to_look_in() -> None:
    record = trip({"Ann": ALL}, *PLACES)
    for name in ("addressing", "addressing_synthesis", "addressing_plan", "addressing_lexical"):
        assert marks(name, record) == []


def test_indifferent_and_hidden_wishes_are_not_stated() -> None:
    record = dialogue({"Ann": {"event": "no preference", "cuisine": "tacos"}}, raw="A plan of tacos.")
    silent = trip({}, MEXICAN, raw="tacos", members=(silent_member("Bo", cuisine="tacos"),))
    assert values("addressing_lexical", record) == {"Ann: cuisine": 1.0}
    assert marks("addressing_lexical", silent) == []


# Channels


def test_the_reason_names_the_channel_and_the_place() -> None:
    record = trip({"Ann": ALL}, *PLACES)
    whys = {mark.at: mark.why for mark in marks("satisfaction", record)}
    assert whys["Ann: lodging"] == "room type: Hill House is private"
    assert whys["Ann: cuisine"] == "category: Frida: mexican"


def test_words_in_the_planners_own_text_satisfy_but_not_strictly() -> None:
    record = trip({"Ann": {"cuisine": "spicy Ethiopian lentils"}}, MEXICAN, raw="Ethiopian lentils, as you asked.")
    assert value("satisfaction", record) == 1.0
    assert value("satisfaction_strict", record) == 0.0
    assert value("channel_lexical", record) == 1.0
    assert value("channel_echo", record) == 1.0


def test_what_the_places_say_is_no_echo() -> None:
    cafe = restaurant("Lalibela", "Ethiopian", about="Lentils and injera.")
    record = trip({"Ann": {"cuisine": "Ethiopian lentils"}}, cafe, raw="Ethiopian lentils, as you asked.")
    assert (value("channel_lexical", record), value("channel_echo", record)) == (1.0, 0.0)


def test_the_echo_is_undefined_without_the_planners_own_text() -> None:
    assert marks("channel_echo", trip({"Ann": ALL}, *PLACES)) == []


def test_meaning_satisfies_from_the_threshold_on_and_names_it_as_basis() -> None:
    record = trip({"Ann": {"attraction": "dinosaurs"}}, MUSEUM)
    for close, passed in ((0.42, 1.0), (0.41, 0.0)):
        for name in ("satisfaction", "satisfaction_strict", "channel_semantic"):
            judged = marks(name, record, embed=cosines({"Maritime": close}))
            assert [(mark.value, mark.basis) for mark in judged] == [(passed, "cosine from 0.42")]


def test_the_threshold_is_that_of_the_embedder() -> None:
    record = trip({"Ann": {"attraction": "dinosaurs"}}, MUSEUM)
    judged = marks("satisfaction", record, embed=cosines({"Maritime": 0.35}), thresholds={"satisfaction": 0.32})
    assert [(mark.value, mark.basis) for mark in judged] == [(1.0, "cosine from 0.32")]


@pytest.mark.parametrize("name", EMBEDDED)
def test_an_embedder_without_a_threshold_gives_no_score(name: str) -> None:
    record = dialogue({"Ann": {"cuisine": "Thai"}}, synthesis("cuisine", "Thai."), raw="Thai.")
    with pytest.raises(Unanswered, match="no threshold for"):
        marks(name, record, thresholds={})


def test_a_channel_that_says_nothing_of_a_pair_counts_against_its_rate_but_not_against_m10b() -> None:
    record = trip({"Ann": {"cuisine": "Mexican"}, "Bo": {"cuisine": "whatever is freshest"}}, MEXICAN)
    assert values("channel_category", record) == {"Ann: cuisine": 1.0, "Bo: cuisine": 0.0}
    assert values("satisfaction_category", record) == {"Ann: cuisine": 1.0}


def test_a_place_without_categories_is_taken_for_what_its_name_says() -> None:
    wish = {"Ann": {"attraction": "museums"}}
    assert value("satisfaction_category", trip(wish, attraction("Museum of Steam"))) == 1.0
    assert value("satisfaction_category", trip(wish, attraction("Museum Mile", "Shopping"))) == 0.0


def test_lodgings_have_no_category_and_other_slots_no_room_type() -> None:
    record = trip({"Ann": ALL}, *PLACES)
    assert set(values("channel_category", record)) == {"Ann: cuisine", "Ann: event", "Ann: attraction"}
    assert set(values("channel_room_type", record)) == {"Ann: lodging"}


def test_house_rules_are_a_channel_of_their_own() -> None:
    farm, flat = lodging("Farm", "Entire home/apt", "No smoking"), lodging("Flat", "Entire home/apt", "No pets")
    spoken = {
        "Ann": {"lodging": "pets allowed"},
        "Bo": {"lodging": "an entire home"},
        "Cy": {"cuisine": "Mexican", "lodging": "no preference"},
    }
    assert values("channel_house_rules", trip(spoken, farm, MEXICAN)) == {"Ann: lodging": 1.0, "Bo: lodging": 0.0}
    assert [mark.why for mark in marks("channel_house_rules", trip(spoken, farm))] == [
        "the rules allow pets",
        "nothing by house rules",
    ]
    assert values("channel_house_rules", trip(spoken, flat)) == {"Ann: lodging": 0.0, "Bo: lodging": 0.0}


def test_words_of_a_wish_are_shown_as_they_were_said() -> None:
    record = dialogue({"Ann": {"attraction": "Hiking and galleries"}}, raw="A hike, then a gallery of trains.")
    assert [mark.why for mark in marks("addressing_lexical", record)] == [
        "2 of 2 words in the plan's text (galleries, hiking)"
    ]


def test_timed_visits_count_for_the_slot_that_the_catalogue_says() -> None:
    days = (Day(1, attractions=(Place("Old Pier"),), visits=(Visit("Maritime Museum", "10:00", "12:00"),)),)
    record = trip({"Ann": {"attraction": "museums"}}, MUSEUM, attraction("Old Pier", "Landmark"), plan=Plan(days))
    assert value("satisfaction_lexical", record) == 1.0


# Negation


def embed_as_alike(texts):
    """To this embedder all texts mean the same."""
    return [[1.0] for _ in texts]


@pytest.mark.parametrize(
    "name", ["satisfaction", "satisfaction_strict", "satisfaction_lexical", "satisfaction_category"]
)
def test_a_negated_wish_is_satisfied_by_absence_and_by_nothing_else(name: str) -> None:
    there = trip({"Ann": {"cuisine": "no seafood"}}, MEXICAN, restaurant("Reef", "Seafood"), raw="no seafood for Ann")
    absent = trip({"Ann": {"cuisine": "no seafood"}}, MEXICAN, raw="no seafood for Ann")
    assert value(name, there, embed=embed_as_alike) == 0.0
    assert value(name, absent) == 1.0


@pytest.mark.parametrize("name", ["channel_category", "channel_lexical", "channel_semantic", "channel_echo"])
def test_an_unwanted_thing_fails_every_channel(name: str) -> None:
    slice_works = restaurant("Slice Works", "Italian", "Pizza")
    record = trip({"Ann": {"cuisine": "Italian food, but no pizza"}}, slice_works, raw="Italian food, but no pizza")
    assert value(name, record, embed=embed_as_alike) == 0.0
    assert "'pizza' is not wanted" in marks("satisfaction", record, embed=embed_as_alike)[0].why


def test_an_unwanted_room_fails_the_room_channel() -> None:
    assert (
        value("channel_room_type", trip({"Ann": {"lodging": "no shared room"}}, lodging("Bunks", "Shared room"))) == 0.0
    )
    assert value("channel_room_type", trip({"Ann": {"lodging": "no shared room"}}, PRIVATE)) == 1.0


def test_only_what_is_wanted_is_ever_embedded() -> None:
    seen: list[str] = []

    def embed(texts):
        seen.extend(texts)
        return [[1.0] for _ in texts]

    spoken = {"Ann": {"cuisine": "Italian, but no seafood", "attraction": "no museums"}}
    record = trip(spoken, *PLACES)
    record = trip(spoken, *PLACES, turns=(*record.turns, synthesis("cuisine", "", "We agreed.")))
    for name in ("satisfaction", "semantic_satisfaction", "alignment", "serendipity"):
        marks(name, record, embed=embed)
    assert "Italian" in seen
    assert [text for text in seen if "seafood" in text or "no museums" in text] == []


def test_a_negated_wish_has_no_meaning_to_compare() -> None:
    record = trip({"Ann": {"cuisine": "no seafood"}}, MEXICAN)
    for name in ("channel_semantic", "channel_lexical", "semantic_satisfaction"):
        assert marks(name, record) == []


def test_absence_is_undefined_where_no_place_of_the_slot_is_known() -> None:
    assert marks("satisfaction", trip({"Ann": {"event": "no sports"}}, MEXICAN)) == []
    assert marks("satisfaction", trip({"Ann": {"cuisine": "no seafood"}}, MEXICAN, catalogue=())) == []


def test_what_is_wanted_in_a_slot_without_a_place_is_not_satisfied() -> None:
    judged = marks("satisfaction", trip({"Ann": {"event": "jazz, but no rock"}}, MEXICAN))
    assert [(mark.value, mark.why) for mark in judged] == [(0.0, "the plan has no place for event")]


def test_a_house_rule_against_what_is_wanted_leaves_it_unsatisfied() -> None:
    farm = lodging("Farm", "Entire home/apt", "No pets")
    judged = marks("satisfaction", trip({"Ann": {"lodging": "an entire house for us and the dog"}}, farm))
    assert [(mark.value, mark.why) for mark in judged] == [(0.0, "Farm: the rules forbid pets")]


# What a stronger channel refutes


REFUTED = [
    ("lodging", "a calm private room", lodging("Calm dorm", "Shared room", about="A calm room.")),
    ("lodging", "the whole house near the park", lodging("Park side", "Private room", about="Near the park.")),
    ("cuisine", "Indian curry", restaurant("Bangkok Spice", "Thai", about="Green curry, red curry.")),
    ("attraction", "a zoo with old trees", attraction("Old trees", "Park", about="Old trees.")),
    ("event", "a classical concert", event("Blue Note", "Music", "Jazz", about="A concert.")),
]


@pytest.mark.parametrize(("slot", "wish", "place"), REFUTED)
def test_words_and_meaning_do_not_overrule_room_type_and_category_strictly(slot, wish, place) -> None:
    record = trip({"Ann": {slot: wish}}, place)
    assert value("satisfaction", record, embed=embed_as_alike) == 1.0
    assert value("channel_semantic", record, embed=embed_as_alike) == 1.0
    assert value("satisfaction_strict", record, embed=embed_as_alike) == 0.0
    assert value("satisfaction_lexical", record) == 0.0


@pytest.mark.parametrize(
    ("slot", "wish", "place"),
    [
        ("lodging", "a balcony over the river", PRIVATE),
        ("cuisine", "something my grandfather would like", MEXICAN),
        ("attraction", "dinosaurs", MUSEUM),
    ],
)
def test_words_and_meaning_decide_where_neither_room_type_nor_category_applies(slot, wish, place) -> None:
    assert value("satisfaction_strict", trip({"Ann": {slot: wish}}, place), embed=embed_as_alike) == 1.0


def test_a_category_does_not_refute_what_the_description_says_in_its_own_words() -> None:
    green = restaurant("Roots", "Mediterranean", about="The kitchen is vegan.")
    denied = restaurant("Roots", "Mediterranean", about="No vegan dishes.")
    wish = {"Ann": {"cuisine": "vegan food"}}
    assert value("satisfaction_strict", trip(wish, green)) == 1.0
    assert value("satisfaction_strict", trip(wish, denied), embed=embed_as_alike) == 0.0


def test_the_reason_of_a_refuted_wish_is_the_channel_that_refutes_it() -> None:
    (mark,) = marks("satisfaction_strict", trip({"Ann": {"cuisine": "Thai"}}, MEXICAN), embed=embed_as_alike)
    assert mark.why == "category: no place of category thai"


# Undefined, hidden


@pytest.mark.parametrize("name", OF_THE_PLAN)
def test_nothing_is_said_without_a_plan_or_without_places_or_wishes(name: str) -> None:
    assert marks(name, trip({"Ann": ALL})) == []
    assert marks(name, trip({"Ann": ALL}, *PLACES, plan=Plan((Day(1),), raw="private room jazz museums"))) == []
    assert marks(name, trip({"Ann": {}}, *PLACES, raw="x")) == []
    assert marks(name, trip({"Ann": dict.fromkeys(ALL, "no preference")}, *PLACES, raw="x")) == []


def test_hidden_wishes_count_for_every_slot_of_which_a_member_did_not_speak() -> None:
    ann, bo = silent_member("Ann", cuisine="Thai", event="tennis"), silent_member("Bo", cuisine="Thai")
    record = trip({"Ann": {"cuisine": "Mexican"}}, *PLACES, members=(ann, bo))
    judged = marks("satisfaction", record)
    expected = {"Ann: cuisine": 1.0, "Ann: event": 0.0, "Bo: cuisine": 0.0}
    assert {mark.at: mark.value for mark in judged} == expected
    assert [mark.at for mark in judged if mark.why.endswith("(hidden wish)")] == ["Ann: event", "Bo: cuisine"]


def test_who_says_to_have_no_preference_has_no_hidden_wish_there() -> None:
    record = trip({"Ann": {"event": "I don't mind"}}, *PLACES, members=(silent_member("Ann", event="tennis"),))
    assert marks("satisfaction", record) == []


SEVERAL: tuple[tuple[str, Strength | None], ...] = (
    ("Mexican", "must"),
    ("a terrace", "prefer"),
    ("seafood", "reject"),
    ("loud places", "avoid"),
)


@pytest.mark.parametrize("hidden", [True, False])
def test_a_member_and_a_slot_are_one_pair_whatever_strengths_there_are(hidden: bool) -> None:
    turns = (
        ()
        if hidden
        else tuple(
            TripTurn(str(number), "Ann", text, "user_provide_cuisine", strength)
            for number, (text, strength) in enumerate(SEVERAL)
        )
    )
    wishes = tuple(Wish("cuisine", text, strength) for text, strength in SEVERAL) if hidden else ()
    record = trip({}, *PLACES, members=(Member("Ann", hidden=wishes),), turns=turns)
    for name in ("satisfaction", "satisfaction_strict", "satisfaction_category", "must_kept", "avoided"):
        assert values(name, record) == {"Ann: cuisine": 1.0}, name
    assert value("violations", record) == 0.0
    reef = trip({}, *PLACES, restaurant("Reef", "Seafood"), members=record.members, turns=turns)
    assert [values(name, reef) for name in ("satisfaction_strict", "must_kept", "avoided")] == [
        {"Ann: cuisine": 0.0},
        {"Ann: cuisine": 1.0},
        {"Ann: cuisine": 0.0},
    ]
    assert value("violations", reef) == 1.0


def test_marks_are_grouped_by_slot_and_point_to_the_turn() -> None:
    judged = marks("satisfaction_strict", trip({"Ann": ALL}, *PLACES))
    assert [(mark.group, mark.turn) for mark in judged] == [(slot, f"Ann-{slot}") for slot in ALL]


def test_the_basis_of_a_score_is_the_threshold() -> None:
    judged = marks("satisfaction", trip({"Ann": ALL}, *PLACES), thresholds=THRESHOLDS)
    assert Score.of(judged).basis == "cosine from 0.42"


@pytest.mark.parametrize("wish", ["no smoking", "no pets please", "without parties"])
def test_where_no_rule_speaks_of_it_nothing_can_be_told(wish: str) -> None:
    silent = trip({"Ann": {"lodging": wish}}, lodging("Hill House", "Private room"))
    assert values("satisfaction_lexical", silent) == {}
    house = lodging("Hill House", "Private room", "No smoking, no pets, no parties")
    forbidding = trip({"Ann": {"lodging": wish}}, house)
    assert values("satisfaction_lexical", forbidding) == {"Ann: lodging": 1.0}


def test_each_part_of_a_rule_is_read_by_itself() -> None:
    house = lodging("Hill House", "Private room", "No smoking, pets allowed")
    assert value("satisfaction_lexical", trip({"Ann": {"lodging": "we bring our dog"}}, house)) == 1.0
    assert value("satisfaction_lexical", trip({"Ann": {"lodging": "I want to smoke"}}, house)) == 0.0
