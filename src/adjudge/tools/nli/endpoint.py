"""A model of entailment behind an address that speaks the protocol of Text Embeddings Inference (`/predict`).

The request is {"inputs": [[premise, hypothesis], ...], "raw_scores": false, "truncate": true}, the reply one list for
each pair of {"label": ..., "score": ...}, one for each label, in any order. Any server that answers so will do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from adjudge.core.ask import Pair
from adjudge.core.errors import Unanswered
from adjudge.tools.endpoint import JsonEndpoint, check_url
from adjudge.tools.nli import KEY_VARIABLE, Probabilities
from adjudge.tools.nli.labels import EXPECTED, relation_of

# The most that Text Embeddings Inference takes in one request unless it is told otherwise.
BATCH = 32


class _Prediction(msgspec.Struct):
    label: str
    score: float


_REPLIES = msgspec.json.Decoder(list[list[_Prediction]])


class EntailmentEndpoint:
    """The model at an address; `url` may end in /predict or leave it out."""

    def __init__(self, url: str, key_variable: str = KEY_VARIABLE) -> None:
        check_url("--nli-url", url, "an address such as 'http://127.0.0.1:8080'")
        self.url = url.rstrip("/").removesuffix("/predict") + "/predict"
        self.name = self.url
        self._server = JsonEndpoint("the entailment endpoint", self.url, key_variable)

    @property
    def revision(self) -> str:
        """A hash of the address; what the server does behind it is not seen."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:16]

    def classify(self, pairs: Sequence[Pair]) -> list[Probabilities]:
        """For each pair, in order, the probability of each relation; raises Unanswered."""
        batches = [pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH)]
        replies = self._server.post_all([_request(batch) for batch in batches])
        return [
            probabilities
            for reply, batch in zip(replies, batches, strict=True)
            for probabilities in self._predictions(reply, len(batch))
        ]

    def close(self) -> None:
        """Abandon open requests."""
        self._server.close()

    def _predictions(self, body: bytes, count: int) -> list[Probabilities]:
        """The predictions of one reply."""
        try:
            predictions = _REPLIES.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._fault(f"gave no predictions: {error}") from None
        if len(predictions) != count:
            raise self._fault(f"gave {len(predictions)} predictions for {count} pairs")
        return [self._probabilities(labels) for labels in predictions]

    def _probabilities(self, predictions: Sequence[_Prediction]) -> Probabilities:
        scores = {relation_of(prediction.label): prediction.score for prediction in predictions}
        probabilities = {relation: score for relation, score in scores.items() if relation is not None}
        if len(probabilities) != 3 or len(predictions) != 3:
            raise self._fault(f"gave the labels {[prediction.label for prediction in predictions]!r}; {EXPECTED}")
        if not all(0.0 <= score <= 1.0 for score in probabilities.values()):
            raise self._fault(f"gave the scores {list(scores.values())!r}; expected probabilities from 0 to 1")
        return probabilities

    def _fault(self, why: str) -> Unanswered:
        return Unanswered("parse_error", f"{self._server.where} {why}")


def _request(pairs: Sequence[Pair]) -> dict[str, object]:
    return {"inputs": [(pair.premise, pair.hypothesis) for pair in pairs], "raw_scores": False, "truncate": True}
