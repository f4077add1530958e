"""How often intervals hold the truth and tests err, by seeded simulation of clustered marks of 0 and 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from stats_draws import World, families, paired, unlike, unpaired

from adjudge.stats.cases import Arm, Paired, Unpaired
from adjudge.stats.correction import holm
from adjudge.stats.difference import Interval, cluster_t, newcombe, square_and_add, tango
from adjudge.stats.method import default_test
from adjudge.stats.permutation import permutation, shuffled_welch
from adjudge.stats.tests import fisher, mcnemar, welch

SETS = 500
SWAPS = 499
ALPHA = 0.05

WORLDS = [
    World(20, (0.5, 0.5)),
    World(20, (0.8, 0.7)),
    World(20, (0.95, 0.95)),
    World(20, (0.95, 0.85)),
    World(20, (0.98, 0.90)),
    World(40, (0.97, 0.97)),
    World(40, (0.99, 0.95)),
    World(60, (0.95, 0.95), shared=2.0),
    World(60, (0.98, 0.98)),
    World(60, (0.98, 0.90), shared=0.5, own=1.5),
]
ALIKE = [
    World(cases, (rate, rate), shared)
    for cases, rate, shared in ((20, 0.5, 1.0), (20, 0.95, 1.0), (40, 0.9, 2.0), (60, 0.98, 1.0))
]


def held(intervals: Iterable[Interval], truth: float) -> float:
    """The share of intervals that hold the truth."""
    return float(
        np.mean([one.low is not None and one.high is not None and one.low <= truth <= one.high for one in intervals])
    )


def found(ps: Iterable[float | None]) -> float:
    """The share of tests that find a difference."""
    return float(np.mean([p is not None and p <= ALPHA for p in ps]))


def by_conversation(data: Paired) -> Paired:
    return Paired.of(Arm.over_conversations(data.a.values), Arm.over_conversations(data.b.values))


def first_marks(data: Paired) -> Paired:
    """One mark a case: right if more than half of its marks are."""
    return Paired.of(*(Arm.over_conversations(arm.values > 0.5) for arm in (data.a, data.b)))


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_the_default_interval_over_marks_holds_the_truth_in_92_to_98_of_100(world: World) -> None:
    share = held((square_and_add(data, (0, 1)) for data in paired(world, SETS)), world.difference)
    assert 0.92 <= share <= 0.98


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_the_default_interval_over_conversations_holds_the_truth_in_92_to_98_of_100(world: World) -> None:
    data = map(by_conversation, paired(world, SETS, seed=2))
    assert 0.92 <= held((square_and_add(one, (0, 1)) for one in data), world.difference) <= 0.98


def test_the_plain_t_interval_does_not_hold_near_the_end_of_the_scale() -> None:
    world = World(40, (0.99, 0.95), shared=2.0)
    plain = held((cluster_t(data) for data in paired(world, SETS)), world.difference)
    ours = held((square_and_add(data, (0, 1)) for data in paired(world, SETS)), world.difference)
    assert plain < 0.91 < 0.92 <= ours


def test_the_interval_on_an_open_scale_holds_the_truth() -> None:
    dice = np.random.default_rng(3)
    intervals = []
    for _ in range(SETS):
        weights, hard = dice.integers(3, 13, 30), dice.lognormal(0, 0.6, 30)
        arms = [Arm.over_marks(weights * hard * dice.lognormal(0, 0.4, 30), weights) for _ in range(2)]
        intervals.append(cluster_t(Paired.of(*arms)))
    assert 0.92 <= held(intervals, 0.0) <= 0.98


@pytest.mark.parametrize("world", ALIKE, ids=str)
def test_permutation_finds_no_difference_where_there_is_none(world: World) -> None:
    assert found(permutation(data, 0, SWAPS).p for data in paired(world, SETS)) <= 0.06


@pytest.mark.parametrize(("cases", "rate"), [(20, 0.95), (40, 0.95), (40, 0.8)])
def test_arms_of_equal_means_that_err_in_unlike_ways_are_not_told_apart(cases: int, rate: float) -> None:
    draws = list(unlike(cases, rate, SETS))
    assert 0.92 <= held((square_and_add(data, (0, 1)) for data in draws), 0.0) <= 0.98
    assert found(default_test(data, (0.0, 1.0)).p for data in draws) <= 0.06


def test_the_permutation_alone_would_tell_them_apart() -> None:
    """Why the default test is held to its interval."""
    assert found(permutation(data, 0, SWAPS).p for data in unlike(20, 0.95, SETS)) > 0.15


def test_permutation_finds_a_difference_that_is_there() -> None:
    assert found(permutation(data, 0, SWAPS).p for data in paired(World(60, (0.9, 0.8)), 300)) > 0.9


@pytest.mark.parametrize("method", [holm, list])
def test_holm_keeps_false_findings_over_ten_metrics_below_6_of_100(
    method: Callable[[list[float | None]], list[float | None]],
) -> None:
    """Without correction more than one family in eight has a false finding."""
    any_found = [
        found(method([permutation(one, 0, SWAPS).p for one in family])) > 0 for family in families(30, 10, 400)
    ]
    assert np.mean(any_found) <= 0.06 if method is holm else np.mean(any_found) > 0.12


@pytest.mark.parametrize("world", [World(30, (0.9, 0.9)), World(50, (0.95, 0.8))], ids=str)
def test_one_mark_a_case_paired(world: World) -> None:
    """Few outcomes are possible, so exact methods err to the safe side."""
    draws = list(map(first_marks, paired(world, SETS)))
    truth = float(np.mean([data.a.mean - data.b.mean for data in map(first_marks, paired(world, 4000, seed=9))]))
    assert held(map(tango, draws), truth) >= 0.92
    if not world.difference:
        assert found(mcnemar(data.gained, data.lost).p for data in draws) <= 0.05


@pytest.mark.parametrize("rates", [(0.95, 0.95), (0.98, 0.90)])
def test_one_mark_a_case_unpaired(rates: tuple[float, float]) -> None:
    dice = np.random.default_rng(5)
    draws = [
        Unpaired.of(
            Arm.over_conversations(dice.random(20) < rates[0]), Arm.over_conversations(dice.random(60) < rates[1])
        )
        for _ in range(SETS)
    ]
    assert held(map(newcombe, draws), rates[0] - rates[1]) >= 0.92
    if rates[0] == rates[1]:
        assert found(fisher(data).p for data in draws) <= 0.05
        # Why Welch's is not the default: a small arm that is all right seems to have no spread.
        assert found(welch(data).p for data in draws) > 0.10


@pytest.mark.parametrize("world", [World(20, (0.9, 0.9)), World(20, (0.95, 0.95)), World(60, (0.99, 0.95))], ids=str)
@pytest.mark.parametrize("others", [20, 60])
def test_marks_unpaired(world: World, others: int) -> None:
    draws = list(unpaired(world, others, 500))
    assert 0.92 <= held((square_and_add(data, (0, 1)) for data in draws), world.difference) <= 0.98
    if not world.difference:
        assert found(shuffled_welch(data, 0, 199).p for data in draws) <= 0.06
