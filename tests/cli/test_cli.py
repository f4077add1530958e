"""The verbs of the command line, run as a user runs them."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import adjudge
from adjudge.cli.main import VERBS, main
from adjudge.score import find_suite

SAMPLE = find_suite("service").sample
Command = Callable[..., tuple[int, str, str]]

OPTIONS = {
    "demo": ["--output"],
    "list": ["SUITE", "--metrics"],
    "describe": ["METRIC", "--metrics-file"],
    "schema": ["SUITE|scores|run|play|turns|traces|ends"],
    "validate": ["--skip-bad", "--on-duplicate", "--lenient"],
    "score": [
        "--output",
        "--only",
        "--jobs",
        "--require-coverage",
        "--fresh",
        "--quiet",
        "--metrics",
        "--metrics-file",
    ],
    "play": [
        "--arm",
        "--trials",
        "--seed",
        "--limit",
        "--max-turns",
        "--model",
        "--no-score",
        "--estimate",
        "--replay",
    ],
    "view": ["--port", "--no-open", "--host", "--token", "--export", "--quiet"],
    "report": ["--output", "--by-group", "--metrics", "--quiet"],
    "compare": ["--baseline", "--arms", "--metrics", "--by", "--margin", "--correction", "--unpaired", "--output"],
    "power": ["--metrics", "--arms", "--difference", "--power", "--alpha"],
    "gate": ["--rule", "--metrics", "--against", "--coverage", "--arm", "--force", "--config", "--output", "--quiet"],
    "calibrate": ["--labels", "--metric", "--output"],
    "export": ["--output", "--level"],
    "convert": ["--output", "--format", "--to", "--skip-bad", "--lenient", "--delimiter", "--encoding", "--formats"],
    "completion": ["bash", "zsh", "fish"],
    "doctor": ["--help"],
}


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command line in this process: exit code, output, errors."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = int(left.code or 0)
        return (code, *capsys.readouterr())

    return run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the sample."""
    folder = tmp_path_factory.mktemp("cli") / "run"
    assert main(["score", "service", str(SAMPLE), "-o", str(folder), "-q"]) == 0
    return folder


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_verb_has_its_options_tested() -> None:
    assert OPTIONS.keys() == VERBS.keys()


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_verb_mentions_its_options(command: Command, verb: str) -> None:
    code, out, err = command(verb, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: adjudge {verb}")
    assert [option for option in OPTIONS[verb] if option not in out] == []


@pytest.mark.parametrize("verb", ["score", "validate"])
def test_help_of_a_suite_mentions_the_options_of_the_suite(command: Command, verb: str) -> None:
    code, out, _ = command(verb, "service", "--help")
    assert code == 0
    assert [option.name for option in find_suite("service").options if f"--{option.name}" not in out] == []


@pytest.mark.parametrize("name", ["service", "decision", "patient", "trip"])
def test_help_of_a_suite_has_an_example_with_options_that_it_knows(command: Command, name: str) -> None:
    _, out, _ = command("score", name, "--help")
    example = next(line for line in out.splitlines() if line.startswith(f"  adjudge score {name} "))
    usage, _ = out.split("positional arguments")
    assert [word for word in example.split() if word.startswith("--") and f"[{word} " not in usage] == []


def test_help_lists_the_verbs_and_exit_codes(command: Command) -> None:
    code, out, _ = command("--help")
    assert code == 0
    assert [verb for verb in VERBS if f"\n  {verb} " not in out] == []
    assert "Exit codes" in out
    assert command()[0] == 2


def test_version(command: Command) -> None:
    assert command("--version") == (0, f"adjudge {adjudge.__version__}\n", "")


def test_list_names_suites_and_metrics(command: Command) -> None:
    code, out, _ = command("list")
    assert code == 0
    assert "service: " in out
    code, out, _ = command("list", "service")
    assert code == 0
    names = [line.split()[0] for line in out.splitlines() if line]
    assert [metric.card.name for metric in find_suite("service").metrics() if metric.card.name not in names] == []


def test_a_metric_is_described_by_its_symbol_and_named_where_the_symbol_is_asked_for(command: Command) -> None:
    assert command("describe", "M9")[1].startswith("grounding\n")
    code, _, err = command("score", "trip", str(find_suite("trip").sample), "--only", "M9", "-o", "run")
    assert code == 2
    assert "no metric 'M9' in suite 'trip'; did you mean 'grounding'?" in err


def test_describe_prints_the_card(command: Command) -> None:
    code, out, _ = command("describe", "joint_goal_accuracy")
    (card,) = [m.card for m in find_suite("service").metrics() if m.card.name == "joint_goal_accuracy"]
    assert code == 0
    facts = {line.split()[0]: line.strip().partition(" ")[2].strip() for line in out.splitlines() if line.strip()}
    assert card.question in out
    assert facts["formula"] == card.formula
    assert facts["unit"] == f"one mark a {card.unit}"
    assert facts["range"] == "0 to 1"
    assert facts["better"] == "higher"
    assert facts["probes"] == ", ".join(card.probes)
    assert facts["source"] == card.source
    assert facts["version"] == str(card.version)


def schema(command: Command, name: str) -> Any:
    code, out, _ = command("schema", name)
    assert code == 0
    result = json.loads(out)
    jsonschema.Draft202012Validator.check_schema(result)
    return jsonschema.Draft202012Validator(result)


def test_schema_of_the_suite_fits_its_sample_and_refuses_other_things(command: Command) -> None:
    validator = schema(command, "service")
    records = rows(SAMPLE)
    assert records
    for record in records:
        validator.validate(record)
    assert not validator.is_valid({**records[0], "unknown": 1})
    assert not validator.is_valid({**records[0], "turns": "none"})


def test_schemas_of_a_run_fit_its_files(command: Command, run: Path) -> None:
    scores = schema(command, "scores")
    for row in rows(run / "scores.jsonl"):
        scores.validate(row)
    schema(command, "run").validate(json.loads((run / "run.json").read_text()))
    records = schema(command, "service")
    for record in rows(run / "records.jsonl"):
        records.validate(record)


def test_score_prints_value_interval_and_counts_for_each_metric_and_arm(command: Command, tmp_path: Path) -> None:
    code, out, _ = command("score", "service", SAMPLE, "-o", tmp_path / "run")
    assert code == 0
    arms = sorted({record["arm"] for record in rows(SAMPLE)})
    header = next(line for line in out.splitlines() if line.startswith("metric"))
    assert header.split() == ["metric", *arms, "n"]
    assert f"{', '.join(arms)}: 24 of 24 conversations" in out
    lines = [line.split() for line in out.splitlines()]
    result = [line for line in lines if len(line) > 3 and line[0] == "joint_goal_accuracy"]
    assert result
    assert "adjudge report" in out


def test_quiet_scoring_prints_nothing(command: Command, tmp_path: Path) -> None:
    assert command("score", "service", SAMPLE, "-o", tmp_path / "run", "-q") == (0, "", "")


def test_only_the_metrics_that_are_named_are_scored(command: Command, tmp_path: Path) -> None:
    names = ["joint_goal_accuracy", "slot_f1", "intent_accuracy"]
    arguments = ["--only", ",".join(names[:2]), "--only", names[2]]
    assert command("score", "service", SAMPLE, "-o", tmp_path / "run", *arguments)[0] == 0
    assert {tuple(row["scores"]) for row in rows(tmp_path / "run" / "scores.jsonl")} == {tuple(names)}


def test_metrics_of_a_users_own_file_are_scored(command: Command, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from adjudge import Mark, metric\n"
        "@metric('W', formula='words', unit='conversation', better='neither', source='me', scale=(0.0, None))\n"
        "def words_said(dialogue):\n"
        '    """How many words are said?"""\n'
        "    yield Mark(float(sum(len(turn.text.split()) for turn in dialogue.turns)))\n"
    )
    arguments = ["-o", tmp_path / "run", "--metrics-file", own, "--only", "words_said"]
    assert command("score", "service", SAMPLE, *arguments)[0] == 0
    for record, row in zip(rows(SAMPLE), rows(tmp_path / "run" / "scores.jsonl"), strict=True):
        assert row["scores"]["words_said"]["value"] == sum(len(turn["text"].split()) for turn in record["turns"])
    assert "How many words are said?" in command("describe", "words_said", "--metrics-file", own)[1]


@pytest.mark.parametrize("option", ["--metrics", "--only"])
@pytest.mark.parametrize("verb", ["score", "report", "compare", "power", "gate", "list"])
def test_one_option_names_metrics_in_every_command(
    command: Command, tmp_path: Path, run: Path, verb: str, option: str
) -> None:
    """Every verb takes names, `all`, and answers a file with the option that takes files."""
    chosen = {
        "score": ["service", SAMPLE, "-o", tmp_path / "run"],
        "gate": [run, "--rule", "slot_f1 >= 0.1", "--rule", "hallucination <= 0.9"],
        "list": ["service"],
    }.get(verb, [run])
    code, out, err = command(verb, *chosen, option, "slot_f1")
    assert (code, err) == (0, "")
    assert "slot_f1" in out
    assert "hallucination" not in out
    if verb != "score":
        everything = command(verb, *chosen, option, "all")
        assert everything[0] == 0
        assert "hallucination" in everything[1]
    code, _, err = command(verb, *chosen, option, "mine.py")
    assert code == 2
    assert "--metrics-file mine.py" in err
    code, _, err = command(verb, *chosen, option, "slot_f2")
    assert code == 2
    assert "slot_f1" in err


def test_metric_that_fails_makes_the_run_incomplete(command: Command, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from adjudge import metric\n"
        "@metric('B', formula='1/0', unit='turn', better='higher', source='me')\n"
        "def broken(dialogue):\n"
        '    """Does it break?"""\n'
        "    yield 1 / 0\n"
    )
    code, _, err = command(
        "score", "service", SAMPLE, "-o", tmp_path / "run", "--metrics-file", own, "--only", "broken"
    )
    assert code == 3
    assert "incomplete: errors in broken" in err


def test_several_prediction_files_are_several_arms(command: Command, tmp_path: Path) -> None:
    state = {"active_intent": "find_hotel", "requested_slots": [], "slot_values": {"hotel-area": ["north"]}}
    asked = {"turn_id": "0", "speaker": "USER", "utterance": "North.", "frames": [{"service": "hotel", "state": state}]}
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"dialogue_id": "D1", "services": ["hotel"], "turns": [asked]}) + "\n")
    for name, area in (("right", "north"), ("wrong", "south")):
        said = [{"response": "", "state": {"hotel": {"area": area}}}]
        (tmp_path / f"{name}.json").write_text(json.dumps({"d1": said}))
    files = [part for name in ("right", "wrong") for part in ("--predictions", tmp_path / f"{name}.json")]
    code, out, _ = command("score", "service", gold, *files, "-o", tmp_path / "run")
    assert code == 0
    assert "right, wrong: 1 of 1 conversation" in out
    values = {row["arm"]: row["scores"]["joint_goal_accuracy"]["value"] for row in rows(tmp_path / "run/scores.jsonl")}
    assert values == {"right": 1.0, "wrong": 0.0}


