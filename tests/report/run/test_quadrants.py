"""Two metrics of each conversation against each other, and remarks that are neither right nor wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.cli.main import main
from adjudge.suites.patient import suite
from browser import Element, read

NAMES = "entailment,sentence_verdict,contradiction,extraction,role_play"


def page_of(folder: Path, metrics: str) -> Element:
    run, page = folder / "run", folder / "page.html"
    labels = f"labels:{suite.sample_labels}"
    assert (
        main(["score", "patient", str(suite.sample), "--only", metrics, "--judge", labels, "-q", "-o", str(run)]) == 0
    )
    assert main(["report", str(run), "-q", "-o", str(page)]) == 0
    return read(page.read_bytes())


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Element:
    return page_of(tmp_path_factory.mktemp("quadrants"), NAMES)


def test_each_arm_has_a_picture_with_the_counts_of_its_quadrants(page: Element) -> None:
    (section,) = [part for part in page.all("section") if part.attributes.get("id") == "quadrants"]
    pictures = list(section.all("svg"))
    assert [picture.attributes["aria-label"] for picture in pictures] == [
        "extraction and role_play of 10 conversations: poor 0, unrealistic 0, realistic 8, ideal 2",
        "extraction and role_play of 10 conversations: poor 0, unrealistic 0, realistic 10, ideal 0",
    ]
    (dots,) = pictures[0].all("path", "dot")
    assert dots.attributes["d"].count("M") == 10
    assert "realistic 8" in pictures[0].text


def test_without_the_other_metric_there_is_no_picture(tmp_path: Path) -> None:
    page = page_of(tmp_path, "extraction")
    assert "quadrants" not in {part.attributes.get("id") for part in page.all("section")}


def test_neutral_remarks_are_not_coloured_as_faults(page: Element) -> None:
    neutral = list(page.all("li", "neutral"))
    assert neutral
    assert all("neutral" in note.text for note in neutral)
    faults = [note for item in page.all("li", "judged") for note in item.all("li")]
    assert any("contradict" in note.text for note in faults)
    assert all("contradict" not in turn.text for turn in page.all("li", "noted"))
