"""Visits and judges for the tests of the patient suite."""

from __future__ import annotations

import csv
import importlib.util
import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from adjudge.core.ask import Judge, Question
from adjudge.suites.patient import HERE
from adjudge.suites.patient.data import NO_PERSONA, Consultation, PatientTurn, Persona
from adjudge.tools.rubrics import Rubrics

RUBRICS = Rubrics(HERE / "rubrics")
WORDINGS: Mapping[str, list[Any]] = tomllib.loads(Path(__file__).with_name("wordings.toml").read_text("utf-8"))

Answers = Callable[[str, dict[str, Any]], Any]


def rows(test: str) -> list[Any]:
    """The wordings that a test tries, from `wordings.toml`; arrays are tuples, as in a test's own parameters."""

    def as_tuples(value: Any) -> Any:
        return tuple(map(as_tuples, value)) if isinstance(value, list) else value

    return [as_tuples(row) for row in WORDINGS[test]]


def visit(
    *said: tuple[str, str], profile: Mapping[str, str] | None = None, persona: Persona = NO_PERSONA, **facts: Any
) -> Consultation:
    """A visit of question and answer, again and again; an empty question or answer is no turn."""
    turns: list[PatientTurn] = []
    for asked, answered in said:
        turns += [PatientTurn(str(len(turns) + 1), "doctor", asked)] if asked else []
        turns += [PatientTurn(str(len(turns) + 1), "patient", answered)] if answered else []
    return Consultation(id="v", profile=dict(profile or {}), persona=persona, turns=tuple(turns), **facts)


def verdict(kind: str = "information", unsupported: int | None = None, **related: str) -> Any:
    """A judge's verdict on a sentence as JSON has it; related items by name."""
    return {
        "reasoning": "because",
        "kind": kind,
        "related": [{"item": item, "relation": relation} for item, relation in related.items()],
        "unsupported": unsupported,
    }


class Clerk:
    """A judge that answers what a test tells it to, through the same decoding as any judge; it keeps the questions."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.asked: list[Question[Any]] = []

    def __call__(self, questions: Sequence[Question[Any]]) -> list[Any]:
        self.asked += questions
        return [
            msgspec.json.decode(
                json.dumps(self.answers(question.prompt.splitlines()[0], json.loads(question.material))),
                type=question.answer,
            )
            for question in questions
        ]


def by_sentence(verdicts: Mapping[str, Any]) -> Judge:
    """A judge that knows its verdict on each sentence by its text."""
    return Clerk(lambda title, shown: {name: verdicts[text] for name, text in numbered(shown).items()})


def numbered(shown: dict[str, Any]) -> dict[str, str]:
    """The sentences that a question shows, by number."""
    return {name: text for exchange in shown["exchanges"] for name, text in exchange["patient"].items()}


def benchmark_of(name: str) -> Iterator[Any]:
    """The module of a benchmark, for as long as a fixture lasts."""
    path = Path(__file__).parents[3] / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]


def sample_verdicts() -> list[dict[str, str]]:
    """What the sample's labels say of each sentence: kind, relation to the profile, items, and why."""
    with (HERE / "sample" / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["turn"] and row["at"]]
    verdicts: dict[tuple[str, ...], dict[str, str]] = {}
    for row in rows:
        place = {name: row[name] for name in ("case", "arm", "turn", "at")}
        verdict = verdicts.setdefault(tuple(place.values()), {**place, "label": "", "kind": "", "item": "", "why": ""})
        verdict["why"] = verdict["why"] or row["why"]
        if row["metric"] == "sentence_verdict":
            verdict["label"] = row["label"]
        elif row["field"] == "kind":
            verdict["kind"] = row["label"]
        elif row["field"].startswith("related."):
            verdict["item"] = ";".join(filter(None, (verdict["item"], row["field"].removeprefix("related."))))
    return list(verdicts.values())
