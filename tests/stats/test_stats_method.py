"""The default for each shape of data, and an answer or a reason for whatever data there are."""

from __future__ import annotations

import subprocess
import sys
from math import isfinite

import numpy as np
import pytest

from adjudge.stats.cases import Arm, Paired, Unpaired
from adjudge.stats.method import Scale, default, default_interval, default_test
from adjudge.stats.permutation import permutation

OPEN: Scale = (None, None)
UNIT: Scale = (0.0, 1.0)


def marks(seed: int, n: int) -> Arm:
    dice = np.random.default_rng(seed)
    weights = dice.integers(3, 13, n)
    return Arm.over_marks(dice.binomial(weights, 0.7), weights)


def flags(seed: int, n: int) -> Arm:
    return Arm.over_conversations(np.random.default_rng(seed).integers(0, 2, n))


@pytest.mark.parametrize(
    ("data", "scale", "test", "interval"),
    [
        (Paired.of(flags(1, 30), flags(2, 30)), UNIT, "mcnemar exact", "tango"),
        (Paired.of(marks(1, 30), marks(2, 30)), UNIT, "permutation, drawn 9,999", "square-and-add on logits"),
        (Paired.of(marks(1, 30), marks(2, 30)), OPEN, "permutation, drawn 9,999", "cluster t"),
        (Paired.of(flags(1, 30), flags(2, 30)), (0.0, None), "permutation, drawn 9,999", "cluster t"),
        (Unpaired.of(flags(1, 30), flags(2, 20)), UNIT, "fisher exact", "newcombe"),
        (Unpaired.of(marks(1, 30), marks(2, 20)), UNIT, "shuffled welch t, drawn 9,999", "square-and-add on logits"),
        (Unpaired.of(marks(1, 30), marks(2, 20)), OPEN, "shuffled welch t, drawn 9,999", "welch t"),
    ],
)
def test_the_shape_of_the_data_chooses(data: Paired | Unpaired, scale: Scale, test: str, interval: str) -> None:
    methods = default(data, scale)
    assert methods.test(0).method.removesuffix(", held to the interval") == test
    assert methods.interval(0.95).method == interval
    assert default_test(data, scale).p == methods.test(0).p
    assert default_interval(data, scale, 0.9) == methods.interval(0.9)


ARMS = {
    "nothing": Arm.over_conversations([]),
    "one right": Arm.over_conversations([1]),
    "two": Arm.over_conversations([1, 0]),
    "two alike": Arm.over_conversations([0.4, 0.4]),
    "all right": Arm.over_conversations([1] * 20),
    "all wrong": Arm.over_conversations([0] * 20),
    "all marks right": Arm.over_marks(np.arange(1, 21), np.arange(1, 21)),
    "all marks wrong": Arm.over_marks(np.zeros(20), np.arange(1, 21)),
    "one mark wrong": Arm.over_marks(np.arange(1, 21) - (np.arange(20) == 7), np.arange(1, 21)),
    "ties everywhere": Arm.over_conversations([0.5, 0.25] * 10),
    "undefined": Arm.over_marks(np.zeros(20), np.zeros(20)),
    "one long case": Arm.over_marks([5000, *([1.0] * 19)], [9000, *([2.0] * 19)]),
}


@pytest.mark.parametrize("scale", [UNIT, OPEN])
@pytest.mark.parametrize("first", ARMS)
@pytest.mark.parametrize("second", ARMS)
def test_there_is_a_number_or_a_reason(first: str, second: str, scale: Scale) -> None:
    a, b = ARMS[first], ARMS[second]
    shapes: list[Paired | Unpaired] = [Unpaired.of(a, b)]
    if a.n == b.n:
        shapes.append(Paired.of(a, b))
    for data in shapes:
        tested, interval = default_test(data, scale), default_interval(data, scale)
        if tested.p is None:
            assert tested.why
        else:
            assert 0 < tested.p <= 1
        if interval.low is None or interval.high is None:
            assert interval.why
        else:
            difference = data.a.mean - data.b.mean
            assert isfinite(interval.low)
            assert isfinite(interval.high)
            assert interval.low - 1e-12 <= difference <= interval.high + 1e-12
            assert interval.low < interval.high
            assert scale == OPEN or -1 - 1e-12 <= interval.low <= interval.high <= 1 + 1e-12


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("scale", [UNIT, OPEN])
def test_p_is_the_larger_of_the_permutation_s_and_the_interval_s(seed: int, scale: Scale) -> None:
    data = Paired.of(marks(seed, 15), marks(seed + 50, 15))
    tested, alone = default_test(data, scale), permutation(data)
    assert tested.p is not None
    assert alone.p is not None
    assert tested.p >= alone.p
    for level in (1 - tested.p - 1e-6, 0.95):
        interval = default_interval(data, scale, level)
        holds = interval.low is not None and interval.high is not None and interval.low <= 0 <= interval.high
        assert not (holds and tested.p < 1 - level)


def test_cases_that_all_gain_alike_are_not_held_to_an_interval_that_no_spread_was_measured_for() -> None:
    base = np.linspace(0.2, 0.8, 40)
    data = Paired.of(Arm.over_conversations(base + 0.001), Arm.over_conversations(base))
    assert default_test(data, UNIT) == permutation(data)


def test_swapping_the_arms_mirrors_everything() -> None:
    for data, scale in ((Paired.of(marks(1, 12), marks(2, 12)), UNIT), (Paired.of(flags(1, 12), flags(2, 12)), UNIT)):
        other = Paired.of(data.b, data.a)
        assert default_test(data, scale).p == default_test(other, scale).p
        here, there = default_interval(data, scale), default_interval(other, scale)
        assert here.low == pytest.approx(-(there.high or 0.0))


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    modules = "method correction effect equivalence friedman power bootstrap trials".split()
    code = f"import sys, {', '.join(f'adjudge.stats.{name}' for name in modules)}; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
