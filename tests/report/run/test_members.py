"""The members of a group on the page of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.cli.main import main
from adjudge.suites.trip import suite
from browser import Element, read


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("members")
    only = "voice_coverage,total_turns"
    assert main(["score", "trip", str(suite.sample), "--only", only, "-q", "-o", str(folder / "run")]) == 0
    assert main(["report", str(folder / "run"), "-q", "-o", str(folder / "page.html")]) == 0
    return folder / "page.html"


def content(page: Path) -> Element:
    return read(page.read_bytes())


def test_each_member_stands_with_its_value_under_each_condition(page: Path) -> None:
    (section,) = [one for one in content(page).all("section") if one.attributes.get("id") == "members"]
    rows = [[cell.text for cell in row.all() if cell.tag in ("th", "td")] for row in section.all("tr")]
    assert rows[0] == ["case", "member", "C1", "C2", "C3", "C4", "C5"]
    assert len(rows) == 1 + 37
    spokesperson = [row for row in rows[1:] if row[0] == "t01" and row[2] == "1.000"]
    assert len(spokesperson) == 1
    assert [row[2:] for row in rows[1:] if row[0] == "t01" and row not in spokesperson] == [
        ["0.000", "1.000", "1.000", "1.000", "1.000"]
    ] * 3


def test_the_least_good_value_of_a_member_is_marked(page: Path) -> None:
    (section,) = [one for one in content(page).all("section") if one.attributes.get("id") == "members"]
    least = [cell.text for cell in section.all("td", "least")]
    assert set(least) == {"0.000"}
    assert len(least) >= 27


def test_a_run_without_metrics_of_members_has_no_such_section(tmp_path: Path) -> None:
    run, page = tmp_path / "run", tmp_path / "page.html"
    assert main(["score", "trip", str(suite.sample), "--only", "total_turns", "-q", "-o", str(run)]) == 0
    assert main(["report", str(run), "-q", "-o", str(page)]) == 0
    assert 'id="members"' not in page.read_text("utf-8")


def test_what_follows_from_the_condition_wins_nothing(page: Path) -> None:
    text = content(page).text
    assert "by design (C1): voice_coverage" in text
    assert "C1 has the best value" not in text
