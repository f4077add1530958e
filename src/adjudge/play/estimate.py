"""What a play would take: some cases are played with made-up answers, and nothing is sent."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from adjudge.core.ask import Reply
from adjudge.core.play import Prompt, Said
from adjudge.core.usage import Usage
from adjudge.play.arms import Arm
from adjudge.play.conversation import OngoingConversation, Stage
from adjudge.play.engine import write_records
from adjudge.play.folder import PlayFolder
from adjudge.play.own import OwnTurn
from adjudge.play.prepare import PreparedPlay
from adjudge.run.played import Played
from adjudge.score.pending import PendingLoop
from adjudge.tools.judge.answerer import estimate_usage

# Cases that are played for the estimate.
SAMPLE = 20
# Characters of a made-up reply, about those of a sentence or two.
REPLY = "I am not sure about that yet. Could you tell me a little more about what you are looking for?"


class SampledPlay(NamedTuple):
    """The first cases, played with made-up answers; all conversations would take `scale` times as much."""

    played: Played
    scale: float
    usage: list[str]
    basis: str


def play_sample(prepared: PreparedPlay, folder: Path) -> SampledPlay:
    """Play the first cases with made-up answers into a folder; `usage` has a sentence for each arm and model."""
    cases = prepared.cases[:SAMPLE]
    scale = len(prepared.cases) * prepared.plan.trials / len(cases)
    lines = []
    with PlayFolder(folder, prepared.manifest) as journal:
        for arm in prepared.assembly.arms:
            counter = _Counter(prepared)
            _play(prepared, arm, counter, journal)
            lines += [_sentence(prepared, arm, model, usage, scale) for model, usage in counter.usage.items()]
    write_records(prepared, folder)
    return SampledPlay(Played(folder), scale, lines, _basis(prepared, len(cases)))


def _basis(prepared: PreparedPlay, cases: int) -> str:
    sampled = f"from {cases} of {len(prepared.cases)} cases, played with made-up answers"
    turns = prepared.manifest.limits.turns
    return f"estimated {sampled}; conversations may be shorter or longer, up to {turns} turns"


def _sentence(prepared: PreparedPlay, arm: Arm, model: str, usage: Usage, scale: float) -> str:
    calls, tokens, longest = (ceil(scale * count) for count in (usage.calls, usage.input_tokens, usage.output_tokens))
    cost = prepared.models.prices(model).cost(tokens, longest, calls)
    price = "price unknown" if cost is None else f"at most about {cost:.2f} USD"
    return f"{arm.label}, {model}: about {calls:,} calls, {tokens:,} tokens in, at most {longest:,} out, {price}"


def _play(prepared: PreparedPlay, arm: Arm, counter: _Counter, journal: PlayFolder) -> None:
    """Play the first cases of an arm."""
    limits = prepared.manifest.limits
    stage = Stage(prepared.setup, prepared.tools, prepared.plan.seed, limits, journal, prepared.models)
    names = [*prepared.models.specs, *prepared.models.own]
    loop: PendingLoop[OngoingConversation] = PendingLoop({name: _MadeUp(counter, name) for name in names})
    for _ in loop.run(OngoingConversation(stage, case, arm, 0) for case in prepared.cases[:SAMPLE]):
        pass


class _Counter:
    """Adds up what the prompts to each model would take."""

    def __init__(self, prepared: PreparedPlay) -> None:
        self.prepared = prepared
        self.usage: dict[str, Usage] = {}

    def add(self, model: str, prompt: Prompt[Any]) -> None:
        """Count one prompt."""
        usage = estimate_usage(prompt, self.prepared.models.specs[model])
        self.usage[model] = self.usage.get(model, Usage()) + usage


class _MadeUp:
    """Answers every prompt with something of its type, at once."""

    def __init__(self, counter: _Counter, model: str) -> None:
        self.counter = counter
        self.model = model
        self._open: list[tuple[object, Reply]] = []

    def ask(self, requests: Iterable[Any], asker: str = "") -> None:
        """Take prompts."""
        for request in requests:
            self._open.append((request, Reply(self._answer(request))))

    def wait(self) -> list[tuple[object, Reply]]:
        """Answer them."""
        ready, self._open = self._open, []
        return ready

    def _answer(self, request: Prompt[Any] | OwnTurn) -> object:
        if isinstance(request, OwnTurn):
            return Said(REPLY)
        self.counter.add(self.model, request)
        return made_up_answer(request.answer)


def made_up_answer(kind: type[Any]) -> object:
    """Something of an answer type: texts of a usual length, the first of several choices, empty lists.

    >>> class Choice(msgspec.Struct):
    ...     number: int | None
    ...     reasons: list[str]
    >>> made_up_answer(Choice)
    Choice(number=1, reasons=[])
    """
    return REPLY if kind is str else msgspec.convert(_value(inspect.type_info(kind)), kind)


def _value(kind: inspect.Type) -> object:
    match kind:
        case inspect.StructType(fields=fields, tag=tag, tag_field=tag_field):
            values = {field.encode_name: _value(field.type) for field in fields}
            return {tag_field: tag, **values} if tag_field else values
        case inspect.IntType(ge=low) | inspect.FloatType(ge=low):
            return 1 if low is None else low
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.UnionType(types=types):
            return _value(next((each for each in types if not isinstance(each, inspect.NoneType)), types[0]))
        case inspect.BoolType():
            return True
        case inspect.StrType():
            return REPLY
        case inspect.DictType() | inspect.AnyType():
            return {}
        case inspect.NoneType():
            return None
    return []
