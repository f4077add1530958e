"""Vectors in the cache: each text is embedded once by each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from adjudge.tools.cache import Answers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CachedVectors:
    """Embeddings by the hash of their model and text, kept among the answers as little-endian 32-bit floats."""

    def __init__(self, answers: Answers, model: str) -> None:
        self._answers = answers
        self._model = model

    def get_many(self, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The vectors that are known, by text."""
        import numpy as np

        keys = {self._key(text): text for text in texts}
        kept = self._answers.get(list(keys))
        return {keys[key]: np.frombuffer(value, "<f4").astype(np.float32) for key, value in kept.items()}

    def put_many(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep vectors by text."""
        self._answers.put_many({self._key(text): vector.astype("<f4").tobytes() for text, vector in vectors.items()})

    def _key(self, text: str) -> str:
        return f"vector:{self._model}:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
