"""Sentences against the profile by a model of entailment."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from patient_visits import visit

from adjudge.cli.main import main
from adjudge.core.ask import Entailment, Pair
from adjudge.suites.patient.metrics.models import contradiction_by_model, entailment_by_model

needs_onnx = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("onnx", "onnxruntime", "tokenizers")),
    reason="onnx or the extra `embed` is not installed",
)
PROFILE = {"tobacco": "Never", "allergies": "Penicillin", "diagnosis": "Pneumonia"}


def by_words(pairs: Sequence[Pair]) -> list[Entailment]:
    """A premise about tobacco contradicts smoking, one about penicillin entails it; all else is neutral."""
    return [_relation(pair) for pair in pairs]


def _relation(pair: Pair) -> Entailment:
    if "tobacco" in pair.premise and "smoke" in pair.hypothesis.lower():
        denied = "no" in pair.hypothesis.lower()
        return Entailment("entail" if denied else "contradict", 0.9)
    if "Penicillin" in pair.premise and "penicillin" in pair.hypothesis:
        return Entailment("entail", 0.8)
    return Entailment("neutral", 0.7)


def test_the_worked_example() -> None:
    """Of five sentences two are entailed, one is contradicted, one is neutral, and a question is not judged."""
    record = visit(
        ("Do you smoke?", "No."),
        ("Anything else?", "I am allergic to penicillin. I smoke ten a day. The weather is bad. Is it serious?"),
        profile=PROFILE,
    )
    supported = list(entailment_by_model(record, nli=by_words))
    assert [(mark.value, mark.at, mark.why) for mark in supported] == [
        (1.0, "No.", "entail (tobacco, 0.90)"),
        (1.0, "I am allergic to penicillin.", "entail (allergies, 0.80)"),
        (0.0, "I smoke ten a day.", "contradict (tobacco, 0.90)"),
    ]
    assert [mark.value for mark in contradiction_by_model(record, nli=by_words)] == [0.0, 0.0, 1.0, 0.0]


def test_what_a_patient_cannot_know_is_no_premise() -> None:
    asked: list[Pair] = []

    def listen(pairs: Sequence[Pair]) -> list[Entailment]:
        asked.extend(pairs)
        return by_words(pairs)

    list(entailment_by_model(visit(("Hello.", "I feel ill today."), profile=PROFILE), nli=listen))
    assert {pair.premise for pair in asked} == {"tobacco: Never", "allergies: Penicillin"}


def test_without_a_profile_it_is_undefined() -> None:
    assert list(entailment_by_model(visit(("Hello.", "Hello."), profile={}), nli=by_words)) == []


@needs_onnx
def test_a_model_on_disk_scores_the_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from adjudge.suites.patient import suite
    from small_nli import write_model

    model = write_model(tmp_path / "small")
    run = tmp_path / "run"
    only = "entailment_by_model,contradiction_by_model"
    assert main(["score", "patient", str(suite.sample), "--only", only, "--nli", str(model), "-o", str(run), "-q"]) == 0
    scores = [json.loads(line)["scores"] for line in (run / "scores.jsonl").read_text("utf-8").splitlines()]
    marks = [mark for score in scores for mark in score["contradiction_by_model"]["marks"]]
    # The small model takes the word "never" in a hypothesis for a contradiction.
    never = [mark["value"] for mark in marks if "never" in mark["at"].lower().replace(",", "").split()]
    assert never
    assert set(never) == {1.0}
    assert "small" in json.loads((run / "run.json").read_text("utf-8"))["tools"]["nli"]
