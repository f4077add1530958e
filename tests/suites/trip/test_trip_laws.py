"""Laws that the metrics on wishes keep on any trip."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from test_trip_welfare import OPTIONAL, WITHOUT
from wishing import (
    METRICS,
    THRESHOLDS,
    attraction,
    event,
    lodging,
    marks,
    restaurant,
    silent_member,
    synthesis,
    trip,
    value,
)

from adjudge.core.mark import Score
from adjudge.stats.inequality import gini
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.metrics.welfare import mean_rate, nash_rate, worst_rate
from adjudge.suites.trip.rules.wishes import parse_wish
from examples import few_examples

QUICKLY = few_examples()
FILES = ("addressing", "satisfaction", "semantics", "fairness", "welfare", "loose", "serendipity", "strengths")
OURS = sorted(name for name, metric in METRICS.items() if metric.function.__module__.rpartition(".")[2] in FILES)
# By the source's definition, beside the variants `_loose` and `_raw`.
READING_THE_PLANNER = (
    "addressing",
    "addressing_lexical",
    "addressing_plan",
    "all_satisfied",
    "channel_echo",
    "channel_lexical",
    "satisfaction",
)
ONE_EACH = sorted(name for name in OURS if METRICS[name].card.unit == "conversation")

WISHES = {
    "lodging": [
        "a private room",
        "no shared room",
        "the whole house",
        "a pool",
        "no preference",
        "bring the dog",
        "under $60",
    ],
    "cuisine": ["Mexican", "no seafood", "Italian, but no pizza", "something spicy", "anything is fine", "not Thai"],
    "event": ["jazz", "no sports", "a game", "nothing too loud"],
    "attraction": ["museums", "anything but museums", "to hike", "art rather than shopping"],
}
STRENGTHS = st.sampled_from([None, "must", "prefer", "avoid", "reject"])
CATALOGUE = (
    structs.replace(lodging("Hill House", "Private room", "No pets"), price=70.0),
    lodging("Bunks", "Shared room", about="Pool, no parking."),
    restaurant("Frida", "Mexican"),
    restaurant("Reef", "Seafood"),
    restaurant("Slice", "Italian", "Pizza"),
    event("Blue Note", "Music", "Jazz"),
    event("Cup final", "Soccer", about="Very loud."),
    attraction("Maritime Museum"),
    attraction("Ridge", "Trail"),
)
NAMES = ("Ann", "Bo", "Cy", "Di")


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Letters of a text, counted: an embedder that finds most texts somewhat alike."""
    counts = [[1.0 + text.lower().count(letter) for letter in "aeiourst"] for text in texts]
    return [[count / math.hypot(*row) for count in row] for row in counts]


@st.composite
def trips(draw: st.DrawFn) -> Trip:
    spoken = {name: draw(_wishes()) for name in draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4))}
    strengths = {f"{name}: {slot}": draw(STRENGTHS) for name, wishes in spoken.items() for slot in wishes}
    entries = draw(st.lists(st.sampled_from(CATALOGUE), unique_by=lambda entry: entry.name, max_size=6))
    raw = draw(st.sampled_from(["", "Day 1: Mexican food, jazz, a private room and museums."]))
    heard = trip(spoken, *entries, raw=raw, strengths=strengths)
    silent = [silent_member(name, **draw(_wishes())) for name in NAMES if name not in spoken]
    noted = draw(st.sampled_from([(), (synthesis("cuisine", "Mexican for all.", "Most want Mexican."),)]))
    return structs.replace(heard, members=(*heard.members, *silent), turns=(*heard.turns, *noted))


@st.composite
def _wishes(draw: st.DrawFn) -> dict[str, str]:
    slots = draw(st.lists(st.sampled_from(sorted(WISHES)), unique=True))
    return {slot: draw(st.sampled_from(WISHES[slot])) for slot in slots}


def marks_of(name: str, record: Trip) -> list:
    return marks(name, record, embed=embed)


def fresh(record: Trip, **changes: object) -> Trip:
    """The trip without what was computed on it."""
    return structs.replace(record, **changes)


@QUICKLY
@given(trips())
def test_worst_is_at_most_nash_is_at_most_mean(record: Trip) -> None:
    for ending in ("", "_loose"):
        worst, nash, mean = (
            value(f"welfare_{name}{ending}", record, embed=embed) for name in ("worst", "nash", "mean")
        )
        if mean is not None:
            assert 0 <= worst <= nash <= mean <= 1


@QUICKLY
@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_the_order_of_the_three_means_holds_for_any_rates(rates: list[float]) -> None:
    each = {str(number): rate for number, rate in enumerate(rates)}
    assert worst_rate(each) <= nash_rate(each) <= mean_rate(each) <= max(rates)


