"""How fast comparison is: the cluster bootstrap of many metrics and arms at once, beside scipy.stats.bootstrap.

    python benchmarks/compare.py [--cases 1000] [--metrics 30] [--arms 5] [--resamples 10000] [--sample 10]

Both give the same interval from the same number of resamples; scipy is asked for each metric and arm in turn, which is
measured on a sample of them and counted up. Then the test and the interval of one contrast. Every measurement runs in a
process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from adjudge.stats.bootstrap import resample
from adjudge.stats.cases import Arm, PairedCases, Undefined
from adjudge.stats.difference import Pivot, pivot_of
from adjudge.stats.interval import UNIT
from adjudge.stats.variance import Floats

BATCH = 1000


def main() -> None:
    """Run all benchmarks and print a line for each."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=1000)
    options.add_argument("--metrics", type=int, default=30)
    options.add_argument("--arms", type=int, default=5)
    options.add_argument("--resamples", type=int, default=10_000)
    options.add_argument("--sample", type=int, default=10, help="how many metrics and arms scipy is measured on")
    options.add_argument("--task", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.task:
        print(json.dumps(TASKS[given.task](given)))
        return
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    bootstrap(given)
    one_contrast()


def bootstrap(given: argparse.Namespace) -> None:
    """All metrics and arms at once, beside scipy one by one."""
    ours, theirs = _task("ours"), _task("scipy")
    ratios, seconds = given.metrics * given.arms, theirs["wall"] / theirs["sampled"]
    print(
        f"{given.resamples:,} resamples over {given.cases:,} cases, {given.metrics} metrics, {given.arms} arms: "
        f"{ours['wall']:.2f} s, {ours['cpu']:.2f} s of CPU, {ours['peak']:.0f} MB more; scipy.stats.bootstrap takes "
        f"{seconds:.2f} s for one of the {ratios}, {seconds * ratios / ours['wall']:,.0f} times as long for all; "
        f"the bounds of one differ by {abs(ours['low'] - theirs['low']):.4f}"
    )


def one_contrast() -> None:
    """The test and the interval of one metric and two arms."""
    cost = _task("contrast")
    print(f"one contrast: test {cost['test'] * 1000:.1f} ms, interval {cost['interval'] * 1000:.1f} ms")


def draw_sums(given: argparse.Namespace) -> tuple[Floats, Floats]:
    """Totals and weights of cases by arm and metric: some marks of 0 and 1 a case."""
    dice = np.random.default_rng(1)
    weights = dice.integers(1, 13, (given.cases, given.arms, given.metrics))
    return dice.binomial(weights, 0.8).astype(float), weights.astype(float)


def task_ours(given: argparse.Namespace) -> dict[str, float]:
    """Seconds for the percentile intervals of everything, and the memory it took."""
    totals, weights = draw_sums(given)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, cpu = time.perf_counter(), time.process_time()
    resampled = resample(totals, weights, resamples=given.resamples)
    bounds = [
        np.quantile(resampled.means(arm, metric), (0.025, 0.975))
        for arm in range(given.arms)
        for metric in range(given.metrics)
    ]
    return {
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "peak": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
        "low": float(bounds[0][0]),
    }


def task_scipy(given: argparse.Namespace) -> dict[str, float]:
    """Seconds for the percentile intervals of some, one by one, vectorised as scipy offers."""
    from scipy.stats import bootstrap as scipy_bootstrap

    totals, weights = draw_sums(given)
    places = [(arm, metric) for arm in range(given.arms) for metric in range(given.metrics)][: given.sample]
    start = time.perf_counter()
    bounds = [
        scipy_bootstrap(
            (totals[:, arm, metric], weights[:, arm, metric]),
            _ratio,
            paired=True,
            vectorized=True,
            n_resamples=given.resamples,
            batch=BATCH,
            method="percentile",
            rng=np.random.default_rng(1),
        ).confidence_interval
        for arm, metric in places
    ]
    return {"wall": time.perf_counter() - start, "sampled": len(places), "low": float(bounds[0].low)}


def _ratio(totals: Floats, weights: Floats, axis: int = -1) -> Any:
    return totals.sum(axis=axis) / weights.sum(axis=axis)


def task_contrast(given: argparse.Namespace) -> dict[str, float]:
    """Seconds for the test and for the interval."""
    totals, weights = draw_sums(given)
    data = PairedCases.of(*(Arm(totals[:, arm, 0].copy(), weights[:, arm, 0].copy()) for arm in (0, 1)))
    _pivot(data).limits(0.95)  # scipy is imported before the clock runs.
    return {
        "test": _mean_seconds(lambda: _pivot(data).p()),
        "interval": _mean_seconds(lambda: _pivot(data).limits(0.95)),
    }


def _pivot(data: PairedCases) -> Pivot:
    pivot = pivot_of(data, UNIT)
    if isinstance(pivot, Undefined):
        raise ValueError(pivot.why)
    return pivot


def _mean_seconds(work: Callable[[], object], times: int = 20) -> float:
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def _task(name: str) -> dict[str, float]:
    command = [sys.executable, __file__, *sys.argv[1:], "--task", name]
    done: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return done


TASKS: dict[str, Callable[[argparse.Namespace], dict[str, float]]] = {
    "ours": task_ours,
    "scipy": task_scipy,
    "contrast": task_contrast,
}

if __name__ == "__main__":
    main()
