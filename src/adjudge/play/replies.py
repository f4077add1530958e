"""The replies within a step of a conversation: who asked for each, and what it took."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from adjudge.core.ask import Reply
from adjudge.core.errors import Unanswered
from adjudge.core.play import Prompt, Spent
from adjudge.play.own import OwnTurn


@dataclass(frozen=True)
class AnsweredRequest:
    """A request that was answered or failed within a step: who asked which model or system, and the reply."""

    participant: str
    part: str
    model: str
    request: Prompt[Any] | OwnTurn
    reply: Reply

    @property
    def took(self) -> Spent:
        """What the answer took when it was first asked."""
        return spent_on(self.reply)


def spent_on(reply: Reply) -> Spent:
    """What an answer took when it was first asked. The cost of a user's own system is unknown."""
    usage, seconds = (reply.first_usage, reply.first_seconds) if reply.cached else (reply.usage, reply.seconds)
    is_answer = not isinstance(reply.answer, Unanswered)
    cost = usage.cost if usage.calls or is_answer else 0.0
    return Spent(int(is_answer), usage.input_tokens, usage.output_tokens, round(seconds, 6), cost)


def pay_once(answered: Iterable[AnsweredRequest]) -> list[AnsweredRequest]:
    """The answers of a step; where several asked the same, the first one pays."""
    paid: set[Hashable] = set()
    result = []
    for each in answered:
        asked = (each.model, each.request)
        result.append(replace(each, reply=each.reply.as_cached()) if asked in paid else each)
        paid.add(asked)
    return result