@QUICKLY
@given(st.lists(st.integers(0, 20), min_size=1, max_size=9), st.integers(1, 9))
def test_gini_is_that_of_the_formula_and_blind_to_scale(amounts: list[int], factor: int) -> None:
    n, total = len(amounts), sum(amounts)
    if not total:
        assert gini(amounts) is None
    else:
        apart = sum(abs(amount - other) for amount in amounts for other in amounts)
        assert gini(amounts) == pytest.approx(apart / (2 * n * n * (total / n)))
        assert gini([factor * amount for amount in amounts]) == pytest.approx(gini(amounts))


@QUICKLY
@given(trips(), st.randoms(use_true_random=False))
def test_the_order_of_members_and_turns_changes_no_value(record: Trip, random) -> None:
    members, turns = list(record.members), list(record.turns)
    random.shuffle(members)
    random.shuffle(turns)
    shuffled = fresh(record, members=tuple(members), turns=tuple(turns))
    for name in OURS:
        value_before, value_after = value(name, record, embed=embed), value(name, shuffled, embed=embed)
        assert value_before == value_after if value_before is None else value_after == pytest.approx(value_before), name


@QUICKLY
@given(trips())
def test_every_value_is_within_the_scale_and_one_for_a_conversation(record: Trip) -> None:
    for name in OURS:
        Score.of(marks_of(name, record), METRICS[name].card.scale)
    assert [name for name in ONE_EACH if len(marks_of(name, record)) > 1] == []


@QUICKLY
@given(trips())
def test_a_satisfied_pair_more_never_lowers_satisfaction(record: Trip) -> None:
    before = value("satisfaction", record, embed=embed)
    if before is None:
        return
    wanting = trip({"Eve": {"cuisine": "Mexican"}}, CATALOGUE[2]).turns
    plan = record.plan
    if plan and any(place and place.name == "Frida" for day in plan.days for place in day.meals.values()):
        more = fresh(record, turns=(*record.turns, *wanting))
        assert value("satisfaction", more, embed=embed) >= before


@QUICKLY
@given(trips())
def test_strict_satisfaction_is_satisfaction_and_words_alone_are_strict(record: Trip) -> None:
    loose, strict, words = (
        [mark.value for mark in marks_of(name, record)]
        for name in ("satisfaction", "satisfaction_strict", "satisfaction_lexical")
    )
    assert len(loose) == len(strict) == len(words)
    assert all(loose_value >= other >= least for loose_value, other, least in zip(loose, strict, words, strict=True))


@QUICKLY
@given(trips())
def test_what_one_channel_satisfies_is_satisfied(record: Trip) -> None:
    loose = {mark.at: mark.value for mark in marks_of("satisfaction", record) if "hidden" not in mark.why}
    for name in (channel for channel in OURS if channel.startswith("channel_")):
        passed = [mark.at for mark in marks_of(name, record) if mark.value and "hidden" not in mark.why]
        assert [at for at in passed if not loose[at]] == [], name


@QUICKLY
@given(trips())
def test_without_an_embedder_strict_is_what_words_alone_say(record: Trip) -> None:
    strict, words = marks("satisfaction_strict", record, **WITHOUT), marks("satisfaction_lexical", record)
    assert [(mark.at, mark.value, mark.why) for mark in strict] == [(mark.at, mark.value, mark.why) for mark in words]
    for name in OPTIONAL:
        bases = {mark.basis for mark in marks(name, record, **WITHOUT)}
        assert bases <= {"without meaning"}, name


@QUICKLY
@given(trips())
def test_addressed_in_synthesis_or_plan_is_addressed(record: Trip) -> None:
    whole = {mark.at: mark.value for mark in marks_of("addressing", record)}
    for name in ("addressing_synthesis", "addressing_plan", "addressing_lexical"):
        assert [mark.at for mark in marks_of(name, record) if mark.value > whole[mark.at]] == []


@QUICKLY
@given(trips())
def test_concession_is_what_alignment_leaves(record: Trip) -> None:
    for close, other in zip(marks_of("alignment", record), marks_of("concession", record), strict=True):
        assert close.value + other.value == pytest.approx(1)


@QUICKLY
@given(trips())
def test_only_the_loose_rule_reads_the_planners_own_text(record: Trip) -> None:
    plan = record.plan
    silent = fresh(record, plan=structs.replace(plan, raw="")) if plan else record
    for name in OURS:
        if not name.endswith(("_loose", "_raw")) and name not in READING_THE_PLANNER:
            assert marks_of(name, silent) == marks_of(name, record), name


@QUICKLY
@given(st.text(max_size=80))
def test_any_text_can_be_read_as_a_wish(text: str) -> None:
    wish = parse_wish(text)
    assert wish.indifferent == (not wish.wanted and not wish.unwanted and wish.most is None)


def test_the_laws_look_at_all_metrics_on_wishes() -> None:
    assert len(OURS) == 41
    assert set(THRESHOLDS) == {"addressing", "satisfaction", "serendipity"}
