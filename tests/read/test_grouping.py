"""Rows that belong together: in order, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.read.grouping import RowGrouping

Given = tuple[str, str]
REFUSED = "refused"


def group(rows: Iterable[Given], warnings: Warnings | None = None) -> list[tuple[str, str, tuple[str, ...]]]:
    """The groups of rows that are given as place and key; a row is its place."""
    grouping = RowGrouping[str](warnings or Warnings(), lambda complaint: None)
    groups = []
    for where, key in rows:
        if key == REFUSED:
            grouping.refuse(Complaint(where, "broken"))
        else:
            groups += grouping.take(where, (key,), where)
    return [(each.key[0], each.where, each.rows) for each in [*groups, *grouping.finish()]]


def test_rows_of_one_key_are_one_group() -> None:
    assert group([("a:2", "x"), ("a:3", "x"), ("a:4", "y")]) == [("x", "a:2", ("a:2", "a:3")), ("y", "a:4", ("a:4",))]


def test_the_same_key_in_another_file_is_another_group() -> None:
    assert [rows for *_, rows in group([("a:2", "x"), ("b:2", "x")])] == [("a:2",), ("b:2",)]


def test_a_refused_row_spoils_the_group_around_it_alone() -> None:
    warnings = Warnings()
    rows = [("a:2", "x"), ("a:3", "y"), ("a:4", REFUSED), ("a:5", "y"), ("a:6", "z")]
    assert [key for key, *_ in group(rows, warnings)] == ["x", "z"]
    assert warnings.counts == {"spoiled": 1}


def test_a_refused_row_between_two_groups_spoils_both() -> None:
    rows = [("a:2", "x"), ("a:3", REFUSED), ("a:4", "y"), ("a:5", "z")]
    assert [key for key, *_ in group(rows)] == ["z"]


def test_a_refused_row_spoils_no_group_of_another_file() -> None:
    assert [key for key, *_ in group([("a:2", "x"), ("b:2", REFUSED)])] == ["x"]


def test_a_group_that_goes_on_further_down_is_refused() -> None:
    with pytest.raises(BadInput, match="a:4: rows of 'x' already occur above"):
        group([("a:2", "x"), ("a:3", "y"), ("a:4", "x")])


def test_a_refused_row_is_raised_if_nobody_collects_complaints() -> None:
    with pytest.raises(BadRecord, match="a:2: broken"):
        RowGrouping[str](Warnings(), None).refuse(Complaint("a:2", "broken"))
