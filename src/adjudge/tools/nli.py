"""Entailment without a language model: rules for negation, numbers, sides and opposites, plus cosines.

It is a heuristic and must be called one wherever its results are shown: `quality` says how often it is right.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Any, Literal

import msgspec

from adjudge.core.ask import Answerer, Entailment, Pair, Question, Relation, Reply, YesNo
from adjudge.core.errors import BadInput, Unanswered
from adjudge.tools.embed import Encoder, cosine
from adjudge.tools.embed.answerer import EmbedAnswerer, Kept
from adjudge.tools.statement import Statement

Rule = Literal["unrelated", "quantity", "side", "polarity", "close", "open"]
_RELATIONS: dict[Rule, Relation] = {
    "unrelated": "neutral",
    "quantity": "contradict",
    "side": "contradict",
    "polarity": "contradict",
    "close": "entail",
    "open": "neutral",
}


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which cosine two statements are about the same, and from which they say the same, for one embedder."""

    related: float
    same: float
    # The share of the hypothesis' words that the premise must have to do the same without a high cosine.
    shared: float
    covered: float


def quality(embedder: str = "minilm") -> str:
    """How good the heuristic is, in a sentence for the pages of metrics that use it."""
    found = _measured(embedder)["quality"]
    low, high = found["interval"]
    recalls = ", ".join(f"{name} {100 * share:.0f} %" for name, share in found["recall"].items())
    return (
        f"Offline entailment is a heuristic (rules and cosines of {embedder}): "
        f"right on {100 * found['accuracy']:.0f} % [{100 * low:.0f}, {100 * high:.0f}] of {found['pairs']} held-out "
        f"pairs written by its authors (found of {recalls})."
    )


def limits(embedder: str) -> Limits:
    """The limits calibrated for an embedder."""
    return msgspec.convert(_measured(embedder)["limits"], Limits)


def ruled(pair: Pair, similarity: float, within: Limits) -> Rule:
    """The rule that decides how a hypothesis relates to its premise."""
    premise, hypothesis = Statement.of(pair.premise), Statement.of(pair.hypothesis)
    coverage = hypothesis.covered_by(premise)
    if similarity < within.related and coverage < within.shared:
        return "unrelated"
    if hypothesis.other_quantity(premise):
        return "quantity"
    if hypothesis.other_side(premise):
        return "side"
    if (hypothesis.negated != premise.negated) != hypothesis.opposes(premise):
        return "polarity"
    return "close" if similarity >= within.same or coverage >= within.covered else "open"


def entailment(pair: Pair, similarity: float, embedder: str = "minilm") -> Entailment:
    """The relation by the heuristic; its confidence is how often the rule that decided is right."""
    rule = ruled(pair, similarity, limits(embedder))
    return Entailment(_RELATIONS[rule], float(_measured(embedder)["confidence"][rule]))


def relation(rule: Rule) -> Relation:
    """What a rule concludes."""
    return _RELATIONS[rule]


class NliAnswerer:
    """Answers pairs by the heuristic, with the texts of all pairs embedded in one batch."""

    def __init__(self, encoder: Encoder, kept: Kept | None = None) -> None:
        limits(encoder.name)
        self.encoder = encoder
        self._embed = EmbedAnswerer(encoder, kept)
        self._asked: dict[Pair, None] = {}
        self._asking = Lock()

    def ask(self, requests: Iterable[Pair], asker: str = "") -> None:
        """Take pairs without relating them; it costs nothing, so `asker` does not matter."""
        with self._asking:
            self._asked.update(dict.fromkeys(requests))

    def wait(self) -> Iterator[tuple[Pair, Reply]]:
        """Everything asked so far with its relation, or with why there is none."""
        with self._asking:
            pairs, self._asked = list(self._asked), {}
        texts = dict.fromkeys(text for pair in pairs for text in (pair.premise, pair.hypothesis))
        vectors = self._embed.vectors(list(texts))
        for pair in pairs:
            yield pair, Reply(self._related(pair, vectors))

    def _related(self, pair: Pair, vectors: Mapping[str, Any]) -> Entailment | Unanswered:
        first, second = vectors[pair.premise], vectors[pair.hypothesis]
        if isinstance(first, Unanswered):
            return first
        if isinstance(second, Unanswered):
            return second
        return entailment(pair, cosine(first, second), self.encoder.name)


