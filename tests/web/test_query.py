"""Filters and orders of the list of conversations; the address holds them all."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
from serving import small_run

from adjudge.run import RECORDS, read_manifest
from adjudge.web.address import Choice, Condition, ListState, parse_state
from adjudge.web.index import open_index
from adjudge.web.query import in_order, select
from adjudge.web.search import search

WRONG = ["c0 b", "c2 b", "c4 b"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_run(tmp_path / "run")


def names(folder: Path, query: str) -> list[str]:
    """The conversations that an address shows, by case and arm."""
    state, cards = parse_state(parse_qsl(query, keep_blank_values=True)), read_manifest(folder).cards
    with open_index(folder, cards) as index:
        places = in_order(index, np.flatnonzero(select(index, state, cards)), state.sort)
        return [f"{line.case} {line.arm}" for line in index.list_conversations(places.tolist())]


def test_without_filters_all_are_shown_in_their_order(folder: Path) -> None:
    assert names(folder, "")[:3] == ["c0 a", "c0 b", "c1 a"]
    assert len(names(folder, "")) == 12


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("when=joint_goal_accuracy:below:1", WRONG),
        ("when=joint_goal_accuracy:wrong", WRONG),
        ("when=hallucination:above:0.2", WRONG),
        ("when=hallucination:wrong&case=c2", ["c2 b"]),
        ("when=success:undefined", ["c1 a", "c1 b"]),
        ("when=intent_accuracy:skipped&arm=a&case=c1,c3", ["c1 a", "c3 a"]),
        ("when=success:differs&arm=a", ["c0 a", "c2 a", "c4 a"]),
        ("arm=b&facet.field=odd", ["c1 b", "c3 b", "c5 b"]),
        ("group=hotel&case=c5*", ["c5 a", "c5 b"]),
        ("who=system&case=c5", ["c5 a", "c5 b"]),
        ("who=nobody", []),
        ("case=*4&arm=b", ["c4 b"]),
        ("when=no_such_metric:below:1", []),
    ],
)
def test_filters(folder: Path, query: str, expected: list[str]) -> None:
    assert names(folder, query) == expected


def test_sorting_puts_what_has_no_value_last_in_both_directions(folder: Path) -> None:
    up, down = names(folder, "sort=success"), names(folder, "sort=-success")
    assert up[:3] == WRONG
    assert down[:3] == ["c0 a", "c2 a", "c3 a"]
    assert up[-2:] == down[-2:] == ["c1 a", "c1 b"]
    assert names(folder, "sort=-case")[:2] == ["c5 b", "c5 a"]
    assert names(folder, "sort=-arm")[0] == "c0 b"
    assert names(folder, "sort=-wrong")[:3] == WRONG


def test_an_address_says_what_it_was_made_of() -> None:
    state = ListState(
        conditions=(Condition("a:b", "below", 0.5), Condition("c", "undefined")),
        choices=(Choice("arm", "x & y"), Choice("facet.lang", "é=?")),
        case="s0*",
        text="50 % off",
        sort="-a:b",
        page=3,
    )
    assert parse_state(parse_qsl(state.query()[1:])) == state
    assert ListState().query() == ""


@pytest.mark.parametrize("query", ["page=-1", "page=x", "page=²", "when=x", "when=a:below:nan1", "is=below", "than=3"])
def test_an_address_that_makes_no_sense_asks_for_nothing(query: str) -> None:
    assert parse_state(parse_qsl(query)) == ListState()


def test_search_finds_words_of_turns_only(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "other", texts=('Grüße, "quoted" text\nhere', "No."))
    wanted = np.ones(12, dtype=bool)

    def hits(text: str) -> list[int]:
        return [place for place, _ in search(folder / RECORDS, text, wanted)]

    assert hits('"QUOTED" text\nhere') == list(range(12))
    assert hits("grüsse") == hits("GRÜẞE") == list(range(12))
    assert hits("in the east") == [1, 5, 9]
    assert hits("speaker") == hits("customer") == []
    assert [place for place, _ in search(folder / RECORDS, "east", wanted[:5])] == [1]
