"""Tables from scores: intervals against scipy and statsmodels, and what stands beside a value."""

from __future__ import annotations

import random
from collections.abc import Iterable
from copy import deepcopy

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from adjudge.aggregate import Row, Tallies, row, tally, tally_groups
from adjudge.core.card import Card, Pool
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.core.tally import Tally
from adjudge.stats.cases import Arm
from adjudge.stats.interval import estimate_mean
from examples import few_examples

Conversation = list[Mark]
QUICKLY = few_examples()


def card(pool: Pool = "marks", scale: tuple[float | None, float | None] = (0.0, 1.0)) -> Card:
    return Card(
        name="m",
        symbol="M",
        question="How much?",
        formula="as given",
        unit="turn",
        better="higher",
        scale=scale,
        pool=pool,
        source="this test",
    )


def table_of(conversations: Iterable[Conversation], facts: Card) -> Row:
    result = Tally()
    for marks in conversations:
        result.add(Score.of(marks))
    return row(facts, "ours", result)


def drawn(seed: int, conversations: int = 12, weights: bool = False) -> list[Conversation]:
    dice = random.Random(seed)
    return [
        [Mark(dice.random(), weight=float(dice.randint(1, 6)) if weights else 1.0) for _ in range(dice.randint(1, 9))]
        for _ in range(conversations)
    ]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("weights", [False, True])
def test_the_mean_over_marks_is_cluster_robust_as_in_statsmodels(seed: int, weights: bool) -> None:
    conversations = drawn(seed, weights=weights)
    values = np.array([mark.value for marks in conversations for mark in marks])
    weight = np.array([mark.weight for marks in conversations for mark in marks])
    cluster = np.array([place for place, marks in enumerate(conversations) for _ in marks])
    # With one parameter statsmodels corrects by G/(G-1) alone: (N-1)/(N-K) is 1.
    fitted = sm.WLS(values, np.ones_like(values), weights=weight).fit(
        cov_type="cluster", cov_kwds={"groups": cluster}, use_t=True
    )
    result = table_of(conversations, card(scale=(None, None)))
    assert result.method == "cluster t"
    assert result.value == pytest.approx(fitted.params[0], abs=1e-12)
    low, high = fitted.conf_int()[0]
    # Both estimate the same; leaving out long conversations makes the jackknife's a little wider.
    assert result.low == pytest.approx(low, abs=0.15 * (high - low))
    assert result.high == pytest.approx(high, abs=0.15 * (high - low))
    assert result.high - result.low > high - low


@pytest.mark.parametrize("seed", range(8))
def test_the_mean_over_conversations_has_the_t_interval_of_scipy(seed: int) -> None:
    conversations = drawn(seed)
    means = [np.mean([mark.value for mark in marks]) for marks in conversations]
    expected = stats.t.interval(0.95, len(means) - 1, loc=np.mean(means), scale=stats.sem(means))
    result = table_of(conversations, card("conversations", scale=(None, None)))
    assert (result.method, result.n) == ("cluster t", len(means))
    assert result.value == pytest.approx(np.mean(means), abs=1e-12)
    assert [result.low, result.high] == pytest.approx(list(expected), abs=1e-12)


def test_twenty_of_twenty_right_is_never_certain() -> None:
    for facts in (card("marks"), card("conversations")):
        for marks in ([Mark(1.0)], [Mark(1.0), Mark(1.0)]):
            result = table_of([marks] * 20, facts)
            assert (result.value, result.high, result.method) == (1.0, 1.0, "exact")
            assert result.low == pytest.approx(0.025 ** (1 / 20))


def test_conversations_that_do_not_differ_have_an_interval_on_their_scale() -> None:
    result = table_of([[Mark(5.0)]] * 20, card("conversations", scale=(1.0, 5.0)))
    assert (result.method, result.high) == ("exact", 5.0)
    assert result.low == pytest.approx(1 + 4 * 0.025 ** (1 / 20))


