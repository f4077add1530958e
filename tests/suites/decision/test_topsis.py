"""TOPSIS and the weighted sum: published answers, other people's code, invariances, and what is refused."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from adjudge.suites.decision.methods import ranks, topsis, weighted_sum
from adjudge.suites.decision.methods.topsis import BLOCK

GOLDEN = Path(__file__).parents[4] / "shared" / "data" / "mcda_golden_vectors.json"
NORMALISATIONS = ("vector", "minmax", "sum", "max")
SUM_NORMALISATIONS = (*NORMALISATIONS, "none")

with_golden = pytest.mark.skipif(not GOLDEN.is_file(), reason=f"{GOLDEN} is not there")

Problem = tuple[np.ndarray, np.ndarray, np.ndarray]


def golden(method: str, name: str) -> dict[str, Any]:
    return next(case for case in json.loads(GOLDEN.read_text())[method] if case["id"] == name)


def random_problem(seed: int, alternatives: int = 40, criteria: int = 6) -> Problem:
    dice = np.random.default_rng(seed)
    matrix = dice.uniform(0.1, 9, (alternatives, criteria)) * 10.0 ** np.arange(criteria)
    weights = dice.uniform(0.1, 1, criteria)
    benefit = np.arange(criteria) % 2 == seed % 2
    return matrix, weights / weights.sum(), benefit


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Positive values of two decimals, some equal; at least one criterion has weight and tells alternatives apart."""
    shape = (draw(st.integers(2, 7)), draw(st.integers(1, 5)))
    matrix = draw(arrays.arrays(int, shape, elements=st.integers(1, 2000)))
    weights = draw(arrays.arrays(int, shape[1], elements=st.integers(0, 9)))
    telling = draw(st.integers(0, shape[1] - 1))
    weights[telling] = max(weights[telling], 1)
    matrix[0, telling] += matrix[0, telling] == matrix[1, telling]
    return matrix / 100, weights.astype(float), draw(arrays.arrays(bool, shape[1]))


def written_out(matrix: np.ndarray, weights: np.ndarray, benefit: np.ndarray) -> np.ndarray:
    """Vector TOPSIS step by step as in the book."""
    values = matrix / np.sqrt((matrix**2).sum(axis=0)) * (weights / weights.sum())
    ideal = np.where(benefit, values.max(axis=0), values.min(axis=0))
    worst = np.where(benefit, values.min(axis=0), values.max(axis=0))
    below = np.sqrt(((values - ideal) ** 2).sum(axis=1))
    above = np.sqrt(((values - worst) ** 2).sum(axis=1))
    return above / (below + above)


@with_golden
@pytest.mark.parametrize("name", ["tzeng_huang_2011", "opricovic_tzeng_2004_mountain"])
def test_published_closeness_is_reproduced(name: str):
    case = golden("topsis", name)
    closeness = topsis(case["matrix"], case["weights"], np.array(case["types"]) > 0, case["normalization"])
    assert closeness == pytest.approx(case["published"], abs=case["published_tolerance"])
    assert closeness == pytest.approx(case["full_precision"], abs=1e-11)


def test_fighter_aircraft_of_hwang_and_yoon():
    # Hwang & Yoon (1981): speed, range, payload, cost, reliability, manoeuvrability; the book rounds at every step.
    matrix = [
        [2.0, 1500, 20000, 5.5, 5, 9],
        [2.5, 2700, 18000, 6.5, 3, 5],
        [1.8, 2000, 21000, 4.5, 7, 7],
        [2.2, 1800, 20000, 5.0, 5, 5],
    ]
    closeness = topsis(matrix, [0.2, 0.1, 0.1, 0.1, 0.2, 0.3], [True, True, True, False, True, True])
    assert closeness == pytest.approx([0.643, 0.268, 0.613, 0.312], abs=0.001)
    assert ranks(closeness).tolist() == [1, 4, 2, 3]


@with_golden
def test_published_weighted_sum_is_reproduced():
    case = golden("weighted_sum", "kracka_2010")
    scores = weighted_sum(case["matrix"], case["weights"], np.array(case["types"]) > 0, "sum")
    assert scores == pytest.approx(case["published"], abs=case["published_tolerance"])
    assert ranks(scores).tolist() == case["rank"]


