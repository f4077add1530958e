"""Which alternatives agents and groups prefer, and what was decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adjudge.suites.decision.data import ROUNDING, Assessment, Decision


def is_choice(decision: Decision) -> bool:
    """Whether there are at least two alternatives; with one, agreement says nothing."""
    return len(decision.scenario.alternatives) > 1


def decision_text(decision: Decision) -> str:
    """What was decided, in words."""
    if not decision.lottery:
        return repr(decision.recommended)
    return ", ".join(f"{name!r} ({share:.0%})" for name, share in decision.lottery.items())


def equal_shares(choices: Sequence[str]) -> dict[str, float]:
    """Equal shares for the chosen alternatives.

    >>> equal_shares(("a", "b"))
    {'a': 0.5, 'b': 0.5}
    """
    return dict.fromkeys(choices, 1 / len(choices)) if choices else {}


def votes(assessments: Iterable[Assessment]) -> dict[str, float]:
    """The votes for each alternative; an agent that prefers several splits its vote equally."""
    counts: dict[str, float] = {}
    for assessment in assessments:
        for name, share in equal_shares(assessment.choices).items():
            counts[name] = counts.get(name, 0.0) + share
    return counts


def leaders(counts: Mapping[str, float]) -> tuple[str, ...]:
    """The alternatives with the most votes; several in a tie."""
    most = max(counts.values(), default=0.0)
    return tuple(name for name, count in counts.items() if count >= most - ROUNDING)
