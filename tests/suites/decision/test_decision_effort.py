"""What decisions took."""

from __future__ import annotations

import pytest
from decision_records import by_place, decision, value
from msgspec import structs

from adjudge.suites.decision.data import (
    Effort,
    LogEntry,
)

AMOUNTS = {"time_to_consensus", "api_calls", "processing_time", "tokens_used", "cost"}


def test_efficiency_of_the_worked_example() -> None:
    decided = decision("a", effort=Effort(iterations=1, calls=4, seconds=12.4))
    actual = by_place("efficiency", decided)
    assert {name: round(term, 5) for name, term in actual.items()} == {
        "iterations": 0.5,
        "calls": 0.42857,
        "seconds": 0.28736,
    }
    assert value("efficiency", decided) == pytest.approx(0.40531, abs=5e-6)


LOG = (
    LogEntry("start", 100.0),
    LogEntry("iteration", 100.5),
    LogEntry("api_call", 101.0, 3.0, 120, 0.002),
    LogEntry("llm_call", 105.0, 2.5, 80, 0.001),
    LogEntry("api_call", 108.0, 1.0, 50, 0.0005),
    LogEntry("api_call", 110.0, 2.0, 50, 0.0005),
    LogEntry("end", 112.4),
)


def test_effort_is_counted_from_the_log() -> None:
    decided = decision("a", log=LOG)
    actual = {name: value(name, decided) for name in sorted(AMOUNTS)}
    expected = {"time_to_consensus": 1, "api_calls": 4, "processing_time": 12.4, "tokens_used": 300, "cost": 0.004}
    assert actual == pytest.approx(expected, abs=1e-9)
    assert value("efficiency", decided) == pytest.approx(0.40531, abs=5e-6)


def test_stated_effort_goes_before_the_log() -> None:
    decided = decision("a", log=LOG, effort=Effort(seconds=5.0))
    assert value("processing_time", decided) == 5.0
    assert value("api_calls", decided) == 4.0


def test_time_is_the_sum_of_the_calls_where_start_and_end_are_not_known() -> None:
    assert value("processing_time", decision("a", log=LOG[:-1])) == pytest.approx(8.5)


def test_dates_are_timestamps() -> None:
    log = (LogEntry("start", "2025-01-09T10:00:00Z"), LogEntry("end", "2025-01-09T11:00:12.5+01:00"))
    assert value("processing_time", decision("a", log=log)) == pytest.approx(12.5)


def test_amounts_that_some_calls_lack_are_not_known() -> None:
    decided = decision("a", log=(LogEntry("api_call", tokens=10, cost=0.1, duration=1.0), LogEntry("llm_call")))
    assert value("api_calls", decided) == 2.0
    assert [value(name, decided) for name in ("tokens_used", "cost", "processing_time")] == [None] * 3


@pytest.mark.parametrize("lacking", ["iterations", "calls", "seconds"])
def test_efficiency_is_undefined_unless_all_three_are_known(lacking: str) -> None:
    whole = Effort(iterations=1, calls=4, seconds=12.4)
    assert value("efficiency", decision("a", effort=structs.replace(whole, **{lacking: None}))) is None


def test_no_effort_at_all_is_most_efficient() -> None:
    assert value("efficiency", decision("a", effort=Effort(iterations=0, calls=0, seconds=0.0))) == 1.0


def test_effort_that_is_not_known_is_not_zero() -> None:
    for name in AMOUNTS:
        assert value(name, decision("a")) is None
