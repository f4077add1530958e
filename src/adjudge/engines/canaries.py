"""Canaries: how a judge meets questions with a known answer, before it is believed about others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from adjudge.core.ask import Answerer
from adjudge.core.canary import Canary
from adjudge.core.errors import Unanswered
from adjudge.draws import Panel


def sing(canaries: Sequence[Canary], judge: object) -> dict[str, str]:
    """How a judge, or each of a panel, meets questions with a known answer: "passed", or what it said instead."""
    members = judge.members if isinstance(judge, Panel) else {"": judge}
    return {
        f"{canary.name} ({label})" if label else canary.name: _sung(canary, answer)
        for label, member in members.items()
        if isinstance(member, Answerer)
        for canary, answer in _answered(canaries, member)
    }


def _answered(canaries: Sequence[Canary], judge: Answerer) -> list[tuple[Canary, object]]:
    judge.ask([canary.question for canary in canaries], "canaries")
    answers: dict[Hashable, object] = {}
    while len(answers) < len({canary.question for canary in canaries}):
        answers.update({question: reply.answer for question, reply in judge.wait()})
    return [(canary, answers[canary.question]) for canary in canaries]


def _sung(canary: Canary, answer: object) -> str:
    if isinstance(answer, Unanswered):
        return f"no answer ({answer.status})"
    return "passed" if canary.passes(answer) else f"failed: expected {canary.expected}, found {answer}"[:300]
