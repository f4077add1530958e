"""Every value that the metrics give on the samples and on the shared data, in one table.

    python benchmarks/values.py                    compare with the table in values.csv
    python benchmarks/values.py --write            write the table anew
    python benchmarks/values.py --only patient     the data sets of one suite (or of one name)
    python benchmarks/values.py --cache FILE       keep embeddings and answers between calls

A change of the code that is not meant to change values leaves the table equal. Runs are made by the command line and
read as plain JSON, so that the table rests on nothing that a change of the code could change with it.

A judge is a server on this machine that answers by the hash of the material and of the answer's schema: nonsense,
but the same nonsense every time, so that the arithmetic of judged metrics is covered too.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import fsum
from pathlib import Path
from random import Random
from typing import Any

TABLE = Path(__file__).with_name("values.csv")
DATA = Path(__file__).parents[2] / "shared" / "data"
SAMPLES = Path(__file__).parents[1] / "src" / "adjudge" / "suites"
ADJUDGE = "import sys; from adjudge.cli.main import main; sys.exit(main(sys.argv[1:]))"
COLUMNS = ("data", "metric", "arm", "version", "conversations", "undefined", "skipped", "marks", "value", "digest")
KEY = ("data", "metric", "arm")
MAP = ["people=bookpeople", "day=bookday", "stay=bookstay", "time=booktime", "leave=leaveat", "arrive=arriveby"]
MULTIWOZ = ["--goals", "multiwoz/goals_dev_test.json.gz", "--booked", "multiwoz/booked_domains_dev_test.json.gz"]
SYSTEMS = ("augpt", "damd", "labes", "mintl", "pptod", "soloist", "ubar")


@dataclass(frozen=True)
class DataSet:
    """What is scored: a suite and what follows it on the command line, files relative to the shared data."""

    name: str
    suite: str
    arguments: tuple[str, ...]
    judged: bool = False

    def command(self, url: str, cache: Path, run: Path) -> list[str]:
        """The arguments of `adjudge`, with paths as they are on this machine."""
        given = [str(DATA / part) if (DATA / part).exists() else part for part in self.arguments]
        judge = ["--judge", "openai:hash", "--judge-url", url] if self.judged else []
        return ["score", self.suite, *given, *judge, "--cache", str(cache), "-o", str(run), "-q"]

    @property
    def missing(self) -> str:
        """The first file that is not there; empty where all are."""
        paths = [part for part in self.arguments if part.endswith((".gz", ".zip", ".jsonl", ".csv", ".json", "/db"))]
        return next((path for path in paths if not (DATA / path).exists()), "")


def sample(suite: str) -> str:
    """The path of a suite's sample, wherever the suite keeps it."""
    return str(next((SAMPLES / suite).rglob("sample*.jsonl")))


def data_sets() -> Iterator[DataSet]:
    """All that is scored."""
    for suite in ("service", "decision", "patient", "team", "trip"):
        yield DataSet(f"{suite} sample", suite, (sample(suite),))
    for suite in ("service", "patient", "team"):
        yield DataSet(f"{suite} sample judged", suite, (sample(suite),), judged=True)
    yield DataSet("patient sample simple judged", "patient", (sample("patient"), "--simple"), judged=True)
    predictions = [part for name in SYSTEMS for part in ("--predictions", f"multiwoz/predictions/{name}.json.gz")]
    published = ("multiwoz/mwz21states_test.jsonl.gz", *predictions, *MULTIWOZ, "--db", "multiwoz/db")
    yield DataSet("multiwoz", "service", published)
    yield DataSet("multiwoz mapped", "service", (*published, *(part for old in MAP for part in ("--map", old))))
    yield DataSet("multiwoz gold", "service", ("multiwoz/mwz21states_dev.jsonl.gz", *MULTIWOZ, "--db", "multiwoz/db"))
    yield DataSet("multiwoz official", "service", ("multiwoz/mw22_official_format_sample.zip",))
    autotod = "autotod/mwoz_gpt35_0613.jsonl.gz"
    yield DataSet("autotod", "service", (autotod, "--db", "multiwoz/db"))
    for number in ("001", "010", "011"):
        yield DataSet(f"sgd {number}", "service", (f"sgd_CC-BY-SA-4.0/dialogues_{number}.json.gz",))
    yield DataSet("delidata", "decision", ("delidata/members.csv", "delidata/messages.csv.gz"))
    yield DataSet("primock57", "patient", ("patient/primock57_CC-BY-4.0/primock57.jsonl.gz",))
    yield DataSet("aci_bench", "patient", ("patient/aci_bench_CC-BY-4.0/valid.jsonl.gz",))
    yield DataSet("aci_bench judged", "patient", ("patient/aci_bench_CC-BY-4.0/valid.jsonl.gz",), judged=True)
    yield DataSet("travelplanner", "trip", ("travelplanner/train45_query_goldplan_ref.jsonl.gz",))


