"""How often 95 % intervals hold the truth and tests at 5 % find a difference: plain t beside the score family.

    python benchmarks/intervals.py [--repeats 2000]

Cases of 3 to 11 marks of 0 or 1 whose own rates vary around the true one (beta-binomial), or of one mark. The rates of
paired arms are correlated by 0.6 (Gaussian copula). An honest interval holds the truth in 95 of 100 data sets, and an
honest test finds a difference between equal arms in 5 of 100.
"""

from __future__ import annotations

import argparse

import numpy as np
from msgspec import Struct
from scipy.special import betaincinv, ndtr

from adjudge.core.mark import Scale
from adjudge.stats.cases import Arm, PairedCases, Undefined
from adjudge.stats.difference import pivot_of
from adjudge.stats.interval import OPEN, UNIT, estimate_mean

CASES = ((10, 0.8), (24, 0.6), (24, 0.85), (24, 0.95), (24, 0.02), (100, 0.9), (100, 0.99), (100, 0.02), (500, 0.99))
PAIRS = tuple(
    (marks, cases, rates)
    for marks in (1, 11)
    for cases in (20, 50, 100)
    for rates in ((0.8, 0.8), (0.95, 0.95), (0.98, 0.98), (0.95, 0.85))
)
LIKENESS = 0.15
CORRELATION = 0.6


def main() -> None:
    """Print the coverage of both intervals for each case."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repeats", type=int, default=2000)
    repeats = options.parse_args().repeats
    print("one arm, coverage\ncases  truth   plain t   score")
    for cases, truth in CASES:
        plain, score = coverage(cases, truth, repeats)
        print(f"{cases:5d}  {truth:5.2f}  {plain:8.3f}  {score:6.3f}")
    print("\npaired, coverage and findings\nmarks  cases  truths       plain t         score")
    for most, cases, truths in PAIRS:
        shares = paired_shares(World(most, cases, truths), repeats)
        marks = "1" if most == 1 else f"3-{most}"
        print(
            f"{marks:5}  {cases:5d}  {truths[0]:.2f} {truths[1]:.2f}  "
            + "  ".join(f"{x:.3f} {y:.3f}" for x, y in shares)
        )


def coverage(cases: int, truth: float, repeats: int, seed: int = 1) -> tuple[float, float]:
    """The share of data sets whose interval holds the truth: plain t and score."""
    dice = np.random.default_rng(seed)
    held = np.zeros(2)
    for _ in range(repeats):
        arm = draw_arm(cases, truth, dice)
        plain, score = _holds(arm, OPEN, truth), _holds(arm, UNIT, truth)
        # Where cases do not differ plain t has no interval; there it is given the other's.
        held += (bool(score if plain is None else plain), bool(score))
    return float(held[0]) / repeats, float(held[1]) / repeats


def draw_arm(cases: int, truth: float, dice: np.random.Generator) -> Arm:
    """A data set: the marks of one case are alike."""
    alpha, beta = (share * (1 - LIKENESS) / LIKENESS for share in (truth, 1 - truth))
    weights = dice.integers(3, 12, cases)
    return Arm.over_marks(dice.binomial(weights, dice.beta(alpha, beta, cases)), weights)


class World(Struct, frozen=True):
    """Two arms on the same cases: the most marks a case has (1, or from 3 up), the cases, and both true rates."""

    most: int
    cases: int
    rates: tuple[float, float]


def paired_shares(world: World, repeats: int, seed: int = 1) -> list[tuple[float, float]]:
    """For plain t and the score family: how often the interval holds the truth, and how often p is at most 0.05."""
    dice = np.random.default_rng(seed)
    draws = [draw_pair(world, dice) for _ in range(repeats)]
    truth = world.rates[0] - world.rates[1]
    return [_shares(draws, scale, truth) for scale in (OPEN, UNIT)]


def draw_pair(world: World, dice: np.random.Generator) -> PairedCases:
    """A data set of two arms whose cases are hard for both."""
    weights = dice.integers(3, world.most + 1, world.cases) if world.most > 1 else np.ones(world.cases, dtype=int)
    first, other = dice.normal(size=(2, world.cases))
    second = CORRELATION * first + (1 - CORRELATION**2) ** 0.5 * other
    arms = []
    for rate, latent in zip(world.rates, (first, second), strict=True):
        alpha, beta = (share * (1 - LIKENESS) / LIKENESS for share in (rate, 1 - rate))
        arms.append(Arm.over_marks(dice.binomial(weights, betaincinv(alpha, beta, ndtr(latent))), weights))
    return PairedCases.of(*arms)


def _shares(draws: list[PairedCases], scale: Scale, truth: float) -> tuple[float, float]:
    pivots = [pivot_of(data, scale) for data in draws]
    made = [pivot for pivot in pivots if not isinstance(pivot, Undefined)]
    # Without spread plain t has neither interval nor p: it holds the truth and finds nothing.
    held = sum(low <= truth <= high for low, high in (pivot.limits(0.95) for pivot in made)) + len(draws) - len(made)
    return held / len(draws), sum(pivot.p() <= 0.05 for pivot in made) / len(draws)


def _holds(arm: Arm, scale: Scale, truth: float) -> bool | None:
    """Whether the interval holds the truth; None: there is no interval."""
    estimate = estimate_mean(arm, scale)
    if estimate.low is None or estimate.high is None:
        return None
    return estimate.low <= truth <= estimate.high


if __name__ == "__main__":
    main()