def test_report_as_json_has_rows_with_all_that_belongs_to_a_number(command: Command, run: Path, tmp_path: Path) -> None:
    target = tmp_path / "summary.json"
    assert command("report", run, "-o", target) == (0, f"wrote {target}\n", "")
    results = json.loads(target.read_text())["rows"]
    arms = {record["arm"] for record in rows(SAMPLE)}
    names = {metric.card.name for metric in find_suite("service").metrics()}
    assert {(row["metric"], row["arm"]) for row in results} == {(name, arm) for name in names for arm in arms}
    wanted = {"metric", "arm", "value", "low", "high", "n", "undefined", "skipped", "unit", "better", "version"}
    assert [row["metric"] for row in results if wanted - row.keys()] == []


def test_report_prints_tables_and_writes_several_files(command: Command, run: Path, tmp_path: Path) -> None:
    code, out, _ = command("report", run, "--by-group")
    assert code == 0
    assert "joint_goal_accuracy" in out
    targets = [tmp_path / name for name in ("r.md", "r.csv", "r.json")]
    arguments = [part for target in targets for part in ("-o", target)]
    assert command("report", run, *arguments, "-q") == (0, "", "")
    assert all(target.stat().st_size for target in targets)


@pytest.mark.parametrize("level", ["marks", "conversations"])
def test_exports_agree_in_all_formats(command: Command, run: Path, tmp_path: Path, level: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for ending in ("csv", "jsonl", "parquet"):
        code, out, _ = command("export", run, "-o", tmp_path / f"t.{ending}", "--level", level)
        assert code == 0
        assert f" {level} to " in out
    lines = rows(tmp_path / "t.jsonl")
    assert lines
    assert parquet.read_table(tmp_path / "t.parquet").to_pylist() == lines
    with (tmp_path / "t.csv").open(newline="") as file:
        cells = list(csv.DictReader(file))
    assert len(cells) == len(lines)
    for cell, line in zip(cells, lines, strict=True):
        assert list(cell) == list(line)
        assert cell["value"] == ("" if line["value"] is None else str(line["value"]))
        assert (cell["case"], cell["metric"]) == (line["case"], line["metric"])


def test_validate_says_what_can_be_scored(command: Command, tmp_path: Path) -> None:
    code, out, _ = command("validate", "service", SAMPLE)
    assert code == 0
    assert f"{len(rows(SAMPLE))} records can be scored" in out
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "a", "turns": 3}\n{"id": "b", "turns": []}\n')
    code, _, err = command("validate", "service", bad)
    assert code == 2
    assert "bad.jsonl:1: turns: expected a list, found 3" in err
    code, out, _ = command("validate", "service", bad, "--skip-bad")
    assert code == 0
    assert "1 records can be scored, 1 were refused" in out


