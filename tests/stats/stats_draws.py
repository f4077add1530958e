"""Data sets drawn for the tests of comparison: cases whose marks of 0 or 1 are alike, on two or more arms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from adjudge.stats.cases import Arm, PairedCases, UnpairedCases

FEWEST, MOST = 3, 12


class World(Struct, frozen=True):
    """Two arms with these true rates on so many cases of 3 to 12 marks.

    Cases differ in how hard they are for both arms (`shared`) and for each (`own`): standard deviations of logits.
    """

    cases: int
    rates: tuple[float, float]
    shared: float = 1.0
    own: float = 0.5

    @property
    def difference(self) -> float:
        return self.rates[0] - self.rates[1]


def paired(world: World, count: int, seed: int = 1) -> Iterator[PairedCases]:
    """Data sets in which both arms have the same cases with the same number of marks."""
    dice = np.random.default_rng(seed)
    for _ in range(count):
        weights = dice.integers(FEWEST, MOST + 1, world.cases)
        hard = dice.normal(0, world.shared, world.cases)
        yield PairedCases.of(*(arm(world, rate, weights, hard, dice) for rate in world.rates))


def unpaired(world: World, others: int, count: int, seed: int = 1) -> Iterator[UnpairedCases]:
    """Data sets in which the second arm has `others` cases of its own."""
    dice = np.random.default_rng(seed)
    for _ in range(count):
        arms = []
        for rate, cases in zip(world.rates, (world.cases, others), strict=True):
            hard = dice.normal(0, world.shared, cases)
            arms.append(arm(world, rate, dice.integers(FEWEST, MOST + 1, cases), hard, dice))
        yield UnpairedCases.of(*arms)


def unlike(cases: int, rate: float, count: int, seed: int = 1) -> Iterator[PairedCases]:
    """Data sets in which both arms have one rate, but one errs a little everywhere, the other in whole cases."""
    dice = np.random.default_rng(seed)
    for _ in range(count):
        weights = dice.integers(FEWEST, MOST + 1, cases)
        rates = np.full(cases, rate), (dice.random(cases) < rate).astype(float)
        yield PairedCases.of(*(Arm.over_marks(dice.binomial(weights, item), weights) for item in rates))


def families(cases: int, metrics: int, count: int, seed: int = 1) -> Iterator[list[PairedCases]]:
    """Data sets of several metrics without any difference, correlated as they see the same cases."""
    dice = np.random.default_rng(seed)
    worlds = [World(cases, (rate, rate)) for rate in np.linspace(0.5, 0.97, metrics)]
    for _ in range(count):
        weights = dice.integers(FEWEST, MOST + 1, cases)
        hard = dice.normal(0, 1, cases)
        # What makes an arm good at a case is partly the same for all metrics.
        leanings = dice.normal(0, 1, (2, cases))
        yield [
            PairedCases.of(*(arm(world, world.rates[0], weights, hard, dice, leaning) for leaning in leanings))
            for world in worlds
        ]


def arm(
    world: World,
    rate: float,
    weights: NDArray[np.int64],
    hard: NDArray[np.float64],
    dice: np.random.Generator,
    leaning: NDArray[np.float64] | None = None,
) -> Arm:
    own = dice.normal(0, 1, len(weights)) if leaning is None else leaning
    centre = logit_centre(rate, float(np.hypot(world.shared, world.own)))
    return Arm.over_marks(dice.binomial(weights, expit(centre + hard + world.own * own)), weights)


@cache
def logit_centre(rate: float, spread: float) -> float:
    """The mean of normal logits with this spread whose probabilities have the given mean."""
    points, shares = np.polynomial.hermite_e.hermegauss(60)
    shares = shares / shares.sum()
    return float(brentq(lambda centre: shares @ expit(centre + spread * points) - rate, -40, 40))
