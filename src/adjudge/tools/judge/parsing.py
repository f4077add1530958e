"""From the text of a judge's reply to a typed answer: exactly one verdict that is plain, or none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Literal, NamedTuple, NoReturn, TypeVar

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import MalformedReply
from adjudge.tools.judge.leniency import fit_value, letters
from adjudge.tools.judge.schema import decoder, per_type, type_info

A = TypeVar("A")

ParseMode = Literal["plain", "fenced", "logprobs"]

# Longer replies and those with more opening braces are not searched: every brace costs one try to decode.
LONGEST = 200_000
MOST_BRACES = 1_000

AMID_TEXT = "the JSON object stands amid other text, as a quotation might; expected it alone or in a fence"

# "<think>The reply is polite, so ...</think>" before the answer
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
# "I'm sorry, but I can't help with that.", "As an AI, ...", "Unfortunately, I ..."
_REFUSAL = re.compile(
    r"\W*(?:(?:i'm|i am) (?:\w+ )?(?:sorry|unable|not able|not comfortable)|(?:i )?apologi[sz]e|(?:my )?apologies|sorry"
    r"|i (?:can't|cannot|can not|won't|will not|must decline)|as an? (?:ai|language model)|unfortunately,? i)\b",
    re.IGNORECASE,
)
# "```json" before the object and "```" after it
_FENCE_BEFORE = re.compile(r"```[ \t]*+\w*+\s*+\Z")
_FENCE_AFTER = re.compile(r"\s*```")


class ParsedAnswer(NamedTuple):
    """An answer, how it stood in the reply (alone or in a fence), and whether parts of it are missing."""

    answer: Any
    mode: ParseMode
    partial: bool = False


class _Object(NamedTuple):
    """A JSON object in a text: where it begins and ends, and what it holds."""

    start: int
    end: int
    content: dict[str, Any]

    @property
    def keys(self) -> frozenset[str]:
        """The names of its fields."""
        return frozenset(self.content)


def parse_answer(text: str, answer: type[A]) -> A:
    """The answer that a reply holds; raises `MalformedReply`. Nothing is rounded, clamped or guessed.

    >>> class Verdict(msgspec.Struct):
    ...     reasoning: str
    ...     score: int
    >>> parse_answer('```json\\n{"reasoning": "fine", "score": 4}\\n```', Verdict)
    Verdict(reasoning='fine', score=4)
    """
    parsed: A = parse_reply(text, answer).answer
    return parsed


def parse_reply(text: str, answer: type[Any]) -> ParsedAnswer:
    """The answer that a reply holds, and how it stood there; raises `MalformedReply`."""
    text, verdict, mode = _placed_verdict(text, answer)
    return ParsedAnswer(_decode(text, verdict, answer), mode)


def parse_parts(text: str, answer: type[Any]) -> dict[str, Any] | None:
    """The parts that can be used of an answer with a part for each of several things.

    None if a part is missing or too many: then nobody can say which part is about what.
    """
    kinds = {field.encode_name: field.type for field in structs.fields(answer)}
    if not all(isinstance(kind, type) and issubclass(kind, Struct) for kind in kinds.values()):
        return None
    try:
        _, verdict, _ = _placed_verdict(text, answer)
    except MalformedReply:
        return None
    if verdict.keys != kinds.keys():
        return None
    parts = {}
    for name, kind in kinds.items():
        with suppress(MalformedReply):
            parts[name] = _fit_and_decode(verdict.content[name], kind)
    return parts


class _PlacedVerdict(NamedTuple):
    """The text of a reply without the thoughts before it, the verdict in it, and how that stands there."""

    text: str
    verdict: _Object
    mode: ParseMode


def _placed_verdict(text: str, answer: type[Any]) -> _PlacedVerdict:
    if len(text) > LONGEST:
        raise MalformedReply(f"the reply has {len(text):,} characters")
    text = _THOUGHT.sub("", text, count=1).strip()
    verdict = _verdict(text, answer)
    mode = _mode(text, verdict)
    if mode is None:
        raise MalformedReply(AMID_TEXT)
    return _PlacedVerdict(text, verdict, mode)


def refuses(text: str) -> bool:
    """Whether a reply without any JSON says that there will be no answer.

    >>> refuses("I'm sorry, but I can't help with that."), refuses("I would give it a 4.")
    (True, False)
    """
    return "{" not in text and _REFUSAL.match(_THOUGHT.sub("", text, count=1).replace("\u2019", "'")) is not None


def _verdict(text: str, answer: type[Any]) -> _Object:
    """The only object in a text that can be meant as the answer."""
    try:
        objects = list(_objects(text))
    except RecursionError:
        raise MalformedReply("the JSON in the reply is nested too deeply") from None
    if len(objects) == 1:
        return objects[0]
    required = set(map(letters, _required_keys(answer)))
    shaped = [each for each in objects if required <= set(map(letters, each.keys))]
    if len(shaped) > 1:
        raise MalformedReply(f"the reply has {len(shaped)} verdicts in it; expected one JSON object")
    if shaped:
        return shaped[0]
    raise MalformedReply("the reply has no JSON object of the asked shape in it; expected one and nothing else")


def _objects(text: str) -> Iterator[_Object]:
    """The JSON objects in a text, those inside others not counted."""
    if not text.startswith("{") and _is_json(text):
        raise MalformedReply("the reply is JSON, but no object; expected one JSON object")
    place, tried = text.find("{"), 0
    while place >= 0:
        tried += 1
        if tried > MOST_BRACES:
            raise MalformedReply("the reply is no JSON; expected one JSON object")
        try:
            content, end = _DECODER.raw_decode(text, place)
        except ValueError:
            end = place + 1
        else:
            yield _Object(place, end, content)
        place = text.find("{", end)


def _is_json(text: str) -> bool:
    try:
        _DECODER.decode(text)
    except ValueError:
        return False
    return True


def _decode(text: str, verdict: _Object, answer: type[Any]) -> Any:
    unknown = verdict.keys - _all_keys(answer)
    fault = f"the reply has unknown fields: {', '.join(map(repr, sorted(unknown)))}"
    if not unknown:
        try:
            return decoder(answer).decode(text[verdict.start : verdict.end])
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            fault = str(error)
    try:
        return _fit_and_decode(verdict.content, answer)
    except MalformedReply:
        raise MalformedReply(fault) from None


def _fit_and_decode(content: Any, answer: type[Any]) -> Any:
    """The answer from JSON that is put into the shape of the type first; raises `MalformedReply`."""
    fitted = fit_value(content, type_info(answer))
    unknown = fitted.keys() - _all_keys(answer) if isinstance(fitted, dict) else ()
    if unknown:
        raise MalformedReply("the reply has unknown fields")
    try:
        return decoder(answer).decode(msgspec.json.encode(fitted))
    except (msgspec.DecodeError, UnicodeEncodeError, OverflowError, RecursionError) as error:
        raise MalformedReply(str(error)) from None


def _mode(text: str, verdict: _Object) -> ParseMode | None:
    """How the object stands in the reply; None for one amid prose, which may be quoted from the material."""
    if verdict.start == 0 and verdict.end == len(text):
        return "plain"
    fenced = _FENCE_BEFORE.search(text, 0, verdict.start) and _FENCE_AFTER.match(text, verdict.end)
    return "fenced" if fenced else None


@per_type
def _all_keys(answer: type[Any]) -> frozenset[str]:
    return frozenset(field.encode_name for field in structs.fields(answer))


@per_type
def _required_keys(answer: type[Any]) -> frozenset[str]:
    return frozenset(field.encode_name for field in structs.fields(answer) if field.required)


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        twice = sorted({key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1})
        raise MalformedReply(f"the reply has a field twice: {', '.join(map(repr, twice))}")
    return table


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


# The typed decoder takes the last of two equal keys in silence: a reply with two scores would pass.
_DECODER = json.JSONDecoder(object_pairs_hook=_refuse_repeated_keys, parse_constant=_refuse_constant)
