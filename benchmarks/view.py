"""How fast `adjudge view` is: a run of a million records, 50 requests at once, and published systems.

python benchmarks/view.py                 a million records of two turns (takes minutes and 3 GB of disk)
python benchmarks/view.py --records 20000 fewer
python benchmarks/view.py --load 30       50 requests at once for 30 seconds, on the sample of the service suite
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import msgspec

from adjudge.core.card import Card
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.run import MANIFEST, RECORDS, SCORES, Manifest
from adjudge.web.catalogue import make_id

METRICS = ("goal", "success", "hallucination", "policy", "politeness", "length")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--records", type=int, default=1_000_000)
    options.add_argument("--load", type=int, default=0, metavar="SECONDS")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.load:
            measure_load(Path(folder), given.load)
        else:
            measure_pages(Path(folder), given.records)


def measure_pages(root: Path, records: int) -> None:
    began = time.perf_counter()
    write_run(root / "large", records)
    print(f"{records:,} records written in {time.perf_counter() - began:.0f} s, {_size(root / 'large') / 1e6:,.0f} MB")
    run = f"/run/{make_id('large')}"
    pages = {
        "overview, first time (index is written)": run,
        "overview": run,
        "list": f"{run}/conversations",
        "list, sorted by a metric": f"{run}/conversations?sort=goal",
        "list, a metric below a value, by another": f"{run}/conversations?when=goal%3Abelow%3A1&sort=-hallucination",
        "list, by arm and facet, page 400": f"{run}/conversations?arm=b&facet.field=odd&page=400",
        "list, sorted by case": f"{run}/conversations?sort=-case",
        "list, undefined": f"{run}/conversations?when=success%3Aundefined",
        "search, a rare word": f"{run}/conversations?q=zebra",
        "conversation": f"{run}/c/{records // 2}",
        "another conversation": f"{run}/c/{records - 1}",
    }
    with Server(root) as server:
        for name, path in pages.items():
            began = time.perf_counter()
            server.get_when_ready(path)
            print(f"{name:45} {(time.perf_counter() - began) * 1000:9,.0f} ms")
        print(f"memory at most {server.peak_memory() / 1e6:,.0f} MB")
    with Server(root) as server:
        began = time.perf_counter()
        server.get(run)
        print(f"{'overview after a restart':45} {(time.perf_counter() - began) * 1000:9,.0f} ms")
        server.get(f"{run}/conversations?sort=goal")
        print(f"memory without writing the index at most {server.peak_memory() / 1e6:,.0f} MB")


def measure_load(root: Path, seconds: int) -> None:
    subprocess.run([sys.executable, "-m", "adjudge", "demo", "service", "-o", root / "demo"], check=True, stdout=-3)
    run = f"/run/{make_id('demo')}"
    short = run.removeprefix("/run/")
    paths = ["/", run, f"{run}/conversations", f"{run}/conversations?sort=joint_goal_accuracy", f"{run}/differences"]
    paths += [f"{run}/c/{place}" for place in range(48)]
    paths += [f"/diff/{short}/{place}/{short}/{place + 1}" for place in range(0, 48, 2)]
    times: list[float] = []
    failures: list[int] = []
    with Server(root) as server:
        until = time.monotonic() + seconds

        def ask(seed: int) -> None:
            dice = random.Random(seed)
            while time.monotonic() < until:
                began = time.perf_counter()
                status = server.get(dice.choice(paths), check=False)
                times.append(time.perf_counter() - began)
                if status != 200:
                    failures.append(status)

        threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    times.sort()
    print(f"{len(times):,} requests in {seconds} s by 50 at once, {len(failures)} failed")
    print(f"median {statistics.median(times) * 1000:.0f} ms, p95 {times[int(len(times) * 0.95)] * 1000:.0f} ms")


class Server:
    """`adjudge view` in a process of its own."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-m", "adjudge", "view", str(root), "--no-open"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().split("127.0.0.1:")[1].split("/")[0])

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()

    def get_when_ready(self, path: str) -> None:
        """Ask until the index is written."""
        while b"is being read for the first time" in self._read(path)[1]:
            time.sleep(0.2)

    def get(self, path: str, check: bool = True) -> int:
        status, body = self._read(path)
        if check and status != 200:
            raise RuntimeError(f"{path}: {status}: {body[-600:]!r}")
        return status

    def _read(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=1800)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def peak_memory(self) -> float:
        """The most memory that the process held, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.is_file():
            return float(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return float(line.split()[1]) * 1024


def write_run(folder: Path, records: int) -> None:
    """A run of two arms with two turns a record."""
    folder.mkdir()
    dice = random.Random(1)
    cards = {name: _card(name) for name in METRICS}
    arms = {arm: ArmCoverage(records // 2, records // 2, records, records) for arm in ("a", "b")}
    manifest = Manifest(
        suite="service",
        adjudge="0.1.0",
        cards=cards,
        options={},
        settings={},
        inputs=[],
        status="complete",
        coverage=Coverage(arms=arms),
        counts={"records": records},
    )
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    encode = msgspec.json.Encoder().encode
    with (folder / RECORDS).open("wb") as record_file, (folder / SCORES).open("wb") as score_file:
        for number in range(records):
            case, arm = f"case-{number // 2:07}", "ab"[number % 2]
            word = "zebra" if number % 100_000 == 7 else "hotel"
            turns = [
                {"id": "0", "speaker": "user", "text": f"I need a {word} in the west for two people on day {number}."},
                {"id": "1", "speaker": "system", "text": "There are three; the Larkspur has four stars and is cheap."},
            ]
            record_file.write(json.dumps({"id": case, "case": case, "arm": arm, "turns": turns}).encode() + b"\n")
            scores = {name: _score(name, dice) for name in METRICS}
            row = ScoreRow(case, arm, scores, facets={"field": "odd" if number // 2 % 2 else "even"})
            score_file.write(encode(row) + b"\n")


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def _score(name: str, dice: random.Random) -> Score:
    if name == "success" and dice.random() < 0.05:
        return Score()
    value = float(dice.random() < 0.7) if name != "length" else float(dice.randint(5, 40))
    return Score.of([Mark(value, "belief", "0", "" if value else "west is missing", "hotel")])


def _card(name: str) -> Card:
    return Card(
        name=name,
        symbol=name[0].upper(),
        question=f"How good is {name}?",
        formula="right / all",
        unit="turn",
        better="lower" if name == "hallucination" else "neither" if name == "length" else "higher",
        scale=(0.0, None) if name == "length" else (0.0, 1.0),
        pool="marks",
        source="this benchmark",
        primary=name != "length",
    )


if __name__ == "__main__":
    main()
