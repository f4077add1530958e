"""A model behind a provider's own protocol, through pydantic-ai."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput, FailedAttempt
from adjudge.core.install import install_command
from adjudge.core.play import Tool
from adjudge.core.usage import Usage
from adjudge.tools.judge.chat import ChatMessage, ChatReply, ChatRequest, Stop
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.schema import schema_text
from adjudge.tools.transport import LONGEST_BODY, http_failure, redact, secrets_in, shorten

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelAPIError
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings


class NativeModel:
    """The model of a spec as pydantic-ai reaches it: text in, text out, parsed by the same rules as any."""

    has_logprobs = False

    def __init__(self, spec: JudgeSpec, model: Model[Any], secrets: tuple[str, ...] = ()) -> None:
        self.spec = spec
        self._model = model
        self._secrets = secrets

    async def send(self, request: ChatRequest) -> ChatReply:
        """The reply to a request; raises `FailedAttempt`."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import ContentFilterError, ModelAPIError, UnexpectedModelBehavior

        try:
            async with asyncio.timeout(self.spec.timeout):
                response = await model_request(
                    self._model,
                    _messages(request.messages),
                    model_settings=self._settings(request),
                    model_request_parameters=_parameters(request.tools),
                    instrument=False,
                )
        except TimeoutError:
            raise FailedAttempt("timeout", f"no reply within {self.spec.timeout:g} s", again=True) from None
        except ContentFilterError as error:
            raise FailedAttempt("refusal", self._describe(error)) from None
        except ModelAPIError as error:
            raise self._failure(error) from None
        except UnexpectedModelBehavior as error:
            raise FailedAttempt("provider_error", self._describe(error), again=True) from None
        reply = _read_response(response)
        if len(reply.text) > LONGEST_BODY:  # The provider's own library has read it; it goes no further.
            raise FailedAttempt("provider_error", f"the reply has more than {LONGEST_BODY:,} characters")
        return structs.replace(reply, text=self.redact(reply.text), why=self.redact(reply.why))

    def redact(self, text: str) -> str:
        """Text without any key that the environment holds."""
        return redact(text, self._secrets)

    async def close(self) -> None:
        """Nothing is to be closed: pydantic-ai looks after its connections."""

    def _settings(self, request: ChatRequest) -> ModelSettings:
        longest = request.room * self.spec.max_tokens
        settings: ModelSettings = {"temperature": request.temperature, "max_tokens": longest}
        # Retries are ours alone; models without retries of their own warn about the setting.
        if "max_retries" not in getattr(self._model, "unsupported_settings", ()):
            settings["max_retries"] = 0
        return settings

    def _failure(self, error: ModelAPIError) -> FailedAttempt:
        code = getattr(error, "status_code", None)
        if code is None:
            return FailedAttempt("provider_error", self._describe(error), again=True)
        return http_failure(code, self.redact(str(error)), getattr(error, "retry_after", None))

    def _describe(self, error: Exception) -> str:
        return shorten(self.redact(f"{type(error).__name__}: {error}"))


def open_native_model(spec: JudgeSpec, environ: Mapping[str, str]) -> NativeModel:
    """The model of a spec; raises BadInput if the package or the provider's library, or its key, is missing."""
    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
    except ImportError as error:
        raise BadInput(f"judge {spec.model!r}: needs pydantic-ai: {install_command('providers')}") from error
    secrets = secrets_in(environ)
    try:
        model = infer_model(spec.model)
    except (UserError, ImportError, ValueError) as error:
        raise BadInput(f"judge {spec.model!r}: {redact(str(error), secrets)}") from None
    return NativeModel(spec, model, secrets)


def _messages(messages: tuple[ChatMessage, ...]) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    instructions = "\n\n".join(message.content for message in messages if message.role == "system") or None
    return [
        ModelResponse([TextPart(message.content)])
        if message.role == "assistant"
        else ModelRequest([UserPromptPart(message.content)], instructions=instructions)
        for message in messages
        if message.role != "system"
    ]


def _parameters(tools: tuple[Tool, ...]) -> ModelRequestParameters | None:
    """The tools that the model may call; None where there are none."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    definitions = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=msgspec.json.decode(schema_text(tool.arguments)),
        )
        for tool in tools
    ]
    return ModelRequestParameters(function_tools=definitions) if definitions else None


def _read_response(response: ModelResponse) -> ChatReply:
    from pydantic_ai.messages import TextPart, ToolCallPart

    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = tuple(
        (part.tool_name, part.args_as_json_str()) for part in response.parts if isinstance(part, ToolCallPart)
    )
    usage = Usage(1, response.usage.input_tokens, response.usage.output_tokens)
    stop, why = _stop(response.finish_reason, text or "".join(name for name, _ in calls))
    return ChatReply(text, stop, why, usage, response.model_name or "", calls=calls)


def _stop(reason: str | None, text: str) -> tuple[Stop, str]:
    if reason == "content_filter":
        return "refused", "the provider's content filter stopped the reply"
    if reason == "length":
        return "truncated", ""
    return ("done", "") if text.strip() else ("refused", "the reply is empty")
