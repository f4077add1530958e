"""The judge as the engine sees it: questions go in, answers come out as they are ready, each paid for once."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable
from functools import partial
from threading import Condition
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw, Struct, structs

from adjudge.core.ask import Question, Reply, YesNo
from adjudge.core.errors import BadInput, Unanswered
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.parse import decoder
from adjudge.tools.judge.protocols import Answers, Budget, Completion, Judging, ParseMode, Usage
from adjudge.tools.judge.trouble import shortened
from adjudge.tools.judge.wire import ONE_OBJECT, ONE_WORD, RULES, schema_text

NOT_KEPT = "not in the cache and --replay forbids asking"
CHARACTERS_A_TOKEN = 4
# Waking the waiting thread for every single answer costs more than the answers themselves.
GATHERING = 0.002
# A question that was sent and brought nothing back: providers charge nothing for it, but it was a call.
FAILED = Usage(1, 0, 0, 0.0)


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer as it is kept: its JSON, what it took, which model gave it, how it stood in the reply, and the time."""

    answer: Raw
    usage: Usage
    model: str
    parse_mode: ParseMode
    seconds: float


class _Asked(NamedTuple):
    """A question on its way: who pays for it and the key its answer is kept under."""

    question: Question[Any]
    asker: str
    key: str


class JudgeAnswerer:
    """Answers questions through a judge, from the kept answers where they are there.

    `sample` numbers the answer among several to the same question. `refresh` asks again what is kept, once;
    `replay` never asks: what is not kept stays unanswered. Several answerers may share one judge. `withheld` says why
    nothing of credentialed records is sent there; empty where it may be.
    """

    withheld = ""

    def __init__(
        self,
        client: Judging,
        answers: Answers,
        budget: Budget,
        sample: int = 0,
        refresh: bool = False,
        replay: bool = False,
    ) -> None:
        self.client = client
        self.sample = sample
        self.refresh = refresh
        self.replay = replay
        self._answers = answers
        self._budget = budget
        self._news = Condition()
        self._ready: list[tuple[Question[Any], Reply]] = []
        self._flying: dict[str, list[Question[Any]]] = {}
        self._landed: list[tuple[str, Reply]] = []
        self._fresh: set[str] = set()
        self._closed = False
        self._fatal: BadInput | None = None
        client.crew.join()

    def twin(self) -> JudgeAnswerer:
        """Another answerer of the same judge, cache and budget, whose answers nobody else takes."""
        return JudgeAnswerer(self.client, self._answers, self._budget, self.sample, self.refresh, self.replay)

    def ask(self, requests: Iterable[Question[Any]], asker: str = "") -> None:
        """Take questions without waiting for their answers; `asker` names the metric that pays for them."""
        if self._closed:
            raise ValueError("the answerer is closed; expected no more questions")
        asked = [_Asked(question, asker, key_of(question, self.client.spec, self.sample)) for question in requests]
        # Boarded before it is looked up: an answer that lands in between would be missed by both and paid again.
        new = self._board(asked)
        kept = self._kept(new)
        self._arrive(list(kept.items()))
        missing = [each for each in new if each.key not in kept]
        if self.replay:
            self._arrive([(each.key, Reply(Unanswered("not_cached", NOT_KEPT))) for each in missing])
        elif missing:
            self.client.crew.start([partial(self._answer, each) for each in missing])

    def wait(self) -> list[tuple[Question[Any], Reply]]:
        """Wait for at least one answer and take all that are ready; nothing once the answerer is closed.

        Raises BadInput when answers can no longer be kept.
        """
        with self._news:
            self._news.wait_for(lambda: self._ready or self._closed or self._fatal)
            if self._fatal is not None:
                raise self._fatal
            ready, self._ready = self._ready, []
            return ready

    def close(self) -> None:
        """Give up what is in flight and wake whoever waits."""
        with self._news:
            if self._closed:
                return
            self._closed = True
            self._news.notify_all()
        self.client.crew.leave()

    def _kept(self, asked: list[_Asked]) -> dict[str, Reply]:
        """The answers that are kept, by key."""
        wanted = {each.key: each.question for each in asked if not self.refresh or each.key in self._fresh}
        if not wanted:
            return {}
        found = self._answers.get(list(wanted))
        replies = {key: _read(value, wanted[key]) for key, value in found.items() if key in wanted}
        return {key: reply for key, reply in replies.items() if reply is not None}

    def _board(self, asked: list[_Asked]) -> list[_Asked]:
        """Those questions that nobody has asked yet; the others join the ones that are on their way."""
        new = []
        with self._news:
            for each in asked:
                if each.key not in self._flying:
                    self._flying[each.key] = []
                    new.append(each)
                self._flying[each.key].append(each.question)
        return new

    async def _answer(self, asked: _Asked) -> None:
        """Have one question answered, whatever happens; nobody waits for it any more once the answerer is closed."""
        if self._closed or self._fatal is not None:
            return
        try:
            reply = await self._paid(asked)
        except BadInput as error:  # The cache cannot keep answers: nothing more is to be paid for.
            with self._news:
                self._fatal = error
                self._news.notify_all()
            return
        except Exception as error:
            why = f"the judge failed: {type(error).__name__}: {error}"
            reply = Reply(Unanswered("error", shortened(self.client.safe(why))))
        if not self._landed:
            asyncio.get_running_loop().call_later(GATHERING, self._land)
        self._landed.append((asked.key, reply))

    def _land(self) -> None:
        """Hand over the answers that came in lately."""
        landed, self._landed = self._landed, []
        self._fresh.update(key for key, reply in landed if not isinstance(reply.answer, Unanswered))
        self._arrive(landed)

    async def _paid(self, asked: _Asked) -> Reply:
        if not self.refresh and (meanwhile := self._kept([asked])):
            return meanwhile[asked.key]  # Another process has asked the same while this one waited.
        admission = _Admission(self._budget, asked.asker, estimate(asked.question, self.client.spec))
        completion = Completion(None)
        try:
            completion = await self.client.complete(asked.question, admission)
        finally:
            admission.settle(completion.usage)
        if not isinstance(completion.answer, Unanswered):
            self._answers.put(asked.key, _written(completion))
        usage = completion.usage
        return Reply(completion.answer, usage, completion.seconds, attempts=usage.calls, model=completion.model)

    def _arrive(self, landed: list[tuple[str, Reply]]) -> None:
        """Have the answers ready for everybody who asked for them."""
        with self._news:
            for key, reply in landed:
                self._ready += [(question, _of_type(reply, question)) for question in self._flying.pop(key)]
            if landed:
                self._news.notify_all()


