"""How fast the service suite is, each figure beside its alternative in the same run.

    python benchmarks/service.py [--turns 1000000] [--data ../shared/data/multiwoz]

With the MultiWOZ data: one published system through the whole suite with Inform and Success; that set repeated to
many turns, on one core and on all, with peak memory; and database queries against a linear scan. Without the data
the hand-written sample is repeated instead. Every measurement runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from adjudge.core.errors import Warnings
from adjudge.engines.local import Job, survey
from adjudge.score import Plan
from adjudge.suites.service import suite
from adjudge.suites.service.data import Annotation, ServiceDialogue, ServiceTurn

MAP = ["people=bookpeople", "day=bookday", "stay=bookstay", "time=booktime", "leave=leaveat", "arrive=arriveby"]
TURN_METRICS = (
    "domain_accuracy,intent_accuracy,act_accuracy,slot_accuracy,joint_goal_accuracy,hallucination,"
    "memory_transfer,policy_violation,system_correctness"
)


def main() -> None:
    """Run all benchmarks and print a line for each."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--turns", type=int, default=1_000_000)
    options.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data" / "multiwoz")
    options.add_argument("--task", help=argparse.SUPPRESS)
    given, rest = options.parse_known_args()
    if given.task:
        print(json.dumps(TASKS[given.task](*rest)))
        return
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    start_up()
    with tempfile.TemporaryDirectory() as folder:
        if given.data.is_dir():
            score_published_system(given.data, Path(folder))
            queries(given.data)
        many_turns(given.data, Path(folder), given.turns)


def start_up() -> None:
    """The time until `adjudge --help` has answered, beside an empty Python program."""
    command = Path(sys.executable).with_name("adjudge")
    ours = statistics.median(_seconds([str(command), "--help"]) for _ in range(11))
    empty = statistics.median(_seconds([sys.executable, "-c", "pass"]) for _ in range(11))
    print(f"adjudge --help: {ours:.3f} s, {ours / empty:.1f} times an empty Python program")


def score_published_system(data: Path, folder: Path) -> None:
    """One published system through all offline metrics, beside decoding the same files."""
    cost = _task("published", str(data), str(folder / "published"))
    print(
        f"ubar, 1,000 dialogues, {cost['turns']:,} turns, all offline metrics with Inform and Success: "
        f"{cost['cpu']:.2f} s of CPU after import ({cost['turns'] / cost['cpu']:,.0f} turns/s), "
        f"{cost['cpu'] / cost['decode']:.1f} times decoding the same JSON untyped"
    )


def queries(data: Path) -> None:
    """Distinct database queries of one system, indexed against a linear scan with the same answers."""
    cost = _task("queries", str(data))
    print(
        f"{cost['queries']:,} database queries: indexed {cost['indexed']:.3f} s; a linear scan takes "
        f"{cost['linear'] / cost['sampled']:.4f} s each, {cost['ratio']:,.0f} times as long"
    )


def many_turns(data: Path, folder: Path, turns: int) -> None:
    """Many turns through the suite on one core and on all, beside decoding them."""
    path = folder / "many.jsonl"
    made = _task("write", str(data), str(path), str(turns))["turns"]
    decode = _task("decode", str(path))
    print(f"{made:,} turns, {path.stat().st_size / 1e6:,.0f} MB of JSON; decoding untyped takes {decode['cpu']:.1f} s")
    cores = os.cpu_count() or 1
    for label, jobs, only in (
        ("all offline metrics, one core", 1, ""),
        ("the source's turn metrics, one core", 1, TURN_METRICS),
        (f"all offline metrics, {cores} cores", cores, ""),
    ):
        cost = _score(path, folder / f"run{jobs}{bool(only)}", jobs, only)
        print(
            f"{label}: {cost['wall']:.1f} s, {cost['cpu']:.1f} s of CPU ({made / cost['wall']:,.0f} turns/s), "
            f"{cost['cpu'] / decode['cpu']:.1f} times decoding, peak {cost['peak']:.0f} MB in one process"
        )


def _score(path: Path, run: Path, jobs: int, only: str) -> dict[str, float]:
    command = [str(Path(sys.executable).with_name("adjudge")), "score", "service", str(path), "-o", str(run), "-q"]
    command += ["--jobs", str(jobs), *(["--only", only] if only else [])]
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"exit status {status}"
    wall = time.perf_counter() - start
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / 1024}


def _task(name: str, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, __file__, "--task", name, *arguments]
    done: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return done


def _seconds(command: list[str]) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def _plan(data: str) -> Plan:
    return Plan(
        suite="service",
        files=(f"{data}/mwz21states_test.jsonl.gz",),
        options={
            "predictions": [f"{data}/predictions/ubar.json.gz"],
            "goals": f"{data}/goals_dev_test.json.gz",
            "booked": f"{data}/booked_domains_dev_test.json.gz",
            "db": f"{data}/db",
            "map": MAP,
        },
    )


