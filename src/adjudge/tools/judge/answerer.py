"""The judge as the engine sees it: it takes questions, gives replies as they are ready, and pays for each once."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from functools import partial
from threading import Condition
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Raw, Struct, structs

from adjudge.core.ask import Reply, YesNo
from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.usage import Usage
from adjudge.tools.budget import NOTHING
from adjudge.tools.cache import NOT_CACHED, Answers
from adjudge.tools.judge.client import JudgeClient
from adjudge.tools.judge.exchange import Completion
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.parsing import ParseMode
from adjudge.tools.judge.schema import decoder, schema_text
from adjudge.tools.judge.wording import Inquiry, content_of, frame_of, length_of
from adjudge.tools.transport import shorten

# A usual rule of thumb for English text.
CHARACTERS_A_TOKEN = 4
# Seconds to gather replies: waking the waiting thread for every single one costs more than the replies themselves.
GATHERING = 0.002
# Seconds until it is looked again whether another process has the answer, at first and at most.
FIRST_LOOK = 0.05
LONGEST_LOOK = 0.5
# The usage of a question that was sent and not answered: providers charge nothing, but it was a call.
FAILED = Usage(1, 0, 0, 0.0)


class Spending(Protocol):
    """What may be spent: each `take` that is granted is followed by exactly one `spend`, maybe of nothing."""

    def take(self, asker: str, estimate: Usage) -> bool:
        """Whether a question that will take about this much may be sent."""

    def spend(self, asker: str, usage: Usage) -> None:
        """Count what a question took."""


class KeptAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer as it is kept: its JSON, what it took, which model gave it, how it stood in the reply, and the time."""

    answer: Raw
    usage: Usage
    model: str
    parse_mode: ParseMode
    seconds: float


class _Request(NamedTuple):
    """A question on its way: who pays for it, and the key its answer is kept under."""

    question: Inquiry
    asker: str
    key: str


class JudgeAnswerer:
    """Answers questions through a judge, from the kept answers where they are there.

    `refresh` asks again what is kept, once; `replay` never asks: what is not kept stays unanswered. Several answerers
    may share one judge. `withheld` says why nothing of credentialed records is sent there; empty where it may be.
    """

    withheld = ""

    def __init__(
        self,
        client: JudgeClient,
        answers: Answers,
        budget: Spending,
        refresh: bool = False,
        replay: bool = False,
    ) -> None:
        self.client = client
        self.refresh = refresh
        self.replay = replay
        self._answers = answers
        self._budget = budget
        self._changed = Condition()
        self._ready: list[tuple[Inquiry, Reply]] = []
        self._in_flight: dict[str, list[Inquiry]] = {}
        self._gathered: list[tuple[str, Reply]] = []
        self._refreshed: set[str] = set()
        self._closed = False
        self._fatal: BadInput | None = None
        client.loop.attach()

    def separate(self) -> JudgeAnswerer:
        """Another answerer of the same judge, cache and budget, whose answers nobody else takes."""
        return JudgeAnswerer(self.client, self._answers, self._budget, self.refresh, self.replay)

    def ask(self, requests: Iterable[Inquiry], asker: str = "") -> None:
        """Take questions without waiting for their answers; `asker` names the metric that pays for them."""
        if self._closed:
            raise ValueError("the answerer is closed; expected no more questions")
        asked = [_Request(question, asker, cache_key(question, self.client.spec)) for question in requests]
        # Register first, then look up: an answer that comes in between would otherwise be missed and paid for again.
        new = self._register(asked)
        cached = self._lookup(new)
        self._deliver(list(cached.items()))
        missing = [request for request in new if request.key not in cached]
        if self.replay:
            self._deliver([(request.key, Reply(Unanswered("not_cached", NOT_CACHED))) for request in missing])
        elif missing:
            self.client.loop.submit([partial(self._answer, request) for request in missing])

    def wait(self) -> list[tuple[Inquiry, Reply]]:
        """Wait for at least one reply and take all that are ready; nothing once the answerer is closed.

        Raises BadInput when answers can no longer be kept.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ready or self._closed or self._fatal)
            if self._fatal is not None:
                raise self._fatal
            ready, self._ready = self._ready, []
            return ready

    def close(self) -> None:
        """Give up what is in flight and end every `wait`."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        self.client.loop.detach()

    def _register(self, asked: list[_Request]) -> list[_Request]:
        """Those questions that nobody has asked yet; the others join the ones that are on their way."""
        new = []
        with self._changed:
            for request in asked:
                if request.key not in self._in_flight:
                    self._in_flight[request.key] = []
                    new.append(request)
                self._in_flight[request.key].append(request.question)
        return new

    def _lookup(self, asked: list[_Request]) -> dict[str, Reply]:
        """The kept answers, by key."""
        wanted = {
            request.key: request.question for request in asked if not self.refresh or request.key in self._refreshed
        }
        if not wanted:
            return {}
        kept = self._answers.get(list(wanted))
        replies = {key: _decode_kept(value, wanted[key]) for key, value in kept.items() if key in wanted}
        return {key: reply for key, reply in replies.items() if reply is not None}

    async def _answer(self, request: _Request) -> None:
        """Answer one question, whatever happens; once the answerer is closed, nobody waits for it."""
        if self._closed or self._fatal is not None:
            return
        try:
            reply = await self._ask_judge(request)
        except BadInput as error:  # The cache cannot keep answers, so no more are paid for.
            with self._changed:
                self._fatal = error
                self._changed.notify_all()
            return
        except Exception as error:
            why = f"the judge failed: {type(error).__name__}: {error}"
            reply = Reply(Unanswered("error", shorten(self.client.model.redact(why))))
        if not self._gathered:
            asyncio.get_running_loop().call_later(GATHERING, self._deliver_gathered)
        self._gathered.append((request.key, reply))

    async def _ask_judge(self, request: _Request) -> Reply:
        kept = None if self.refresh else await self._claim(request)
        return kept or await self._pay(request)

    async def _claim(self, request: _Request) -> Reply | None:
        """Wait until no other process asks the same; the answer, where another process has got it meanwhile."""
        wait = FIRST_LOOK
        while not self._closed:
            outcome = await self._answers.claims.acquire(request.key)
            kept = {} if outcome == "new" else self._lookup([request])
            if kept and outcome == "own":
                self._answers.claims.release(request.key)
            if kept or outcome != "taken":
                return kept.get(request.key)
            await self.client.limit.pause(wait)
            wait = min(2 * wait, LONGEST_LOOK)
        return None

    async def _pay(self, request: _Request) -> Reply:
        """Ask the judge and keep its answer; without one, other processes may ask."""
        admission = _Admission(self._budget, request.asker, estimate_usage(request.question, self.client.spec))
        usage = FAILED  # Whoever is interrupted here may have sent the question.
        try:
            completion = await self.client.complete(request.question, admission)
            if completion.usage.calls or not completion.attempts:
                usage = completion.usage
        finally:
            admission.settle(usage)
        if isinstance(completion.answer, Unanswered) or completion.partial:
            self._answers.claims.release(request.key)
        else:
            self._answers.put(request.key, _encode_kept(completion))
        return completion

    def _deliver_gathered(self) -> None:
        gathered, self._gathered = self._gathered, []
        self._refreshed.update(key for key, reply in gathered if not isinstance(reply.answer, Unanswered))
        self._deliver(gathered)

    def _deliver(self, replies: list[tuple[str, Reply]]) -> None:
        """Make the replies ready for everybody who asked for them."""
        with self._changed:
            for key, reply in replies:
                self._ready += [(question, _with_own_type(reply, question)) for question in self._in_flight.pop(key)]
            if replies:
                self._changed.notify_all()