def main() -> int:
    """Make the table, and write it or compare it with the one that is kept."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="", metavar="TEXT", help="data sets whose suite or name contains this")
    options.add_argument("--write", action="store_true", help="write the table instead of comparing with it")
    options.add_argument("--cache", type=Path, help="a file that keeps embeddings and answers between calls")
    given = options.parse_args()
    chosen = [each for each in data_sets() if given.only in f"{each.suite} {each.name}"]
    with tempfile.TemporaryDirectory() as folder, hash_judge() as url:
        rows = list(rows_of(chosen, url, given.cache or Path(folder) / "answers.sqlite", Path(folder)))
    covered = {row["data"] for row in rows}
    if given.write:
        write([row for row in read() if row["data"] not in covered] + rows)
        print(f"{len(rows)} rows of {len(covered)} data sets written")
        return 0
    return compare([row for row in read() if row["data"] in covered], rows)


def rows_of(chosen: list[DataSet], url: str, cache: Path, folder: Path) -> Iterator[dict[str, str]]:
    """The rows of data sets, each scored into a run folder of its own."""
    for number, each in enumerate(chosen):
        if each.missing:
            print(f"{each.name}: left out, no {each.missing}", file=sys.stderr)
            continue
        run = folder / str(number)
        command = [sys.executable, "-c", ADJUDGE, *each.command(url, cache, run)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 3):
            raise SystemExit(f"{each.name}: exit code {done.returncode}\n{done.stderr}")
        yield from table_of(each.name, run)


def table_of(name: str, run: Path) -> Iterator[dict[str, str]]:
    """The rows of one run: a row for each metric and arm."""
    cards = json.loads((run / "run.json").read_text("utf-8"))["cards"]
    scores: dict[tuple[str, str], list[tuple[str, dict[str, Any]]]] = {}
    with (run / "scores.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            place = f"{row['case']} {row.get('trial', 0)}"
            for metric, score in row["scores"].items():
                scores.setdefault((metric, row["arm"]), []).append((place, score))
    for (metric, arm), rows in sorted(scores.items()):
        yield {"data": name, "metric": metric, "arm": arm, "version": str(cards[metric]["version"]), **facts(rows)}


def facts(scores: list[tuple[str, dict[str, Any]]]) -> dict[str, str]:
    """What is to stay the same of the scores of one metric and arm; sentences are not."""
    scores = sorted(scores, key=lambda pair: pair[0])
    skipped = Counter(score["skipped"]["status"] for _, score in scores if score.get("skipped"))
    marks = [(place, mark) for place, score in scores for mark in score.get("marks", ())]
    weights = [mark.get("weight", 1.0) for _, mark in marks]
    total = fsum(mark["value"] * weight for (_, mark), weight in zip(marks, weights, strict=True))
    lines = [
        f"{place}|{mark['value']:.9g}|{mark.get('turn', '')}|{mark.get('weight', 1.0):.9g}|{mark.get('group', '')}"
        for place, mark in marks
    ]
    return {
        "conversations": str(sum(bool(score.get("marks")) for _, score in scores)),
        "undefined": str(sum(not score.get("marks") and not score.get("skipped") for _, score in scores)),
        "skipped": " ".join(f"{status}:{count}" for status, count in sorted(skipped.items())),
        "marks": str(len(marks)),
        "value": f"{total / fsum(weights):.9g}" if marks else "",
        "digest": hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12],
    }


def read() -> list[dict[str, str]]:
    """The table that is kept."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(rows: list[dict[str, str]]) -> None:
    """Keep a table, data sets in the order in which they are scored."""
    order = {each.name: number for number, each in enumerate(data_sets())}
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (order.get(row["data"], len(order)), row["metric"], row["arm"])))