def test_doctor_finds_this_installation_complete(command: Command) -> None:
    code, out, err = command("doctor")
    assert (code, err) == (0, "")
    for part in (
        f"adjudge {adjudge.__version__}",
        "msgspec",
        "suite service",
        "sample found",
        "nothing is sent anywhere",
    ):
        assert part in out


def test_demo_scores_the_sample_with_a_report(command: Command, tmp_path: Path) -> None:
    code, out, _ = command("demo", "service", "-o", tmp_path / "demo")
    assert code == 0
    assert "joint_goal_accuracy" in out
    result = sorted(path.name for path in (tmp_path / "demo").iterdir())
    assert result == ["records.jsonl", "report.html", "run.json", "scores.jsonl"]
    assert command("demo", "service", "-o", tmp_path / "demo")[0] == 0


def test_demo_shows_the_whole_loop_on_one_screen(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "loop"
    code, out, err = command("demo", "-o", folder)
    verbs = [line.split()[2] for line in out.splitlines() if line.startswith("$ adjudge")]

    assert (code, err) == (0, "")
    assert verbs == ["play", "compare", "report"]
    assert len(out.splitlines()) <= 50
    assert "rules-memory against rules: worse in 3" in out
    assert "adjudge play service --arm rules --arm mine=py:my_agent.py:reply" in out
    assert {"report.html", "turns.jsonl", "records.jsonl", "scores.jsonl"} <= {path.name for path in folder.iterdir()}
    assert command("demo", "-o", folder)[0] == 0


def test_demo_does_not_write_over_another_run(command: Command, tmp_path: Path) -> None:
    assert command("score", "service", SAMPLE, "-o", tmp_path / "mine", "--match", "strict", "-q")[0] == 0
    before = (tmp_path / "mine" / "scores.jsonl").read_bytes()
    code, _, err = command("demo", "service", "-o", tmp_path / "mine")
    assert code == 2
    assert "holds a different run" in err
    assert (tmp_path / "mine" / "scores.jsonl").read_bytes() == before
    assert command("demo", "service", "-o", tmp_path / "mine", "--fresh")[0] == 0


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from adjudge.cli.main import main\n"
        "main(['--help'])\n"
        "heavy = {'msgspec', 'numpy', 'scipy', 'rich', 'rapidfuzz'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


def test_output_that_nobody_reads_is_no_error(run: Path) -> None:
    command = [sys.executable, "-m", "adjudge.cli.main", "report", str(run)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")
