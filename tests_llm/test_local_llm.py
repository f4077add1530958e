"""The protocol with a real model: typed JSON and logprobs over HTTP. Not collected by plain `pytest`."""

# ruff: noqa: D101, D103
from __future__ import annotations

import json
import math
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from adjudge.core.ask import Question, YesNo
from adjudge.tools.budget import Budget
from adjudge.tools.cache import Answers
from adjudge.tools.judge.answerer import JudgeAnswerer
from adjudge.tools.judge.client import connect
from adjudge.tools.judge.models import spec_of


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    reasoning: Annotated[str, Meta(max_length=200)]
    score: Annotated[int, Meta(ge=1, le=5)]


SCHEMA = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": 120},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
    },
    "required": ["reasoning", "score"],
    "additionalProperties": False,
}


def complete(url: str, prompt: str, **settings: Any) -> dict[str, Any]:
    body = {"model": "smollm2", "temperature": 0, "messages": [{"role": "user", "content": prompt}], **settings}
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as reply:
        answer: dict[str, Any] = json.load(reply)
    return answer


def test_a_schema_is_kept_to(url: str) -> None:
    prompt = "How polite is this reply, from 1 to 5? 'Certainly, I have booked the table for you.'"
    form = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA}}
    answer = complete(url, prompt, max_tokens=300, response_format=form)
    assert answer["choices"][0]["finish_reason"] == "stop"
    verdict = msgspec.json.decode(answer["choices"][0]["message"]["content"], type=Verdict)
    assert 1 <= verdict.score <= 5
    assert answer["usage"]["prompt_tokens"] > 0
    assert answer["usage"]["completion_tokens"] > 0


def test_the_first_token_comes_with_logprobs(url: str) -> None:
    prompt = "Is Paris in France? Answer with one word, Yes or No."
    answer = complete(url, prompt, max_tokens=1, logprobs=True, top_logprobs=20)
    tops = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    chances = {top["token"]: math.exp(top["logprob"]) for top in tops}
    assert {"Yes", "No"} <= set(chances)
    assert 0 < sum(chances.values()) <= 1.001


def test_a_reply_that_is_too_long_says_so(url: str) -> None:
    answer = complete(url, "Tell a long story.", max_tokens=5)
    assert answer["choices"][0]["finish_reason"] == "length"


def test_requests_in_parallel_all_get_their_answer(url: str) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA}}
    prompts = [f"Rate the number {number} from 1 to 5." for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda prompt: complete(url, prompt, max_tokens=300, response_format=form), prompts))
    for answer in answers:
        msgspec.json.decode(answer["choices"][0]["message"]["content"], type=Verdict)


def answers_through(url: str, path: Path, questions: list[Question[Any]], replay: bool = False) -> dict[Any, object]:
    """Ask as the engine does, with the cache and the budget of a run."""
    budget = Budget(10, None)
    with Answers(path) as kept:
        judge = JudgeAnswerer(connect(spec_of("smollm2", url, {}), {}), kept, budget, replay=replay)
        try:
            judge.ask(questions, "politeness")
            answers: dict[Any, object] = {}
            while len(answers) < len(questions):
                answers.update({question: reply.answer for question, reply in judge.wait()})
        finally:
            judge.close()
    assert (budget.total().calls == 0) is replay
    return answers


def test_the_judge_gives_typed_answers_and_keeps_them(url: str, tmp_path: Path) -> None:
    material = json.dumps([{"agent": "Certainly, I have booked the table for you."}])
    questions: list[Question[Any]] = [
        Question("How polite is the agent, from 1 to 5? Reason briefly.", Verdict, material),
        Question("Is the agent polite?", YesNo, material),
        Question("Thank the agent in one short sentence.", str, material),
    ]
    answers = answers_through(url, tmp_path / "answers.sqlite", questions)
    verdict, yes, words = (answers[question] for question in questions)
    assert isinstance(verdict, Verdict)
    assert isinstance(yes, YesNo)
    assert 0 <= yes.yes <= 1
    assert isinstance(words, str)
    assert words.strip()
    assert answers_through(url, tmp_path / "answers.sqlite", questions, replay=True) == answers