def test_conversations_that_do_not_differ_on_an_open_scale_have_no_interval() -> None:
    result = table_of([[Mark(5.0)]] * 20, card("conversations", scale=(0.0, None)))
    assert (result.value, result.low, result.high, result.method) == (5.0, None, None, "")


def test_one_conversation_has_a_value_and_no_interval() -> None:
    result = table_of([[Mark(1.0), Mark(0.0)]], card())
    assert (result.value, result.low, result.high, result.n, result.conversations) == (0.5, None, None, 2, 1)


@pytest.mark.parametrize("pool", ["marks", "conversations"])
def test_trials_of_one_case_are_one_observation(pool: Pool) -> None:
    """Three trials of each case tell no more about cases than the mean of the three."""
    dice = random.Random(1)
    cases = {f"c{place}": [float(dice.random() < 0.7) for _ in range(3)] for place in range(15)}
    rows = [scored(case, "ours", Mark(value)) for case, values in cases.items() for value in values]
    result = row(card(pool), "ours", tally(rows)["m", "ours", ""])
    alone = estimate_mean(Arm.over_marks([sum(values) for values in cases.values()], [3.0] * 15), (0.0, 1.0))
    assert (result.low, result.high, result.conversations) == (alone.low, alone.high, 45)


def test_an_interval_stays_within_the_scale() -> None:
    result = table_of([[Mark(1.0), Mark(1.0)], [Mark(1.0), Mark(0.0)]], card())
    assert result.low is not None
    assert result.high is not None
    assert 0.0 <= result.low < 0.75 < result.high <= 1.0


@QUICKLY
@given(st.integers(0, 10_000), st.integers(2, 30), st.booleans())
def test_the_value_lies_in_its_interval(seed: int, conversations: int, weights: bool) -> None:
    for facts in (card("marks"), card("conversations")):
        result = table_of(drawn(seed, conversations, weights), facts)
        assert result.value is not None
        assert result.low is not None
        assert result.high is not None
        assert 0.0 <= result.low <= result.value <= result.high <= 1.0


def test_weighted_marks_are_pooled() -> None:
    result = table_of([[Mark(1.0, weight=3.0)], [Mark(0.0), Mark(0.5, weight=4.0)]], card())
    assert result.value == pytest.approx((3 + 0 + 2) / 8)
    assert (result.n, result.marks, result.conversations) == (3, 3, 2)


def test_both_weightings_are_kept_and_the_card_says_which_is_the_value() -> None:
    conversations = [[Mark(1.0)] * 9, [Mark(0.0)]]
    by_marks, by_conversations = table_of(conversations, card("marks")), table_of(conversations, card("conversations"))
    assert (by_marks.over_marks, by_marks.over_conversations) == (0.9, 0.5)
    assert (by_conversations.over_marks, by_conversations.over_conversations) == (0.9, 0.5)
    assert (by_marks.value, by_marks.n) == (0.9, 10)
    assert (by_conversations.value, by_conversations.n) == (0.5, 2)


def test_what_is_undefined_or_skipped_is_counted_and_not_averaged() -> None:
    result = Tally()
    for score in (
        Score.of([Mark(1.0)]),
        Score(),
        Score.skip("timeout", "too slow"),
        Score.skip("timeout", "too slow"),
        Score.skip("error", "crash"),
    ):
        result.add(score)
    made = row(card(), "ours", result)
    assert (made.value, made.n, made.undefined, made.skipped, made.errors) == (1.0, 1, 1, 2, 1)
    assert made.reasons == {"too slow": 2, "crash": 1}


def test_nothing_to_take_a_mean_of_has_no_value() -> None:
    made = row(card(), "ours", Tally())
    assert (made.value, made.low, made.over_marks, made.over_conversations, made.n) == (None, None, None, None, 0)


