"""The judge as the engine sees it: it takes questions, gives replies as they are ready, and pays for each once."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Iterable
from functools import partial
from threading import Condition
from typing import NamedTuple

import msgspec

from adjudge.core.ask import Reply, YesNo
from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.usage import Usage
from adjudge.tools.cache import NOT_CACHED, Answers
from adjudge.tools.judge.admission import Admission, Spending
from adjudge.tools.judge.client import JudgeClient
from adjudge.tools.judge.kept import decode_kept, encode_kept, with_own_type
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.schema import schema_text
from adjudge.tools.judge.wording import Inquiry, content_of, frame_of, length_of
from adjudge.tools.transport import shorten

# A usual rule of thumb for English text.
CHARACTERS_A_TOKEN = 4
# Seconds to gather replies: waking the waiting thread for every single one costs more than the replies themselves.
GATHERING = 0.001
# Seconds until it is looked again whether another process has the answer, at first and at most.
FIRST_LOOK = 0.05
LONGEST_LOOK = 0.5
# Questions that are prepared at a time while the event loop does nothing else.
PORTION = 64
# The usage of a question that was sent and not answered: providers charge nothing, but it was a call.
FAILED = Usage(1, 0, 0, 0.0)


class _Asked(NamedTuple):
    """A question as it was asked, and who pays for it."""

    question: Inquiry
    asker: str


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
        # Requests that wait for a slot; questions that are prepared when few of those are left.
        self._queued = 0
        self._deferred: deque[_Asked] = deque()
        self._is_preparing = False
        self._closed = False
        self._fatal: Exception | None = None
        client.loop.attach()

    def separate(self) -> JudgeAnswerer:
        """Another answerer of the same judge, cache and budget, whose answers nobody else takes."""
        return JudgeAnswerer(self.client, self._answers, self._budget, self.refresh, self.replay)

    def ask(self, requests: Iterable[Inquiry], asker: str = "") -> None:
        """Take questions without waiting for their answers; `asker` names the metric that pays for them."""
        if self._closed:
            raise ValueError("the answerer is closed; expected no more questions")
        asked = [_Asked(question, asker) for question in requests]
        with self._changed:
            if self._queued >= self.client.limit.most:
                self._deferred += asked
                return
        self._prepare(asked)

    def wait(self) -> list[tuple[Inquiry, Reply]]:
        """Wait for at least one reply and take all that are ready; nothing once the answerer is closed.

        Raises BadInput when answers can no longer be kept, and what a question that was put off raises.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ready or self._closed or self._fatal)
            if self._fatal is not None:
                raise self._fatal
            ready, self._ready = self._ready, []
            return ready

    def close(self) -> None:
        """Abandon open requests and end every `wait`."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
            unanswered = list(self._in_flight)
        self.client.loop.detach()
        self._answers.claims.withdraw(unanswered)

    def _prepare(self, asked: Iterable[_Asked]) -> None:
        """Answer questions from the cache, and have the others sent as slots become free."""
        requests = [_Request(each.question, each.asker, cache_key(each.question, self.client.spec)) for each in asked]
        # Register first, then look up: an answer that comes in between would otherwise be missed and paid for again.
        new = self._register(requests)
        cached = self._lookup(new)
        self._deliver(list(cached.items()))
        missing = [request for request in new if request.key not in cached]
        if self.replay:
            self._deliver([(request.key, Reply(Unanswered("not_cached", NOT_CACHED))) for request in missing])
        elif missing:
            self._submit(missing)

    def _submit(self, requests: list[_Request]) -> None:
        if not self.refresh:
            self._answers.claims.expect([request.key for request in requests], self.client.limit.most)
        with self._changed:
            self._queued += len(requests)
        self.client.loop.submit([partial(self._answer, request) for request in requests])

    def _start_preparing(self) -> None:
        """Prepare questions that were put off if there will soon be slots for them."""
        with self._changed:
            is_due = self._deferred and 2 * self._queued < self.client.limit.most and not self._is_preparing
            self._is_preparing |= bool(is_due)
        if is_due:
            asyncio.get_running_loop().call_soon(self._prepare_deferred)

    def _prepare_deferred(self) -> None:
        with self._changed:
            portion = [self._deferred.popleft() for _ in range(min(PORTION, len(self._deferred)))]
            self._is_preparing = False
        try:
            self._prepare(portion)
        except Exception as error:  # Whoever waits is told, as if it were asked without being put off.
            self._fail(error)
        else:
            self._start_preparing()

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
        replies = {key: decode_kept(value, wanted[key]) for key, value in kept.items() if key in wanted}
        return {key: reply for key, reply in replies.items() if reply is not None}

    async def _answer(self, request: _Request) -> None:
        """Answer one question, whatever happens; once the answerer is closed, nobody waits for it."""
        with self._changed:
            self._queued -= 1
        if self._closed or self._fatal is not None:
            return
        self._start_preparing()
        try:
            reply = await self._ask_judge(request)
        except BadInput as error:  # The cache cannot keep answers, so no more are paid for.
            self._fail(error)
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
        admission = Admission(self._budget, request.asker, estimate_usage(request.question, self.client.spec))
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
            self._answers.put(request.key, encode_kept(completion))
        return completion

    def _fail(self, error: Exception) -> None:
        with self._changed:
            self._fatal = error
            self._changed.notify_all()

    def _deliver_gathered(self) -> None:
        gathered, self._gathered = self._gathered, []
        self._refreshed.update(key for key, reply in gathered if not isinstance(reply.answer, Unanswered))
        self._deliver(gathered)

    def _deliver(self, replies: list[tuple[str, Reply]]) -> None:
        """Make the replies ready for everybody who asked for them."""
        with self._changed:
            for key, reply in replies:
                self._ready += [(question, with_own_type(reply, question)) for question in self._in_flight.pop(key)]
            if replies:
                self._changed.notify_all()


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
