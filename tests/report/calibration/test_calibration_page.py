"""The page of a calibration says what the other formats say, and nothing on it can run."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.cli.main import main
from adjudge.run import Run
from browser import Element, read

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def page(run: Run, tmp_path: Path) -> Element:
    lines = [f"MUL000{place}.json,ubar,success,{label}" for place, label in enumerate(("yes", "no", "no", "yes", "no"))]
    labels = tmp_path / "human.csv"
    labels.write_text("\n".join(["case,arm,metric,label", *lines, f"{HOSTILE},ubar,success,yes"]) + "\n")
    target = tmp_path / "calibration.html"
    assert main(["calibrate", str(run.folder), "--labels", str(labels), "-q", "-o", str(target)]) == 0
    return read(target.read_bytes())


def test_the_answer_stands_first(page: Element) -> None:
    (answer,) = page.all("h1")

    assert answer.text.startswith("success: the metric agrees with people on ")
    assert "human.csv" in next(page.all("p", "crumbs")).text


def test_every_part_has_its_table_and_its_notes(page: Element) -> None:
    titles = [heading.text for heading in page.id("metric-0").all("h3")]

    assert titles[:3] == [
        "Agreement on labels",
        "Confusion (rows: people, columns: the metric)",
        "In numbers (the metric minus people)",
    ]
    assert ["measure", "value", "95 % interval", "n", "reading"] in page.lines()
    assert "a convention and not a test" in page.id("method").text


def test_labels_without_a_match_are_listed_as_text(page: Element) -> None:
    assert HOSTILE in page.id("unmatched").text
    assert not list(page.all("script"))
