"""How fast TOPSIS and evidential reasoning are, beside other packages and bare numpy in the same run.

    python benchmarks/decision.py [--repeats 7]

Ten, a thousand and a million alternatives on six criteria (TOPSIS, vector normalisation, two of them costs), and as
many to assess from four pieces of evidence on five grades, some of it incomplete. Bare numpy is the textbook formula
without any check. All contenders take turns, and each shows its best time, so that a busy machine slows all alike.
pymcdm is timed with its checks, as it is called by default, and without; ERTool takes one alternative at a time, so
that its time for a million is that for a thousand, times a thousand.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from adjudge.suites.decision.methods import combine, combine_recursively, topsis

Floats = npt.NDArray[np.float64]
Contenders = dict[str, Callable[[], object]]

SIZES = (10, 1_000, 1_000_000)
CRITERIA, PIECES, GRADES = 6, 4, 5
TYPES = np.array([1, -1, 1, -1, 1, 1])
MOST_BY_ERTOOL = 1_000
PATIENCE = 10.0


def main() -> None:
    """Print the time of every contender and how many times ours it is."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repeats", type=int, default=7)
    repeats = options.parse_args().repeats
    # scikit-criteria advises against costs on every call.
    warnings.filterwarnings("ignore", "Although TOPSIS can operate")
    print(f"Python {sys.version.split()[0]}, numpy {np.__version__}, {os.cpu_count()} cores, best of {repeats}")
    for size in SIZES:
        report(f"TOPSIS, {size:,} alternatives", best(closeness(size), repeats))
    for size in SIZES:
        times = best(evidence(size), repeats)
        if "ERTool" in times:
            times["ERTool"] *= size / min(size, MOST_BY_ERTOOL)
        report(f"evidential reasoning, {size:,} alternatives", times)


def report(title: str, times: dict[str, float]) -> None:
    """Every time, and as a multiple of ours, which comes first."""
    ours = next(iter(times.values()))
    print(title)
    for name, seconds in times.items():
        print(f"  {name:32s} {seconds * 1e3:12,.3f} ms   {seconds / ours:9.2f} times ours")


def best(contenders: Contenders, repeats: int) -> dict[str, float]:
    """The shortest time of each, all taking turns; the slow ones have fewer."""
    times = dict.fromkeys(contenders, math.inf)
    for turn in range(repeats):
        for name, run in contenders.items():
            if turn and times[name] * turn > PATIENCE:
                continue
            start = time.perf_counter()
            run()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def closeness(size: int) -> Contenders:
    """TOPSIS on so many alternatives by everyone who is installed; all must find the same."""
    dice = np.random.default_rng(size)
    matrix = dice.uniform(0.1, 9, (size, CRITERIA)) * 10.0 ** np.arange(CRITERIA)
    weights = dice.dirichlet(np.ones(CRITERIA))
    methods: dict[str, Callable[[], Floats]] = {
        "adjudge": lambda: topsis(matrix, weights, TYPES > 0),
        "bare numpy": lambda: bare_topsis(matrix, weights),
        **_pymcdm(matrix, weights),
        **_scikit_criteria(matrix, weights),
    }
    expected = methods["adjudge"]()
    for name, run in methods.items():
        assert np.allclose(run(), expected, rtol=0, atol=1e-9), name
    return dict(methods)


def bare_topsis(matrix: Floats, weights: Floats) -> Floats:
    """The textbook formula."""
    values = matrix / np.sqrt((matrix**2).sum(axis=0)) * weights
    high, low = values.max(axis=0), values.min(axis=0)
    ideal, worst = np.where(TYPES > 0, high, low), np.where(TYPES > 0, low, high)
    below = np.sqrt(((values - ideal) ** 2).sum(axis=1))
    above = np.sqrt(((values - worst) ** 2).sum(axis=1))
    closeness: Floats = above / (below + above)
    return closeness


def _pymcdm(matrix: Floats, weights: Floats) -> dict[str, Callable[[], Floats]]:
    try:
        methods = importlib.import_module("pymcdm.methods")
    except ImportError:
        return {}
    norm = importlib.import_module("pymcdm.normalizations").vector_normalization
    method = methods.TOPSIS(norm)
    return {
        "pymcdm": lambda: method(matrix, weights, TYPES),
        "pymcdm, without its checks": lambda: method(matrix, weights, TYPES, validation=False),
    }


def _scikit_criteria(matrix: Floats, weights: Floats) -> dict[str, Callable[[], Floats]]:
    try:
        criteria = importlib.import_module("skcriteria")
    except ImportError:
        return {}
    method = importlib.import_module("skcriteria.agg.topsis").TOPSIS()
    scaler = importlib.import_module("skcriteria.preprocessing.scalers").VectorScaler(target="matrix")
    problem = criteria.mkdm(matrix, TYPES.tolist(), weights=weights.tolist())
    return {"scikit-criteria, its matrix made": lambda: method.evaluate(scaler.transform(problem)).e_.similarity}


def evidence(size: int) -> Contenders:
    """Evidential reasoning on so many alternatives; all must find the same."""
    dice = np.random.default_rng(size)
    beliefs = dice.dirichlet(np.ones(GRADES + 1), (size, PIECES))[..., :GRADES]
    weights = dice.dirichlet(np.ones(PIECES))
    assert np.allclose(combine(beliefs, weights).beliefs, bare_reasoning(beliefs, weights), rtol=0, atol=1e-12)
    return {
        "adjudge": lambda: combine(beliefs, weights),
        "adjudge, recursive": lambda: combine_recursively(beliefs, weights),
        "bare numpy": lambda: bare_reasoning(beliefs, weights),
        **_ertool(beliefs[:MOST_BY_ERTOOL], weights),
    }


def bare_reasoning(beliefs: Floats, weights: Floats) -> Floats:
    """The analytical form."""
    masses = beliefs * weights[:, None]
    free = 1 - masses.sum(axis=-1)
    products, frame = (masses + free[..., None]).prod(axis=-2), free.prod(axis=-1)
    idle = (1 - weights).prod()
    k = 1 / (products.sum(axis=-1) - (beliefs.shape[-1] - 1) * frame)
    combined: Floats = (k[:, None] * (products - frame[:, None])) / (1 - k * idle)[:, None]
    unassigned, conflict = k * (frame - idle) / (1 - k * idle), 1 - 1 / k
    assert unassigned.shape == conflict.shape
    return combined


def _ertool(beliefs: Floats, weights: Floats) -> Contenders:
    try:
        combined = importlib.import_module("ertool.er").er_algorithm
    except ImportError:
        return {}
    assert np.allclose(combined(weights, beliefs[0], PIECES, GRADES, 16)[:-1], combine(beliefs[0], weights).beliefs)
    return {"ERTool": lambda: [combined(weights, rows, PIECES, GRADES, 16) for rows in beliefs]}


if __name__ == "__main__":
    main()
