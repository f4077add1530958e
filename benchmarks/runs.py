"""What runs of each kind take: bytes on disk, and CPU seconds and memory to score, report and compare them.

    python benchmarks/runs.py [--turns 250000] [--keep all worst tallies parquet] [--folder DIR]

The dialogues are those of `benchmarks/service.py`, each under two arms. Every command runs in a process of its own; the
figures are its CPU seconds (user and system) and its peak resident memory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
from service import _plan, _with_all_fields

from adjudge.engines.local import Job, survey
from adjudge.score import Plan
from adjudge.suites.service import suite
from adjudge.suites.service.data import ServiceDialogue

ARMS = ("mine", "theirs")
KINDS = ("all", "worst", "tallies", "parquet")


def main() -> None:
    """Score, report and compare a run of each kind, and print a line for each command."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--turns", type=int, default=250_000)
    options.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data" / "multiwoz")
    options.add_argument("--keep", nargs="+", choices=KINDS, default=KINDS)
    options.add_argument("--folder", type=Path, help="where input and runs are kept (default: a temporary folder)")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{given.turns}.jsonl"
        if not path.exists():
            write_dialogues(given.data, path, given.turns)
        print(f"{given.turns:,} turns, {path.stat().st_size / 1e6:,.0f} MB of dialogues", flush=True)
        for kind in given.keep:
            measure(path, folder / f"{kind}-{given.turns}", kind)


def measure(path: Path, run: Path, kind: str) -> None:
    """Print what a run of a kind takes."""
    way = ["--store", "parquet"] if kind == "parquet" else ["--keep", kind]
    take(f"{kind}: score", ["score", "service", str(path), "-o", str(run), "-q", "--fresh", *way])
    size = sum(file.stat().st_size for file in run.rglob("*") if file.is_file())
    print(f"{kind}: {size / 1e6:,.1f} MB on disk", flush=True)
    take(f"{kind}: report", ["report", str(run), "-o", str(run.with_suffix(".json")), "-q"])
    take(f"{kind}: report page", ["report", str(run), "-o", str(run.with_suffix(".html")), "-q"])
    if kind != "tallies":
        take(f"{kind}: compare", ["compare", str(run), "-o", str(run.with_suffix(".csv")), "-q"])


def take(what: str, arguments: list[str]) -> None:
    """Run a command and print its CPU seconds and its peak memory."""
    process = subprocess.Popen([str(Path(sys.executable).with_name("adjudge")), *arguments])
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{what}: exit status {status}"
    cpu = usage.ru_utime + usage.ru_stime
    print(f"{what}: {cpu:,.1f} s of CPU, peak {usage.ru_maxrss / 1024:,.0f} MB", flush=True)


def write_dialogues(data: Path, path: Path, turns: int) -> None:
    """Write so many turns in our own format, every dialogue under both arms."""
    plan = _plan(str(data)) if data.is_dir() else Plan(suite="service", files=(str(suite.sample),))
    kept = survey(Job.open(plan)).kept or ()
    records = [_with_all_fields(record) for row in kept for record in row if isinstance(record, ServiceDialogue)]
    encode = msgspec.json.Encoder().encode
    written = copy = 0
    with path.open("wb") as file:
        while written < turns:
            for record in records[: (turns - written) // len(ARMS) + 1]:
                for arm in ARMS:
                    name = f"{record.id}-{copy}"
                    file.write(encode(msgspec.structs.replace(record, id=f"{name}-{arm}", case=name, arm=arm)) + b"\n")
                    written += len(record.turns)
                if written >= turns:
                    break
            copy += 1


if __name__ == "__main__":
    main()
