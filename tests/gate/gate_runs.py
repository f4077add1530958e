from __future__ import annotations

from pathlib import Path

import msgspec

from adjudge.core.card import Card
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.gate.check import GateTerms, check
from adjudge.gate.rules import parse_all
from adjudge.gate.verdicts import Gate, RuleVerdict
from adjudge.run import MANIFEST, RECORDS, SCORES, InputFile, Manifest, Run

Value = float | None | Score
Arms = dict[str, dict[str, list[Value]]]

LOST = Score.skip("timeout", "the judge gave no answer in time")
BROKE = Score.skip("error", "ZeroDivisionError: division by zero")


def card(name: str, **changes: object) -> Card:
    facts: dict[str, object] = {
        "symbol": name[0].upper(),
        "question": f"How often is {name} right?",
        "formula": "right / all",
        "unit": "conversation",
        "better": "higher",
        "scale": (0.0, 1.0),
        "pool": "conversations",
        "source": "this test",
    }
    return Card(name=name, **{**facts, **changes})  # type: ignore[arg-type]


CARDS = {
    found.name: found
    for found in (
        card("inform"),
        card("goal", pool="marks", unit="turn"),
        card("slip", better="lower"),
        card("length", better="neither", scale=(0.0, None)),
        card("speed", scale=(None, None)),
        card("drift", pool="groups", better="lower"),
    )
}


def score(value: Value) -> Score:
    if value is None:
        return Score()
    if isinstance(value, Score):
        return value
    return Score.of([Mark(value, at="slot", turn="2", why="" if value == 1 else f"found {value:g}")])


def write_run(folder: Path, arms: Arms, cases: list[str] | None = None, **changes: object) -> Run:
    """A run with the values of each arm and metric, a case each; None is undefined."""
    sizes = {arm: len(next(iter(metrics.values()))) for arm, metrics in arms.items()}
    rows = [
        ScoreRow(
            case=cases[place] if cases else f"c{place:03}",
            arm=arm,
            scores={metric: score(values[place]) for metric, values in metrics.items()},
        )
        for arm, metrics in arms.items()
        for place in range(sizes[arm])
    ]
    # A metric pooled over groups is in every row, or not in the run.
    known = {metric for metrics in arms.values() for metric in metrics}
    facts: dict[str, object] = {
        "suite": "service",
        "adjudge": "0.1.0",
        "cards": {name: item for name, item in CARDS.items() if item.pool != "groups" or name in known},
        "options": {},
        "settings": {"match": "fuzzy"},
        "inputs": [InputFile("gold.json", 1, "ab" * 32)],
        "status": "complete",
        "finished": "2026-01-02T03:04:05+00:00",
        "coverage": Coverage(arms={arm: ArmCoverage(size, size) for arm, size in sizes.items()}),
    }
    manifest = Manifest(**{**facts, **changes})  # type: ignore[arg-type]
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    (folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    (folder / RECORDS).write_bytes(b"".join(msgspec.json.encode({"id": row.case}) + b"\n" for row in rows))
    return Run(folder)


def gate_of(run: Run, *rules: str, **terms: object) -> Gate:
    return check(run, parse_all(list(rules), run.manifest.cards), GateTerms(**terms))  # type: ignore[arg-type]


def verdict_of(run: Run, rule: str, **terms: object) -> RuleVerdict:
    """The only verdict of one rule."""
    (result,) = gate_of(run, rule, **terms).verdicts
    return result
