"""The OpenAI chat protocol: the body of a request, and what a reply says."""

from __future__ import annotations

import re
from math import ceil, exp
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct, structs

from adjudge.core.ask import YesNo
from adjudge.core.errors import FailedAttempt
from adjudge.core.play import Tool
from adjudge.core.usage import Usage
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.schema import per_type, schema_text
from adjudge.tools.judge.tool_calls import describe_tools
from adjudge.tools.transport import http_failure, shorten

# The most that the OpenAI protocol gives.
TOP_LOGPROBS = 20
# A count of tokens or a cost of this size is an error of the server.
LARGEST_AMOUNT = 1e12
# Below this share of yes and no among all first words, the judge was about to say something else.
LEAST_SHARE = 0.1

Format = Literal["json_schema", "json_object", "none"]
Stop = Literal["done", "truncated", "refused"]


class ChatMessage(Struct, frozen=True):
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


class ChatRequest(Struct, frozen=True):
    """What is sent to a model: the chat so far and the type of the answer.

    The type is a struct for one JSON object, `YesNo` for the single word yes or no with its probability, or `str` for
    plain text. `room` is how many times the usual length the reply may have. `session` names the conversation that a
    server under test takes part in.
    """

    messages: tuple[ChatMessage, ...]
    answer: type[Any]
    temperature: float = 0.0
    room: int = 1
    session: tuple[tuple[str, str], ...] = ()
    tools: tuple[Tool, ...] = ()


class Word(Struct, frozen=True):
    """A word that a reply could have begun with, and the logarithm of its probability."""

    token: str
    logprob: float


class ChatReply(Struct, frozen=True):
    """What a model replies: the text, how it ended (`why` if it was refused), its usage, and which model it was.

    `words` are the words it could have begun with, most probable first; empty where the server does not give them.
    `calls` are the tools that it calls, each with its arguments as JSON.
    """

    text: str
    stop: Stop = "done"
    why: str = ""
    usage: Usage = Usage(1)
    model: str = ""
    words: tuple[Word, ...] = ()
    calls: tuple[tuple[str, str], ...] = ()


class Dialect(Struct, frozen=True):
    """What a server supports of the protocol; its complaints tell."""

    format: Format = "json_schema"
    logprobs: bool = True
    temperature: bool = True
    tokens: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    metadata: bool = True

    def without(self, complaint: str) -> Dialect | None:
        """The next simpler dialect after a complaint of the server; None if it is about something else."""
        # "unknown field response_format", "json_schema is not supported", "structured outputs need another model"
        if self.format != "none" and re.search(r"response.?format|json.?schema|structured output", complaint, re.I):
            return structs.replace(self, format="json_object" if self.format == "json_schema" else "none")
        if self.tokens == "max_tokens" and "max_completion_tokens" in complaint:
            return structs.replace(self, tokens="max_completion_tokens")
        if self.logprobs and "logprobs" in complaint:
            return structs.replace(self, logprobs=False)
        if self.temperature and "temperature" in complaint:
            return structs.replace(self, temperature=False)
        if self.metadata and "metadata" in complaint:
            return structs.replace(self, metadata=False)
        return None


def encode_request(request: ChatRequest, spec: JudgeSpec, dialect: Dialect) -> bytes:
    """The body of an HTTP request."""
    content: dict[str, object] = {"model": spec.model, "messages": request.messages}
    content[dialect.tokens] = 1 if request.answer is YesNo else request.room * spec.max_tokens
    if dialect.temperature:
        content["temperature"] = request.temperature
    if request.session and dialect.metadata:
        content["metadata"] = dict(request.session)
    if request.answer is YesNo:
        content["logprobs"] = True
        content["top_logprobs"] = TOP_LOGPROBS
    elif request.tools:
        content["tools"] = describe_tools(request.tools)
    elif request.answer is not str and dialect.format != "none":
        content["response_format"] = (
            _schema_format(request.answer) if dialect.format == "json_schema" else _OBJECT_FORMAT
        )
    return msgspec.json.encode(content)


def decode_reply(body: bytes) -> ChatReply:
    """What the body of a reply says; raises `FailedAttempt` for an error in it or a body of no such protocol."""
    try:
        chat = _REPLIES.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        why = f"the reply is not of the OpenAI protocol: {error}"
        raise FailedAttempt("provider_error", shorten(why), again=True) from None
    if not chat.choices:
        # Some servers send an error as a success, with the HTTP status in the body.
        raise http_failure(_error_code(chat.error), bytes(chat.error).decode(errors="replace") or NO_CHOICES)
    choice = chat.choices[0]
    stop, why = _stop(choice)
    model = chat.model if isinstance(chat.model, str) else ""
    words, calls = _first_words(choice.logprobs), choice.message.calls
    return ChatReply(choice.message.text, stop, why, _usage(chat.usage), model, words, calls)