class _Admission:
    """The leave of the budget to send one question."""

    def __init__(self, budget: Budget, asker: str, expected: Usage) -> None:
        self.budget = budget
        self.asker = asker
        self.expected = expected
        self.granted = False

    def __call__(self) -> bool:
        self.granted = self.budget.take(self.asker, self.expected)
        return self.granted

    def settle(self, usage: Usage) -> None:
        if self.granted:
            self.budget.spend(self.asker, usage if usage.calls else FAILED)


def key_of(question: Question[Any], spec: JudgeSpec, sample: int = 0) -> str:
    """The key under which an answer is kept: a hash of all that the answer depends on."""
    mode = "logprobs" if question.answer is YesNo and spec.logprobs else "json"
    temperature = spec.temperature if question.temperature is None else question.temperature
    judge = (spec.provider, spec.url, spec.model, temperature)
    asked = (question.prompt, question.material, schema_text(question.answer))
    return hashlib.sha256(msgspec.json.encode((*judge, *asked, mode, sample + question.draw, _FRAME))).hexdigest()


def estimate(question: Question[Any], spec: JudgeSpec) -> Usage:
    """About what a question will take: one call, the tokens of its text, and the longest reply there can be."""
    frame = len(_FRAME) + len(schema_text(question.answer))
    size = len(question.prompt) + len(question.material) + frame
    longest = 1 if question.answer is YesNo and spec.logprobs else spec.max_tokens
    return Usage(1, size // CHARACTERS_A_TOKEN + 1, longest)


_FRAME = RULES + ONE_WORD + ONE_OBJECT
_KEPT = msgspec.json.Decoder(Kept)


def _written(completion: Completion) -> bytes:
    answer = Raw(msgspec.json.encode(completion.answer))
    kept = Kept(answer, completion.usage, completion.model, completion.parse_mode, completion.seconds)
    return msgspec.json.encode(kept)


def _read(value: bytes, question: Question[Any]) -> Reply | None:
    """The kept answer; None if what is kept cannot be read, so that the question is asked again."""
    try:
        kept = _KEPT.decode(value)
        answer = decoder(question.answer).decode(kept.answer)
    except msgspec.DecodeError:
        return None
    return Reply(answer, cached=True, model=kept.model)


def _of_type(reply: Reply, question: Question[Any]) -> Reply:
    """The reply with an answer of the question's own type: types of the same schema share their answers."""
    if isinstance(reply.answer, Unanswered | question.answer):
        return reply
    return structs.replace(reply, answer=decoder(question.answer).decode(msgspec.json.encode(reply.answer)))
