"""The headline table: the figures that the source prints wrongly, computed from its own means and deviations."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, stdev

import pytest
from example_run import card, make_run, manifest

from adjudge.cli.main import main
from adjudge.compare.comparison import Comparison, ComparisonRequest, compare
from adjudge.compare.sheet import Sheet
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.report.comparison.headline import headline_rows, headline_table
from adjudge.run import Run

CARDS = {
    name: card(name, pool="conversations", unit="decision", **more)  # type: ignore[arg-type]
    for name, more in (
        ("quality", {}),
        ("confidence", {"better": "neither"}),
        ("cost", {"better": "lower", "scale": (0.0, None)}),
        ("never", {}),
    )
}
SHAPE = (-1.5, -1.0, -0.6, -0.3, -0.1, 0.1, 0.3, 0.6, 1.0, 1.5)
PAIR = ("", "multi", "single")


def values(mean: float, deviation: float) -> list[float]:
    """Ten values with this mean and standard deviation."""
    return [mean + deviation * value / stdev(SHAPE) for value in SHAPE]


def scores(quality: float, sure: float, basis: str) -> dict[str, Score]:
    return {
        "quality": Score.of([Mark(quality)]),
        "confidence": Score.of([Mark(sure, basis=basis)]),
        "cost": Score.of([Mark(0.0 if basis == "stated" else 2.0)], (0.0, None)),
        "never": Score.of([]),
    }


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Ten cases: the source's means 0.745 and 0.680 with deviations 0.082 and 0.091, confidences 0.76 and 0.82."""
    ours, theirs = values(0.745, 0.082), values(0.680, 0.091)[::-1]
    rows = [ScoreRow(f"c{place}", "multi", scores(value, 0.76, "composed")) for place, value in enumerate(ours)]
    rows += [ScoreRow(f"c{place}", "single", scores(value, 0.82, "stated")) for place, value in enumerate(theirs)]
    coverage = Coverage(arms={arm: ArmCoverage(10, 10) for arm in ("multi", "single")})
    return make_run(tmp_path / "run", rows, manifest(cards=CARDS, coverage=coverage))


def compared(run: Run) -> Comparison:
    return compare(Sheet([run]), ComparisonRequest(baseline="single"))


def cells(run: Run, metric: str) -> dict[str, str]:
    table = headline_table(PAIR, compared(run))
    row = next(row for row in table.rows if row[0].text.startswith(metric))
    return {header: cell.text for header, cell in zip(table.header, row, strict=True)}


def test_welch_and_cohen_of_the_source_are_right_here(run: Run) -> None:
    # The source prints t 2.341, p 0.0234 and d 0.567 for these means and deviations (RULINGS, decision).
    shown = cells(run, "quality")
    assert (shown["Welch's t"], shown["its p"], shown["Cohen's d"]) == ("1.678", "0.111", "0.750")
    assert (shown["multi"], shown["single"], shown["change"], shown["percent"]) == ("0.745", "0.680", "+0.065", "+9.6%")


def test_our_own_test_stands_beside_them(run: Run) -> None:
    shown = cells(run, "quality")
    [contrast] = [each for each in compared(run).contrasts if each.metric == "quality"]
    assert contrast.paired
    assert shown["95 % interval"] == f"{contrast.low:.3f} to {contrast.high:.3f}"
    assert shown["p"] == f"{contrast.p_corrected:.3f}"
    assert shown["verdict"] == "inconclusive"


def test_values_by_different_methods_are_shown_and_not_compared(run: Run) -> None:
    shown = cells(run, "confidence")
    assert (shown["multi"], shown["single"], shown["verdict"]) == ("0.760", "0.820", "not compared")
    assert {shown[name] for name in ("change", "percent", "95 % interval", "p", "Welch's t", "its p")} == {"–"}


def test_metrics_without_a_value_have_no_row_and_a_change_from_zero_no_percentage(run: Run) -> None:
    assert [row.metric for row in headline_rows(PAIR, compared(run))] == ["quality", "confidence", "cost"]
    assert cells(run, "cost")["percent"] == "–"
    assert fmean(row.b for row in headline_rows(PAIR, compared(run)) if row.metric == "cost") == 0


def test_one_command_prints_it_and_files_hold_it(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", str(run.folder), "--baseline", "single", "--headline"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "multi against single" in printed
    assert "different methods: multi rests on composed, single on stated: confidence" in printed
    folder = run.folder.parent
    assert main([*command, *(part for end in ("md", "tex", "html") for part in ("-o", f"{folder}/c.{end}"))]) == 0
    for end in ("md", "tex", "html"):
        text = (folder / f"c.{end}").read_text("utf-8")
        assert "Welch's t" in text.replace("&#39;", "'").replace("\\textquotesingle{}", "'")
        assert "1.678" in text
        assert "not compared" in text


def test_files_without_the_option_do_not_have_it(run: Run) -> None:
    path = run.folder.parent / "c.md"
    assert main(["compare", str(run.folder), "--baseline", "single", "-o", str(path)]) == 0
    assert "Headline" not in path.read_text("utf-8")
