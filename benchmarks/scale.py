"""How scoring scales: one core, several processes and Dask workers on the same turns, as ratios in one run.

    python benchmarks/scale.py [--turns 1000000] [--rounds 3] [--cores 2] [--keep worst]

Every measurement is a command of its own, from start to end. Each round runs all ways one after the other, so that a
ratio compares neighbours in time; the median of the rounds is printed. The run folders are compared: they must be the
same. With `--only-one`, only the run on one core is measured, with its memory and its disk space.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[2] / "shared" / "data" / "multiwoz"


class Cost(NamedTuple):
    """What a command took: seconds, CPU seconds of all its processes, and the most memory of one process in MB."""

    wall: float
    cpu: float
    peak: float


def main() -> None:
    """Run all ways and print a line for each."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--turns", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--cores", type=int, default=2)
    options.add_argument("--keep", help="what runs keep, as in `adjudge score --keep`")
    options.add_argument("--data", type=Path, default=DATA)
    options.add_argument("--only-one", action="store_true")
    given = options.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {given.turns:,} turns")
    with tempfile.TemporaryDirectory() as folder:
        file = write_turns(given.data, Path(folder) / "turns.jsonl", given.turns)
        print(f"{file.stat().st_size / 1e6:,.0f} MB of JSON lines")
        ways = ways_of(given.cores, given.only_one)
        more = ["--keep", given.keep] if given.keep else []
        costs: dict[str, list[Cost]] = {way: [] for way in ways}
        for _ in range(given.rounds):
            for way, arguments in ways.items():
                costs[way].append(score(file, Path(folder) / way, [*arguments, *more]))
        compare_runs(Path(folder), list(ways))
        print_costs(costs, given.turns, Path(folder))


def ways_of(cores: int, only_one: bool) -> dict[str, list[str]]:
    """The options of each way to score."""
    item = {"one core": ["--jobs", "1"]}
    more = {
        f"{cores} processes": ["--jobs", str(cores)],
        "one Dask worker": ["--engine", "dask", "--jobs", "1"],
        f"{cores} Dask workers": ["--engine", "dask", "--jobs", str(cores)],
    }
    return item if only_one else item | more


def write_turns(data: Path, path: Path, turns: int) -> Path:
    """Write so many turns as the benchmark of the service suite does."""
    benchmark = Path(__file__).with_name("service.py")
    command = [sys.executable, str(benchmark), "--task", "write", str(data), str(path), str(turns)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def score(file: Path, run: Path, arguments: list[str]) -> Cost:
    """Score all offline metrics into a fresh run folder."""
    shutil.rmtree(run, ignore_errors=True)
    adjudge = str(Path(sys.executable).with_name("adjudge"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([adjudge, "score", "service", str(file), "-o", str(run), "-q", *arguments], check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, cpu, after.ru_maxrss / 1024)


def compare_runs(folder: Path, ways: list[str]) -> None:
    """Check that all ways made the same run."""
    first = folder / ways[0]
    names = [path.name for path in first.iterdir() if path.name != "run.json"]
    for way in ways[1:]:
        _, others, missing = filecmp.cmpfiles(first, folder / way, names, shallow=False)
        assert [*others, *missing] == [], f"{way}: other files than {ways[0]}"


def print_costs(costs: dict[str, list[Cost]], turns: int, folder: Path) -> None:
    """Print the medians of each way, and how many times as fast as the first it is."""
    base = next(iter(costs.values()))
    for way, rounds in costs.items():
        ratio = statistics.median(first.wall / other.wall for first, other in zip(base, rounds, strict=True))
        wall, cpu = (statistics.median(getattr(cost, name) for cost in rounds) for name in ("wall", "cpu"))
        size = sum(path.stat().st_size for path in (folder / way).rglob("*") if path.is_file())
        print(
            f"{way}: {wall:.1f} s, {ratio:.2f} times one core; {cpu * 1e6 / turns:.1f} s of CPU a million turns; "
            f"up to {max(cost.peak for cost in rounds):,.0f} MB in a process so far; {size / turns:,.0f} bytes a turn"
        )


if __name__ == "__main__":
    main()
