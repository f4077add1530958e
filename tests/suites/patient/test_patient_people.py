"""The patient suite judged by people: each metric from its own labels, and what is not labelled left out alone."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from patient_visits import RUBRICS, visit

from adjudge.core.errors import BadInput
from adjudge.core.mark import Score
from adjudge.score.scorer import Scorer
from adjudge.suites.patient import suite
from adjudge.suites.patient.data import Consultation, Persona
from adjudge.suites.patient.rules.ratings import DUAL, SIMPLE
from adjudge.tools.judge.people import LabelFile, PeopleAnswerer

PROFILE = {"age": "58", "tobacco": "never smoked", "alcohol": "Denies", "shoe_size": "44"}
VISIT = visit(
    ("Hello.", "Good morning. I am 58."),
    ("Do you smoke?", "A pack a day. My shoes are new."),
    ("Sure?", "No, never."),
    profile=PROFILE,
    persona=Persona(personality="plain", language="B"),
)
COLUMNS = ("case", "metric", "turn", "at", "field", "label", "rater", "why")


def scores(
    folder: Path, rows: Sequence[Mapping[str, str]], record: Consultation = VISIT, **tools: Any
) -> dict[str, Score]:
    path = folder / "labels.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows({"case": "v", **row} for row in rows)
    metrics = [metric for metric in suite.metrics() if "judge" in metric.card.needs]
    given = {"rubrics": RUBRICS, "dual": DUAL, "judge": PeopleAnswerer(LabelFile(path)), **tools}
    fields = {record.arm: {name for metric in metrics for name in metric.card.predicts}}
    ((_, result),) = Scorer(metrics, given, fields).score([record])
    return result


def values(score: Score) -> dict[str, float]:
    return {mark.at: mark.value for mark in score.marks}


def sentence(turn: str, at: str, **labels: str) -> list[dict[str, str]]:
    metrics = ("sentence_verdict", "plausibility")
    return [
        {"turn": turn, "at": at, "metric" if name in metrics else "field": name.replace("__", "."), "label": label}
        for name, label in labels.items()
    ]


def test_sentences_are_judged_by_item_or_as_a_whole(tmp_path: Path) -> None:
    rows = [
        *sentence("2", "Good morning.", kind="politeness"),
        *sentence("2", "I am 58.", kind="information", related__age="entail", unsupported="none"),
        *sentence("4", "A pack a day.", sentence_verdict="contradict", plausibility="1"),
        *sentence("4", "My shoes are new.", kind="information", related__shoe_size="neutral", unsupported="4"),
    ]
    result = scores(tmp_path, rows)
    assert values(result["entailment"]) == {"I am 58.": 1.0, "A pack a day.": 0.0, "My shoes are new.": 0.0}
    assert values(result["sentence_verdict"]) == {"I am 58.": 1.0, "A pack a day.": -1.0, "My shoes are new.": 0.0}
    assert values(result["contradiction"])["A pack a day."] == 1.0
    assert values(result["plausibility"]) == {"A pack a day.": 1.0, "My shoes are new.": 4.0}
    assert values(result["information_share"])["Good morning."] == 0.0
    assert {name: result[name].unlabelled for name in ("entailment", "information_share", "plausibility")} == {
        "entailment": 1,
        "information_share": 1,
        "plausibility": 1,
    }


def test_a_kind_alone_judges_no_relation(tmp_path: Path) -> None:
    result = scores(tmp_path, sentence("2", "I am 58.", kind="information"))
    assert values(result["information_share"]) == {"I am 58.": 1.0}
    assert result["entailment"].skipped is not None
    assert (result["entailment"].skipped.status, result["entailment"].unlabelled) == ("no_label", 5)


def test_profile_items_are_judged_each_for_itself(tmp_path: Path) -> None:
    rows = [
        {"metric": "extraction", "at": "age", "label": "4", "rater": "ann", "why": "says it"},
        {"metric": "extraction", "at": "age", "label": "3", "rater": "ben"},
        {"metric": "extraction", "at": "shoe_size", "label": "1", "rater": "ann"},
        {"metric": "role_play", "at": "age", "label": "4", "rater": "ann"},
        {"metric": "coverage", "at": "age", "label": "1", "rater": "ann", "why": "58"},
        {"metric": "coverage", "at": "tobacco", "label": "0", "rater": "ann"},
    ]
    result = scores(tmp_path, rows)
    assert (values(result["extraction"]), result["extraction"].unlabelled) == ({"age": 3.5, "shoe_size": 1.0}, 2)
    assert (values(result["role_play"]), result["role_play"].unlabelled) == ({"age": 4.0}, 3)
    assert (values(result["coverage"]), result["coverage"].unlabelled) == ({"age": 1.0, "tobacco": 0.0}, 2)
    assert result["coverage"].marks[0].why == "learned: 58"
    assert (values(result["consistency_covered"]), result["consistency_covered"].unlabelled) == ({"age": 3.5}, 2)
    assert result["quadrant_ideal"].value == 1.0


def test_one_score_an_item_is_judged_with_simple(tmp_path: Path) -> None:
    rows = [{"metric": "consistency", "at": "tobacco", "label": "2"}]
    assert values(scores(tmp_path, rows, simple=SIMPLE)["consistency"]) == {"tobacco": 2.0}


def test_dimensions_and_drift_are_judged_where_labelled(tmp_path: Path) -> None:
    rows = [
        {"metric": "personality", "label": "3", "why": "plain enough"},
        {"metric": "self_contradiction", "turn": "6", "label": "yes", "why": "a pack a day in turn 4"},
    ]
    result = scores(tmp_path, rows)
    assert (result["personality"].value, result["personality"].marks[0].why) == (3.0, "plain enough")
    assert result["clinical_realism"].skipped is not None
    assert result["recall_consistency"].value is result["recall_consistency"].skipped is None
    drift = result["self_contradiction"]
    assert [(mark.turn, mark.value, mark.why) for mark in drift.marks] == [("6", 1.0, "a pack a day in turn 4")]
    assert drift.unlabelled == 1


def test_without_any_label_nothing_has_a_value(tmp_path: Path) -> None:
    result = scores(tmp_path, [{"metric": "personality", "label": ""}])
    assert {score.value for score in result.values()} == {None}
    statuses = {score.skipped.status for score in result.values() if score.skipped}
    assert statuses == {"no_label", "no_tool"}


def test_a_label_of_an_item_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    rows = sentence("4", "A pack a day.", kind="information", related__tobaco="contradict")
    with pytest.raises(BadInput, match=r"found 'related.tobaco'; .* did you mean 'tobacco'\?"):
        scores(tmp_path, rows)
