"""When two slot values mean the same under each policy."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.suites.service.rules.values import CANONICAL, FUZZY, POLICIES, STRICT, Match

STRICTLY_SAME = [
    ("hotel-area", "north", "North"),
    ("hotel-name", "acorn guest house", "  Acorn  guest\thouse "),
    ("hotel-area", "dontcare", "DONTCARE"),
]
CANONICALLY_SAME = [
    ("train-leaveat", "9:15", "09:15"),
    ("train-leaveat", "17:15", "5:15 pm"),
    ("train-leaveat", "17:15", "5.15 p.m."),
    ("train-leaveat", "17:00", "5pm"),
    ("train-leaveat", "00:30", "12:30 am"),
    ("train-leaveat", "12:30", "12:30 pm"),
    ("train-arriveby", "12:00", "noon"),
    ("train-arriveby", "00:00", "midnight"),
    ("train-arriveby", "11:00", "11 o'clock"),
    ("hotel-stars", "4", "four"),
    ("hotel-bookpeople", "10", "Ten"),
    ("hotel-area", "centre", "center"),
    ("attraction-type", "theatre", "theater"),
    ("attraction-type", "swimmingpool", "swimming pool"),
    ("hotel-type", "guesthouse", "guest house"),
    ("hotel-area", "dontcare", "don't care"),
    ("hotel-area", "dontcare", "do n't care"),
    ("hotel-area", "dontcare", "does not matter"),
    ("hotel-area", "dontcare", "any"),
    ("hotel-area", "no preference", "not important"),
    ("hotel-name", "larkspur", "the larkspur"),
    ("hotel-name", "larkspur", "the larkspur hotel"),
    ("hotel-name", "acorn guest house", "acorn guesthouse"),
    ("hotel-name", "acorn", "acorn guesthouse"),
    ("restaurant-name", "curry garden", "the curry garden restaurant"),
    ("taxi-destination", "acorn", "acorn guest house"),
    ("restaurant-name", "bloomsbury and co", "bloomsbury & co"),
]
FUZZILY_SAME = [
    ("hotel-name", "university arms", "universty arms"),
    ("hotel-name", "university arms", "univeristy arms"),
    ("restaurant-food", "mediterranean", "mediteranean"),
    ("hotel-name", "limehouse", "lime house"),
]
NEVER_SAME = [
    ("hotel-bookpeople", "1", "10"),
    ("hotel-bookstay", "2", "12"),
    ("hotel-bookpeople", "two", "ten"),
    ("hotel-stars", "3", "4"),
    ("train-leaveat", "17:15", "17:16"),
    ("train-leaveat", "17:15", "5:15 am"),
    ("train-trainid", "tr1234", "tr1235"),
    ("restaurant-name", "restaurant 17", "restaurant 1 7"),
    ("hotel-area", "east", "west"),
    ("hotel-area", "north", "south"),
    ("train-day", "tuesday", "thursday"),
    ("train-day", "sunday", "monday"),
    ("hotel-area", "dontcare", "north"),
    ("hotel-type", "hotel", "guesthouse"),
    ("hotel-parking", "yes", "no"),
    ("restaurant-food", "thai", "that"),
    ("restaurant-name", "ask", "ark"),
]


@pytest.mark.parametrize("pair", STRICTLY_SAME, ids=" | ".join)
def test_strict_forgives_case_and_white_space(pair: tuple[str, str, str]) -> None:
    assert verdicts(pair) == [True, True, True]


@pytest.mark.parametrize("pair", CANONICALLY_SAME, ids=" | ".join)
def test_canonical_takes_spellings_of_one_value_as_the_same(pair: tuple[str, str, str]) -> None:
    assert verdicts(pair) == [False, True, True]


@pytest.mark.parametrize("pair", FUZZILY_SAME, ids=" | ".join)
def test_only_fuzzy_forgives_slips_of_the_pen(pair: tuple[str, str, str]) -> None:
    assert verdicts(pair) == [False, False, True]


@pytest.mark.parametrize("pair", NEVER_SAME, ids=" | ".join)
def test_other_values_are_never_the_same(pair: tuple[str, str, str]) -> None:
    assert verdicts(pair) == [False, False, False]


def test_suffixes_are_cut_from_names_only() -> None:
    assert not CANONICAL.right("hotel-type", "hotel", "the hotel")
    assert not CANONICAL.right("restaurant-food", "curry restaurant", "curry")


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_any_of_the_gold_alternatives_is_right(policy: Match) -> None:
    assert policy.right("hotel-name", "acorn", ("lensfield", "acorn"))
    assert not policy.right("hotel-name", "acorn", ("lensfield", "gonville"))
    assert not policy.right("hotel-name", "acorn", ())


WORDS = st.sampled_from(
    "the a hotel guest house guesthouse restaurant center centre two ten 2 12 10 1 5:15 17:15 5 pm a.m. noon any "
    "dontcare don't care university universty thai b&b & and .".split()
)
SLOTS = st.sampled_from(["hotel-name", "hotel-area", "train-leaveat", "hotel-bookpeople", "taxi-destination"])
PHRASES = st.lists(WORDS, max_size=4).map(" ".join)
TEXTS = PHRASES | st.text(max_size=12)
QUICKLY = settings(max_examples=300, deadline=None, database=None)


@QUICKLY
@given(SLOTS, TEXTS, TEXTS)
def test_every_policy_is_symmetric(slot: str, first: str, second: str) -> None:
    for policy in POLICIES.values():
        assert policy.right(slot, first, second) == policy.right(slot, second, first)


@QUICKLY
@given(SLOTS, TEXTS)
def test_every_value_is_the_same_as_itself(slot: str, value: str) -> None:
    assert verdicts((slot, value, value)) == [True, True, True]


@QUICKLY
@given(SLOTS, TEXTS, TEXTS, st.sampled_from([str.upper, str.title, lambda text: f" {text} ", str]))
def test_strict_implies_canonical_implies_fuzzy(slot: str, first: str, second: str, spelled: object) -> None:
    assert callable(spelled)
    for other in (second, spelled(first)):
        strict, canonical, fuzzy = verdicts((slot, first, other))
        assert strict <= canonical <= fuzzy


@QUICKLY
@given(SLOTS, st.integers(0, 99), st.integers(0, 99))
def test_numbers_are_the_same_only_if_they_are_equal(slot: str, first: int, second: int) -> None:
    assert verdicts((slot, str(first), str(second))) == [first == second] * 3


@QUICKLY
@given(st.text("abcdefgh", min_size=1, max_size=4), st.text("abcdefgh", min_size=1, max_size=4))
def test_short_words_are_never_fuzzy(first: str, second: str) -> None:
    assert FUZZY.right("restaurant-food", first, second) == (first == second)


def verdicts(pair: tuple[str, str, str]) -> list[bool]:
    """Whether a pair is the same under strict, canonical and fuzzy, asked both ways."""
    slot, first, second = pair
    ours = [policy.right(slot, first, second) for policy in (STRICT, CANONICAL, FUZZY)]
    assert ours == [policy.right(slot, second, first) for policy in (STRICT, CANONICAL, FUZZY)]
    return ours
