"""Figures for papers: each format is written, names are text, and matplotlib is asked for only here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from example_run import ROWS, make_run, manifest

from adjudge.cli.main import main
from adjudge.core.errors import BadInput
from adjudge.core.mark import ScoreRow
from adjudge.report.run.files import write_run
from adjudge.run import Run

pytest.importorskip("matplotlib", reason="figures need the extra `figures`")

STARTS = {"pdf": b"%PDF-", "svg": b"<?xml", "png": b"\x89PNG"}


@pytest.mark.parametrize("ending", STARTS)
@pytest.mark.parametrize("verb", ["report", pytest.param("compare", marks=pytest.mark.trial)])
def test_the_ending_names_the_format_of_a_figure(run: Run, tmp_path: Path, verb: str, ending: str) -> None:
    target = tmp_path / f"forest.{ending}"

    assert main([verb, str(run.folder), "-q", "-o", str(target)]) == 0
    assert target.read_bytes().startswith(STARTS[ending])


@pytest.mark.parametrize("verb", ["compare", pytest.param("report", marks=pytest.mark.trial)])
def test_the_same_run_gives_the_same_figure(run: Run, tmp_path: Path, verb: str) -> None:
    targets = [tmp_path / name for name in ("a.svg", "b.svg")]
    for target in targets:
        assert main([verb, str(run.folder), "-q", "-o", str(target)]) == 0

    assert targets[0].read_bytes() == targets[1].read_bytes()


def test_a_figure_names_metrics_and_arms(run: Run, tmp_path: Path) -> None:
    write_run(run, tmp_path / "forest.svg")
    text = (tmp_path / "forest.svg").read_text("utf-8")

    assert all(f">{name}<" in text for name in ("success ↑", "hallucination ↓", "ubar", "galaxy"))
    assert "turns_taken, 95 % interval" in text


def test_names_from_data_are_no_mathematics(tmp_path: Path) -> None:
    rows = [ScoreRow(row.case, f"$x^2$ {row.arm} 東", row.scores) for row in ROWS]
    write_run(make_run(tmp_path / "run", rows, manifest()), tmp_path / "forest.svg")

    assert "$x^2$ ubar 東" in (tmp_path / "forest.svg").read_text("utf-8")


def test_a_run_without_values_has_no_figure(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no metric has a value, so there is nothing to draw"):
        write_run(make_run(tmp_path / "run", [], manifest()), tmp_path / "forest.pdf")


def test_without_matplotlib_a_figure_says_how_to_install_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(BadInput, match=r"needs matplotlib: .*pip install .*\[figures\]'"):
        write_run(run, tmp_path / "forest.pdf")


def test_a_page_needs_no_matplotlib(run: Run, tmp_path: Path) -> None:
    code = (
        "import sys; from adjudge.cli.main import main; run, folder = sys.argv[1:];"
        "main(['report', run, '-q', '-o', folder + '/a.html']); main(['compare', run, '-q', '-o', folder + '/b.html']);"
        "print('matplotlib' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(run.folder), str(tmp_path)]

    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"
