"""Entailment through a judge: two yes/no questions for each pair, and what their answers say together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Lock

import msgspec

from adjudge.core.ask import Answerer, Entailment, Pair, Question, Relation, Reply, YesNo
from adjudge.core.errors import Unanswered

ENTAILS = (
    "The material holds a premise and a hypothesis. Taking the premise as true, is the hypothesis certainly true "
    "as well? What the premise leaves open is not certainly true. Answer yes or no."
)
CONTRADICTS = (
    "The material holds a premise and a hypothesis. Taking the premise as true, is the hypothesis certainly false? "
    "What the premise leaves open is not certainly false. Answer yes or no."
)


def questions_about(pair: Pair) -> tuple[Question[YesNo], Question[YesNo]]:
    """Whether the premise entails the hypothesis, and whether it contradicts it."""
    material = msgspec.json.encode({"premise": pair.premise, "hypothesis": pair.hypothesis}).decode()
    return Question(ENTAILS, YesNo, material), Question(CONTRADICTS, YesNo, material)


def entailment(entails: YesNo, contradicts: YesNo) -> Entailment:
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
        self._answers: dict[Question[YesNo], object] = {}
        self._lock = Lock()

    def ask(self, requests: Iterable[Pair], asker: str = "") -> None:
        """Put both questions about each pair to the judge."""
        new = {pair: questions_about(pair) for pair in requests}
        with self._lock:
            self._waiting.update(new)
        self._judge.ask([question for both in new.values() for question in both], asker)

    def wait(self) -> Iterator[tuple[Pair, Reply]]:
        """Wait until at least one pair has both its answers."""
        ready: list[tuple[Pair, Reply]] = []
        while not ready:
            answers = {question: reply.answer for question, reply in self._judge.wait()}
            with self._lock:
                self._answers |= answers
                complete = [
                    pair for pair, both in self._waiting.items() if all(question in self._answers for question in both)
                ]
                ready = [(pair, Reply(self._relation(*self._waiting.pop(pair)))) for pair in complete]
            if not answers:
                break
        yield from ready

    def _relation(self, entails: Question[YesNo], contradicts: Question[YesNo]) -> object:
        first, second = self._answers.pop(entails), self._answers.pop(contradicts)
        if isinstance(first, YesNo) and isinstance(second, YesNo):
            return entailment(first, second)
        return first if isinstance(first, Unanswered) else second
