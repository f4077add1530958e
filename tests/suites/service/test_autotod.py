"""Files of AutoTOD: read as they are, with the metrics that make sense for replies without annotations."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.aggregate import table
from adjudge.engines.local import Job, execute
from adjudge.run import Run
from adjudge.score import Plan
from adjudge.suites.service.data import Goal

SHARED = Path(__file__).parents[4] / "shared" / "data"
AUTOTOD = SHARED / "autotod"
METRICS = ("inform", "success", "inform_domain", "reply_hallucination")

with_data = pytest.mark.skipif(not AUTOTOD.is_dir(), reason=f"{AUTOTOD} is not there")


def line(result: Any) -> dict[str, Any]:
    return {"dialog_id": "MUL1.json", "status": "succeed", "cost": 0.02, "eval_results": {}, "run_result": result}


def record_of(folder: Path, result: Any) -> dict[str, Any]:
    file = folder / "results.jsonl"
    file.write_text(json.dumps(line(result)) + "\n")
    execute(Job.open(Plan(suite="service", files=(str(file),))), folder / "run")
    record: dict[str, Any] = json.loads((folder / "run" / "records.jsonl").read_text())
    return record


TURNS = [
    {"turn_idx": 2, "user": "Two of us.", "agent": "Booked."},
    {"turn_idx": 1, "user": "A hotel.", "agent": "How many?"},
]


def test_turns_alternate_in_the_order_of_their_numbers_and_the_goal_is_read(tmp_path: Path) -> None:
    goals = {"hotel": {"info": {"area": "west"}, "reqt": ["phone"], "book": {"people": "2"}, "fail_info": {}}}
    record = record_of(tmp_path, {"dialog_pred": TURNS, "goals": goals, "finish_status": "dialogue ends"})
    assert [turn["text"] for turn in record["turns"]] == ["A hotel.", "How many?", "Two of us.", "Booked."]
    assert Goal(**record["goal"]["hotel"]) == Goal({"area": "west"}, ["PHONE", "REFERENCE"], {"people": "2"})


def test_a_result_may_be_the_list_of_turns_alone(tmp_path: Path) -> None:
    record = record_of(tmp_path, TURNS[::-1])
    assert [turn["speaker"] for turn in record["turns"]] == ["user", "system", "user", "system"]
    assert "goal" not in record


def scored(name: str, folder: Path) -> Run:
    options = {"db": str(SHARED / "multiwoz" / "db")}
    plan = Plan(suite="service", files=(str(AUTOTOD / name),), options=options, metrics=METRICS)
    return execute(Job.open(plan), folder / "run")


@with_data
def test_offers_linked_to_the_database_mostly_agree_with_the_authors_verdicts(tmp_path: Path) -> None:
    """AutoTOD's authors asked a model whether each domain was informed. Taxis need no offer here."""
    with gzip.open(AUTOTOD / "mwoz_gpt35_0613.jsonl.gz", "rt") as lines:
        verdicts = {row["dialog_id"]: row["eval_summary"] for row in map(json.loads, lines)}
    agreed = [
        mark.value == verdicts[row.case][mark.group]["inform"]
        for row in scored("mwoz_gpt35_0613.jsonl.gz", tmp_path).rows()
        for mark in row.scores["inform_domain"].marks
        if mark.group != "taxi"
    ]
    assert (sum(agreed), len(agreed)) == (137, 162)


@with_data
def test_few_replies_of_an_agent_with_tools_are_invented(tmp_path: Path) -> None:
    """All six were read: Parker's Piece, Coe Fen and other places of Cambridge that the database does not have."""
    run = scored("mwoz_gpt35_0613.jsonl.gz", tmp_path)
    marks = [mark for row in run.rows() for mark in row.scores["reply_hallucination"].marks]
    assert (len(marks), sum(mark.value > 0 for mark in marks)) == (448, 6)


@with_data
def test_dialogues_without_a_goal_are_not_held_to_a_database_of_other_domains(tmp_path: Path) -> None:
    rows = {row.metric: row for row in table(scored("sgd_gpt35_0613.jsonl.gz", tmp_path))}
    assert {metric: rows[metric].n for metric in METRICS} == dict.fromkeys(METRICS, 0)
