"""`--domains`: where the domains of replies come from for Inform and Success (RULINGS, added after the first trial)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_inform import HOTELS, MULTIWOZ, TRAINS

from adjudge.aggregate import table
from adjudge.core.errors import BadInput
from adjudge.engines.local import Job, execute
from adjudge.run import Run
from adjudge.score import Plan
from small_service import lines, system, user

GOAL = {"hotel": {"informable": {"area": "west"}, "requestable": ["PHONE"], "booking": {}}}
# The state changes in the train alone, the arm names the hotel, and the placeholders name the hotel only once.
TURNS: list[dict[str, Any]] = [
    {"response": "try [hotel_name]", "state": {"hotel": {"area": "west"}}, "active_domains": ["hotel"]},
    {
        "response": "call [value_phone]",
        "state": {"hotel": {"area": "west"}, "train": {"day": "monday"}},
        "active_domains": ["hotel"],
    },
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "hotel_db.json").write_text(json.dumps(HOTELS))
    (tmp_path / "db" / "train_db.json").write_text(json.dumps(TRAINS))
    turns = [user("0", "", "find_hotel", {"hotel-area": ["west"]}), system("1", "")]
    turns += [user("2", "", "find_hotel", {"hotel-area": ["west"]}), system("3", "")]
    (tmp_path / "gold.jsonl").write_text(lines({"dialogue_id": "d", "services": [], "turns": turns}))
    (tmp_path / "goals.json").write_text(json.dumps({"d": GOAL}))
    (tmp_path / "mine.json").write_text(json.dumps({"d": TURNS}))
    return tmp_path


def run_with(folder: Path, *domains: str, predictions: str = "mine.json") -> Run:
    options: dict[str, Any] = {"predictions": [str(folder / predictions)], "domains": list(domains)}
    options |= {"goals": str(folder / "goals.json"), "db": str(folder / "db")}
    plan = Plan(suite="service", files=(str(folder / "gold.jsonl"),), options=options, metrics=("inform", "success"))
    return execute(Job.open(plan), folder / "run")


@pytest.mark.parametrize(
    ("domains", "success", "remark"),
    [
        ((), 1.0, "those the arm names (--domains predicted)"),
        (("predicted",), 1.0, "those the arm names (--domains predicted)"),
        (("placeholders",), 0.0, "those their placeholders name (--domains placeholders)"),
        (("state",), 0.0, "estimated from changes of the state (--domains state)"),
    ],
)
def test_the_source_decides_and_stands_in_the_coverage_lines(
    folder: Path, domains: tuple[str, ...], success: float, remark: str
) -> None:
    run = run_with(folder, *domains)
    assert {row.metric: row.value for row in table(run)} == {"inform": 1.0, "success": success}
    (source,) = [line for line in run.manifest.coverage.arms["mine"].remarks if "--domains" in line]
    assert source.endswith(remark)


def test_a_source_that_the_file_lacks_is_refused(folder: Path) -> None:
    bare = [{**turn, "response": "hello"} for turn in TURNS]
    for turn in bare:
        del turn["active_domains"]
    (folder / "bare.json").write_text(json.dumps({"d": bare}))
    with pytest.raises(BadInput, match=r"bare.json: --domains predicted: no turn names a domain"):
        run_with(folder, "predicted", predictions="bare.json")
    with pytest.raises(BadInput, match=r"bare.json: --domains placeholders: no reply has a placeholder"):
        run_with(folder, "placeholders", predictions="bare.json")


def test_two_sources_for_one_file_are_refused(folder: Path) -> None:
    with pytest.raises(BadInput, match="found 2 sources for 1 prediction files"):
        run_with(folder, "state", "predicted")


@pytest.mark.skipif(not MULTIWOZ.is_dir(), reason=f"{MULTIWOZ} is not there")
def test_each_arm_can_have_a_source_of_its_own(tmp_path: Path) -> None:
    """Soloist was published with the domains of its placeholders; estimated from states, Success is 67.1."""
    predictions = [str(MULTIWOZ / "predictions" / "soloist.json.gz")] * 2
    options: dict[str, Any] = {"predictions": predictions, "arm": ["published", "estimated"]}
    options |= {"goals": str(MULTIWOZ / "goals_dev_test.json.gz"), "db": str(MULTIWOZ / "db")}
    options |= {"booked": str(MULTIWOZ / "booked_domains_dev_test.json.gz"), "domains": ["placeholders", "state"]}
    gold = (str(MULTIWOZ / "mwz21states_test.jsonl.gz"),)
    run = execute(Job.open(Plan(suite="service", files=gold, options=options, metrics=("success",))), tmp_path / "run")
    assert {row.arm: row.value for row in table(run)} == {"published": 0.724, "estimated": 0.671}
