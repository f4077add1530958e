"""A judge behind a provider's own protocol, through pydantic-ai."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import structs

from adjudge.core.ask import Question
from adjudge.core.errors import BadInput
from adjudge.tools.judge.asking import always, answered
from adjudge.tools.judge.client import CONCURRENCY
from adjudge.tools.judge.crew import Crew
from adjudge.tools.judge.lane import Lane
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.protocols import Admit, Completion, Usage
from adjudge.tools.judge.trouble import Patience, Trouble, http_trouble, persist, redacted, secrets_in, shortened
from adjudge.tools.judge.wire import Message, Request, Said, Stop

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelAPIError
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings


class NativeJudge:
    """The judge of a spec whose model speaks through pydantic-ai: text in, text out, read by the same rules as any."""

    logprobs = False

    def __init__(
        self,
        spec: JudgeSpec,
        model: Model[Any],
        secrets: tuple[str, ...] = (),
        concurrency: int = CONCURRENCY,
        patience: Patience | None = None,
    ) -> None:
        self.spec = spec
        self.lane = Lane(concurrency)
        self.crew = Crew(self.lane, self.close)
        self._model = model
        self._secrets = secrets
        self._patience = patience or Patience()

    async def complete(self, question: Question[Any], admit: Admit = always) -> Completion:
        """The answer, or why there is none; `admit` is called just before anything is sent and may forbid it.

        The caller has a place in the lane.
        """
        return await answered(question, self, admit)

    async def say(self, request: Request) -> Said:
        """What the judge says; raises `Unanswered`."""
        return await persist(partial(self._attempt, request), self.lane, self._patience)

    def safe(self, text: str) -> str:
        """Text without any key that the environment holds."""
        return redacted(text, self._secrets)

    async def close(self) -> None:
        """Forget whom is waited for."""
        self.lane.reset()

    async def _attempt(self, request: Request) -> Said:
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import ContentFilterError, ModelAPIError, UnexpectedModelBehavior

        try:
            async with asyncio.timeout(self.spec.timeout):
                response = await model_request(
                    self._model, _messages(request.messages), model_settings=self._settings(request), instrument=False
                )
        except TimeoutError:
            raise Trouble("timeout", f"no reply within {self.spec.timeout:g} s", again=True) from None
        except ContentFilterError as error:
            raise Trouble("refusal", self._told(error)) from None
        except ModelAPIError as error:
            raise self._trouble(error) from None
        except UnexpectedModelBehavior as error:
            raise Trouble("provider_error", self._told(error), again=True) from None
        told = _said(response)
        return structs.replace(told, text=self.safe(told.text), why=self.safe(told.why))

    def _settings(self, request: Request) -> ModelSettings:
        longest = request.room * self.spec.max_tokens
        settings: ModelSettings = {"temperature": self.spec.temperature, "max_tokens": longest}
        # The one retry layer is ours; some models have no other and say so with a warning.
        if "max_retries" not in getattr(self._model, "unsupported_settings", ()):
            settings["max_retries"] = 0
        return settings

    def _trouble(self, error: ModelAPIError) -> Trouble:
        code = getattr(error, "status_code", None)
        if code is None:
            return Trouble("provider_error", self._told(error), again=True)
        return http_trouble(code, self.safe(str(error)), getattr(error, "retry_after", None))

    def _told(self, error: Exception) -> str:
        return shortened(self.safe(f"{type(error).__name__}: {error}"))


def native_judge(spec: JudgeSpec, environ: Mapping[str, str], concurrency: int = CONCURRENCY) -> NativeJudge:
    """The judge of a spec; raises BadInput if the package or the provider's library, or its key, is missing."""
    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
    except ImportError as error:
        raise BadInput(f"judge {spec.model!r}: needs pydantic-ai: pip install 'adjudge[providers]'") from error
    secrets = secrets_in(environ)
    try:
        model = infer_model(spec.model)
    except (UserError, ImportError, ValueError) as error:
        raise BadInput(f"judge {spec.model!r}: {redacted(str(error), secrets)}") from None
    return NativeJudge(spec, model, secrets, concurrency)


def _messages(messages: tuple[Message, ...]) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    system, *chat = messages
    return [
        ModelResponse([TextPart(message.content)])
        if message.role == "assistant"
        else ModelRequest([UserPromptPart(message.content)], instructions=system.content)
        for message in chat
    ]


def _said(response: ModelResponse) -> Said:
    from pydantic_ai.messages import TextPart

    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    usage = Usage(1, response.usage.input_tokens, response.usage.output_tokens)
    stop, why = _stop(response.finish_reason, text)
    return Said(text, stop, why, usage, response.model_name or "")


def _stop(reason: str | None, text: str) -> tuple[Stop, str]:
    if reason == "content_filter":
        return "refused", "the provider's content filter stopped the reply"
    if reason == "length":
        return "truncated", ""
    return ("done", "") if text.strip() else ("refused", "the reply is empty")
