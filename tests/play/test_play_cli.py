"""`adjudge play` on the command line, with the guessing game."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from workspace import Workspace

ARMS = ("--arm", "bisection", "--arm", "bisection-memory")
# A metric that asks a judge one question about each game.
ASKING = '''
from msgspec import Struct
from adjudge import Mark, Question, metric

class Opinion(Struct):
    good: bool

@metric("Fun", formula="good", unit="conversation", better="higher", scale=(0.0, 1.0), source="a test")
def fun(game, judge):
    """Was it fun?"""
    for opinion in judge([Question("Was it fun? " + game.id, Opinion)]):
        yield Mark(opinion.good)
'''


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_suite_is_played_and_scored_with_one_command(desk: Workspace) -> None:
    done = desk.adjudge("play", "guessing", *ARMS, "-o", desk.run)

    assert done.code == 0, done.err
    assert "played 16 conversations" in done.out
    assert "guesses_made" in done.out
    assert [(line["case"], line["arm"]) for line in lines(desk.run / "scores.jsonl")] == [
        (f"n{number}", arm) for number in range(1, 9) for arm in ("bisection", "bisection-memory")
    ]


def test_the_same_command_again_plays_nothing_again(desk: Workspace) -> None:
    desk.adjudge("play", "guessing", *ARMS, "-o", desk.run)
    before = {path.name: path.read_bytes() for path in desk.run.iterdir() if path.suffix == ".jsonl"}

    assert desk.adjudge("play", "guessing", *ARMS, "-o", desk.run).code == 0
    assert {path.name: path.read_bytes() for path in desk.run.iterdir() if path.suffix == ".jsonl"} == before


def test_a_folder_with_another_play_is_refused_and_kept(desk: Workspace) -> None:
    desk.adjudge("play", "guessing", *ARMS, "-o", desk.run)
    before = (desk.run / "turns.jsonl").read_bytes()

    done = desk.adjudge("play", "guessing", *ARMS, "--seed", "1", "-o", desk.run)

    assert done.code == 2
    assert "holds a different play (seed was 0, now 1)" in done.err
    assert (desk.run / "turns.jsonl").read_bytes() == before
    assert desk.adjudge("play", "guessing", *ARMS, "--seed", "1", "-o", desk.run, "--fresh").code == 0


def test_played_conversations_can_be_scored_later(desk: Workspace) -> None:
    played = desk.adjudge("play", "guessing", "-o", desk.run, "--no-score")
    assert played.code == 0
    assert not (desk.run / "scores.jsonl").exists()

    scored = desk.adjudge("score", desk.run)

    assert scored.code == 0, scored.err
    assert len(lines(desk.run / "scores.jsonl")) == 8


def test_systems_are_listed_beside_metrics(desk: Workspace) -> None:
    listed = desk.adjudge("list", "guessing").out
    assert "guesses_made" in listed
    assert "bisection  system  memory, middle  A system that guesses the middle" in listed
    assert "thinking   system  thinker         A system that asks a model for every guess. (asks a model)" in listed


def test_a_system_is_described(desk: Workspace) -> None:
    described = desk.adjudge("describe", "guessing/bisection").out
    assert described.startswith("guessing/bisection\n  A system that guesses the middle")
    assert "--arm bisection-memory plays it without memory" in described
    assert "asks      no model" in described

    unknown = desk.adjudge("describe", "guessing/bisecton")
    assert (unknown.code, "did you mean 'bisection'?" in unknown.err) == (2, True)


def test_an_estimate_sends_and_writes_nothing(desk: Workspace) -> None:
    arguments = ("--arm", "thinking@openai:gpt-4.1-mini", "--model-url", "http://127.0.0.1:1/v1", "--trials", 2)

    done = desk.adjudge("play", "guessing", *arguments, "--estimate", "-o", desk.run)

    assert done.code == 0, done.err
    # The made-up guess is always 1, so seven of eight conversations go on to the limit of 20 turns. They begin with one
    # of two greetings and are alike from there, so that two of them ask everything: 10 prompts each, for both trials.
    assert "thinking@openai:gpt-4.1-mini, openai:gpt-4.1-mini: about 40 calls" in done.out
    assert not desk.run.exists()


def test_an_estimate_of_play_includes_the_judge(desk: Workspace) -> None:
    judge = ("--judge", "large", "--judge-url", "http://127.0.0.1:1/v1", "--estimate")
    own = desk.write("asking.py", ASKING)

    done = desk.adjudge("play", "guessing", *judge, "--metrics-file", own, "--arm", "bisection", "--trials", 3)

    # Each of the eight cases is asked about once, for each of three trials.
    assert "judge large: about 24 calls" in done.out
    assert "judge" not in desk.adjudge("play", "guessing", *judge, "--metrics-file", own, "--no-score").out
    assert not desk.run.exists()


def test_a_function_of_ones_own_is_not_called_for_an_estimate(desk: Workspace) -> None:
    own = desk.write("own.py", "def reply(messages):\n    raise SystemExit('called')\n")
    arguments = ("--arm", f"mine=py:{own}:reply", "--arm", "thinking@small", "--model-url", "http://127.0.0.1:1/v1")

    done = desk.adjudge("play", "guessing", *arguments, "--estimate")

    assert (done.code, "called" in done.out + done.err) == (0, False)


def test_without_models_nothing_needs_to_be_named(desk: Workspace) -> None:
    assert desk.adjudge("play", "guessing").code == 0
    assert desk.adjudge("play", "guessing", "--seed", 5).code == 0
    assert (desk.folder / "runs" / "play" / "scores.jsonl").exists()


def test_schemas_fit_the_files_of_a_play(desk: Workspace) -> None:
    desk.adjudge("play", "guessing", *ARMS, "-o", desk.run)
    for name in ("play", "turns", "ends"):
        schema = json.loads(desk.adjudge("schema", name).out)
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        path = desk.run / (f"{name}.jsonl" if name != "play" else "play.json")
        for value in lines(path) if path.suffix == ".jsonl" else [json.loads(path.read_text("utf-8"))]:
            validator.validate(value)
        assert not validator.is_valid({})


def test_generated_cases_are_played_and_named_in_the_manifest(desk: Workspace) -> None:
    done = desk.adjudge("play", "guessing", "--generate", "n=5,most=4", "-o", desk.run)

    assert done.code == 0
    assert [line["case"] for line in lines(desk.run / "ends.jsonl")] == ["g0", "g1", "g2", "g3", "g4"]
    manifest = json.loads((desk.run / "play.json").read_text("utf-8"))
    assert manifest["options"]["generate"] == {"n": 5, "most": 4}
    assert desk.adjudge("play", "guessing", "--generate", "n=6,most=4", "-o", desk.run).code == 2
