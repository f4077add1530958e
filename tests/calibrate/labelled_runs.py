"""Small runs for labels to be about, and a way to calibrate them as a user does: from files, to a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from adjudge.cli.main import main
from adjudge.core.card import Band, Card
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.run import MANIFEST, RECORDS, SCORES, Manifest, Run

BANDS = (Band(1.0, "poor"), Band(2.0, "weak"), Band(3.0, "fair"), Band(4.0, "good"))


def card(name: str, **changes: Any) -> Card:
    facts: dict[str, Any] = {
        "symbol": "Q",
        "question": "How good is it?",
        "formula": "mean",
        "unit": "turn",
        "better": "higher",
        "scale": (1.0, 5.0),
        "pool": "marks",
        "source": "this test",
        "needs": ("judge",),
    }
    return Card(name=name, **{**facts, **changes})


QUALITY = card("quality", bands=BANDS)
PER_CONVERSATION = card("quality", pool="conversations")
RIGHT = card("right", scale=(0.0, 1.0), needs=())
LENGTH = card("words", scale=(0.0, None), needs=())


def of_marks(case: str, values: Sequence[float], metric: str = "quality", arm: str = "a", trial: int = 0) -> ScoreRow:
    """A conversation whose marks lie at the turns 0, 2, 4 and so on: those of the user."""
    marks = [Mark(float(value), turn=str(2 * turn)) for turn, value in enumerate(values)]
    return ScoreRow(case=case, arm=arm, trial=trial, scores={metric: Score.of(marks)})


def dialogue(row: ScoreRow, lengths: Sequence[int] = ()) -> dict[str, Any]:
    """A record in which a user asks at the even turns and the system replies with texts of these lengths."""
    turns = []
    for place, length in enumerate(lengths):
        turns += [
            {"id": str(2 * place), "speaker": "user", "text": "And then?"},
            {"id": str(2 * place + 1), "speaker": "system", "text": "x" * length},
        ]
    participants = [{"id": "user", "kind": "simulated"}, {"id": "system"}]
    return {"id": row.case, "case": row.case, "arm": row.arm, "participants": participants, "turns": turns}


def write_run(
    folder: Path,
    rows: Sequence[ScoreRow],
    *cards: Card,
    records: Sequence[dict[str, Any]] = (),
    status: str = "complete",
) -> Run:
    arms = {row.arm: ArmCoverage() for row in rows}
    manifest = Manifest(
        suite="service",
        adjudge="0.1.0",
        cards={item.name: item for item in cards},
        options={},
        settings={},
        inputs=[],
        status=status,  # type: ignore[arg-type]
        coverage=Coverage(arms=arms),
    )
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    (folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    told = records or [dialogue(row) for row in rows]
    (folder / RECORDS).write_text("".join(json.dumps(record) + "\n" for record in told))
    return Run(folder)


def write_labels(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    return path


def calibrate(run: Run, labels: Path, *options: str) -> Any:
    """What `adjudge calibrate` writes as JSON."""
    target = run.folder.parent / "calibration.json"
    assert main(["calibrate", str(run.folder), "--labels", str(labels), "-o", str(target), "-q", *options]) == 0
    return json.loads(target.read_text())


def by_name(coefficients: list[dict[str, Any]]) -> dict[str, Any]:
    """The estimates of coefficients by their names."""
    return {item["name"]: item["estimate"] for item in coefficients}


def paired(folder: Path, judge: Sequence[float], people: Sequence[float | None], scored: Card = QUALITY) -> Any:
    """The calibration of one mark a conversation, one person's label each; None: not labelled."""
    rows = [of_marks(f"c{place}", [value], scored.name) for place, value in enumerate(judge)]
    run = write_run(folder / "run", rows, scored)
    labels = [
        {"case": f"c{place}", "metric": scored.name, "turn": 0, "label": label}
        for place, label in enumerate(people)
        if label is not None
    ]
    (result,) = calibrate(run, write_labels(folder / "labels.csv", labels))["calibrations"]
    return result
