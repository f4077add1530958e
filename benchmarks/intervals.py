"""How often the 95 % interval holds the truth: plain t, clipped at the scale's ends, beside t on logits (ours).

    python benchmarks/intervals.py [--repeats 2000]

Conversations of 3 to 11 marks of 0 or 1, whose own rates vary around the true one (beta-binomial). An honest
interval holds the truth in 95 of 100 data sets.
"""

from __future__ import annotations

import argparse
import random

from adjudge.aggregate import Interval, interval_of
from adjudge.core.card import Card
from adjudge.core.tally import Tally

CASES = ((10, 0.8), (24, 0.6), (24, 0.85), (24, 0.95), (24, 0.02), (100, 0.9), (100, 0.99), (100, 0.02), (500, 0.99))
LIKENESS = 0.15


def main() -> None:
    """Print the coverage of both intervals for each case."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repeats", type=int, default=2000)
    repeats = options.parse_args().repeats
    print("conversations  truth   plain t   on logits")
    for conversations, truth in CASES:
        plain, logits = coverage(conversations, truth, repeats)
        print(f"{conversations:13d}  {truth:5.2f}  {plain:8.3f}  {logits:10.3f}")


def coverage(conversations: int, truth: float, repeats: int, seed: int = 1) -> tuple[float, float]:
    """The share of data sets whose interval holds the truth: plain t and on logits."""
    dice = random.Random(seed)
    held = [0, 0]
    for _ in range(repeats):
        tally = drawn(conversations, truth, dice)
        ours = interval_of(_card((0.0, 1.0)), tally)[1]
        # Where conversations do not differ plain t has no interval; there both take Wilson's.
        plain = interval_of(_card((None, None)), tally)[1] or ours
        held[0] += _holds(plain, truth)
        held[1] += _holds(ours, truth)
    return held[0] / repeats, held[1] / repeats


def drawn(conversations: int, truth: float, dice: random.Random) -> Tally:
    """A data set: marks of one conversation are alike."""
    alpha, beta = (share * (1 - LIKENESS) / LIKENESS for share in (truth, 1 - truth))
    counts = [dice.randint(3, 11) for _ in range(conversations)]
    rates = [dice.betavariate(alpha, beta) for _ in counts]
    right = [sum(dice.random() < rate for _ in range(count)) for count, rate in zip(counts, rates, strict=True)]
    tally = Tally()
    values = [part / count for part, count in zip(right, counts, strict=True)]
    tally.count_all(values, [float(count) for count in counts], counts)
    return tally


def _holds(interval: Interval | None, truth: float) -> bool:
    return interval is not None and interval[0] <= truth <= interval[1]


def _card(scale: tuple[float | None, float | None]) -> Card:
    return Card("m", "M", "How much?", "as drawn", "turn", "higher", scale, "marks", "this benchmark")


if __name__ == "__main__":
    main()
