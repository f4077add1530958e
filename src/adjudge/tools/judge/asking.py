"""A question's way to its answer: asked, read, asked once more if that helps, and what that took."""

from __future__ import annotations

from time import monotonic
from typing import Any, Protocol

from msgspec import Struct, structs

from adjudge.core.ask import Question, YesNo
from adjudge.core.errors import Unanswered
from adjudge.tools.judge.lane import Lane
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.parse import Malformed, Parsed, read, refuses
from adjudge.tools.judge.protocols import Admit, Completion, Usage
from adjudge.tools.judge.trouble import shortened
from adjudge.tools.judge.wire import Request, Said, again, one_object, one_word, share_of_yes

# How many times as long a reply may be when the question is asked again because it was cut off.
ROOMIER = 4


class Speaker(Protocol):
    """A judge that a request can be said to."""

    @property
    def spec(self) -> JudgeSpec:
        """Which judge it is and how it is asked."""

    @property
    def lane(self) -> Lane:
        """The places for questions that are with the judge."""

    @property
    def logprobs(self) -> bool:
        """Whether it tells the probabilities of yes and no, as far as is known."""

    async def say(self, request: Request) -> Said:
        """What it says; raises `Unanswered`. The caller has a place in the lane."""


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a yes/no question where a server tells no probabilities: the reasoning first."""

    reasoning: str
    yes: bool


def always() -> bool:
    """Let every question be sent."""
    return True


async def answered(question: Question[Any], speaker: Speaker, admit: Admit = always) -> Completion:
    """How the question ends; a failure is an answer too, so what it took is never lost.

    The caller has a place in the speaker's lane.
    """
    size = len(question.prompt) + len(question.material)
    most = speaker.spec.max_prompt_chars
    if size > most:
        return Completion(Unanswered("too_long", f"the question has {size:,} characters; at most {most:,} are sent"))
    if not admit():
        return Completion(Unanswered("over_budget", "the budget is spent"))
    return await _Talk(question, speaker).completion()


class _Talk:
    """The requests and replies about one question."""

    def __init__(self, question: Question[Any], speaker: Speaker) -> None:
        self.question = question
        self.speaker = speaker
        self.usage = Usage()
        self.model = ""
        self.started = monotonic()

    async def completion(self) -> Completion:
        try:
            parsed = await (self._yes_no() if self.question.answer is YesNo else self._typed(self.question.answer))
        except Unanswered as failure:
            parsed = Parsed(failure, "plain")
        seconds = monotonic() - self.started
        return Completion(parsed.answer, self.usage, self.model, parsed.mode, seconds)

    async def _yes_no(self) -> Parsed:
        if self.speaker.logprobs:
            said = await self._say(one_word(self.question))
            if said.stop == "refused":
                raise Unanswered("refusal", shortened(said.why))
            yes = share_of_yes(said.words)
            if yes is not None:
                return Parsed(YesNo(yes), "logprobs")
        parsed = await self._typed(Verdict)
        return Parsed(YesNo(float(parsed.answer.yes)), parsed.mode)

    async def _typed(self, answer: type[Any]) -> Parsed:
        request = one_object(self.question, answer)
        text = await self._text(request)
        try:
            return read(text, answer)
        except Malformed as fault:
            text = await self._text(again(request, text, fault.why))
        try:
            return read(text, answer)
        except Malformed as fault:
            if refuses(text):
                raise Unanswered("refusal", shortened(text)) from None
            why = f"two replies could not be used; the second: {shortened(fault.why)}"
            raise Unanswered("parse_error", why) from None

    async def _text(self, request: Request) -> str:
        said = await self._say(request)
        if said.stop == "truncated":
            said = await self._say(structs.replace(request, room=ROOMIER))
        if said.stop == "truncated":
            most = ROOMIER * self.speaker.spec.max_tokens
            raise Unanswered("truncated", f"the reply was cut off at {most:,} tokens; --max-tokens gives it more room")
        if said.stop == "refused":
            raise Unanswered("refusal", shortened(said.why))
        return said.text

    async def _say(self, request: Request) -> Said:
        said = await self.speaker.say(request)
        self.usage += said.usage
        self.model = said.model or self.model
        return said
