"""Intervals and p against reference values: a few here, all of them where the shared specification is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.stats.cases import Arm, PairedCases, Undefined, UnpairedCases
from adjudge.stats.correction import family_level, holm
from adjudge.stats.difference import Pivot, pivot_of
from adjudge.stats.friedman import friedman
from adjudge.stats.interval import UNIT, MeanScore, estimate_mean

FILE = Path(__file__).parents[3] / "shared" / "spec" / "intervals_golden.json"
CLOSE = 1e-9


def pivot(data: PairedCases | UnpairedCases) -> Pivot:
    made = pivot_of(data, UNIT)
    assert not isinstance(made, Undefined)
    return made


def arm(row: dict[str, Any], suffix: str = "") -> Arm:
    return Arm.over_marks(row[f"totals{suffix}"], row[f"weights{suffix}"])


def golden(kind: str) -> list[dict[str, Any]]:
    if not FILE.exists():
        pytest.skip(f"{FILE} is not there: the reference values beyond those in this file are not checked")
    rows: list[dict[str, Any]] = json.loads(FILE.read_text())[kind]
    return rows


def test_one_arm() -> None:
    flags = estimate_mean(Arm.over_conversations([1] * 18 + [0] * 2), UNIT)
    assert (flags.low, flags.high) == pytest.approx((0.6751209077619837, 0.9749865609897629), abs=CLOSE)
    right = estimate_mean(Arm.over_marks([7] * 20, [7] * 20), UNIT)
    assert (right.low, right.high) == pytest.approx((0.8315665290169146, 1.0), abs=CLOSE)
    graded = estimate_mean(Arm.over_conversations([0.9, 0.8, 0.95, 1.0, 0.7, 0.85]), UNIT)
    assert (graded.low, graded.high) == pytest.approx((0.7163579613248879, 0.9435949010115283), abs=CLOSE)


def test_paired_arms() -> None:
    lengths = PairedCases.of(Arm.over_marks([3, 5, 2, 8], [4, 5, 6, 8]), Arm.over_marks([2, 3, 5, 4], [3, 5, 9, 6]))
    assert pivot(lengths).limits(0.95) == pytest.approx((-0.4134963434015632, 0.6495926490778259), abs=CLOSE)
    assert pivot(lengths).p() == pytest.approx(0.34561971690292576, abs=CLOSE)
    assert pivot(lengths).p(0.05) == pytest.approx(0.4686691679632421, abs=CLOSE)
    two = PairedCases.of(Arm.over_marks([4, 5], [4, 5]), Arm.over_marks([2, 4], [4, 5]))
    assert pivot(two).limits(0.95) == pytest.approx((-1.0, 0.9745075638033994), abs=CLOSE)


def test_arms_without_a_shared_case() -> None:
    data = UnpairedCases.of(
        Arm.over_marks([3, 5, 2, 8, 0, 7], [4, 5, 6, 8, 3, 7]), Arm.over_marks([2, 1, 4, 1], [5, 4, 9, 3])
    )
    assert pivot(data).limits(0.95) == pytest.approx((-0.07788950416282703, 0.6155360104749477), abs=CLOSE)
    assert pivot(data).p() == pytest.approx(0.09309396005093915, abs=CLOSE)


def test_ranks_with_ties() -> None:
    values = [[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0]]
    assert friedman(values).error == pytest.approx(0.408248290463863, abs=CLOSE)


def test_all_reference_values_of_one_arm() -> None:
    for row in golden("single"):
        for level in (90, 95):
            estimate = estimate_mean(arm(row), UNIT, level / 100)
            expected = row["mean"], row[f"low{level}"], row[f"high{level}"]
            assert (estimate.value, estimate.low, estimate.high) == pytest.approx(expected, abs=CLOSE), row["name"]
        score = MeanScore.of(arm(row))
        if score.off_end:
            assert score.reach(0.05) == pytest.approx(row["h95"], abs=CLOSE), row["name"]


@pytest.mark.parametrize(("kind", "shape"), [("paired", PairedCases), ("unpaired", UnpairedCases)])
def test_all_reference_values_of_two_arms(kind: str, shape: type[PairedCases] | type[UnpairedCases]) -> None:
    for row in golden(kind):
        data = shape.of(arm(row, "_a"), arm(row, "_b"))
        made = pivot(data)
        assert data.a.mean - data.b.mean == pytest.approx(row["difference"], abs=CLOSE)
        for level in (90, 95):
            if f"low{level}" in row:
                expected = row[f"low{level}"], row[f"high{level}"]
                assert made.limits(level / 100) == pytest.approx(expected, abs=CLOSE), row["name"]
        for name, at in (("p", 0.0), ("p_at_plus_05", 0.05), ("p_at_minus_05", -0.05)):
            if name in row:
                assert made.p(at) == pytest.approx(row[name], abs=CLOSE), row["name"]


def test_all_reference_values_of_families_and_ranks() -> None:
    for row in golden("holm"):
        corrected = holm(row["p"])
        assert corrected == pytest.approx(row["corrected"], abs=CLOSE)
        levels = [family_level(p, raised or 0.0) for p, raised in zip(row["p"], corrected, strict=True)]
        assert levels == pytest.approx(row["judged_level"], abs=CLOSE)
    for row in golden("rank_error"):
        assert friedman(row["values"]).error == pytest.approx(row["error"], abs=CLOSE)
