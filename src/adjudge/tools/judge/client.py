"""The judge that an answerer works with: a model, its concurrency limit, its retry policy and its thread."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.core.errors import Unanswered
from adjudge.tools.judge.endpoint import ChatEndpoint
from adjudge.tools.judge.exchange import Admit, ChatModel, Completion, Pace, QuestionExchange
from adjudge.tools.judge.models import NATIVE, JudgeSpec, api_key
from adjudge.tools.judge.wording import Inquiry, length_of
from adjudge.tools.limit import ConcurrencyLimit
from adjudge.tools.loop import EventLoopThread
from adjudge.tools.retry import RetryPolicy

CONCURRENCY = 32


def connect(spec: JudgeSpec, environ: Mapping[str, str], concurrency: int = CONCURRENCY) -> JudgeClient:
    """The judge of a spec, with its key from the environment; nothing is sent yet."""
    if spec.provider != NATIVE:
        return JudgeClient(ChatEndpoint(spec, api_key(spec, environ)), concurrency)
    from adjudge.tools.judge.native import open_native_model

    return JudgeClient(open_native_model(spec, environ), concurrency)


def always() -> bool:
    """Allow every request, as if there were no budget."""
    return True


class JudgeClient:
    """A model that is asked many questions at once, in the event loop of a thread that several answerers may share."""

    def __init__(self, model: ChatModel, concurrency: int = CONCURRENCY, retry: RetryPolicy | None = None) -> None:
        self.model = model
        self.limit = ConcurrencyLimit(concurrency)
        self.retry = retry or RetryPolicy()
        self.loop = EventLoopThread(self.limit, self.close)

    @property
    def spec(self) -> JudgeSpec:
        """Which judge it is and how it is asked."""
        return self.model.spec

    async def complete(self, question: Inquiry, admit: Admit = always) -> Completion:
        """The answer, or why there is none; `admit` is called just before each request and may forbid it.

        The caller holds a slot of the limit, as every job of the loop does.
        """
        size = length_of(question)
        most = self.spec.max_prompt_chars
        if size > most:
            why = f"the question has {size:,} characters; at most {most:,} are sent"
            return Completion(Unanswered("too_long", why))
        return await QuestionExchange(question, self.model, Pace(self.limit, self.retry), admit).complete()

    async def close(self) -> None:
        """End connections and forget who waits; the client can be used again afterwards."""
        self.limit.reset()
        await self.model.close()