@pytest.mark.parametrize("normalisation", ["vector", "minmax", "max"])
@pytest.mark.parametrize("seed", range(4))
def test_pymcdm_finds_the_same(normalisation: str, seed: int):
    methods, norms = pytest.importorskip("pymcdm.methods"), pytest.importorskip("pymcdm.normalizations")
    matrix, weights, benefit = random_problem(seed)
    norm, types = getattr(norms, f"{normalisation}_normalization"), np.where(benefit, 1, -1)
    assert topsis(matrix, weights, benefit, normalisation) == pytest.approx(
        methods.TOPSIS(norm)(matrix, weights, types, validation=False), abs=1e-12
    )
    assert weighted_sum(matrix, weights, benefit, normalisation) == pytest.approx(
        methods.WSM(norm)(matrix, weights, types, validation=False), abs=1e-12
    )


def test_pymcdm_finds_the_same_sums_but_inverts_costs_in_topsis():
    methods, norms = pytest.importorskip("pymcdm.methods"), pytest.importorskip("pymcdm.normalizations")
    matrix, weights, benefit = random_problem(7)
    theirs, types = methods.TOPSIS(norms.sum_normalization), np.where(benefit, 1, -1)
    assert weighted_sum(matrix, weights, benefit, "sum") == pytest.approx(
        methods.WSM(norms.sum_normalization)(matrix, weights, types, validation=False), abs=1e-12
    )
    gains = np.ones_like(benefit)
    assert topsis(matrix, weights, gains, "sum") == pytest.approx(
        theirs(matrix, weights, np.ones_like(types), validation=False), abs=1e-12
    )
    inverted = np.where(benefit, matrix, 1 / matrix)
    assert topsis(inverted, weights, gains, "sum") == pytest.approx(
        theirs(matrix, weights, types, validation=False), abs=1e-12
    )


