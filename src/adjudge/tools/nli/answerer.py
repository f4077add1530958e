"""The answering side of `nli`: what metrics asked for, each distinct pair classified once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from threading import Lock

import msgspec

from adjudge.core.ask import Entailment, Pair, Reply
from adjudge.core.errors import Unanswered
from adjudge.tools.cache import NOT_CACHED, Answers
from adjudge.tools.nli import EntailmentModel
from adjudge.tools.nli.canaries import likeliest

# The number of pairs that are classified and then kept at once: a killed run loses no more than these.
PORTION = 256


class NliAnswerer:
    """Classifies in bulk what was asked since the last `wait`, except pairs whose answer is kept.

    `replay` never classifies: what is not kept stays unanswered. `withheld` says why nothing of credentialed records
    is sent to its server; empty where it may be or there is none.
    """

    withheld = ""

    def __init__(self, model: EntailmentModel, kept: Answers, replay: bool = False) -> None:
        self.model = model
        self.replay = replay
        self._kept = kept
        self._asked: dict[Pair, None] = {}
        self._asking = Lock()

    def ask(self, requests: Iterable[Pair], asker: str = "") -> None:
        """Take pairs without classifying them; it costs nothing, so `asker` does not matter."""
        with self._asking:
            self._asked.update(dict.fromkeys(requests))

    def wait(self) -> Iterator[tuple[Pair, Reply]]:
        """Everything asked so far with its relation, or with why there is none."""
        with self._asking:
            pairs, self._asked = list(self._asked), {}
        known = self._kept_answers(pairs)
        yield from ((pair, Reply(answer, cached=True)) for pair, answer in known.items())
        # Pairs of one portion have similar lengths, whoever asked for them.
        unknown = sorted((pair for pair in pairs if pair not in known), key=_length)
        for start in range(0, len(unknown), PORTION):
            for pair, answer in self._classify(unknown[start : start + PORTION]).items():
                yield pair, Reply(answer)

    def _kept_answers(self, pairs: Sequence[Pair]) -> dict[Pair, Entailment]:
        keys = {self._key(pair): pair for pair in pairs}
        return {
            keys[key]: msgspec.json.decode(value, type=Entailment) for key, value in self._kept.get(list(keys)).items()
        }

    def _classify(self, pairs: Sequence[Pair]) -> Mapping[Pair, Entailment | Unanswered]:
        if self.replay:
            return dict.fromkeys(pairs, Unanswered("not_cached", NOT_CACHED))
        try:
            classified = self.model.classify(pairs)
        except Unanswered as failure:
            return dict.fromkeys(pairs, failure)
        except Exception as error:
            why = f"entailment model {self.model.name} failed: {type(error).__name__}: {error}"
            return dict.fromkeys(pairs, Unanswered("error", why))
        answers = {
            pair: Entailment(relation := likeliest(probabilities), probabilities[relation])
            for pair, probabilities in zip(pairs, classified, strict=True)
        }
        self._kept.put_many({self._key(pair): msgspec.json.encode(answer) for pair, answer in answers.items()})
        return answers

    def _key(self, pair: Pair) -> str:
        texts = msgspec.json.encode((pair.premise, pair.hypothesis))
        return f"nli:{self.model.revision}:{sha256(texts).hexdigest()}"


def _length(pair: Pair) -> tuple[int, Pair]:
    return len(pair.premise) + len(pair.hypothesis), pair
