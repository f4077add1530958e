"""`adjudge gate` as a user and a CI job run it: exit codes, files, settings and GitHub's environment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gate_runs import LOST, write_run

from adjudge.cli.main import main
from adjudge.core.mark import Mark, Score

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs `adjudge gate` in an empty folder: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(["gate", *map(str, arguments)])
        except SystemExit as left:
            code = int(left.code or 0)
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    values = {"inform": [1.0] * 7 + [0.0] * 3, "goal": [1.0] * 9 + [LOST]}
    return write_run(tmp_path / "runs" / "new", {"bot": values}).folder


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return write_run(tmp_path / "runs" / "old", {"bot": {"inform": [1.0] * 10, "goal": [1.0] * 10}}).folder


def test_a_gate_that_passes_ends_with_0(command: Command, run: Path) -> None:
    code, out, err = command(run, "--rule", "inform >= 0.5", "--rule", "lower(inform) >= 0.3")
    assert (code, err) == (0, "")
    shown = [" ".join(line.split()) for line in out.splitlines()]
    assert "pass inform >= 0.5 bot 0.700 0.342 to 0.913 10 conversations 1.000" in shown
    assert shown[-1] == "gate passed: 2 passed"


def test_a_rule_that_fails_ends_with_1_and_the_worst_cases(command: Command, run: Path) -> None:
    code, out, _ = command(run, "--rule", "inform >= 0.9")
    assert code == 1
    assert "fail: inform >= 0.9, bot: the value 0.7 is below 0.9\n  0.000  c007, turn 2: slot: found 0\n" in out


def test_an_error_ends_with_1_and_looks_different(command: Command, run: Path) -> None:
    code, out, _ = command(run, "--rule", "goal >= 0.5")
    assert code == 1
    assert "error: goal >= 0.5, bot: coverage 0.9, asked 1: 1 of 10 conversations skipped; the judge gave" in out
    assert out.splitlines()[-1] == "gate not passed: 1 in error"
    assert command(run, "--rule", "goal >= 0.5", "--coverage", "0.9")[0] == 0


def test_non_inferiority_to_a_baseline(command: Command, run: Path, base: Path) -> None:
    code, out, _ = command(run, "--against", base, "--rule", "inform not worse by 0.02")
    assert code == 1
    assert "-0.300 from bot@old, 95 % interval" in out
    assert "10 pairs" in out
    assert command(base, "--against", f"{run}:bot", "--rule", "inform not worse by 0.2")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no rules; give some with --rule"),
        (["--rule", "inform = 1"], "column 8 of the rule: found '='"),
        (["--rule", "infrom > 0"], "did you mean 'inform'?\n  infrom > 0\n  ^"),
        (["--rule", "inform better"], "needs a baseline"),
        (["--rule", "inform >= 0", "--arm", "bto"], "no arm 'bto'; did you mean 'bot'?"),
        (["--rule", "inform >= 0", "--coverage", "95"], "found '95'; expected a number from 0 to 1"),
        (["--rule", "inform >= 0", "-o", "gate.html"], "gate.html: no format '.html'"),
        (["--rule", "inform >= 0", "--config", "gone.toml"], "gone.toml: no such file"),
        (["--rule", "inform better", "--against", "gone"], "gone: no run.json there"),
    ],
)
def test_what_cannot_be_asked_ends_with_2(command: Command, run: Path, arguments: list[str], said: str) -> None:
    code, out, err = command(run, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_files_are_written_by_their_ending(command: Command, run: Path, tmp_path: Path) -> None:
    code, out, _ = command(
        run, "--rule", "inform >= 0.9", "-o", "out/junit.xml", "-o", "out/gate.json", "-o", "out/gate.md"
    )
    assert code == 1
    assert out.splitlines()[-3:] == ["wrote out/junit.xml", "wrote out/gate.json", "wrote out/gate.md"]
    assert ElementTree.parse(tmp_path / "out" / "junit.xml").getroot().attrib["failures"] == "1"
    assert (tmp_path / "out" / "gate.md").read_text().startswith("## new: gate not passed: 1 failed")
    result = json.loads((tmp_path / "out" / "gate.json").read_text())
    assert (result["outcome"], result["coverage"]) == ("fail", 1.0)
    (verdict,) = result["verdicts"]
    assert verdict["text"] == "inform >= 0.9"
    assert verdict["rule"] == {"metric": "inform", "of": "value", "relation": ">=", "limit": 0.9}
    assert (verdict["outcome"], verdict["value"], verdict["n"], verdict["broken"]) == ("fail", 0.7, 10, 3)
    assert [case["case"] for case in verdict["cases"]] == ["c007", "c008", "c009"]


def test_the_run_itself_is_not_written_over(command: Command, run: Path) -> None:
    code, _, err = command(run, "--rule", "inform >= 0", "-o", run / "run.json")
    assert (code, "belongs to the run itself" in err) == (2, True)


def test_quiet_prints_nothing(command: Command, run: Path) -> None:
    assert command(run, "--rule", "inform >= 0.9", "-q", "-o", "gate.xml") == (1, "", "")


def test_rules_of_the_file_and_the_command_line_all_hold(command: Command, run: Path) -> None:
    Path("adjudge.toml").write_text('judge = "mild"\n[gate]\nrules = ["inform >= 0.5"]\n')
    assert command(run)[0] == 0
    code, out, _ = command(run, "--rule", "inform >= 0.9")
    assert (code, out.count("inform >= 0.5"), "1 failed, 1 passed" in out) == (1, 1, True)


def test_coverage_and_baseline_of_the_command_line_take_the_place_of_the_file(
    command: Command, run: Path, base: Path
) -> None:
    Path("ci").mkdir()
    Path("ci/gate.toml").write_text(
        '[gate]\nrules = ["goal >= 0.5", "goal not worse by 0.5"]\ncoverage = 0.9\nagainst = "../runs/old"\n'
    )
    assert command(run, "--config", "ci/gate.toml")[0] == 0
    assert command(run, "--config", "ci/gate.toml", "--coverage", "1")[0] == 1
    code, _, err = command(run, "--config", "ci/gate.toml", "--against", run)
    assert (code, "compared with itself" in err) == (2, True)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("[gate]\nrule = []\n", "adjudge.toml: gate.rule: no such setting; did you mean 'rules'?"),
        ("[gate]\ncoverage = 95\n", "adjudge.toml: [gate]: Expected `float` <= 1.0"),
        ('[gate]\nrules = "inform > 0"\n', "adjudge.toml: [gate]: Expected `array`"),
        ("gate = 3\n", "adjudge.toml: [gate]: Expected `object`"),
        ("[gate\n", "adjudge.toml: not TOML"),
    ],
)
def test_a_bad_file_is_refused(command: Command, run: Path, table: str, said: str) -> None:
    Path("adjudge.toml").write_text(table)
    code, _, err = command(run, "--rule", "inform >= 0")
    assert (code, said in err) == (2, True), err


def test_github_gets_a_summary_and_annotations(
    command: Command, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("of an earlier command")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))

    code, out, _ = command(run, "--rule", "inform >= 0.9", "--rule", "goal >= 0.5")

    assert code == 1
    assert summary.read_text().startswith("of an earlier command\n## new: gate not passed")
    commands = [line for line in out.splitlines() if line.startswith("::error ")]
    assert [line.partition("::")[2].partition("::")[0] for line in commands] == [
        "error title=Gate failed",
        "error title=Gate in error",
    ]
    assert "::error" in command(run, "--rule", "inform >= 0.9", "-q")[1]
    assert "::error" not in command(run, "--rule", "inform >= 0.5")[1]


def test_nothing_in_the_data_is_a_command_to_github(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    bad = Score.of([Mark(0.0, why="##[add-mask]secret\n::stop-commands::x")])
    run = write_run(tmp_path / "run", {"::set-env name=A::b": {"inform": [bad, bad]}}, cases=["\n::error::x", "b"])

    _, out, _ = command(run.folder, "--rule", "inform >= 0.9")

    lines = out.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert len(token) == 32
    resumed = lines.index(f"::{token}::")
    assert any("##[add-mask]" in line for line in lines[:resumed])
    assert [line[:20] for line in lines[resumed + 1 :]] == ["::error title=Gate f"]


def test_github_is_left_alone_elsewhere(command: Command, run: Path) -> None:
    assert "::" not in command(run, "--rule", "inform >= 0.9")[1]


def test_help_shows_rules_and_options(command: Command) -> None:
    code, out, _ = command("--help")
    assert code == 0
    for option in ("--rule", "--against", "--coverage", "--arm", "--force", "--config", "--output", "--quiet"):
        assert option in out
    assert "inform not worse by 0.02" in out
