"""Krippendorff's alpha, against the published figures and the package krippendorff (GPL, here only as an oracle)."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from stats_tables import ABSTRACTORS, FOUR_OBSERVERS, FOUR_RATERS, SIX_RATERS, chained, noisy, of_counts, of_table

from adjudge.stats.alpha import Level, krippendorff_alpha
from adjudge.stats.ratings import Label, Ratings

LEVELS: list[Level] = ["nominal", "ordinal", "interval"]


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_four_observers_as_published_by_krippendorff(level: Level, value: float) -> None:
    result = krippendorff_alpha(Ratings.of(FOUR_OBSERVERS), level)
    assert result.value == pytest.approx(value, abs=5e-4)
    assert result.n == 11


@pytest.mark.parametrize(
    ("ratings", "level", "value"),
    [
        (Ratings.of(FOUR_RATERS), "nominal", 0.74342),
        (Ratings.of(FOUR_RATERS), "interval", 0.84911),
        (of_counts(SIX_RATERS), "nominal", 0.4204384),
        (of_counts(SIX_RATERS), "interval", 0.259511),
        (of_table(ABSTRACTORS), "nominal", 0.7972585),
        (of_table(ABSTRACTORS), "interval", 0.8926487),
    ],
)
def test_as_published_with_irrcac(ratings: Ratings, level: Level, value: float) -> None:
    """The vignettes "overview" and "weighting" of irrCAC 1.0, where interval is "quadratic"."""
    assert krippendorff_alpha(ratings, level).value == pytest.approx(value, abs=5e-6)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("raters", "missing"), [(2, 0.0), (3, 0.3), (6, 0.7)])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_package_krippendorff(level: Level, raters: int, missing: float, seed: int) -> None:
    oracle = pytest.importorskip("krippendorff")
    said = noisy(np.random.default_rng(seed), 40, raters, missing)
    data = np.array([[np.nan if label is None else label for label in rater] for rater in said], dtype=float)
    expected = oracle.alpha(reliability_data=data, level_of_measurement=level)
    assert krippendorff_alpha(Ratings.of(said), level).value == pytest.approx(expected)


def test_many_different_numbers_agree_with_the_package_krippendorff() -> None:
    oracle = pytest.importorskip("krippendorff")
    rng = np.random.default_rng(5)
    truth = rng.normal(size=100)
    said = (truth + rng.normal(size=(3, 100)) / 2).tolist()
    for level in LEVELS:
        expected = oracle.alpha(reliability_data=np.array(said), level_of_measurement=level)
        assert krippendorff_alpha(Ratings.of(said), level).value == pytest.approx(expected)


@pytest.mark.parametrize("level", LEVELS)
def test_standard_error_is_that_of_leaving_out_conversations(level: Level) -> None:
    said = noisy(np.random.default_rng(3), 400, 3, 0.2)
    ratings = Ratings.of(said, clusters=[place // 4 for place in range(400)])
    left_out = [
        krippendorff_alpha(Ratings(ratings.codes[:, kept], ratings.labels, ratings.clusters[kept]), level).value
        for kept in (ratings.clusters != cluster for cluster in range(100))
    ]
    values = np.array(left_out, dtype=float)
    jackknife = (99 / 100 * ((values - values.mean()) ** 2).sum()) ** 0.5
    assert krippendorff_alpha(ratings, level).se == pytest.approx(jackknife, rel=0.03)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("raters", [[], [[], []], [[None], [None]], [[1, None], [None, 2]], [[1, 2, 3]]])
def test_without_an_item_rated_twice_it_is_undefined(level: Level, raters: list[list[Label | None]]) -> None:
    result = krippendorff_alpha(Ratings.of(raters), level)
    assert (result.value, result.low, result.why) == (None, None, "no item was rated twice")


@pytest.mark.parametrize("level", LEVELS)
def test_with_one_value_only_it_is_undefined(level: Level) -> None:
    result = krippendorff_alpha(Ratings.of([[0.1] * 7, [0.1] * 7, [0.1] * 7]), level)
    assert (result.value, result.why) == (None, "all gave the same label to every item")


@pytest.mark.parametrize("level", LEVELS)
def test_one_item_has_no_interval(level: Level) -> None:
    result = krippendorff_alpha(Ratings.of([[1], [2]]), level)
    assert result.value == pytest.approx(0.0)
    assert (result.low, result.why) == (None, "one conversation: no interval")


@pytest.mark.parametrize("level", LEVELS)
def test_agreeing_always_is_not_certain(level: Level) -> None:
    result = krippendorff_alpha(Ratings.of([[1, 2, 3, 4] * 5] * 2), level)
    assert result.value == result.high == 1.0
    assert result.low is not None
    assert 0 < result.low < 0.9


def test_words_have_no_interval_level() -> None:
    with pytest.raises(ValueError, match="label 'bad'; expected numbers at the interval level"):
        krippendorff_alpha(Ratings.of([["bad", "good"], ["bad", "bad"]]), "interval")


@pytest.mark.trial
@pytest.mark.parametrize("level", LEVELS)
def test_intervals_cover_grades_with_gaps(level: Level) -> None:
    rng = np.random.default_rng(8)
    truth = krippendorff_alpha(Ratings.of(noisy(rng, 100_000, 3, 0.2)), level).value
    results = [krippendorff_alpha(Ratings.of(noisy(rng, 60, 3, 0.2)), level) for _ in range(400)]
    covered = [cast(float, item.low) <= cast(float, truth) <= cast(float, item.high) for item in results]
    assert 0.92 <= np.mean(covered) <= 0.98


def test_intervals_cover_clustered_ratings() -> None:
    rng = np.random.default_rng(8)
    truth = krippendorff_alpha(chained(rng, 100_000, 5, 0.7)).value
    results = [krippendorff_alpha(chained(rng, 50, 5, 0.7)) for _ in range(400)]
    covered = [cast(float, item.low) <= cast(float, truth) <= cast(float, item.high) for item in results]
    assert 0.92 <= np.mean(covered) <= 0.98
