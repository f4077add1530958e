"""The overview of a run: counts of wrong conversations, and one metric by group."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from example_run import ROWS, make_run, manifest
from serving import Served, serving, small_run

from adjudge.run import SCORES
from adjudge.web.pages import breakdown
from browser import Element, read


def overview(served: Served, name: str) -> Element:
    return read(served.page(served.run(name)).encode())


def test_an_arm_without_a_value_has_no_count_of_wrong_conversations(tmp_path: Path) -> None:
    make_run(tmp_path / "runs" / "example", ROWS, manifest())
    with serving(tmp_path / "runs") as served:
        page = overview(served, "example")

    *_, last = page.id("m-intent_accuracy").all("td")
    assert last.text == "– · 0"


def test_the_largest_groups_are_shown_and_the_others_folded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = small_run(tmp_path / "runs" / "small")
    rows = [msgspec.json.decode(line) for line in (folder / SCORES).read_bytes().splitlines()]
    for number, row in enumerate(rows):
        group = "alone" if number < 2 else "one" if number < 6 else "two"
        row["scores"]["joint_goal_accuracy"]["marks"][0]["group"] = group
    (folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    monkeypatch.setattr(breakdown, "SHOWN", 2)
    monkeypatch.setattr(breakdown, "FOLDED", 1)
    with serving(tmp_path / "runs") as served:
        page = overview(served, "small")

    section = next(each for each in page.all("section") if each.attributes.get("aria-labelledby") == "by")
    shown, folded = ([row[0] for row in table.lines()[1:]] for table in section.all("table"))
    assert (shown, folded) == (["one", "two"], ["alone"])
    assert "1 smaller group" in section.text
