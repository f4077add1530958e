"""What must hold in a scenario and needs no judge: tools that are called, and texts that are said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adjudge.core.conversation import Outcome
from adjudge.core.record import Turn
from adjudge.systems.team.data import ScenarioCase


class Check(NamedTuple):
    """A condition, whether it holds, and why not."""

    name: str
    holds: bool
    why: str


def check_all(case: ScenarioCase, turns: Sequence[Turn]) -> Iterator[Check]:
    """The checks of a scenario on the turns of a conversation."""
    calls = [turn for turn in turns if turn.kind == "call" and turn.call is not None]
    spoken = [turn for turn in turns if turn.kind == "speech" and turn.speaker in case.agents]
    for tool in case.calls:
        called = any(turn.call is not None and turn.call.name == tool for turn in calls)
        yield Check(f"calls {tool}", called, f"{tool} was never called")
    for tool in case.never_calls:
        wrong = [turn for turn in calls if turn.call is not None and turn.call.name == tool]
        yield Check(f"never calls {tool}", not wrong, f"{tool} was called{_turn_words(wrong)}")
    for text in case.says:
        yield Check(f"says {text!r}", bool(_turns_with(text, spoken)), f"no agent said {text!r}")
    for text in case.never_says:
        wrong = _turns_with(text, spoken)
        yield Check(f"never says {text!r}", not wrong, f"an agent said {text!r}{_turn_words(wrong)}")


def outcome_of(case: ScenarioCase, turns: Sequence[Turn]) -> Outcome | None:
    """The checks as the outcome of a conversation; None where the scenario has none."""
    checks = list(check_all(case, turns))
    if not checks:
        return None
    failed = [check.why for check in checks if not check.holds]
    return Outcome(
        reached=not failed,
        scores={check.name: float(check.holds) for check in checks},
        text="; ".join(failed) or "all checks hold",
    )


def _turns_with(text: str, turns: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in turns if text.casefold() in turn.text.casefold()]


def _turn_words(turns: Sequence[Turn]) -> str:
    return f" in turn {turns[0].id}" if turns else ""