def task_published(data: str, run: str) -> dict[str, float]:
    """CPU seconds for one system, everything imported before."""
    import gzip

    import scipy.special  # noqa: F401 - imported before the clock starts

    from adjudge.aggregate import table
    from adjudge.engines.local import execute

    suite.metrics()
    start = time.process_time()
    plan = _plan(data)
    plan = structs.replace(plan, options={**plan.options, "map": []})
    done = execute(Job.open(plan), Path(run))
    rows = table(done)
    cpu = time.process_time() - start
    assert any(row.metric == "inform" and row.value for row in rows)
    start = time.process_time()
    with gzip.open(f"{data}/mwz21states_test.jsonl.gz") as file:
        turns = sum(len(msgspec.json.decode(line)["turns"]) for line in file)
    with gzip.open(f"{data}/predictions/ubar.json.gz") as file:
        msgspec.json.decode(file.read())
    return {"cpu": cpu, "turns": turns, "decode": time.process_time() - start}


def task_queries(data: str) -> dict[str, float]:
    """Seconds for all queries of one system, and for a sample of them by linear scan."""
    from adjudge.suites.service.rules.database import QUERIED, Venues
    from adjudge.suites.service.rules.offers import _states

    inventory = survey(Job.open(_plan(data)))
    wanted = [
        (domain, state[domain])
        for records in inventory.kept or ()
        for record in records
        if isinstance(record, ServiceDialogue)
        for state in _states(record.exchanges)
        for domain in state
        if domain in QUERIED
    ]
    venues = Venues.load(Path(data) / "db")
    start = time.process_time()
    answers = [venues.query(domain, constraints) for domain, constraints in wanted]
    indexed = time.process_time() - start
    sample = range(0, len(wanted), max(len(wanted) // 100, 1))
    start = time.process_time()
    for place in sample:
        assert _linear(venues, *wanted[place]) == answers[place]
    linear = time.process_time() - start
    ratio = linear / len(sample) * len(wanted) / indexed
    return {"queries": len(wanted), "indexed": indexed, "linear": linear, "sampled": len(sample), "ratio": ratio}


def _linear(venues: Any, domain: str, constraints: dict[str, str]) -> frozenset[str]:
    """The same question asked of every row in turn."""
    from adjudge.suites.service.rules.database import CLOSE, partial_ratio
    from adjudge.suites.service.rules.spelling import database_value, minutes, slot_name, spellings

    table = venues._tables[domain]
    key = "trainid" if domain == "train" else "id"
    compare: dict[str, Callable[[str, str], bool]] = {
        "arrive": lambda cell, value: minutes(cell) <= minutes(value),
        "leave": lambda cell, value: minutes(cell) >= minutes(value),
    }
    for name in ("name", "food", "departure", "destination"):
        compare[name] = lambda cell, value: partial_ratio(cell, value) >= CLOSE
    wanted = [
        (slot_name(slot), database_value(slot_name(slot), value))
        for slot, value in constraints.items()
        if slot_name(slot) in table.columns
    ]
    wanted = [(slot, value) for slot, value in wanted if value not in spellings().no_constraint]
    return frozenset(
        row[key]
        for row in venues.rows[domain]
        if all(row.get(slot, "?") == "?" or compare.get(slot, str.__eq__)(row[slot], value) for slot, value in wanted)
    )


def task_write(data: str, path: str, turns: str) -> dict[str, int]:
    """Write so many turns in our own format, with something predicted for every metric."""
    plan = _plan(data) if Path(data).is_dir() else Plan(suite="service", files=(str(suite.sample),))
    inventory = survey(Job.open(plan))
    records = [
        _with_all_fields(record)
        for together in inventory.kept or ()
        for record in together
        if isinstance(record, ServiceDialogue)
    ]
    encode = msgspec.json.Encoder().encode
    written = copy = 0
    with open(path, "wb") as file:
        while written < int(turns):
            for record in records:
                file.write(encode(structs.replace(record, id=f"{record.id}-{copy}", case="")) + b"\n")
                written += len(record.turns)
                if written >= int(turns):
                    break
            copy += 1
    return {"turns": written}


def _with_all_fields(record: ServiceDialogue) -> ServiceDialogue:
    """The record with gold intents and acts as predictions where the system predicts none."""
    return structs.replace(record, turns=tuple(map(_turn_with_all_fields, record.turns)))


def _turn_with_all_fields(turn: ServiceTurn) -> ServiceTurn:
    gold, predicted = turn.gold, turn.predicted
    if gold is None:
        return turn
    if predicted is None:
        return structs.replace(turn, predicted=Annotation(acts=gold.acts))
    intents = predicted.intents if predicted.intents is not None else gold.intents
    return structs.replace(turn, predicted=structs.replace(predicted, intents=intents))


def task_decode(path: str) -> dict[str, float]:
    """CPU seconds for decoding every line without a type."""
    from adjudge.read.files import rows

    start = time.process_time()
    for _, row in rows(Path(path), Warnings()):
        msgspec.json.decode(row)
    return {"cpu": time.process_time() - start}


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    "published": task_published,
    "queries": task_queries,
    "write": task_write,
    "decode": task_decode,
}

if __name__ == "__main__":
    main()
