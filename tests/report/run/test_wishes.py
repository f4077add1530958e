"""The wishes of the members of a group on the page of a run."""

from __future__ import annotations

from pathlib import Path

import msgspec
from example_run import card, make_run, manifest

from adjudge.core.coverage import Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.report.run.page import run_page
from adjudge.report.run.wishes import GROUPS, MEMBERS
from adjudge.suites.trip import suite
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.metrics.satisfaction import satisfaction_strict
from adjudge.suites.trip.metrics.voice import voice_coverage
from browser import Element, read

ATTACK = '"><script>alert(1)</script>'
CARDS = {
    "pleased": card("pleased", unit="pair", members="wishes"),
    "spoke": card("spoke", unit="member", members="voice"),
}


def wish(member: str, slot: str, value: float, turn: str = "1", why: str = "so it is") -> Mark:
    return Mark(value, at=f"{member}: {slot}", turn=turn, why=why, group=slot)


def row(case: str, arm: str, wishes: list[Mark], voices: dict[str, float], trial: int = 0) -> ScoreRow:
    spoke = Score.of([Mark(value, at=member) for member, value in voices.items()])
    return ScoreRow(case, arm, {"pleased": Score.of(wishes), "spoke": spoke}, trial)


def page_of(folder: Path, rows: list[ScoreRow], names: tuple[str, ...] = ("pleased", "spoke")) -> Element:
    cards = {name: CARDS[name] for name in names}
    scored = [ScoreRow(r.case, r.arm, {name: r.scores[name] for name in names}, r.trial) for r in rows]
    return read(run_page(make_run(folder / "run", scored, manifest(cards=cards, coverage=Coverage()))))


def pictures(page: Element) -> dict[str, list[list[str]]]:
    """The tables of each arm by its caption."""
    return {next(one.all("figcaption")).text: one.lines() for one in page.id("wishes").all("figure")}


def test_each_wish_and_voice_has_its_sign_under_each_arm(tmp_path: Path) -> None:
    one = row("t1", "C1", [wish("Ann", "event", 1.0), wish("Bo: x", "event", 0.0, turn="")], {"Ann": 1.0, "Bo: x": 0.0})
    two = row("t1", "C2", [wish("Ann", "event", 0.0), wish("Bo: x", "food", 1.0)], {"Ann": 1.0, "Bo: x": 1.0})

    assert pictures(page_of(tmp_path, [one, two])) == {
        "C11 of 2 wishes met, 1 of 2 heard": [
            ["", "heard", "event", "food"],
            ["Ann", "●", "✓", ""],
            ["Bo: x", "○", "✗", ""],
        ],
        "C21 of 2 wishes met, 2 of 2 heard": [
            ["", "heard", "event", "food"],
            ["Ann", "●", "✗", ""],
            ["Bo: x", "●", "", "✓"],
        ],
    }


def test_a_sign_says_why_and_whether_the_wish_was_spoken(tmp_path: Path) -> None:
    page = page_of(tmp_path, [row("t1", "C1", [wish("Ann", "event", 0.0, "", f"no place {ATTACK}")], {"Ann": 0.0})])
    (sign,) = [one for one in page.id("wishes").all("b", "unmet") if "title" in one.attributes]

    assert sign.attributes["title"] == f"unmet, never spoken of: no place {ATTACK}"
    assert "unspoken" in sign.attributes["class"].split()
    assert not list(page.all("script"))


def test_a_wish_that_is_met_in_some_trials_is_met_partly(tmp_path: Path) -> None:
    rows = [
        row("t1", "C1", [wish("Ann", "event", value)], {"Ann": 0.0}, trial) for trial, value in enumerate((0.0, 1.0))
    ]

    ((_, ann),) = pictures(page_of(tmp_path, rows)).values()
    assert ann == ["Ann", "○", "◐"]


def test_arms_and_groups_are_links_to_their_conversations(tmp_path: Path) -> None:
    rows = [row("t1", arm, [wish("Ann", "event", 1.0)], {"Ann": 1.0}) for arm in ("C1", "C2")]
    page = page_of(tmp_path, rows)
    targets = {one.text: one.attributes["href"][1:] for one in page.id("wishes").all("a")}

    for arm in ("C1", "C2"):
        case = page.id(targets[arm]).parent
        assert case is not None
        assert next(case.all("summary")).text.endswith(f" {arm}")
    assert page.id(targets["t1"])


def test_a_large_run_shows_the_first_groups_and_members_and_counts_the_rest(tmp_path: Path) -> None:
    many = [wish(f"m{number:02}", "event", 1.0) for number in range(MEMBERS + 3)]
    rows = [row(f"t{place:02}", "C1", many, {}) for place in range(GROUPS + 2)]
    section = page_of(tmp_path, rows).id("wishes")

    assert [one.text for one in section.all("h3")] == [f"t{place:02}" for place in range(GROUPS)]
    assert "3 more members left out here" in section.text
    assert "2 more groups left out here" in section.text
    assert "m12" not in section.text


def test_voices_alone_make_no_picture(tmp_path: Path) -> None:
    page = page_of(tmp_path, [row("t1", "C1", [wish("Ann", "event", 1.0)], {"Ann": 1.0})], names=("spoke",))

    assert "wishes" not in {one.attributes.get("id") for one in page.all("section")}


def test_wishes_alone_have_no_column_of_voices(tmp_path: Path) -> None:
    page = page_of(tmp_path, [row("t1", "C1", [wish("Ann", "event", 1.0)], {"Ann": 1.0})], names=("pleased",))

    assert pictures(page) == {"C11 of 1 wish met": [["", "event"], ["Ann", "✓"]]}


def test_the_marks_of_the_trip_suite_say_what_their_cards_declare() -> None:
    lines = Path(str(suite.sample)).read_bytes().splitlines()[:5]

    assert (satisfaction_strict.card.members, voice_coverage.card.members) == ("wishes", "voice")
    for trip in (msgspec.json.decode(line, type=Trip) for line in lines):
        members = {member.id for member in trip.members}
        assert {mark.at for mark in voice_coverage(trip)} == members
        assert {mark.at.removesuffix(f": {mark.group}") for mark in satisfaction_strict(trip)} == members
