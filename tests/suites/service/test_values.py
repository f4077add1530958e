"""When two slot values mean the same under each policy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from service_wordings import wordings

from adjudge.suites.service.rules.values import CANONICAL, FUZZY, POLICIES, STRICT, Match
from examples import few_examples


@pytest.mark.parametrize(("slot", "first", "second"), wordings("same_if_strict"))
def test_strict_forgives_case_and_white_space(slot: str, first: str, second: str) -> None:
    assert verdicts(slot, first, second) == [True, True, True]


@pytest.mark.parametrize(("slot", "first", "second"), wordings("same_if_canonical"))
def test_canonical_takes_spellings_of_one_value_as_the_same(slot: str, first: str, second: str) -> None:
    assert verdicts(slot, first, second) == [False, True, True]


@pytest.mark.parametrize(("slot", "first", "second"), wordings("same_if_fuzzy"))
def test_only_fuzzy_forgives_slips_of_the_pen(slot: str, first: str, second: str) -> None:
    assert verdicts(slot, first, second) == [False, False, True]


@pytest.mark.parametrize(("slot", "first", "second"), wordings("never_same"))
def test_other_values_are_never_the_same(slot: str, first: str, second: str) -> None:
    assert verdicts(slot, first, second) == [False, False, False]


def test_suffixes_are_cut_from_names_only() -> None:
    assert not CANONICAL.right("hotel-type", "hotel", "the hotel")
    assert not CANONICAL.right("restaurant-food", "curry restaurant", "curry")


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_any_of_the_gold_alternatives_is_right(policy: Match) -> None:
    assert policy.right("hotel-name", "acorn", ("lensfield", "acorn"))
    assert not policy.right("hotel-name", "acorn", ("lensfield", "gonville"))
    assert not policy.right("hotel-name", "acorn", ())


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_each_of_several_predicted_values_must_be_a_gold_alternative(policy: Match) -> None:
    assert policy.right("hotel-name", ("acorn", "lensfield"), ("lensfield", "acorn", "gonville"))
    assert policy.right("hotel-name", ("acorn",), "acorn")
    assert not policy.right("hotel-name", ("acorn", "gonville"), "acorn")
    assert not policy.right("hotel-name", (), "acorn")


WORDS = st.sampled_from(
    "the a hotel guest house guesthouse restaurant center centre two ten 2 12 10 1 5:15 17:15 5 pm a.m. noon any "
    "dontcare don't care university universty thai b&b & and .".split()
)
SLOTS = st.sampled_from(["hotel-name", "hotel-area", "train-leaveat", "hotel-bookpeople", "taxi-destination"])
PHRASES = st.lists(WORDS, max_size=4).map(" ".join)
TEXTS = PHRASES | st.text(max_size=12)
QUICKLY = few_examples(100, in_trials=300)


@QUICKLY
@given(SLOTS, TEXTS, TEXTS)
def test_every_policy_is_symmetric(slot: str, first: str, second: str) -> None:
    for policy in POLICIES.values():
        assert policy.right(slot, first, second) == policy.right(slot, second, first)


@QUICKLY
@given(SLOTS, TEXTS)
def test_every_value_is_the_same_as_itself(slot: str, value: str) -> None:
    assert verdicts(slot, value, value) == [True, True, True]


@QUICKLY
@given(SLOTS, TEXTS, TEXTS, st.sampled_from([str.upper, str.title, lambda text: f" {text} ", str]))
def test_strict_implies_canonical_implies_fuzzy(slot: str, first: str, second: str, spelled: object) -> None:
    assert callable(spelled)
    for other in (second, spelled(first)):
        strict, canonical, fuzzy = verdicts(slot, first, other)
        assert strict <= canonical <= fuzzy


@QUICKLY
@given(SLOTS, st.integers(0, 99), st.integers(0, 99))
def test_numbers_are_the_same_only_if_they_are_equal(slot: str, first: int, second: int) -> None:
    assert verdicts(slot, str(first), str(second)) == [first == second] * 3


@QUICKLY
@given(st.text("abcdefgh", min_size=1, max_size=4), st.text("abcdefgh", min_size=1, max_size=4))
def test_short_words_are_never_fuzzy(first: str, second: str) -> None:
    assert FUZZY.right("restaurant-food", first, second) == (first == second)


def verdicts(slot: str, first: str, second: str) -> list[bool]:
    """Whether a pair is the same under strict, canonical and fuzzy, asked both ways."""
    ours = [policy.right(slot, first, second) for policy in (STRICT, CANONICAL, FUZZY)]
    assert ours == [policy.right(slot, second, first) for policy in (STRICT, CANONICAL, FUZZY)]
    return ours
