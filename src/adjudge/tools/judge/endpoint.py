"""A model behind the OpenAI chat protocol."""

from __future__ import annotations

from msgspec import structs

from adjudge.core.ask import YesNo
from adjudge.core.errors import BadInput, FailedAttempt
from adjudge.core.usage import Usage
from adjudge.tools.judge.chat import ChatReply, ChatRequest, Dialect, decode_reply, encode_request
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.transport import Transport, is_sendable


class ChatEndpoint:
    """The model of a spec at its address; `dialect` is what its server turned out to support of the protocol."""

    def __init__(self, spec: JudgeSpec, key: str = "") -> None:
        if not is_sendable(key):
            raise BadInput(f"{spec.key_name}: the key has characters that no key can have; copy it again")
        self.spec = spec
        self.dialect = Dialect(logprobs=spec.logprobs)
        self._transport = Transport(_completions_url(spec.url), key, spec.timeout)

    @property
    def has_logprobs(self) -> bool:
        """Whether the server gives probabilities of words, as far as is known."""
        return self.dialect.logprobs

    async def send(self, request: ChatRequest) -> ChatReply:
        """The reply to a request, which is put in simpler dialects until the server takes it."""
        while True:
            dialect = self.dialect
            if request.answer is YesNo and not dialect.logprobs:
                return ChatReply("", usage=Usage())
            try:
                body = await self._transport.post(encode_request(request, self.spec, dialect))
            except FailedAttempt as failure:
                if failure.code not in (400, 422):
                    raise
                self._simplify(dialect, failure)
                continue
            reply = decode_reply(body)
            if request.answer is YesNo and not reply.words and reply.stop == "done" and reply.text:
                self.dialect = structs.replace(self.dialect, logprobs=False)
            return reply

    def redact(self, text: str) -> str:
        """Text without the model's key."""
        return self._transport.redact(text)

    async def close(self) -> None:
        """End the session."""
        await self._transport.close()

    def _simplify(self, used: Dialect, failure: FailedAttempt) -> None:
        """Use a simpler dialect from here on; raises the failure if it is about something else."""
        if used is not self.dialect:
            return  # Another request has met the same complaint meanwhile.
        simpler = used.without(failure.text)
        if simpler is None:
            raise failure from None
        self.dialect = simpler


def _completions_url(url: str) -> str:
    address, question_mark, query = url.partition("?")
    return f"{address.rstrip('/')}/chat/completions{question_mark}{query}"