def scored(case: str, arm: str, *marks: Mark) -> ScoreRow:
    return ScoreRow(case, arm, {"m": Score.of(list(marks))})


def test_arms_are_tallied_apart() -> None:
    rows = [scored("1", "a", Mark(1.0)), scored("1", "b", Mark(0.0)), scored("2", "a", Mark(0.0))]
    result = tally(rows)
    assert {arm: made.mean_over_conversations for (_, arm, _), made in result.items()} == {"a": 0.5, "b": 0.0}


@QUICKLY
@given(st.integers(0, 10_000), st.integers(1, 300))
def test_scores_are_tallied_in_columns_as_one_by_one(seed: int, count: int) -> None:
    dice = random.Random(seed)
    kinds = [
        Score.of([Mark(0.25, basis="rule"), Mark(1.0, weight=3.0, basis="rule")]),
        Score.of([Mark(0.5)]),
        Score(),
        Score.skip("timeout", "too slow"),
        Score.skip("error", "crash"),
    ]
    chosen = dice.sample(kinds, dice.randint(1, 3))
    rows = [ScoreRow(f"c{place}", dice.choice("ab"), {"m": dice.choice(chosen)}) for place in range(count)]
    alone: dict[str, Tally] = {}
    for place, line in enumerate(rows):
        alone.setdefault(line.arm, Tally()).add(line.scores["m"], place)
    together = {arm: made for (_, arm, _), made in tally(rows).items()}
    assert {arm: row(card(), arm, made) for arm, made in together.items()} == {
        arm: row(card(), arm, made) for arm, made in alone.items()
    }
    assert all(together[arm].columns() == made.columns() for arm, made in alone.items())


def test_groups_are_tallied_from_the_marks_that_name_one() -> None:
    rows = [
        scored("1", "a", Mark(1.0, group="hotel"), Mark(0.0, group="hotel"), Mark(0.0, group="taxi"), Mark(1.0)),
        scored("2", "a", Mark(1.0, group="hotel", weight=2.0)),
    ]
    results: Tallies = tally_groups(rows)
    assert sorted(group for _, _, group in results) == ["hotel", "taxi"]
    hotel = row(card(), "a", results["m", "a", "hotel"], "hotel")
    assert (hotel.value, hotel.over_conversations, hotel.n, hotel.conversations) == (0.75, 0.75, 3, 2)
    assert row(card(), "a", results["m", "a", "taxi"], "taxi").n == 1


def test_the_groups_of_a_record_make_up_its_whole() -> None:
    marks = [Mark(1.0, group="hotel"), Mark(0.5, group="taxi", weight=3.0), Mark(0.0, group="train")]
    result = tally_groups([scored("1", "a", *marks)])
    total = sum(made.mean_over_marks * sum(made.weights) for made in result.values())
    assert total / sum(sum(made.weights) for made in result.values()) == Score.of(marks).value


@QUICKLY
@given(st.integers(0, 10_000), st.integers(0, 30), st.booleans())
def test_merging_two_parts_equals_one_pass(seed: int, cut: int, weights: bool) -> None:
    conversations = drawn(seed, 30, weights)
    first, second, whole = Tally(), Tally(), Tally()
    for place, marks in enumerate(conversations):
        (first if place < cut else second).add(Score.of(marks))
        whole.add(Score.of(marks))
    first.merge(second)
    for facts in (card("marks"), card("conversations")):
        ours, theirs = row(facts, "a", first), row(facts, "a", whole)
        assert ours.n == theirs.n
        assert ours.value == pytest.approx(theirs.value, abs=1e-12)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_merging_does_not_change_what_was_merged() -> None:
    first, second = Tally(), Tally()
    first.add(Score.skip("timeout", "late"))
    second.add(Score.skip("timeout", "late"))
    before = deepcopy(second)
    first.merge(second)
    assert first.reasons == {"late": 2}
    assert second == before
    assert Tally().reasons == {}
