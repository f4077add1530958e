"""How often intervals hold the truth and tests err, by seeded simulation; one case each here, the others as trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from stats_draws import World, families, paired, unlike, unpaired

from adjudge.core.mark import Scale
from adjudge.stats.cases import Arm, PairedCases, Undefined, UnpairedCases
from adjudge.stats.correction import holm
from adjudge.stats.difference import pivot_of
from adjudge.stats.interval import OPEN, UNIT, estimate_mean

SETS = 500
ALPHA = 0.05
Data = Iterable[PairedCases] | Iterable[UnpairedCases]


def first_alone(cases: list[Any]) -> list[Any]:
    """The cases as parameters, all but the first only in trials."""
    return [
        case if not place else pytest.param(*(case if type(case) is tuple else (case,)), marks=pytest.mark.trial)
        for place, case in enumerate(cases)
    ]


WORLDS = [
    World(20, (0.95, 0.85)),
    World(20, (0.5, 0.5)),
    World(20, (0.8, 0.7)),
    World(20, (0.95, 0.95)),
    World(20, (0.98, 0.90)),
    World(40, (0.97, 0.97)),
    World(40, (0.99, 0.95)),
    World(60, (0.95, 0.95), shared=2.0),
    World(60, (0.98, 0.98)),
    World(60, (0.98, 0.90), shared=0.5, own=1.5),
]
ALIKE = [
    World(cases, (rate, rate), shared)
    for cases, rate, shared in ((20, 0.95, 1.0), (20, 0.5, 1.0), (40, 0.9, 2.0), (60, 0.98, 1.0))
]


def coverage(draws: Data, truth: float, scale: Scale = UNIT) -> float:
    """The share of data sets whose 95 % interval holds the truth."""
    pivots = [pivot_of(data, scale) for data in draws]
    bounds = [pivot.limits(0.95) for pivot in pivots if not isinstance(pivot, Undefined)]
    return sum(low <= truth <= high for low, high in bounds) / len(pivots)


def p_of(data: PairedCases | UnpairedCases, scale: Scale = UNIT) -> float:
    pivot = pivot_of(data, scale)
    return 1.0 if isinstance(pivot, Undefined) else pivot.p()


def findings(draws: Data) -> float:
    """The share of data sets in which the test finds a difference."""
    return float(np.mean([p_of(data) <= ALPHA for data in draws]))


def by_conversation(data: PairedCases) -> PairedCases:
    return PairedCases.of(Arm.over_conversations(data.a.values), Arm.over_conversations(data.b.values))


def first_marks(data: PairedCases) -> PairedCases:
    """One mark a case: right if more than half of its marks are."""
    return PairedCases.of(*(Arm.over_conversations(arm.values > 0.5) for arm in (data.a, data.b)))


@pytest.mark.parametrize(("cases", "rate"), first_alone([(20, 0.95), (20, 0.6), (50, 0.98), (100, 0.9), (500, 0.99)]))
def test_the_interval_of_one_arm_holds_the_truth(cases: int, rate: float) -> None:
    draws = [data.a for data in paired(World(cases, (rate, rate)), SETS, seed=4)]
    bounds = [estimate_mean(arm, UNIT) for arm in draws]
    held = [item.low is not None and item.high is not None and item.low <= rate <= item.high for item in bounds]
    assert 0.93 <= np.mean(held) <= 0.99


@pytest.mark.parametrize("world", first_alone(WORLDS), ids=str)
def test_the_paired_interval_holds_the_truth_over_marks_and_over_conversations(world: World) -> None:
    assert 0.92 <= coverage(paired(world, SETS), world.difference) <= 1.0
    assert 0.92 <= coverage(map(by_conversation, paired(world, SETS, seed=2)), world.difference) <= 1.0


@pytest.mark.trial
def test_the_plain_t_interval_does_not_hold_near_the_end_of_the_scale() -> None:
    world = World(40, (0.99, 0.95), shared=2.0)
    plain = coverage(paired(world, SETS), world.difference, OPEN)
    assert plain < 0.91 < 0.92 <= coverage(paired(world, SETS), world.difference)


@pytest.mark.trial
def test_the_interval_on_an_open_scale_holds_the_truth() -> None:
    dice = np.random.default_rng(3)
    draws = []
    for _ in range(SETS):
        weights, hard = dice.integers(3, 13, 30), dice.lognormal(0, 0.6, 30)
        arms = [Arm.over_marks(weights * hard * dice.lognormal(0, 0.4, 30), weights) for _ in range(2)]
        draws.append(PairedCases.of(*arms))
    assert 0.92 <= coverage(draws, 0.0, OPEN) <= 0.98


@pytest.mark.parametrize("world", first_alone(ALIKE), ids=str)
def test_arms_that_are_alike_are_seldom_told_apart(world: World) -> None:
    assert findings(paired(world, SETS)) <= 0.07


@pytest.mark.parametrize(("cases", "rate"), first_alone([(20, 0.95), (40, 0.95), (40, 0.8)]))
def test_arms_of_equal_means_that_err_in_unlike_ways_are_seldom_told_apart(cases: int, rate: float) -> None:
    """One arm errs a little everywhere, the other fails whole cases; without the guard up to 31 of 100 are found."""
    assert findings(unlike(cases, rate, SETS)) <= 0.09


@pytest.mark.trial
def test_a_difference_that_is_there_is_found() -> None:
    assert findings(paired(World(60, (0.9, 0.8)), 300)) > 0.9


@pytest.mark.parametrize("method", first_alone([holm, list]))
def test_holm_keeps_false_findings_over_ten_metrics_below_6_of_100(
    method: Callable[[list[float | None]], list[float | None]],
) -> None:
    """Without correction more than one family in eight has a false finding."""
    corrected = [method([p_of(data) for data in family]) for family in families(30, 10, 400)]
    share = np.mean([any(p is not None and p <= ALPHA for p in ps) for ps in corrected])
    assert share <= 0.06 if method is holm else share > 0.12


@pytest.mark.parametrize("world", first_alone([World(30, (0.9, 0.9)), World(50, (0.95, 0.8))]), ids=str)
def test_one_mark_a_case_paired(world: World) -> None:
    draws = list(map(first_marks, paired(world, SETS)))
    truth = float(np.mean([data.a.mean - data.b.mean for data in map(first_marks, paired(world, 4000, seed=9))]))
    assert coverage(draws, truth) >= 0.92
    if not world.difference:
        assert findings(draws) <= 0.07


@pytest.mark.parametrize("rates", first_alone([[0.95, 0.95], [0.98, 0.90]]))
def test_one_mark_a_case_without_a_shared_case(rates: list[float]) -> None:
    dice = np.random.default_rng(5)
    draws = [
        UnpairedCases.of(
            Arm.over_conversations(dice.random(20) < rates[0]), Arm.over_conversations(dice.random(60) < rates[1])
        )
        for _ in range(SETS)
    ]
    assert coverage(draws, rates[0] - rates[1]) >= 0.92
    if rates[0] == rates[1]:
        assert findings(draws) <= 0.07
        # Why Welch's is not the default: a small arm that is all right seems to have no spread.
        assert np.mean([p_of(data, OPEN) <= ALPHA for data in draws]) > 0.10


@pytest.mark.parametrize(
    "world", first_alone([World(20, (0.95, 0.95)), World(20, (0.9, 0.9)), World(60, (0.99, 0.95))]), ids=str
)
@pytest.mark.parametrize("others", first_alone([20, 60]))
def test_marks_without_a_shared_case(world: World, others: int) -> None:
    draws = list(unpaired(world, others, SETS))
    assert 0.92 <= coverage(draws, world.difference) <= 1.0
    if not world.difference:
        assert findings(draws) <= 0.07
