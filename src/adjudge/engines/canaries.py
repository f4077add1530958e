"""Canaries: how a judge answers questions with a known answer, asked before scoring begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from adjudge.core.ask import Answerer, Question
from adjudge.core.canary import Canary
from adjudge.core.errors import Unanswered
from adjudge.core.panel import Panel, PanelMember

# The field in which a judge thinks before it decides.
REASONING = "reasoning"


def ask_canaries(canaries: Sequence[Canary], judge: object) -> dict[str, str]:
    """The outcome of each canary, by judge: "passed", or what was expected and found."""
    return {
        f"{canary.name} ({label})" if label else canary.name: _describe(canary, answer)
        for label, member in _members(judge).items()
        for canary, answer in zip(canaries, _answers(canaries, member), strict=True)
        if not _has_no_label(answer)
    }


def _has_no_label(answer: object) -> bool:
    """Whether the judge is a file of human labels, which has no labels for canaries."""
    return isinstance(answer, Unanswered) and answer.status == "no_label"


def _members(judge: object) -> dict[str, PanelMember]:
    if isinstance(judge, Panel):
        return dict(judge.members)
    return {"": PanelMember(judge)} if isinstance(judge, Answerer) else {}


def _answers(canaries: Sequence[Canary], member: PanelMember) -> list[object]:
    questions = [member.own(canary.question) for canary in canaries]
    member.answerer.ask(questions, "canaries")
    answers: dict[Question[Any], object] = {}
    while len(answers) < len(set(questions)):
        answers.update({question: reply.answer for question, reply in member.answerer.wait()})
    return [answers[question] for question in questions]


def _describe(canary: Canary, answer: object) -> str:
    if isinstance(answer, Unanswered):
        return f"no answer ({answer.status})"
    return "passed" if canary.passes(answer) else f"failed: expected {canary.expected}, found {in_words(answer)}"[:300]


def in_words(value: object) -> str:
    """An answer as people read it: names of fields and values, without the judge's reasoning.

    >>> from adjudge.core.ask import Entailment
    >>> in_words(Entailment("entail", 0.5))
    'relation entail, confidence 0.5'
    """
    if isinstance(value, Struct):
        fields = ((name, getattr(value, name)) for name in value.__struct_fields__ if name != REASONING)
        return ", ".join(f"{name.replace('_', ' ')} {in_words(part)}" for name, part in fields)
    if isinstance(value, list | tuple):
        return "; ".join(map(in_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, int | float) else "none" if value is None else str(value)
