"""An answer in the form in which the cache keeps it."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct, structs

from adjudge.core.ask import Reply
from adjudge.core.errors import Unanswered
from adjudge.core.usage import Usage
from adjudge.tools.judge.exchange import Completion
from adjudge.tools.judge.parsing import ParseMode
from adjudge.tools.judge.schema import decoder
from adjudge.tools.judge.wording import Inquiry


class KeptAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer as it is kept: its JSON, what it took, which model gave it, how it stood in the reply, and the time."""

    answer: Raw
    usage: Usage
    model: str
    parse_mode: ParseMode
    seconds: float


_KEPT = msgspec.json.Decoder(KeptAnswer)


def encode_kept(completion: Completion) -> bytes:
    """The answer as the cache keeps it."""
    answer = Raw(msgspec.json.encode(completion.answer))
    kept = KeptAnswer(answer, completion.usage, completion.model, completion.parse_mode, completion.seconds)
    return msgspec.json.encode(kept)


def decode_kept(value: bytes, question: Inquiry) -> Reply | None:
    """The kept answer; None if it cannot be decoded, so that the question is asked again."""
    try:
        kept = _KEPT.decode(value)
        answer = decoder(question.answer).decode(kept.answer)
    except msgspec.DecodeError:
        return None
    return Reply(answer, cached=True, model=kept.model, first_usage=kept.usage, first_seconds=kept.seconds)


def with_own_type(reply: Reply, question: Inquiry) -> Reply:
    """The reply with an answer of the question's own type: types of the same schema share their answers."""
    if isinstance(reply.answer, Unanswered | question.answer):
        return reply
    return structs.replace(reply, answer=decoder(question.answer).decode(msgspec.json.encode(reply.answer)))
