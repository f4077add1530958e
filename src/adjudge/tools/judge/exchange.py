"""The exchange with a model about one question: ask, parse, ask once more if that can help, and count the usage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any, NamedTuple, Protocol

from msgspec import Struct, structs

from adjudge.core.ask import Question, Reply, YesNo
from adjudge.core.errors import FailedAttempt, MalformedReply, Unanswered
from adjudge.core.play import Prompt
from adjudge.core.usage import Usage
from adjudge.tools.judge.chat import ChatReply, ChatRequest, share_of_yes
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.parsing import ParsedAnswer, ParseMode, parse_parts, parse_reply, refuses
from adjudge.tools.judge.people import unlabelled_answer
from adjudge.tools.judge.tool_calls import read_calls
from adjudge.tools.judge.wording import (
    TOOLS_AGAIN,
    Inquiry,
    follow_up,
    object_request,
    text_request,
    tools_request,
    word_request,
)
from adjudge.tools.limit import ConcurrencyLimit
from adjudge.tools.retry import RetryPolicy, with_retries
from adjudge.tools.transport import shorten

# A reply that was cut off is asked for again with this many times the room.
MORE_ROOM = 4

Admit = Callable[[], bool]


class ChatModel(Protocol):
    """A model that replies to one request at a time, however it is reached; it parses nothing and retries nothing."""

    @property
    def spec(self) -> JudgeSpec:
        """Which model it is and how it is asked."""

    @property
    def has_logprobs(self) -> bool:
        """Whether it gives the probabilities of yes and no, as far as is known."""

    async def send(self, request: ChatRequest) -> ChatReply:
        """The reply to a request; raises `FailedAttempt`."""

    def redact(self, text: str) -> str:
        """Text without keys, fit to be shown and kept."""

    async def close(self) -> None:
        """End connections; the model can be used again afterwards, in the same or another event loop."""


class Completion(Reply, frozen=True):
    """A reply with how the answer stood in the model's text."""

    parse_mode: ParseMode = "plain"


class YesOrNo(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a yes/no question where a server gives no probabilities: the reasoning first."""

    reasoning: str
    yes: bool


class Pace(NamedTuple):
    """How many requests are sent at once, and when a failed one is sent again."""

    limit: ConcurrencyLimit
    retry: RetryPolicy


class QuestionExchange:
    """The requests and replies about one question; the caller holds a slot of the limit.

    `admit` is called before each request and may forbid it.
    """

    def __init__(self, question: Inquiry, model: ChatModel, pace: Pace, admit: Admit) -> None:
        self.question = question
        self.model = model
        self.pace = pace
        self.admit = admit
        self.temperature = model.spec.temperature if question.temperature is None else question.temperature
        self.usage = Usage()
        self.failures = 0
        self.answered_by = ""
        self.started = monotonic()

    async def complete(self) -> Completion:
        """How the question ends; a failure is an answer too, so what it took is never lost."""
        try:
            parsed = await self._answer()
        except Unanswered as failure:
            parsed = ParsedAnswer(failure, "plain")
        return Completion(
            parsed.answer,
            self.usage,
            monotonic() - self.started,
            attempts=self.usage.calls + self.failures,
            model=self.answered_by,
            parse_mode=parsed.mode,
            partial=parsed.partial,
        )

    async def _answer(self) -> ParsedAnswer:
        if self.question.answer is YesNo:
            return await self._yes_no_answer()
        if self.question.answer is str:
            return ParsedAnswer(await self._text(text_request(self.question, self.temperature)), "plain")
        if isinstance(self.question, Prompt) and self.question.tools:
            return await self._tool_answer(self.question)
        return await self._typed_answer(self.question.answer)

    async def _yes_no_answer(self) -> ParsedAnswer:
        if self.model.has_logprobs:
            reply = await self._send(word_request(self.question, self.temperature))
            if reply.stop == "refused":
                raise Unanswered("refusal", shorten(reply.why))
            yes = share_of_yes(reply.words)
            if yes is not None:
                return ParsedAnswer(YesNo(yes), "logprobs")
        parsed = await self._typed_answer(YesOrNo)
        return ParsedAnswer(YesNo(float(parsed.answer.yes)), parsed.mode)

    async def _typed_answer(self, answer: type[Any]) -> ParsedAnswer:
        request = object_request(self.question, answer, self.temperature)
        text = await self._text(request)
        try:
            return parse_reply(text, answer)
        except MalformedReply as fault:
            first = parse_parts(text, answer)
            text = await self._text(follow_up(request, text, fault.why))
        try:
            return parse_reply(text, answer)
        except MalformedReply as fault:
            if (usable := self._partial_answer(answer, [first, parse_parts(text, answer)])) is not None:
                return usable
            if refuses(text):
                raise Unanswered("refusal", shorten(text)) from None
            why = f"two replies could not be used; the second: {shorten(fault.why)}"
            raise Unanswered("parse_error", why) from None

    def _partial_answer(self, answer: type[Any], replies: Sequence[Mapping[str, Any] | None]) -> ParsedAnswer | None:
        """The good parts of the replies, with `NO_LABEL` in place of the others.

        None if no reply has the right parts, or if the metric does not say what they are about.
        """
        if not isinstance(self.question, Question) or not any(reply is not None for reply in replies):
            return None
        parts = {name: part for reply in replies for name, part in (reply or {}).items()}
        about = self.question.about
        missing = [name for name in answer.__struct_fields__ if name not in parts]
        if not all(any(each.field.startswith(f"{name}.") for each in about) for name in missing):
            return None
        empty = unlabelled_answer(self.question)
        gaps = {name: getattr(empty, name) for name in missing}
        return ParsedAnswer(answer(**{**parts, **gaps}), "plain", partial=bool(missing))

    async def _tool_answer(self, prompt: Prompt[Any]) -> ParsedAnswer:
        request = tools_request(prompt, self.temperature)
        reply = await self._reply(request)
        try:
            return ParsedAnswer(read_calls(reply.text, reply.calls, prompt.tools), "plain")
        except MalformedReply as fault:
            reply = await self._reply(follow_up(request, reply.text, fault.why, TOOLS_AGAIN))
        try:
            return ParsedAnswer(read_calls(reply.text, reply.calls, prompt.tools), "plain")
        except MalformedReply as fault:
            raise Unanswered(
                "parse_error", f"two replies could not be used; the second: {shorten(fault.why)}"
            ) from None

    async def _text(self, request: ChatRequest) -> str:
        return (await self._reply(request)).text

    async def _reply(self, request: ChatRequest) -> ChatReply:
        """A reply that is whole and no refusal."""
        reply = await self._send(request)
        if reply.stop == "truncated":
            reply = await self._send(structs.replace(request, room=MORE_ROOM))
        if reply.stop == "truncated":
            most = MORE_ROOM * self.model.spec.max_tokens
            raise Unanswered("truncated", f"the reply was cut off at {most:,} tokens; --max-tokens gives it more room")
        if reply.stop == "refused":
            raise Unanswered("refusal", shorten(reply.why))
        return reply

    async def _send(self, request: ChatRequest) -> ChatReply:
        if not self.admit():
            raise Unanswered("over_budget", "the budget is spent")
        reply = await with_retries(partial(self._attempt, request), self.pace.limit, self.pace.retry)
        self.usage += reply.usage
        self.answered_by = reply.model or self.answered_by
        return reply

    async def _attempt(self, request: ChatRequest) -> ChatReply:
        try:
            return await self.model.send(request)
        except FailedAttempt as failure:
            self.failures += failure.sent
            raise
