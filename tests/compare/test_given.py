"""Changed data under the same case ids: refused by compare and gate, named, and marked where it is forced."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudge.cli.main import main
from adjudge.core.record import Record
from adjudge.score import find_suite
from own_suites import OWN_SUITES

Json = dict[str, Any]


def sample(suite: str) -> list[Json]:
    return [json.loads(line) for line in find_suite(suite).sample.read_text("utf-8").splitlines()]


def score(suite: str, records: list[Json], folder: Path, *options: str) -> Path:
    file = folder.with_suffix(".jsonl")
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    assert main(["score", suite, str(file), "-o", str(folder), "-q", *options]) in (0, 3)
    return folder


def rename_area(record: Json) -> None:
    for turn in record["turns"]:
        state = (turn.get("gold") or {}).get("state")
        if state:
            state.update(dict.fromkeys(list(state)[:1], "moonbase"))
            return


def change_goal(record: Json) -> None:
    next(iter(record["goal"].values())).setdefault("informable", {})["area"] = "moonbase"


def change_user(record: Json) -> None:
    record["turns"][0]["text"] += " Or else the moon."


def change_matrix(record: Json) -> None:
    row = next(iter(record["scenario"]["matrix"].values()))
    row[next(iter(row))] = 0.123


def change_question(record: Json) -> None:
    record["scenario"]["description"] = "Another question."


def change_profile(record: Json) -> None:
    record["profile"]["age"] = "17"


def change_persona(record: Json) -> None:
    record["persona"] = {"personality": "angry"}


def change_wish(record: Json) -> None:
    record["members"][0]["hidden"][0]["text"] = "the moon"


def change_budget(record: Json) -> None:
    record["request"]["budget"] = 7.0


def change_catalogue(record: Json) -> None:
    record["catalogue"][0]["name"] = "Moon Base"


CHANGES: list[tuple[str, str, Callable[[Json], None]]] = [
    ("service", "gold", rename_area),
    ("service", "gold", change_user),
    ("service", "goal", change_goal),
    ("decision", "matrix", change_matrix),
    ("decision", "question", change_question),
    ("patient", "profile", change_profile),
    ("patient", "persona", change_persona),
    ("trip", "wishes", change_wish),
    ("trip", "request", change_budget),
    ("trip", "catalogue", change_catalogue),
]


@pytest.mark.parametrize("suite", OWN_SUITES)
def test_all_arms_of_a_sample_are_given_the_same(suite: str) -> None:
    by_case: dict[str, dict[str, str]] = {}
    for record in sample(suite):
        read: Record = msgspec.convert(record, find_suite(suite).record)
        assert read.fingerprints
        assert by_case.setdefault(read.key.case, read.fingerprints) == read.fingerprints


@pytest.mark.parametrize(("suite", "part", "change"), CHANGES)
def test_what_is_given_has_a_fingerprint_by_part(suite: str, part: str, change: Callable[[Json], None]) -> None:
    def fingerprints(record: Json) -> dict[str, str]:
        read: Record = msgspec.convert(record, find_suite(suite).record)
        return read.fingerprints

    record = next(record for record in sample(suite) if part != "goal" or record.get("goal"))
    before = fingerprints(record)
    change(record)
    after = fingerprints(record)
    assert [name for name in before if before[name] != after[name]] == [part]


def test_what_the_arm_says_is_not_given() -> None:
    record = sample("service")[0]
    kind = find_suite("service").record
    before = msgspec.convert(record, kind).fingerprints
    for turn in record["turns"]:
        if turn["speaker"] != "user":
            turn["text"] = "Something else."
        turn.pop("predicted", None)
    assert msgspec.convert({**record, "arm": "other"}, kind).fingerprints == before


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of the service sample; in the second, the gold of seven cases is another."""
    folder, records = tmp_path_factory.mktemp("given"), sample("service")
    score("service", records, folder / "old", "--metrics", "joint_goal_accuracy")
    cases = list(dict.fromkeys(record.get("case") or record["id"] for record in records))[:7]
    for record in records:
        if (record.get("case") or record["id"]) in cases:
            change_user(record)
    score("service", records, folder / "new", "--metrics", "joint_goal_accuracy")
    return folder


def test_compare_refuses_changed_cases_and_names_them(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arms = ["--arms", "one-agent@old,one-agent@new"]
    assert main(["compare", str(runs / "old"), str(runs / "new"), *arms]) == 2
    message = capsys.readouterr().err
    assert (
        "what is given differs between one-agent@new and one-agent@old in 7 of 24 shared cases (gold): s01" in message
    )
    assert "and 2 more; " in message
    assert "--force" in message


def test_force_compares_changed_cases_and_marks_the_result(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["compare", str(runs / "old"), str(runs / "new"), "--arms", "one-agent@old,one-agent@new", "--force"]
    assert main(arguments) == 0
    assert "warning: compared although what is given differs" in capsys.readouterr().out
    assert main([*arguments, "-o", str(tmp_path / "c.json"), "-o", str(tmp_path / "c.md"), "-q"]) == 0
    (mark,) = json.loads((tmp_path / "c.json").read_text())["comparison"]["marked"]
    assert "7 of 24 shared cases" in mark
    assert "7 of 24 shared cases" in (tmp_path / "c.md").read_text()


def test_a_gate_refuses_changed_cases_unless_it_is_forced(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = ["--arm", "one-agent", "--rule", "joint_goal_accuracy not worse by 0.1"]
    arguments = ["gate", str(runs / "new"), "--against", str(runs / "old"), *rule]
    assert main(arguments) == 2
    assert "in 7 of 24 shared cases (gold)" in capsys.readouterr().err
    assert main([*arguments, "--force"]) in (0, 1)
    assert "compared with --force: what is given differs" in capsys.readouterr().out


def test_arms_of_one_run_on_different_data_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = sample("service")
    change_user(next(record for record in records if record["arm"] == "one-agent"))
    run = score("service", records, tmp_path / "run", "--metrics", "joint_goal_accuracy")
    assert main(["compare", str(run)]) == 2
    assert "in 1 of 24 shared cases (gold): s01;" in capsys.readouterr().err


def test_a_run_without_fingerprints_is_compared_and_the_output_says_so(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "older"
    old.mkdir()
    for name in ("run.json", "records.jsonl"):
        (old / name).write_bytes((runs / "old" / name).read_bytes())
    rows = [json.loads(line) for line in (runs / "old" / "scores.jsonl").read_text().splitlines()]
    (old / "scores.jsonl").write_text("".join(json.dumps({**row, "given": {}}) + "\n" for row in rows))
    assert main(["compare", str(old), str(runs / "new"), "--arms", "one-agent@older,one-agent@new"]) == 0
    assert "was not checked: no fingerprints in the run of one-agent@older" in capsys.readouterr().out


def test_a_part_that_one_run_does_not_have_is_not_compared(tmp_path: Path) -> None:
    """Goals that come with one run only change nothing about the states that both are compared by."""
    records = sample("service")
    first = score("service", records, tmp_path / "first", "--metrics", "joint_goal_accuracy")
    second = score(
        "service",
        [{name: value for name, value in record.items() if name != "goal"} for record in records],
        tmp_path / "second",
        "--metrics",
        "joint_goal_accuracy",
    )
    assert main(["compare", str(first), str(second), "--arms", "one-agent@first,one-agent@second"]) == 0