def compare(kept: list[dict[str, str]], rows: list[dict[str, str]]) -> int:
    """Print what differs; the exit code is 1 if anything does."""
    before = {tuple(row[name] for name in KEY): row for row in kept}
    after = {tuple(row[name] for name in KEY): row for row in rows}
    gone, new = [key for key in before if key not in after], [key for key in after if key not in before]
    changed = [key for key in after if key in before and after[key] != before[key]]
    for word, keys in (("gone", gone), ("new", new)):
        for key in keys:
            print(f"{word}: {' | '.join(key)}")
    for key in changed:
        parts = [f"{name} {before[key][name] or '-'} -> {after[key][name] or '-'}" for name in COLUMNS]
        moved = [part for name, part in zip(COLUMNS, parts, strict=True) if before[key][name] != after[key][name]]
        print(f"changed: {' | '.join(key)}: {', '.join(moved)}")
    print(f"{len(after)} rows: {len(changed)} changed, {len(new)} new, {len(gone)} gone")
    return 1 if changed or new or gone else 0


class hash_judge:  # noqa: N801 - used as a context manager, like a function
    """A server that answers every question by what is asked about and the schema of the answer."""

    def __enter__(self) -> str:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


class Handler(BaseHTTPRequestHandler):
    """Answers the one request of the OpenAI chat protocol that a judge is sent."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Reply with an object of the schema that the request asks for."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        schema = body["response_format"]["json_schema"]["schema"]
        material = body["messages"][-1]["content"].rpartition("The material:\n")[2]
        lines = [line for line in material.splitlines() if not line.startswith("===")]
        seed = hashlib.sha256("\n".join([*lines, *sorted(schema["properties"])]).encode()).hexdigest()
        content = json.dumps(answer_of(schema, schema.get("$defs", {}), Random(seed)))
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        reply = json.dumps({"model": "hash", "choices": [choice], "usage": {"prompt_tokens": 1}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def answer_of(schema: dict[str, Any], definitions: dict[str, Any], draw: Random) -> Any:
    """A value that fits a JSON Schema, drawn field by field in the order of their names."""
    if "$ref" in schema:
        return answer_of(definitions[schema["$ref"].rpartition("/")[2]], definitions, draw)
    if "anyOf" in schema:
        return answer_of(draw.choice(schema["anyOf"]), definitions, draw)
    if "enum" in schema:
        return draw.choice(sorted(schema["enum"], key=str))
    kind = schema.get("type")
    if kind == "object":
        names = sorted(schema.get("properties", {}))
        drawn = {name: answer_of(schema["properties"][name], definitions, draw) for name in names}
        return {name: drawn[name] for name in schema.get("properties", {})}
    if kind == "array":
        count = draw.randint(schema.get("minItems", 0), schema.get("maxItems", 3))
        return [answer_of(schema["items"], definitions, draw) for _ in range(count)]
    if kind == "integer":
        return draw.randint(schema.get("minimum", 0), schema.get("maximum", 5))
    if kind == "number":
        return draw.uniform(schema.get("minimum", 0.0), schema.get("maximum", 1.0))
    if kind == "boolean":
        return draw.random() < 0.5
    if kind == "null":
        return None
    return draw.choice(["yes", "a reason", "not recorded", ""])


if __name__ == "__main__":
    raise SystemExit(main())