class JudgeNli:
    """Entailment through a judge: two yes/no questions for each pair, and what their answers say together."""

    entails = (
        "The material holds a premise and a hypothesis. Taking the premise as true, is the hypothesis certainly true "
        "as well? What the premise leaves open is not certainly true. Answer yes or no."
    )
    contradicts = (
        "The material holds a premise and a hypothesis. Taking the premise as true, is the hypothesis certainly false? "
        "What the premise leaves open is not certainly false. Answer yes or no."
    )

    @classmethod
    def questions(cls, pair: Pair) -> tuple[Question[YesNo], Question[YesNo]]:
        """Whether the premise entails the hypothesis, and whether it contradicts it."""
        material = msgspec.json.encode({"premise": pair.premise, "hypothesis": pair.hypothesis}).decode()
        return Question(cls.entails, YesNo, material), Question(cls.contradicts, YesNo, material)

    @classmethod
    def related(cls, entails: YesNo, contradicts: YesNo) -> Entailment:
        """The most probable relation; two sure answers that exclude each other give neutral with confidence 0."""
        yes, no = entails.yes, contradicts.yes
        masses: dict[Relation, float] = {
            "neutral": (1 - yes) * (1 - no),
            "entail": yes * (1 - no),
            "contradict": no * (1 - yes),
        }
        total = sum(masses.values())
        if total == 0:
            return Entailment("neutral", 0.0)
        likeliest = max(masses, key=lambda name: masses[name])
        return Entailment(likeliest, masses[likeliest] / total)


class JudgedPairs:
    """Answers pairs through a judge: two questions each, related when both answers are there.

    `withheld` says why nothing of credentialed records is sent to that judge; empty where it may be.
    """

    withheld = ""

    def __init__(self, judge: Answerer) -> None:
        self._judge = judge
        self._waiting: dict[Pair, tuple[Question[YesNo], Question[YesNo]]] = {}
        self._said: dict[Question[YesNo], object] = {}
        self._lock = Lock()

    def ask(self, requests: Iterable[Pair], asker: str = "") -> None:
        """Put both questions about each pair to the judge."""
        new = {pair: JudgeNli.questions(pair) for pair in requests}
        with self._lock:
            self._waiting.update(new)
        self._judge.ask([question for both in new.values() for question in both], asker)

    def wait(self) -> Iterator[tuple[Pair, Reply]]:
        """Wait until at least one pair has both its answers."""
        ready: list[tuple[Pair, Reply]] = []
        while not ready:
            answers = {question: reply.answer for question, reply in self._judge.wait()}
            with self._lock:
                self._said |= answers
                whole = [pair for pair, both in self._waiting.items() if all(one in self._said for one in both)]
                ready = [(pair, Reply(self._relation(*self._waiting.pop(pair)))) for pair in whole]
            if not answers:
                break
        yield from ready

    def _relation(self, entails: Question[YesNo], contradicts: Question[YesNo]) -> object:
        first, second = self._said.pop(entails), self._said.pop(contradicts)
        if isinstance(first, YesNo) and isinstance(second, YesNo):
            return JudgeNli.related(first, second)
        return first if isinstance(first, Unanswered) else second


@cache
def _figures() -> Mapping[str, Any]:
    return tomllib.loads(files("adjudge.tools").joinpath("nli.toml").read_text("utf-8"))


def _measured(embedder: str) -> Mapping[str, Any]:
    if embedder not in _figures():
        raise BadInput(
            f"entailment by rules and cosines is calibrated for {' and '.join(_figures())}, not for {embedder!r}; "
            "use one of them or a judge"
        )
    found: Mapping[str, Any] = _figures()[embedder]
    return found


def similarities(encoder: Encoder, pairs: Sequence[Pair]) -> list[float]:
    """The cosine of premise and hypothesis of each pair."""
    first = encoder.embed([pair.premise for pair in pairs])
    second = encoder.embed([pair.hypothesis for pair in pairs])
    return [cosine(one, other) for one, other in zip(first, second, strict=True)]
