"""Two conversations side by side: turns aligned, words and marks that differ."""

from __future__ import annotations

import json
from typing import Any

import pytest
from example_run import CARDS
from msgspec import structs
from serving import Served

from adjudge.core.card import Better
from adjudge.report.page.verdict import verdict
from adjudge.run import RECORDS, SCORES
from adjudge.web.talk.alignment import align, compare_words
from adjudge.web.talk.diff import MarkChange
from browser import read


def turns(*texts: str) -> list[dict[str, Any]]:
    """Turns written as "speaker: text"."""
    return [dict(zip(("speaker", "text"), text.split(": "), strict=True)) for text in texts]


def words(pairs: list[Any]) -> list[tuple[str, str]]:
    return [tuple(turn["text"] if turn else "-" for turn in pair) for pair in pairs]  # type: ignore[misc]


def test_equal_turns_are_anchors_and_the_others_are_paired_by_speaker() -> None:
    first = turns("u: hotel", "s: which area", "u: west", "s: booked")
    second = turns("u: hotel", "s: how many stars", "u: four", "s: which area", "u: west", "s: no room")
    assert words(align(first, second)) == [
        ("hotel", "hotel"),
        ("-", "how many stars"),
        ("-", "four"),
        ("which area", "which area"),
        ("west", "west"),
        ("booked", "no room"),
    ]


def test_a_side_without_turns_leaves_gaps() -> None:
    assert words(align(turns("u: hello"), [])) == [("hello", "-")]
    assert align([], []) == []


def test_marked_words_are_those_of_one_side_only_without_blanks_at_their_ends() -> None:
    a, b = compare_words("Forno does good pizza.", "Try Forno, pizza.")
    assert "".join(text for text, _ in a) == "Forno does good pizza."
    assert [text for text, only in a if only] == ["does good"]
    assert "".join(text for text, _ in b) == "Try Forno, pizza."
    assert next(text for text, only in b if only) == "Try"


@pytest.mark.parametrize(
    ("better", "a", "b", "kind"),
    [
        ("higher", 0.5, 0.75, "better"),
        ("higher", 0.75, 0.5, "wrong"),
        ("lower", 0.5, 0.75, "wrong"),
        ("lower", 3.0, 1.0, "better"),
        ("neither", 0.5, 0.75, "neutral"),
        ("higher", None, 0.0, "wrong"),
        ("higher", None, 1.0, "better"),
    ],
)
def test_a_mark_that_differs_is_better_or_worse_by_its_value(
    better: Better, a: float | None, b: float, kind: str
) -> None:
    card = structs.replace(CARDS["success"], better=better)
    verdicts = [None if value is None else verdict(value, card) for value in (a, b)]
    assert MarkChange("success", "", a, b, *verdicts, "", "", better).kind == kind


def test_the_page_marks_the_first_difference_and_lists_flips(served: Served) -> None:
    run = served.run("small").removeprefix("/run/")
    page = read(served.page(f"/diff/{run}/0/{run}/1").encode())
    assert page.id("first").text == "First difference: what the record holds in turn 0"
    assert "c0: b is worse in all 3 metrics that differ" in page.text
    assert [mark.text for mark in page.all("mark", "only")] == ["west", "east"]
    flips = [flip.text for flip in page.all("li", "flip")]
    assert any("joint_goal_accuracy" in flip and "gold west" in flip for flip in flips)


def test_cases_that_are_equal_say_so(served: Served) -> None:
    run = served.run("small").removeprefix("/run/")
    page = read(served.page(f"/diff/{run}/2/{run}/3").encode())
    assert "a and b have the same values" in page.text
    assert not list(page.all("li", "first"))


def test_the_comparison_lists_the_cases_that_differ_and_leads_to_them(served: Served) -> None:
    run = served.run("small")
    page = read(served.page(f"{run}/differences").encode())
    links = {link.text: link.attributes["href"] for link in page.all("a", "go")}
    short = run.removeprefix("/run/")
    assert links == {f"c{case}": f"/diff/{short}/{2 * case}/{short}/{2 * case + 1}#first" for case in (0, 2, 4)}
    narrowed = read(served.page(f"{run}/differences?metric=success").encode())
    assert len(list(narrowed.all("a", "go"))) == 3


def test_a_run_without_conversations_says_so(served: Served) -> None:
    for name in (RECORDS, SCORES):
        (served.root / "small" / name).write_bytes(b"")
    assert "The run keeps no conversations." in served.page(f"{served.run('small')}/differences")
    assert "No conversation yet." in served.page(f"{served.run('small')}/conversations")
    served.page(f"{served.run('small')}/label")


def test_runs_are_compared_with_each_other(served: Served) -> None:
    from serving import serving, small_run

    small_run(served.root / "again")
    with serving(served.root) as both:
        ids = [both.run(name).removeprefix("/run/") for name in ("small", "again")]
        page = read(both.page(f"/compare?run={ids[0]}&run={ids[1]}&a=0&b=3").encode())
        assert "b in again against a in small" in page.text
        assert len(list(page.all("a", "go"))) == 3
        assert both.ask("/compare")[0].status == 404
        assert both.ask("/compare?run=nothing")[0].status == 404


def test_a_record_without_turns_is_said_once(served: Served) -> None:
    path = served.root / "small" / RECORDS
    records = [json.loads(line) for line in path.read_text().splitlines()]
    records[1]["turns"] = []
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    run = served.run("small").removeprefix("/run/")
    page = read(served.page(f"/diff/{run}/0/{run}/1").encode())
    assert page.text.count("The record of b has no turns.") == 1
    assert "says nothing here" not in page.text
