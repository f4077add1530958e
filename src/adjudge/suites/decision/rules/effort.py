"""The effort of a decision, as stated or from its execution log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from adjudge.suites.decision.data import Decision, Effort, LogEntry

# The types of log entry that count as a call to a model.
CALLS = ("api_call", "llm_call")

Amount = TypeVar("Amount", int, float)


def effort_of(decision: Decision) -> Effort:
    """The effort of a decision: each amount as stated, or else from the execution log."""
    stated = decision.effort or Effort()
    logged = logged_effort(decision.log)
    return Effort(
        iterations=logged.iterations if stated.iterations is None else stated.iterations,
        calls=logged.calls if stated.calls is None else stated.calls,
        seconds=logged.seconds if stated.seconds is None else stated.seconds,
        tokens=logged.tokens if stated.tokens is None else stated.tokens,
        cost=logged.cost if stated.cost is None else stated.cost,
    )


def logged_effort(log: Sequence[LogEntry]) -> Effort:
    """The effort in an execution log: iterations and calls counted, time from start to end, tokens and cost summed.

    Without timestamps of both start and end, the time is the sum of the calls' durations. A sum is None unless every
    call states its part. A count of 0 is None: the log does not record such entries.

    >>> logged_effort((LogEntry("iteration"), LogEntry("api_call", duration=1.5), LogEntry("llm_call", duration=0.5)))
    Effort(iterations=1, calls=2, seconds=2.0, tokens=None, cost=None)
    """
    if not log:
        return Effort()
    calls = [entry for entry in log if entry.type in CALLS]
    return Effort(
        iterations=sum(entry.type == "iteration" for entry in log) or None,
        calls=len(calls) or None,
        seconds=_elapsed_seconds(log, calls),
        tokens=_total([entry.tokens for entry in calls]),
        cost=_total([entry.cost for entry in calls]),
    )


def _elapsed_seconds(log: Sequence[LogEntry], calls: Sequence[LogEntry]) -> float | None:
    start = next((moment(entry.timestamp) for entry in log if entry.type == "start"), None)
    end = next((moment(entry.timestamp) for entry in reversed(log) if entry.type == "end"), None)
    if start is not None and end is not None and end >= start:
        return end - start
    return _total([entry.duration for entry in calls])


def moment(timestamp: float | str | None) -> float | None:
    """A timestamp in seconds: a number, or ISO 8601; None where it is neither.

    >>> moment("2025-01-09T10:00:01+00:00") - moment("2025-01-09T10:00:00+00:00"), moment("soon")
    (1.0, None)
    """
    if not isinstance(timestamp, str):
        return timestamp
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except ValueError:
        return None


def _total(amounts: Sequence[Amount | None]) -> Amount | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known and len(known) == len(amounts) else None
