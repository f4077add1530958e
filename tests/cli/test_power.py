"""`adjudge power` as a user runs it, against statsmodels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from statsmodels.stats.power import TTestIndPower, TTestPower

from adjudge.cli.main import main
from adjudge.core.card import Card
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.run import MANIFEST, RECORDS, SCORES, Manifest

Command = Callable[..., tuple[int, str, str]]
Values = dict[str, list[float]]


@pytest.fixture
def power(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `adjudge power`: exit code, output, errors."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(["power", *map(str, arguments)])
        except SystemExit as left:
            code = int(left.code or 0)
        return (code, *capsys.readouterr())

    return run


def card(name: str) -> Card:
    return Card(
        name=name,
        symbol="Q",
        question="How good is it?",
        formula="mean",
        unit="conversation",
        better="higher",
        scale=(0.0, 1.0),
        pool="conversations",
        source="this test",
    )


def write_run(folder: Path, arms: Values, cases: dict[str, str] | None = None) -> Path:
    """A run with one metric; `cases` begins the names of an arm's cases, where arms share none."""
    rows = [
        ScoreRow(f"{(cases or {}).get(arm, 'c')}{number}", arm, {"quality": Score.of([Mark(value)])})
        for arm, values in arms.items()
        for number, value in enumerate(values)
    ]
    manifest = Manifest(
        suite="service",
        adjudge="0.1.0",
        cards={"quality": card("quality")},
        options={},
        settings={},
        inputs=[],
        status="complete",
        coverage=Coverage(arms={arm: ArmCoverage() for arm in arms}),
    )
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    (folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    (folder / RECORDS).write_bytes(b"")
    return folder


def two_arms(seed: int = 1, n: int = 30) -> Values:
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.2, 0.8, n)
    return {"a": base.tolist(), "b": np.clip(base + rng.normal(0.02, 0.1, n), 0, 1).tolist()}


def cells(out: str) -> list[str]:
    """The line of the metric."""
    (line,) = [line for line in out.splitlines() if line.startswith("quality")]
    return line.split()


def test_two_arms_are_paired_by_case(power: Command, tmp_path: Path) -> None:
    arms = two_arms()
    code, out, err = power(write_run(tmp_path / "run", arms), "--difference", 0.05)
    sd = np.std(np.subtract(arms["a"], arms["b"]), ddof=1)
    smallest = TTestPower().solve_power(nobs=30, alpha=0.05, power=0.8) * sd
    needed = TTestPower().solve_power(effect_size=0.05 / sd, alpha=0.05, power=0.8)
    assert (code, err) == (0, "")
    assert "Paired by case" in out
    assert cells(out) == ["quality", "30", f"{sd:.3f}", f"{smallest:.3f}", str(int(np.ceil(needed)))]


def test_one_arm_is_taken_for_two_that_share_no_case(power: Command, tmp_path: Path) -> None:
    arms = two_arms()
    options = ("--arms", "a", "--difference", 0.1, "--power", 0.9, "--alpha", 0.01)
    _, out, _ = power(write_run(tmp_path / "run", arms), *options)
    sd = np.std(arms["a"], ddof=1)
    smallest = TTestIndPower().solve_power(nobs1=30, alpha=0.01, power=0.9) * sd
    needed = TTestIndPower().solve_power(effect_size=0.1 / sd, alpha=0.01, power=0.9)
    assert "correlation is unknown from one arm alone" in out
    assert "at alpha 0.01 with power 0.9" in out
    assert cells(out) == ["quality", "30", f"{sd:.3f}", f"{smallest:.3f}", f"{int(np.ceil(needed)):,}"]


def test_arms_without_a_shared_case_each_have_their_spread(power: Command, tmp_path: Path) -> None:
    arms = {"a": two_arms(1, 20)["a"], "b": two_arms(2, 25)["b"]}
    _, out, _ = power(write_run(tmp_path / "run", arms, {"a": "x", "b": "y"}))
    sds = [np.std(values, ddof=1) for values in arms.values()]
    assert "No case is shared" in out
    assert cells(out)[:7] == ["quality", "20", "and", "25", f"{sds[0]:.3f}", "and", f"{sds[1]:.3f}"]


def test_cases_needed_stand_only_where_a_difference_is_wanted(power: Command, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", two_arms())
    assert "cases for" not in power(run)[1]
    assert "cases for 0.05" in power(run, "--difference", 0.05)[1]


def test_more_cases_show_smaller_differences_and_power_takes_more(power: Command, tmp_path: Path) -> None:
    few, many = write_run(tmp_path / "few", two_arms(n=10)), write_run(tmp_path / "many", two_arms(n=80))
    assert float(cells(power(many)[1])[3]) < float(cells(power(few)[1])[3])
    assert float(cells(power(few)[1])[3]) < float(cells(power(few, "--power", 0.95)[1])[3])


def test_what_the_scale_has_no_room_for_is_said(power: Command, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", {"a": [0.0, 1.0, 0.5], "b": [1.0, 0.0, 0.5]})
    _, out, _ = power(run, "--difference", 3)
    assert out.count("beyond the scale") == 2
    assert "more than 1,000,000,000" in power(run, "--difference", 1e-9)[1]


@pytest.mark.parametrize(
    ("arms", "why"),
    [
        ({"a": [0.5] * 5, "b": [0.5] * 5}, "no spread over 5 cases, so power cannot be computed: quality"),
        ({"a": [0.5], "b": [0.4]}, "needs at least 2 shared cases, found 1: quality"),
        ({"a": [0.5]}, "needs at least 2 shared cases, found 1: quality"),
    ],
)
def test_what_cannot_be_computed_is_left_out_with_the_reason(
    power: Command, tmp_path: Path, arms: Values, why: str
) -> None:
    code, out, _ = power(write_run(tmp_path / "run", arms), "--difference", 0.1)
    assert code == 0
    assert f"Left out\n{why}" in out
    assert "nan" not in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--difference", "0"), "argument --difference: found '0'; expected a number above 0"),
        (("--difference", "nan"), "argument --difference: found 'nan'; expected a number above 0"),
        (("--difference", "inf"), "argument --difference: found 'inf'; expected a number above 0"),
        (("--power", "80"), "argument --power: found '80'; expected a number above 0 and below 1"),
        (("--alpha", "x"), "argument --alpha: found 'x'; expected a number above 0 and below 1"),
        (("--alpha", "0.9"), "--alpha and --power: expected 0.0001 <= alpha < power < 1, found 0.9 and 0.8"),
        (("--arms", "a,bb"), "no arm 'bb'"),
        (("--arms", "a,a"), "--arms a,a: the same arm twice"),
        (("--metrics", "qualty"), "--metrics: no metric 'qualty' in the run; did you mean 'quality'?"),
    ],
)
def test_bad_arguments_are_refused(power: Command, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    code, out, err = power(write_run(tmp_path / "run", two_arms()), *options)
    assert (code, out) == (2, "")
    assert message in err


def test_of_many_arms_two_must_be_named(power: Command, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", {**two_arms(), "c": two_arms(3)["a"]})
    code, _, err = power(run)
    assert code == 2
    assert "3 arms (a, b, c); expected one or two; name them with --arms A,B" in err
    assert power(run, "--arms", "a,c")[0] == 0
    assert power(run, "--arms", "a", "--arms", "c")[0] == 0


def test_a_folder_without_a_run_is_refused(power: Command, tmp_path: Path) -> None:
    code, _, err = power(tmp_path)
    assert code == 2
    assert "no run.json there" in err
