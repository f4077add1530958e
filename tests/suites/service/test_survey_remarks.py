"""What the coverage lines say of goals and bookings that are not known."""

from __future__ import annotations

from adjudge.suites.service.read.gold import Gold, GoldDialogue


def gold(goals: tuple[str, ...] | None = None, booked: tuple[str, ...] | None = None) -> Gold:
    gold = Gold(goals, booked is not None)
    gold.merge({id: GoldDialogue(3, has_bookings=id in (booked or ())) for id in ("a", "b")})
    return gold


def test_nothing_is_said_where_nobody_asks() -> None:
    assert gold().remarks() == []


def test_nothing_is_said_where_all_is_known() -> None:
    assert gold(goals=("a", "b"), booked=("a", "b")).remarks() == []


def test_unknown_bookings_are_said_with_what_follows() -> None:
    (remark,) = gold(booked=()).remarks()
    assert remark.startswith("bookings are known of 0 of 2 dialogues (--booked)")
    assert "success takes a booking reference as given" in remark


def test_goals_that_are_not_there_are_said() -> None:
    assert gold(goals=("a",)).remarks() == ["--goals has 1 of 2 dialogues"]
