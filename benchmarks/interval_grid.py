"""Coverage, false findings and power of the built intervals over the grid that their rules were set by.

    python benchmarks/interval_grid.py [--repeats 1000]

One arm and paired arms, with one mark a case and with 3 to 11, at several rates, likenesses of the marks of one case
(intraclass correlation) and correlations between the arms. Each line gives the range over all of these.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
from msgspec import Struct
from scipy.special import betaincinv, ndtr
from scipy.stats import binom

from adjudge.stats.cases import Arm, PairedCases, Undefined
from adjudge.stats.difference import PairedScore, pivot_of
from adjudge.stats.interval import UNIT, estimate_mean

CASES = (20, 50, 100)
RATES = (0.5, 0.8, 0.95, 0.98)
LIKENESSES = (0.01, 0.1, 0.3)
CORRELATIONS = (0.0, 0.6)
DIFFERENCES = (0.1, 0.2)


class World(Struct, frozen=True):
    """Two arms on the same cases: how many cases and marks, both rates, likeness of marks and correlation of arms."""

    cases: int
    most: int
    rates: tuple[float, float]
    likeness: float
    correlation: float


class Shares(Struct, frozen=True):
    """How often the interval holds the truth, and how often p is at most 0.05."""

    held: float
    found: float


def main() -> None:
    """Print a line for each number of cases and marks."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repeats", type=int, default=1000)
    repeats = options.parse_args().repeats
    print("| data | cases | coverage | false findings, most | power, mean |\n|---|---|---|---|---|", flush=True)
    for cases in (*CASES, 500):
        held = [exact_coverage(cases, rate) for rate in RATES]
        print(f"| one arm, 1 mark | {cases} | {min(held):.3f} to {max(held):.3f} | | |", flush=True)
    for cases in CASES:
        held = [coverage(cases, *world, repeats) for world in product(RATES, LIKENESSES)]
        print(f"| one arm, 3 to 11 | {cases} | {min(held):.3f} to {max(held):.3f} | | |", flush=True)
    for most, cases in product((1, 11), CASES):
        # Pairs of one mark are quick: their intervals depend on two counts only.
        line = paired_line(most, cases, repeats * 10 if most == 1 else repeats)
        print(f"| paired, {'1 mark' if most == 1 else '3 to 11'} | {cases} | {line} |", flush=True)


def exact_coverage(cases: int, rate: float) -> float:
    """The probability that the interval of 0/1 cases holds the rate."""
    held = 0.0
    for right in range(cases + 1):
        estimate = estimate_mean(Arm.over_conversations([1.0] * right + [0.0] * (cases - right)), UNIT)
        if estimate.low is not None and estimate.high is not None and estimate.low <= rate <= estimate.high:
            held += float(binom.pmf(right, cases, rate))
    return held


def coverage(cases: int, rate: float, likeness: float, repeats: int) -> float:
    """The share of data sets whose interval holds the rate."""
    dice = np.random.default_rng(1)
    held = 0
    for _ in range(repeats):
        weights = dice.integers(3, 12, cases)
        alpha, beta = (share * (1 - likeness) / likeness for share in (rate, 1 - rate))
        shares = dice.beta(alpha, beta, cases)
        estimate = estimate_mean(Arm.over_marks(dice.binomial(weights, shares), weights), UNIT)
        held += estimate.low is not None and estimate.high is not None and estimate.low <= rate <= estimate.high
    return held / repeats


def paired_line(most: int, cases: int, repeats: int) -> str:
    """Coverage over all worlds, the most false findings of equal arms, and the mean power of unequal ones."""
    equal = [shares_of(world, repeats) for world in worlds(most, cases, 0.0)]
    apart = [shares_of(world, repeats) for gap in DIFFERENCES for world in worlds(most, cases, gap)]
    held = [shares.held for shares in (*equal, *apart)]
    most_found = max(shares.found for shares in equal)
    power = float(np.mean([shares.found for shares in apart]))
    return f"{min(held):.3f} to {max(held):.3f} | {most_found:.3f} | {power:.3f}"


def worlds(most: int, cases: int, gap: float) -> Iterator[World]:
    """The worlds of the grid whose rates differ by this much."""
    likenesses = (0.1,) if most == 1 else (0.01, 0.3)
    for rate, likeness, correlation in product(RATES, likenesses, CORRELATIONS):
        yield World(cases, most, (rate, rate - gap), likeness, correlation)


def shares_of(world: World, repeats: int) -> Shares:
    """How often the interval holds the truth and p finds a difference, over as many data sets."""
    dice, truth = np.random.default_rng(2), world.rates[0] - world.rates[1]
    results = [judge(draw_pair(world, dice), truth) for _ in range(repeats)]
    return Shares(sum(held for held, _ in results) / repeats, sum(result for _, result in results) / repeats)


def draw_pair(world: World, dice: np.random.Generator) -> PairedCases:
    """A data set of two arms whose cases are hard for both."""
    weights = dice.integers(3, world.most + 1, world.cases) if world.most > 1 else np.ones(world.cases, dtype=int)
    first, other = dice.normal(size=(2, world.cases))
    second = world.correlation * first + (1 - world.correlation**2) ** 0.5 * other
    arms = []
    for rate, latent in zip(world.rates, (first, second), strict=True):
        if world.most == 1:
            totals = (ndtr(latent) < rate).astype(int)
        else:
            alpha, beta = (share * (1 - world.likeness) / world.likeness for share in (rate, 1 - rate))
            totals = dice.binomial(weights, betaincinv(alpha, beta, ndtr(latent)))
        arms.append(Arm.over_marks(totals, weights))
    return PairedCases.of(*arms)


def judge(data: PairedCases, truth: float) -> tuple[bool, bool]:
    """Whether the 95 % interval holds the truth, and whether p is at most 0.05."""
    if data.a.binary and data.b.binary:
        low, high, p = judge_binary(data.n, data.gained, data.lost)
    else:
        pivot = pivot_of(data, UNIT)
        assert not isinstance(pivot, Undefined)
        (low, high), p = pivot.limits(0.95), pivot.p()
    return low <= truth <= high, p <= 0.05


@cache
def judge_binary(cases: int, gained: int, lost: int) -> tuple[float, float, float]:
    """The interval and p of 0/1 pairs, which depend on these counts alone."""
    pivot = PairedScore(
        difference=(gained - lost) / cases, gained=gained / cases, lost=lost / cases, error=1 / cases, df=None
    )
    return (*pivot.limits(0.95), pivot.p())


if __name__ == "__main__":
    main()
