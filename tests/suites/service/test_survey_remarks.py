"""What the coverage lines say of goals and bookings that are not known."""

from __future__ import annotations

from adjudge.suites.service.read.survey import Gold


def gold(**counts: int) -> Gold:
    gold = Gold()
    gold.turns = {"a": 3, "b": 2}
    for name, count in counts.items():
        setattr(gold, name, count)
    return gold


def test_nothing_is_said_where_nobody_asks() -> None:
    assert gold().remarks() == []


def test_nothing_is_said_where_all_is_known() -> None:
    assert gold(goals=2, booked=2).remarks() == []


def test_unknown_bookings_are_said_with_what_follows() -> None:
    (remark,) = gold(booked=0).remarks()
    assert remark.startswith("bookings are known of 0 of 2 dialogues (--booked)")
    assert "success takes a booking reference as given" in remark


def test_goals_that_are_not_there_are_said() -> None:
    assert gold(goals=1).remarks() == ["--goals has 1 of 2 dialogues"]
