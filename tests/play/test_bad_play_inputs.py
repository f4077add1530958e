"""What cannot be played is refused with a clear message, exit code 2, and nothing lost."""

from __future__ import annotations

import json

import pytest

from workspace import Workspace

WRONG = {
    "unknown suite": (("guesing",), "no system plays 'guesing'; did you mean 'guessing'?"),
    "unknown arm": (("guessing", "--arm", "bisecton"), "no system 'bisecton'", "did you mean 'bisection'?"),
    "unknown part": (
        ("guessing", "--arm", "bisection-memry"),
        "bisection has no part 'memry'; did you mean 'memory'? (its parts: memory, middle)",
    ),
    "required part": (("guessing", "--arm", "thinking-thinker@small"), "cannot do without its part 'thinker'"),
    "user as arm": (("guessing", "--arm", "honest"), "no system 'honest' in suite 'guessing' plays system"),
    "arm as user": (("guessing", "--user", "bisection"), "--user bisection: no system 'bisection'", "plays user"),
    "no model": (("guessing", "--arm", "thinking"), "thinking asks a model (thinker) and none is named", "--model"),
    "model for nothing": (("guessing", "--arm", "bisection@openai:x"), "bisection asks no model"),
    "no key": (("guessing", "--arm", "thinking@openai:gpt-4.1-mini"), "model 'openai:gpt-4.1-mini'", "OPENAI_API_KEY"),
    "unknown provider": (("guessing", "--arm", "thinking@opnai:x"), "no such provider", "--model-url"),
    "model of no part": (("guessing", "--model", "memry=openai:x"), "no system has a part 'memry'"),
    "two arms of one name": (
        ("guessing", "--arm", "bisection", "--arm", "bisection"),
        "two arms are called 'bisection'",
    ),
    "no file": (("guessing", "nowhere.jsonl"), "nowhere.jsonl"),
    "no function file": (("guessing", "--arm", "py:nowhere.py:reply"), "no Python file 'nowhere.py'"),
    "no function name": (("guessing", "--arm", "py:nowhere.py"), "expected py:FILE.py:FUNCTION"),
    "own system in replay": (("guessing", "--arm", "cmd:cat", "--replay"), "--replay cannot play it"),
    "bad command": (("guessing", "--arm", "cmd:'"), "No closing quotation"),
    "bad address": (("guessing", "--arm", "url:localhost"), "expected an address"),
    "label with a space": (
        ("guessing", "--arm", "my own=bisection"),
        "found the label 'my own'; expected a name without",
    ),
    "empty label": (("guessing", "--arm", "=bisection"), "found the label ''"),
    "nothing after a label": (("guessing", "--arm", "mine="), "then =SYSTEM"),
    "unknown metric": (("guessing", "--metrics", "solvd"), "solvd"),
    "no file of metrics": (("guessing", "--metrics-file", "nowhere.py"), "nowhere.py"),
    "time below 0": (("guessing", "--max-seconds", "-1"), "found '-1'; expected a number above 0"),
    "time that is no number": (("guessing", "--max-seconds", "nan"), "found 'nan'; expected a number above 0"),
    "no cost": (("guessing", "--max-cost-each", "0"), "found '0'; expected a number above 0"),
    "unknown parameter": (
        ("guessing", "--generate", "mst=3"),
        "no parameter 'mst'; did you mean 'most'?",
        "n=3,most=8",
    ),
    "parameter without a value": (("guessing", "--generate", "n"), "found 'n'; expected NAME=VALUE"),
    "parameter of another type": (("guessing", "--generate", "n=many"), "Expected `int`", "expected n=3,most=8"),
    "no generated case": (("guessing", "--generate", "n=0"), "--generate n=0: no case in it"),
    "files and generated cases": (("guessing", "cases.jsonl", "--generate", "n=1"), "expected one of the two"),
    "prompts": (("guessing", "--prompts", "."), "have no prompt files"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_and_nothing_is_written(
    desk: Workspace, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    arguments, *parts = WRONG[what]

    done = desk.adjudge("play", *arguments, "-o", desk.run)

    assert done.code == 2
    assert [part for part in parts if part not in done.err] == [], done.err
    assert not desk.run.exists()


def test_every_broken_case_is_named_with_its_place(desk: Workspace) -> None:
    case = json.dumps({"id": "n1", "number": 1})
    cases = desk.write("cases.jsonl", f'{case}\n{{"id": "n2", "number": "two"}}\n{{"id": "n3", "nmber": 3}}\n{{"id"\n')

    done = desk.adjudge("play", "guessing", cases, "-o", desk.run)

    assert done.code == 2
    assert "cases.jsonl:2: number: expected" in done.err
    assert "cases.jsonl:3" in done.err
    assert "cases.jsonl:4" in done.err
    assert not desk.run.exists()


def test_two_cases_of_one_id_are_refused(desk: Workspace) -> None:
    cases = desk.write("cases.jsonl", ({"id": "n1", "number": 1}, {"id": "n1", "number": 2}))
    done = desk.adjudge("play", "guessing", cases, "-o", desk.run)
    assert done.code == 2
    assert "two cases have the id 'n1'" in done.err


def test_a_folder_with_a_scored_run_is_not_overwritten(desk: Workspace) -> None:
    desk.run.mkdir()
    (desk.run / "run.json").write_text("{}")

    done = desk.adjudge("play", "guessing", "-o", desk.run, "--fresh")

    assert done.code == 2
    assert "has run.json but no play.json" in done.err
    assert [path.name for path in desk.run.iterdir()] == ["run.json"]


def test_a_turn_that_was_changed_by_hand_is_refused(desk: Workspace) -> None:
    desk.adjudge("play", "guessing", "-o", desk.run, "--no-score")
    turns = desk.run / "turns.jsonl"
    turns.write_text(turns.read_text().replace('"number":4', '"number":"four"'))

    done = desk.adjudge("play", "guessing", "-o", desk.run)

    assert done.code == 2
    assert "start over with --fresh" in done.err


def test_an_arm_that_asks_needs_a_folder(desk: Workspace) -> None:
    done = desk.adjudge("play", "guessing", "--arm", "thinking@small", "--model-url", "http://127.0.0.1:1/v1")
    assert done.code == 2
    assert "name one with -o RUN" in done.err
