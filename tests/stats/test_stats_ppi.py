"""The prediction-powered mean: its formula, its coverage in simulation, and what it does at the edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np
import pytest
import scipy.stats

from adjudge.stats.estimate import Estimate
from adjudge.stats.judged import JudgedItems
from adjudge.stats.ppi import RectifiedMean, rectified_mean

SHARE = (0.0, 1.0)
DATA_SETS = 400


def scores(rng: np.random.Generator, labelled: int, unlabelled: int, rho: float, turns: int = 1) -> JudgedItems:
    """Numbers with mean 0 whose judge is half a standard deviation too kind; whole conversations are labelled."""
    every = labelled + unlabelled
    mood = rng.normal(size=(every, 1)) * (0.7 if turns > 1 else 0.0)
    human = mood + rng.normal(size=(every, turns))
    judge = 0.5 + rho * human + (1 - rho**2) ** 0.5 * rng.normal(size=(every, turns))
    human[labelled:] = np.nan
    return JudgedItems(judge.ravel(), human.ravel(), np.repeat(np.arange(every), turns))


def verdicts(rng: np.random.Generator, labelled: int, unlabelled: int, rate: float, turns: int = 1) -> JudgedItems:
    """Right (1) or wrong (0); the judge calls 5 % of the right wrong and 20 % of the wrong right."""
    every = labelled + unlabelled
    leaning = rng.beta(4 * rate, 4 * (1 - rate), (every, 1)) if turns > 1 else np.full((every, 1), rate)
    human = (rng.random((every, turns)) < leaning).astype(float)
    judge = (rng.random((every, turns)) < np.where(human > 0, 0.95, 0.2)).astype(float)
    human[labelled:] = np.nan
    return JudgedItems(judge.ravel(), human.ravel(), np.repeat(np.arange(every), turns))


def covers(result: Estimate, truth: float) -> bool:
    return cast(float, result.low) <= truth <= cast(float, result.high)


def width(result: Estimate) -> float:
    return cast(float, result.high) - cast(float, result.low)


def many(
    make: Callable[[np.random.Generator], JudgedItems], scale: tuple[float | None, float | None]
) -> list[RectifiedMean]:
    rng = np.random.default_rng(12)
    return [rectified_mean(make(rng), scale) for _ in range(DATA_SETS)]


def test_plain_inference_is_the_formula_of_angelopoulos() -> None:
    judged = scores(np.random.default_rng(1), 40, 300, 0.7)
    few, y, f = judged.is_labelled, judged.human, judged.judge
    result = rectified_mean(judged, tuning=1.0).rectified
    assert result.value == pytest.approx(f[~few].mean() + (y - f)[few].mean())
    variance = f[~few].var(ddof=1) / 300 + (y - f)[few].var(ddof=1) / 40
    assert result.se == pytest.approx(variance**0.5)
    welch = scipy.stats.ttest_ind(f[~few], (f - y)[few], equal_var=False).confidence_interval()
    assert (result.low, result.high) == pytest.approx((welch.low, welch.high))


def test_tuning_is_that_of_ppi_plus_plus() -> None:
    judged = scores(np.random.default_rng(2), 200, 3000, 0.7)
    few = judged.is_labelled
    covariance = np.cov(judged.human[few], judged.judge[few])[0, 1]
    expected = covariance / ((1 + 200 / 3000) * judged.judge.var())
    assert rectified_mean(judged).tuning == pytest.approx(expected, rel=0.05)


def test_tuning_makes_the_standard_error_smallest() -> None:
    judged = scores(np.random.default_rng(3), 60, 600, 0.6, turns=3)
    best = rectified_mean(judged).tuning
    near = [rectified_mean(judged, tuning=best + step).rectified.se for step in (-0.05, 0.0, 0.05)]
    assert near[1] == min(cast(list[float], near))


def test_labelled_only_is_the_t_interval_of_the_labels() -> None:
    judged = scores(np.random.default_rng(4), 25, 100, 0.5)
    interval = scipy.stats.ttest_1samp(judged.human[judged.is_labelled], 0).confidence_interval()
    result = rectified_mean(judged).labelled_only
    assert (result.low, result.high) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize(
    ("labelled", "unlabelled", "rho", "turns"),
    [
        *((20, 200, 0.5, 1), (30, 300, 0.8, 6)),
        *(pytest.param(*world, marks=pytest.mark.trial) for world in ((50, 500, 0.9, 1), (50, 50, 0.7, 1))),
        pytest.param(100, 1000, 0.0, 1, marks=pytest.mark.trial),
    ],
)
def test_intervals_of_numbers_cover_and_the_bias_is_gone(
    labelled: int, unlabelled: int, rho: float, turns: int
) -> None:
    results = many(lambda rng: scores(rng, labelled, unlabelled, rho, turns), (None, None))
    assert 0.92 <= np.mean([covers(item.rectified, 0.0) for item in results]) <= 0.98
    values = np.array([item.rectified.value for item in results], dtype=float)
    assert abs(values.mean()) < 3 * values.std() / DATA_SETS**0.5
    assert np.mean([covers(item.judge_only, 0.0) for item in results]) < 0.1
    assert np.mean([width(item.rectified) / width(item.labelled_only) for item in results]) < 1.02


@pytest.mark.parametrize(
    ("labelled", "rate", "turns"),
    [
        *((20, 0.5, 1), (40, 0.8, 5)),
        *(pytest.param(*world, marks=pytest.mark.trial) for world in ((50, 0.9, 1), (100, 0.97, 1))),
    ],
)
def test_intervals_of_shares_cover(labelled: int, rate: float, turns: int) -> None:
    results = many(lambda rng: verdicts(rng, labelled, 10 * labelled, rate, turns), SHARE)
    assert 0.92 <= np.mean([covers(item.rectified, rate) for item in results]) <= 0.98
    assert np.mean([width(item.rectified) / width(item.labelled_only) for item in results]) < 0.95
    assert all(0 <= cast(float, item.rectified.low) <= cast(float, item.rectified.high) <= 1 for item in results)


def test_a_good_judge_saves_three_quarters_of_the_labels() -> None:
    results = many(lambda rng: scores(rng, 50, 1000, 0.9), (None, None))
    assert np.mean([width(item.rectified) / width(item.labelled_only) for item in results]) < 0.5


def test_a_judge_who_knows_nothing_does_no_harm() -> None:
    results = many(lambda rng: scores(rng, 50, 1000, 0.0), (None, None))
    assert max(width(item.rectified) / width(item.labelled_only) for item in results) < 1.03


def test_a_judge_who_is_always_wrong_is_not_trusted() -> None:
    judged = scores(np.random.default_rng(5), 50, 500, -0.9)
    result = rectified_mean(judged)
    assert result.tuning == 0.0
    assert result.rectified == result.labelled_only


def test_ignoring_conversations_would_promise_too_much() -> None:
    rng = np.random.default_rng(6)
    sets = [scores(rng, 30, 300, 0.3, turns=6) for _ in range(DATA_SETS)]
    alone = [JudgedItems(judged.judge, judged.human, np.arange(len(judged.judge))) for judged in sets]
    assert np.mean([covers(rectified_mean(judged).rectified, 0.0) for judged in alone]) < 0.8
    assert np.mean([covers(rectified_mean(judged).rectified, 0.0) for judged in sets]) >= 0.92


def test_copies_within_a_conversation_tell_nothing_new() -> None:
    judged = scores(np.random.default_rng(7), 30, 300, 0.8)
    copied = JudgedItems(*(np.repeat(part, 4) for part in (judged.judge, judged.human, judged.clusters)))
    once, again = rectified_mean(judged), rectified_mean(copied)
    assert (again.rectified.value, again.rectified.se) == pytest.approx((once.rectified.value, once.rectified.se))
    assert (again.rectified.n, again.rectified.clusters) == (1320, 330)


def test_conversations_may_be_labelled_in_part() -> None:
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(DATA_SETS):
        whole = scores(rng, 120, 0, 0.8, turns=8)
        human = np.where(np.arange(960) % 8 < 2, whole.human, np.nan)
        covered += covers(rectified_mean(JudgedItems(whole.judge, human, whole.clusters)).rectified, 0.0)
    assert 0.92 <= covered / DATA_SETS <= 0.98


def test_a_judge_without_an_error_on_the_labels_is_not_taken_for_faultless() -> None:
    labels = [1.0] * 45 + [0.0] * 5
    judged = JudgedItems.of([*labels, *([1.0] * 900), *([0.0] * 100)], [*labels, *([None] * 1000)])
    result = rectified_mean(judged, SHARE)
    assert result.rectified.value == pytest.approx(0.9, abs=0.001)
    naive = 2 * 1.96 * (0.09 / 1000) ** 0.5
    assert naive * 1.5 < width(result.rectified) < width(result.labelled_only)


def test_all_labels_right_is_not_certain() -> None:
    judged = JudgedItems.of([1, 0] * 10 + [1] * 100, [1] * 20 + [None] * 100)
    result = rectified_mean(judged, SHARE)
    assert (result.rectified.value, result.tuning) == (1.0, 0.0)
    assert result.rectified.low == pytest.approx(0.025 ** (1 / 20))


def test_an_estimate_beyond_the_scale_is_kept_on_it() -> None:
    judged = JudgedItems.of([0] * 8 + [1] * 2 + [1] * 200, [1] * 9 + [0] + [None] * 200)
    result = rectified_mean(judged, SHARE, tuning=1.0).rectified
    assert result.value == 1.0
    assert 0 < cast(float, result.low) < cast(float, result.high) <= 1


@pytest.mark.parametrize(
    "judged", [JudgedItems.of([], []), JudgedItems.of([1, 0], [None, None]), JudgedItems.of([None], [1])]
)
def test_without_labels_there_is_no_estimate(judged: JudgedItems) -> None:
    result = rectified_mean(judged, SHARE)
    assert (result.rectified.value, result.rectified.why) == (None, "no item has both a score and a label")
    assert result.labelled_only.value is None


@pytest.mark.parametrize("scale", [SHARE, (None, None), (0.0, None)])
def test_without_unlabelled_items_the_labels_speak_alone(scale: tuple[float | None, float | None]) -> None:
    result = rectified_mean(JudgedItems.of([1, 0, 1, 1], [1, 0, 0, 1]), scale)
    assert result.rectified == result.labelled_only
    assert result.tuning == 0.0


def test_one_label_has_no_interval() -> None:
    result = rectified_mean(JudgedItems.of([1, 0, 1], [1, None, None]), SHARE).rectified
    assert (result.value, result.low, result.why) == (1.0, None, "one conversation: no interval")


@pytest.mark.parametrize("judge", [[0.1] * 30, [0.1] * 10 + [0.7] * 20])
def test_equal_values_everywhere_have_no_interval_without_a_scale(judge: list[float]) -> None:
    result = rectified_mean(JudgedItems.of(judge, [0.1] * 10 + [None] * 20))
    assert result.rectified.value == pytest.approx(0.1)
    assert (result.rectified.low, result.rectified.why) == (None, "conversations do not differ: no interval")


def test_a_faultless_judge_of_equal_items_has_no_interval_without_a_scale() -> None:
    result = rectified_mean(JudgedItems.of([1, 2, 3, 2, 2, 2], [1, 2, 3, None, None, None]), tuning=1.0).rectified
    assert (result.value, result.low) == (2.0, None)
