"""What the tests of the judge share: an answer type, a client that retries quickly, kept answers, a budget."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from adjudge.core.ask import Question
from adjudge.core.usage import Usage
from adjudge.tools.claims import Outcome
from adjudge.tools.judge.answerer import JudgeAnswerer
from adjudge.tools.judge.client import JudgeClient
from adjudge.tools.judge.endpoint import ChatEndpoint
from adjudge.tools.judge.exchange import Completion
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.retry import RetryPolicy

KEY = "sk-planted-0123456789"
QUICK = RetryPolicy(first_wait=0.01, longest_wait=0.05)


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    reasoning: str
    score: Annotated[int, Meta(ge=1, le=5)]


def verdict(score: object = 4, reasoning: str = "fine") -> str:
    return json.dumps({"reasoning": reasoning, "score": score})


def question(material: str = '{"reply": "Hello"}', prompt: str = "How good is the reply?") -> Question[Verdict]:
    return Question(prompt, Verdict, material)


def client_of(url: str, concurrency: int = 32, retry: RetryPolicy = QUICK, **settings: Any) -> JudgeClient:
    spec = JudgeSpec(
        provider="openai", model="small", url=url, key_name="OPENAI_API_KEY", **{"timeout": 5.0, **settings}
    )
    return JudgeClient(ChatEndpoint(spec, KEY), concurrency, retry)


def complete_all(client: JudgeClient, *questions: Question[Any]) -> list[Completion]:
    async def complete(asked: Question[Any]) -> Completion:
        async with client.limit:
            return await client.complete(asked)

    async def run() -> list[Completion]:
        try:
            return await asyncio.gather(*map(complete, questions))
        finally:
            await client.close()

    return asyncio.run(run())


def answer(client: JudgeClient, asked: Question[Any] | None = None) -> Any:
    return complete_all(client, asked or question())[0].answer


class NoClaims:
    """Grants every claim, as where nobody else uses the cache."""

    async def acquire(self, key: str) -> Outcome:
        return "own"

    def expect(self, keys: Sequence[str], most: int) -> None:
        pass

    def release(self, key: str) -> None:
        pass

    def withdraw(self, keys: Iterable[str]) -> None:
        pass


class Shelf:
    """Answers kept in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.claims = NoClaims()

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        return {key: self.kept[key] for key in keys if key in self.kept}

    def put(self, key: str, value: bytes) -> None:
        self.kept[key] = value


class Purse:
    """A budget of calls."""

    def __init__(self, calls: int = 1_000_000) -> None:
        self.left = calls
        self.calls: Counter[str] = Counter()
        self.spent = Usage()

    def take(self, asker: str, estimate: Usage) -> bool:
        self.left -= estimate.calls
        return self.left >= 0

    def spend(self, asker: str, usage: Usage) -> None:
        self.calls[asker] += usage.calls
        self.spent += usage


def answers_to(answerer: JudgeAnswerer, questions: Iterable[Question[Any]], asker: str = "") -> list[tuple[Any, Any]]:
    """All answers, in the order they came."""
    asked = list(questions)
    answerer.ask(asked, asker)
    answers: list[tuple[Any, Any]] = []
    while len(answers) < len(asked):
        answers += [(question, reply.answer) for question, reply in answerer.wait()]
    return answers