@pytest.mark.parametrize(
    ("normalisation", "scaler"),
    [("vector", "VectorScaler"), ("minmax", "MinMaxScaler"), ("sum", "SumScaler"), ("max", "MaxAbsScaler")],
)
@pytest.mark.parametrize("seed", range(4))
def test_scikit_criteria_finds_the_same(normalisation: str, scaler: str, seed: int):
    criteria = pytest.importorskip("skcriteria")
    scalers, agg = pytest.importorskip("skcriteria.preprocessing.scalers"), pytest.importorskip("skcriteria.agg.topsis")
    matrix, weights, benefit = random_problem(seed)
    theirs = criteria.mkdm(matrix, np.where(benefit, 1, -1).tolist(), weights=weights.tolist())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Although TOPSIS can operate with minimization")
        result = agg.TOPSIS().evaluate(getattr(scalers, scaler)(target="matrix").transform(theirs))
    assert topsis(matrix, weights, benefit, normalisation) == pytest.approx(result.e_.similarity, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_without_normalisation_others_find_the_same(seed: int):
    criteria, agg = pytest.importorskip("skcriteria"), pytest.importorskip("skcriteria.agg.topsis")
    methods = pytest.importorskip("pymcdm.methods")
    matrix, weights, _ = random_problem(seed)
    gains = [True] * matrix.shape[1]
    result = agg.TOPSIS().evaluate(criteria.mkdm(matrix, [1] * len(gains), weights=weights.tolist()))
    assert topsis(matrix, weights, gains, "none") == pytest.approx(result.e_.similarity, abs=1e-12)
    theirs = methods.TOPSIS(lambda column, cost=False: column)(matrix, weights, np.ones(len(gains)), validation=False)
    assert topsis(matrix, weights, gains, "none") == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_without_normalisation_the_unit_of_all_criteria_does_not_matter(unit: float):
    matrix, weights, benefit = random_problem(1)
    assert topsis(matrix * unit, weights, benefit, "none") == pytest.approx(
        topsis(matrix, weights, benefit, "none"), abs=1e-9
    )


@given(problems(), st.data())
def test_the_unit_of_a_criterion_does_not_matter(problem: Problem, data: st.DataObject):
    matrix, weights, benefit = problem
    units = data.draw(arrays.arrays(float, matrix.shape[1], elements=st.floats(1e-6, 1e6)))
    assert topsis(matrix * units, weights, benefit) == pytest.approx(topsis(*problem), abs=1e-9)


@given(problems(), st.sampled_from(NORMALISATIONS), st.data())
def test_the_order_of_alternatives_and_criteria_does_not_matter(
    problem: Problem, normalisation: str, data: st.DataObject
):
    matrix, weights, benefit = problem
    rows = data.draw(st.permutations(range(matrix.shape[0])))
    columns = data.draw(st.permutations(range(matrix.shape[1])))
    shuffled = topsis(matrix[rows][:, columns], weights[columns], benefit[columns], normalisation)
    assert shuffled == pytest.approx(topsis(*problem, normalisation)[rows], abs=1e-12)


@given(problems(), st.sampled_from(NORMALISATIONS))
def test_closeness_lies_between_0_and_1(problem: Problem, normalisation: str):
    closeness = topsis(*problem, normalisation)
    assert ((closeness >= 0) & (closeness <= 1)).all()


@given(problems(), st.floats(1e-3, 1e3))
def test_only_the_ratio_of_weights_matters(problem: Problem, factor: float):
    matrix, weights, benefit = problem
    assert topsis(matrix, weights * factor, benefit) == pytest.approx(topsis(*problem), abs=1e-12)


@given(problems(), st.sampled_from(NORMALISATIONS))
def test_the_best_of_everything_has_1_and_the_worst_0(problem: Problem, normalisation: str):
    matrix, weights, benefit = problem
    best = np.where(benefit, matrix.max(axis=0), matrix.min(axis=0))
    worst = np.where(benefit, matrix.min(axis=0), matrix.max(axis=0))
    closeness = topsis(np.vstack([matrix, best, worst]), weights, benefit, normalisation)
    assert closeness[-2:].tolist() == [1, 0]


@given(problems(), st.sampled_from(SUM_NORMALISATIONS))
def test_nothing_scores_above_the_best_of_everything_in_the_weighted_sum(problem: Problem, normalisation: str):
    matrix, weights, benefit = problem
    best = np.where(benefit, matrix.max(axis=0), matrix.min(axis=0))
    scores = weighted_sum(np.vstack([matrix, best]), weights, benefit, normalisation)
    assert scores[-1] == pytest.approx(scores.max(), abs=1e-12)


@pytest.mark.parametrize("alternatives", [2, BLOCK // 7, BLOCK // 7 + 1, 30_000])
def test_blocks_do_not_show(alternatives: int):
    matrix, weights, benefit = random_problem(3, alternatives, 7)
    assert topsis(matrix, weights, benefit) == pytest.approx(written_out(matrix, weights, benefit), abs=1e-12)


def test_equal_alternatives_are_equal_to_the_last_bit():
    matrix, weights, benefit = random_problem(5, BLOCK // 9 + 1, 9)
    matrix[-1] = matrix[3] = matrix[0]
    for scores in (topsis(matrix, weights, benefit), weighted_sum(matrix, weights, benefit)):
        assert scores[0] == scores[3] == scores[-1]


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("method", [topsis, weighted_sum])
def test_what_was_given_stays_as_it_was(method: Any, layout: Any):
    matrix, weights, benefit = (np.array(part, order=layout) for part in random_problem(1))
    before = matrix.copy(), weights.copy(), benefit.copy()
    method(matrix, weights, benefit)
    for given_, kept in zip((matrix, weights, benefit), before, strict=True):
        assert np.array_equal(given_, kept)


@pytest.mark.parametrize("normalisation", NORMALISATIONS)
@pytest.mark.parametrize("constant", [0.0, 3.0])
def test_a_constant_column_contributes_nothing(normalisation: str, constant: float):
    matrix, weights, benefit = random_problem(2)
    wider = np.column_stack([matrix, np.full(len(matrix), constant)])
    with_constant = topsis(wider, [*weights, 5.0], [*benefit, True], normalisation)
    assert with_constant == pytest.approx(topsis(matrix, weights, benefit, normalisation), abs=1e-12)


@pytest.mark.parametrize("normalisation", NORMALISATIONS)
def test_a_criterion_without_weight_is_left_out(normalisation: str):
    matrix, weights, benefit = random_problem(2)
    opposed = np.resize([-1.0, 1.0], len(matrix))
    closeness = topsis(np.column_stack([matrix, opposed]), [*weights, 0], [*benefit, True], normalisation)
    assert closeness == pytest.approx(topsis(matrix, weights, benefit, normalisation), abs=1e-12)


def test_a_difference_of_rounding_alone_is_none():
    # The mean of three scores of .1 is not .1 in floating point.
    matrix = [[(0.1 + 0.1 + 0.1) / 3, 1], [0.1, 2], [0.1, 3]]
    assert matrix[0][0] != 0.1
    assert topsis(matrix, [1, 1], [True, True], "minmax").tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1e-100, 1e100, 1e200, 1e307])
@pytest.mark.parametrize("normalisation", NORMALISATIONS)
def test_very_large_and_very_small_units_work(normalisation: str, unit: float):
    matrix = np.array([[1.0, 7], [3, 4], [9, 5]])
    plain = topsis(matrix, [2, 1], [True, False], normalisation)
    assert topsis(matrix * unit, [2, 1], [True, False], normalisation) == pytest.approx(plain, abs=1e-3)
    assert weighted_sum(matrix * unit, [2, 1], [True, False], normalisation) == pytest.approx(
        weighted_sum(matrix, [2, 1], [True, False], normalisation), abs=1e-3
    )


@pytest.mark.parametrize("weights", [[1e308, 1e308], [1e-320, 1e-320]])
def test_very_large_and_very_small_weights_work(weights: list[float]):
    matrix, benefit = [[1, 7], [3, 4], [9, 5]], [True, False]
    assert topsis(matrix, weights, benefit) == pytest.approx(topsis(matrix, [1, 1], benefit), abs=1e-3)


def test_a_difference_of_hardly_any_weight_decides_among_equals():
    assert topsis([[1, 7], [1, 5], [1, 3]], [1, 1e-200], [True, True]).tolist() == [1, 0.5, 0]


def test_a_cost_of_hardly_anything_can_be_inverted():
    assert weighted_sum([[1e-310], [1]], [1], [False], "sum") == pytest.approx([1, 0])


def test_negative_values_keep_their_order():
    # Profit and loss: -3 is the worst benefit and the best cost.
    losses = [[-3.0], [-2], [-1]]
    for normalisation in ("vector", "minmax", "max"):
        assert topsis(losses, [1], [True], normalisation) == pytest.approx([0, 0.5, 1], abs=1e-12)
        assert topsis(losses, [1], [False], normalisation) == pytest.approx([1, 0.5, 0], abs=1e-12)
        assert ranks(weighted_sum(losses, [1], [True], normalisation)).tolist() == [3, 2, 1]
        assert ranks(weighted_sum(losses, [1], [False], normalisation)).tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("normalisation", "expected"),
    [
        ("sum", [0.5 * 1 / 6 + 0.5 * 4 / 7, 0.5 * 2 / 6 + 0.5 * 2 / 7, 0.5 * 3 / 6 + 0.5 * 1 / 7]),
        ("minmax", [0.5 * 0 + 0.5 * 1, 0.5 * 1 / 2 + 0.5 * 2 / 3, 0.5 * 1 + 0.5 * 0]),
        ("max", [0.5 * 1 / 3 + 0.5 * 3 / 4, 0.5 * 2 / 3 + 0.5 * 2 / 4, 0.5 * 1 + 0.5 * 0]),
        ("none", [0.5 * 1 - 0.5 * 1, 0.5 * 2 - 0.5 * 2, 0.5 * 3 - 0.5 * 4]),
    ],
)
def test_weighted_sum_by_hand(normalisation: str, expected: list[float]):
    assert weighted_sum([[1, 1], [2, 2], [3, 4]], [1, 1], [True, False], normalisation) == pytest.approx(expected)


def test_weighted_sum_of_lengths_by_hand():
    # Columns of length 5 and 13: a cost counts what it lacks to its length.
    scores = weighted_sum([[3, 5], [4, 12]], [1, 1], [True, False], "vector")
    assert scores == pytest.approx([0.5 * 3 / 5 + 0.5 * 8 / 13, 0.5 * 4 / 5 + 0.5 * 1 / 13])


def test_weighted_sum_of_a_constant_column_is_a_number():
    matrix, weights, benefit = [[1.0, 5, 0], [2, 5, 0]], [1, 1, 2], [True, True, True]
    assert weighted_sum(matrix, weights, benefit, "minmax").tolist() == [0, 0.25]
    assert weighted_sum(matrix, weights, benefit, "max").tolist() == [0.375, 0.5]
    assert np.isfinite(weighted_sum(matrix, weights, benefit, "sum")).all()


@pytest.mark.parametrize("normalisation", NORMALISATIONS)
@pytest.mark.parametrize(
    ("matrix", "weights"),
    [
        ([[1, 2]], [1, 1]),
        ([[1, 2], [1, 2], [1, 2]], [1, 1]),
        ([[1, 2], [1, 3]], [1, 0]),
        ([[0, 0], [0, 0]], [1, 1]),
        ([[0.1, 2], [(0.1 + 0.1 + 0.1) / 3, 2]], [1, 1]),
    ],
)
def test_closeness_of_alternatives_that_are_alike_is_undefined(matrix: Any, weights: Any, normalisation: str):
    with pytest.raises(ValueError, match=r"closeness is undefined: found . alternative"):
        topsis(matrix, weights, [True, False], normalisation)


@pytest.mark.parametrize(
    ("matrix", "benefit", "normalisation"),
    [
        ([[1, 2], [1, 2]], [True, False], "minmax"),
        ([[1, 2]], [True, False], "minmax"),
        ([[0, 0], [0, 0]], [True, False], "max"),
        ([[0, 0], [0, 0]], [True, False], "vector"),
        ([[0, 0], [0, 0]], [True, True], "sum"),
    ],
)
def test_weighted_sum_of_nothing_to_normalise_is_undefined(matrix: Any, benefit: Any, normalisation: Any):
    with pytest.raises(ValueError, match=f"the weighted sum is undefined under '{normalisation}'"):
        weighted_sum(matrix, [1, 1], benefit, normalisation)


@pytest.mark.parametrize("method", [topsis, weighted_sum])
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"weights": [0, 0]}, "weights: found a sum of 0 over 2 criteria, expected at least one weight above 0"),
        ({"weights": [1, -1]}, r"weights\[1\]: found -1.0, expected a finite number of 0 or more"),
        ({"weights": [np.nan, 1]}, r"weights\[0\]: found nan, expected a finite number of 0 or more"),
        ({"weights": [1, np.inf]}, r"weights\[1\]: found inf"),
        ({"weights": [1]}, r"weights: found shape \(1,\), expected \(2,\): one for each of the criteria"),
        ({"weights": 1}, r"weights: found shape \(\), expected \(2,\)"),
        ({"weights": {"safety": 1, "cost": 1}}, "weights: expected numbers"),
        ({"benefit": [True]}, r"benefit: found shape \(1,\), expected \(2,\): True or False for each criterion"),
        ({"benefit": [1, -1]}, r"benefit: found \[1, -1\], expected True"),
        ({"benefit": ["max", "min"]}, r"benefit: found \['max', 'min'\], expected True"),
        ({"matrix": [[1, np.nan], [3, 4]]}, r"matrix\[0, 1\]: found nan, expected a finite number"),
        ({"matrix": [[1, 2], [None, 4]]}, r"matrix\[1, 0\]: found nan, expected a finite number"),
        ({"matrix": [[1, 2], [3, -np.inf]]}, r"matrix\[1, 1\]: found -inf, expected a finite number"),
        ({"matrix": [1, 2]}, r"matrix: found shape \(2,\), expected alternatives x criteria"),
        ({"matrix": []}, r"matrix: found shape \(0,\), expected alternatives x criteria"),
        ({"matrix": np.empty((0, 2))}, r"matrix: found shape \(0, 2\), expected alternatives x criteria"),
        ({"matrix": [[1, 2], [3]]}, "matrix: expected numbers, in rows of one length"),
        ({"matrix": [["good", 2], [3, 4]]}, "matrix: expected numbers.*'good'"),
        ({"normalisation": "l2"}, "no normalisation 'l2', expected one of 'vector', 'max', 'minmax', 'sum', 'none'"),
    ],
)
def test_what_cannot_be_used_is_refused(method: Any, changed: dict[str, Any], message: str):
    sound = {"matrix": [[1, 2], [3, 4]], "weights": [1, 1], "benefit": [True, False]}
    with pytest.raises(ValueError, match=message):
        method(**{**sound, **changed})


@pytest.mark.parametrize("column", [[-1.0, 1.0, 0.0], [0.1, 0.2, -0.3], [-3.0, -2.0, -1.0]])
@pytest.mark.parametrize("method", [topsis, weighted_sum])
def test_a_column_that_sums_to_0_or_less_has_no_shares(method: Any, column: list[float]):
    with pytest.raises(
        ValueError, match=r"criterion 1: found a sum of .*, expected one above 0 for normalisation 'sum'"
    ):
        method(np.column_stack([[1, 2, 3], column]), [1, 1], [True, True], "sum")


@pytest.mark.parametrize("cost", [0.0, -2.0])
def test_a_cost_of_0_cannot_be_inverted(cost: float):
    with pytest.raises(ValueError, match=rf"matrix\[1, 0\]: found {cost}, expected a cost above 0.*'minmax'"):
        weighted_sum([[1, 2], [cost, 4]], [1, 1], [False, True], "sum")


def test_a_cost_of_0_without_weight_does_no_harm():
    assert weighted_sum([[0, 1], [5, 3]], [0, 1], [False, True], "sum").tolist() == [0.25, 0.75]
