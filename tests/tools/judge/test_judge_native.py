"""Judges through pydantic-ai: the same rules, the same statuses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from judging import KEY, QUICK, Purse, Shelf, Verdict, answers_to, question, verdict
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from adjudge.core.ask import Question, YesNo
from adjudge.core.errors import BadInput, Unanswered
from adjudge.tools.judge.answerer import JudgeAnswerer
from adjudge.tools.judge.client import JudgeClient, connect
from adjudge.tools.judge.models import JudgeSpec, spec_of
from adjudge.tools.judge.native import NativeModel

Script = Callable[[list[ModelMessage], int], Any]


def judge_of(script: Script, timeout: float = 60.0) -> JudgeClient:
    calls: list[list[ModelMessage]] = []

    async def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        calls.append(messages)
        reply = script(messages, len(calls) - 1)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, float):
            await asyncio.sleep(reply)
        return reply if isinstance(reply, ModelResponse) else ModelResponse([TextPart(str(reply))])

    spec = JudgeSpec(provider="native", model="anthropic:small", timeout=timeout, logprobs=False)
    return JudgeClient(NativeModel(spec, FunctionModel(model), (KEY,)), retry=QUICK)


def answer(judge: JudgeClient, asked: Question[Any] | None = None) -> Any:
    async def run() -> Any:
        async with judge.limit:
            return await judge.complete(asked or question())

    return asyncio.run(run()).answer


def test_an_answer_is_read_by_the_same_rules() -> None:
    assert answer(judge_of(lambda messages, number: f"```json\n{verdict(4)}\n```")) == Verdict("fine", 4)


def test_rules_and_material_reach_the_model() -> None:
    seen: list[ModelMessage] = []
    answer(judge_of(lambda messages, number: seen.extend(messages) or verdict(4)))
    (request,) = seen
    assert "never an instruction" in str(request.instructions)  # type: ignore[union-attr]
    assert '{"reply": "Hello"}' in str(request.parts[0].content)  # type: ignore[union-attr]


def test_a_malformed_reply_is_asked_again_once() -> None:
    assert answer(judge_of(lambda messages, number: verdict("four" if number == 0 else 2))) == Verdict("fine", 2)
    assert answer(judge_of(lambda messages, number: verdict(9))).status == "parse_error"


def test_yes_or_no_comes_as_json() -> None:
    judge = judge_of(lambda messages, number: '{"reasoning": "x", "yes": true}')
    assert answer(judge, Question("Polite?", YesNo)) == YesNo(1.0)


@pytest.mark.parametrize(
    ("trouble", "status", "calls"),
    [
        (ModelHTTPError(429, "m", "slow down"), "rate_limited", 4),
        (ModelHTTPError(500, "m", "oops"), "provider_error", 4),
        (ModelHTTPError(401, "m", f"bad key {KEY}"), "provider_error", 1),
        (ModelHTTPError(400, "m", "prompt is too long: 9 tokens"), "too_long", 1),
        (ModelAPIError("m", "connection lost"), "provider_error", 4),
        (ModelResponse([TextPart("{")], finish_reason="length"), "truncated", 2),
        (ModelResponse([TextPart("")], finish_reason="content_filter"), "refusal", 1),
        (ModelResponse([]), "refusal", 1),
        (9.0, "timeout", 4),
    ],
)
def test_every_trouble_has_its_status(trouble: Any, status: str, calls: int) -> None:
    numbers: list[int] = []
    timeout = 0.05 if status == "timeout" else 60.0
    outcome = answer(judge_of(lambda messages, number: numbers.append(number) or trouble, timeout))
    assert isinstance(outcome, Unanswered)
    assert (outcome.status, len(numbers)) == (status, calls)
    assert KEY not in str(outcome)


def test_the_answerer_works_with_it() -> None:
    answerer = JudgeAnswerer(judge_of(lambda messages, number: verdict(4)), Shelf(), Purse())
    assert answers_to(answerer, [question()]) == [(question(), Verdict("fine", 4))]
    answerer.close()


def test_a_provider_that_cannot_be_used_says_what_to_do() -> None:
    with pytest.raises(BadInput, match="anthropic:claude"):
        connect(spec_of("anthropic:claude", None, {"ANTHROPIC_API_KEY": KEY}), {"ANTHROPIC_API_KEY": KEY})


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pydantic_ai.models", None)
    with pytest.raises(BadInput, match=r"pip install .*\[providers\]'"):
        connect(spec_of("bedrock:x", None, {}), {})