class _Admission:
    """The permissions of the budget for the requests about one question."""

    def __init__(self, budget: Spending, asker: str, expected: Usage) -> None:
        self.budget = budget
        self.asker = asker
        self.expected = expected
        self.granted = 0

    def __call__(self) -> bool:
        granted = self.budget.take(self.asker, self.expected)
        self.granted += granted
        return granted

    def settle(self, usage: Usage) -> None:
        """Count what all requests took together."""
        for number in range(self.granted):
            self.budget.spend(self.asker, NOTHING if number else usage)


def cache_key(question: Inquiry, spec: JudgeSpec) -> str:
    """The key under which an answer is kept: a hash of all that the answer depends on."""
    mode = "text" if question.answer is str else "logprobs" if _is_one_word(question, spec) else "json"
    temperature = spec.temperature if question.temperature is None else question.temperature
    judge = (spec.provider, spec.url, spec.model, temperature)
    asked = (*judge, *content_of(question), schema_text(question.answer), mode, question.draw, frame_of(question))
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()


def estimate_usage(question: Inquiry, spec: JudgeSpec) -> Usage:
    """About what a question will take: one call, the tokens of its text, and the longest reply there can be."""
    size = length_of(question) + len(frame_of(question)) + len(schema_text(question.answer))
    longest = 1 if _is_one_word(question, spec) else spec.max_tokens
    return Usage(1, size // CHARACTERS_A_TOKEN + 1, longest)


def _is_one_word(question: Inquiry, spec: JudgeSpec) -> bool:
    return question.answer is YesNo and spec.logprobs


_KEPT = msgspec.json.Decoder(KeptAnswer)


def _encode_kept(completion: Completion) -> bytes:
    answer = Raw(msgspec.json.encode(completion.answer))
    kept = KeptAnswer(answer, completion.usage, completion.model, completion.parse_mode, completion.seconds)
    return msgspec.json.encode(kept)


def _decode_kept(value: bytes, question: Inquiry) -> Reply | None:
    """The kept answer; None if it cannot be decoded, so that the question is asked again."""
    try:
        kept = _KEPT.decode(value)
        answer = decoder(question.answer).decode(kept.answer)
    except msgspec.DecodeError:
        return None
    return Reply(answer, cached=True, model=kept.model, first_usage=kept.usage, first_seconds=kept.seconds)


def _with_own_type(reply: Reply, question: Inquiry) -> Reply:
    """The reply with an answer of the question's own type: types of the same schema share their answers."""
    if isinstance(reply.answer, Unanswered | question.answer):
        return reply
    return structs.replace(reply, answer=decoder(question.answer).decode(msgspec.json.encode(reply.answer)))