def share_of_yes(words: tuple[Word, ...]) -> float | None:
    """The probability of yes against no, over all their spellings; None if the judge would say neither.

    >>> round(share_of_yes((Word("Yes", -0.5), Word(" yes", -2.0), Word("No", -1.6))), 2)
    0.79
    """
    yes = _probability(words, "yes")
    no = _probability(words, "no")
    return yes / (yes + no) if yes + no >= LEAST_SHARE else None


class _Part(Struct):
    text: str = ""


class _Function(Struct, frozen=True):
    name: str = ""
    arguments: str | None = None


class _ToolCall(Struct):
    function: _Function = _Function()


class _Message(Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None

    @property
    def text(self) -> str:
        """The content; some servers send it in parts."""
        parts = self.content or ""
        return parts if isinstance(parts, str) else "".join(part.text for part in parts)

    @property
    def calls(self) -> tuple[tuple[str, str], ...]:
        """The names and arguments of the tools that are called."""
        return tuple((call.function.name, call.function.arguments or "") for call in self.tool_calls or ())


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None
    logprobs: Raw = Raw()


class _Usage(Struct):
    prompt_tokens: Any = None
    completion_tokens: Any = None
    cost: Any = None


class _Chat(Struct):
    choices: list[_Choice] | None = None
    usage: Raw = Raw()
    model: Any = None
    error: Raw = Raw()


class _Error(Struct):
    code: int | str | None = None


class _Place(Word, frozen=True):
    top_logprobs: tuple[Word, ...] = ()


class _Logprobs(Struct):
    content: list[_Place] | None = None


NO_CHOICES = "no choices in the reply"
_OBJECT_FORMAT = Raw(b'{"type":"json_object"}')
_REPLIES = msgspec.json.Decoder(_Chat)
_USAGES = msgspec.json.Decoder(_Usage | None)
_LOGPROBS = msgspec.json.Decoder(_Logprobs | None)


@per_type
def _schema_format(answer: type[Any]) -> Raw:
    schema = {"name": answer.__name__, "strict": True, "schema": Raw(schema_text(answer).encode())}
    return Raw(msgspec.json.encode({"type": "json_schema", "json_schema": schema}))


def _stop(choice: _Choice) -> tuple[Stop, str]:
    if choice.message.refusal:
        return "refused", choice.message.refusal
    if choice.finish_reason == "content_filter":
        return "refused", "the provider's content filter stopped the reply"
    if choice.finish_reason == "length":
        return "truncated", ""
    if not choice.message.text.strip() and not choice.message.tool_calls:
        return "refused", "the reply is empty"
    return "done", ""


def _usage(content: Raw) -> Usage:
    """What a call took; counts that cannot be read do not discard the answer, they are missing."""
    try:
        usage = _USAGES.decode(content) if bytes(content) else None
    except msgspec.DecodeError:
        usage = None
    if usage is None:
        return Usage(1)
    prompt, completion = _amount(usage.prompt_tokens), _amount(usage.completion_tokens)
    return Usage(1, ceil(prompt or 0), ceil(completion or 0), _amount(usage.cost))


def _amount(value: object) -> float | None:
    """A number from 0 up, such as 12.5 tokens; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value < LARGEST_AMOUNT else None


def _first_words(logprobs: Raw) -> tuple[Word, ...]:
    try:
        decoded = _LOGPROBS.decode(logprobs) if bytes(logprobs) else None
    except msgspec.DecodeError:
        return ()
    if decoded is None or not decoded.content:
        return ()
    first = decoded.content[0]
    return first.top_logprobs or (Word(first.token, first.logprob),)


def _probability(words: tuple[Word, ...], spelling: str) -> float:
    return sum(exp(min(word.logprob, 0.0)) for word in words if _spelling(word.token) == spelling)


def _spelling(token: str) -> str:
    # Some servers show the space before a word as the sign their tokenizer has for it.
    return token.strip(" \t\r\n▁Ġ\"'`*.,").lower()


def _error_code(error: Raw) -> int:
    try:
        code = msgspec.json.decode(error, type=_Error).code if bytes(error) else None
        return int(code) if code is not None else 500
    except (msgspec.DecodeError, ValueError):
        return 500
