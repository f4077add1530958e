from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from example_run import CARDS, GOALS

from adjudge.cli.main import main
from adjudge.core.errors import BadInput
from adjudge.report.run.files import run_json, write_run
from adjudge.report.run.summary import RunSummary
from adjudge.run import Run
from adjudge.suites.patient import suite


def test_json_has_the_tables_and_what_explains_them(summary: RunSummary) -> None:
    found = json.loads(run_json(summary))

    assert found.keys() >= {
        *("suite", "adjudge", "status", "settings", "inputs"),
        *("coverage", "rows", "groups", "parts", "cards"),
    }
    assert found["rows"][0].keys() >= {
        *("metric", "arm", "value", "low", "high", "n", "undefined"),
        *("skipped", "unit", "better", "version"),
    }
    assert found["cards"].keys() == CARDS.keys()


def test_json_keeps_full_precision(summary: RunSummary) -> None:
    marks = [value for conversation in GOALS["galaxy"] for value in conversation]
    rows = json.loads(run_json(summary))["rows"]

    (row,) = [row for row in rows if (row["metric"], row["arm"]) == ("joint_goal_accuracy", "galaxy")]
    assert row["value"] == pytest.approx(sum(marks) / len(marks), abs=1e-15)


@pytest.mark.parametrize(("name", "start"), [("a.json", b"{\n"), ("a.MD", b"# service"), ("a.csv", b'"metric"')])
def test_the_ending_names_the_format(run: Run, tmp_path: Path, name: str, start: bytes) -> None:
    write_run(run, tmp_path / "new" / "folder" / name)

    assert (tmp_path / "new" / "folder" / name).read_bytes().startswith(start)
    assert [path.name for path in (tmp_path / "new" / "folder").iterdir()] == [name]


@pytest.mark.parametrize("name", ["a.docx", "a"])
def test_an_unknown_ending_is_answered_with_those_known(run: Run, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match=r"\.html, \.json, \.md, \.tex, \.csv, \.pdf, \.svg or \.png"):
        write_run(run, tmp_path / name)

    assert not (tmp_path / name).exists()


def test_a_place_that_cannot_be_written_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.md").mkdir()

    with pytest.raises(BadInput, match=r"file/a\.md: cannot be written"):
        write_run(run, tmp_path / "file" / "a.md")
    with pytest.raises(BadInput, match=r"folder\.md: cannot be written"):
        write_run(run, tmp_path / "folder.md")


def test_the_files_of_the_run_are_never_written_over(run: Run) -> None:
    before = (run.folder / "run.json").read_bytes()

    with pytest.raises(BadInput, match="belongs to the run itself"):
        write_run(run, run.folder / ".." / run.folder.name / "run.json")

    assert (run.folder / "run.json").read_bytes() == before


def test_nothing_heavy_is_imported_with_the_package() -> None:
    code = "import sys, adjudge.report; print({'rich', 'numpy', 'scipy', 'pyarrow'} & sys.modules.keys())"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_a_run_is_broken_down_by_a_facet_of_its_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    assert main(["score", "patient", str(suite.sample), "--only", "word_limit", "-q", "-o", folder]) == 0
    assert main(["report", folder, "--by", "recall"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "By recall" in printed
    assert printed.index("By recall") < printed.index("high word_limit") < printed.index("low word_limit")


def test_an_unknown_facet_is_refused_with_the_known_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    assert main(["score", "patient", str(suite.sample), "--only", "word_limit", "-q", "-o", folder]) == 0
    assert main(["report", folder, "--by", "recal"]) == 2
    said = capsys.readouterr().err
    assert "did you mean 'recall'? (there are: confusion, language, personality, recall, group)" in said
