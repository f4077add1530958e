"""Any OpenAI-compatible embeddings endpoint."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from adjudge.core.errors import Unanswered
from adjudge.tools.embed import KEY_VARIABLE
from adjudge.tools.embed.calibrated import thresholds
from adjudge.tools.endpoint import JsonEndpoint, check_url

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 64


class _Item(msgspec.Struct):
    embedding: list[float]
    index: int


class _Embeddings(msgspec.Struct):
    data: list[_Item]


class EmbeddingsEndpoint:
    """A model at an embeddings endpoint; `url` is the base, as in http://127.0.0.1:8000/v1."""

    shares_vectors = False  # The revision does not cover what the server does.

    def __init__(self, model: str, url: str, key_variable: str = KEY_VARIABLE) -> None:
        check_url("embeddings URL", url, "the base, such as 'http://127.0.0.1:8000/v1'")
        self.name = model
        self.url = url.rstrip("/").removesuffix("/embeddings") + "/embeddings"
        self.thresholds = thresholds(model)
        self._server = JsonEndpoint("the embeddings endpoint", self.url, key_variable)

    @property
    def revision(self) -> str:
        """A hash of address and model; what the server does behind them is not seen."""
        return hashlib.sha256(f"{self.url} {self.name}".encode()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, in order; equal texts are sent once; raises Unanswered."""
        import numpy as np

        place = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        distinct = list(place)
        batches = [distinct[start : start + BATCH] for start in range(0, len(distinct), BATCH)]
        replies = self._server.post_all([self._request(batch) for batch in batches])
        rows = [row for reply, batch in zip(replies, batches, strict=True) for row in self._rows(reply, len(batch))]
        if len({len(row) for row in rows}) > 1:
            raise Unanswered("provider_error", f"{self._server.where} gave vectors of different lengths")
        return np.asarray([rows[place[text]] for text in texts], dtype=np.float32)

    def close(self) -> None:
        """Abandon open requests."""
        self._server.close()

    def _request(self, texts: Sequence[str]) -> dict[str, object]:
        return {"model": self.name, "input": texts, "encoding_format": "float"}

    def _rows(self, body: bytes, count: int) -> list[list[float]]:
        try:
            items = msgspec.json.decode(body, type=_Embeddings).data
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Unanswered("parse_error", f"{self._server.where} gave no embeddings: {error}") from None
        by_index = {item.index: item.embedding for item in items}
        if sorted(by_index) != list(range(count)) or len(items) != count:
            raise Unanswered("parse_error", f"{self._server.where} gave {len(items)} vectors for {count} texts")
        return [self._unit(by_index[index]) for index in range(count)]

    def _unit(self, vector: list[float]) -> list[float]:
        length = math.sqrt(sum(value * value for value in vector))
        if not 0 < length < math.inf:
            raise Unanswered("parse_error", f"{self._server.where} gave a vector of length {length}")
        return [value / length for value in vector]
