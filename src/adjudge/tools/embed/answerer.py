"""The answering side of `embed`: what metrics asked for, each distinct text embedded once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from adjudge.core.ask import Reply
from adjudge.core.errors import Unanswered
from adjudge.tools.embed import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Row = NDArray[np.float32]

# The number of texts that are embedded and kept at once: no more are lost when a run is killed or a text fails.
PORTION = 1024


class VectorStore(Protocol):
    """Where vectors are kept by text (`CachedVectors` on disk, `Memory` within a run)."""

    def get_many(self, texts: Sequence[str]) -> Mapping[str, Row]:
        """The vectors that are known, by text."""

    def put_many(self, vectors: Mapping[str, Row]) -> None:
        """Keep vectors by text."""


class Memory:
    """Vectors kept for as long as a run lasts."""

    def __init__(self) -> None:
        self._vectors: dict[str, Row] = {}

    def get_many(self, texts: Sequence[str]) -> dict[str, Row]:
        """The vectors that are known, by text."""
        return {text: self._vectors[text] for text in texts if text in self._vectors}

    def put_many(self, vectors: Mapping[str, Row]) -> None:
        """Keep vectors by text."""
        self._vectors.update(vectors)


class EmbedAnswerer:
    """Embeds in bulk what was asked since the last `wait`; `embedded` counts the texts that were not known.

    `withheld` says why nothing of credentialed records is sent to its server; empty where it may be or there is none.
    """

    withheld = ""

    def __init__(self, encoder: Encoder, kept: VectorStore | None = None) -> None:
        self.encoder = encoder
        self.embedded = 0
        self._kept: VectorStore = kept or Memory()
        self._asked: dict[str, None] = {}
        self._asking = Lock()

    def ask(self, requests: Iterable[str], asker: str = "") -> None:
        """Take texts without embedding them; embedding costs nothing, so `asker` does not matter."""
        with self._asking:
            self._asked.update(dict.fromkeys(requests))

    def wait(self) -> Iterator[tuple[str, Reply]]:
        """Everything asked so far with its vector, or with the reason why there is none."""
        with self._asking:
            texts, self._asked = list(self._asked), {}
        for text, vector in self.vectors(texts).items():
            yield text, Reply(vector)

    def vectors(self, texts: Sequence[str]) -> dict[str, Row | Unanswered]:
        """The vectors of texts, from where they are kept or newly embedded."""
        vectors: dict[str, Row | Unanswered] = dict(self._kept.get_many(texts))
        # Texts of similar length go into one portion, so that little padding is computed.
        unknown = sorted({text for text in texts if text not in vectors}, key=lambda text: (len(text), text))
        for start in range(0, len(unknown), PORTION):
            vectors.update(self._embed_portion(unknown[start : start + PORTION]))
        return vectors

    def _embed_portion(self, texts: Sequence[str]) -> Mapping[str, Row | Unanswered]:
        try:
            vectors = dict(zip(texts, self.encoder.embed(texts), strict=True))
        except Unanswered as failure:
            return dict.fromkeys(texts, failure)
        except Exception as error:
            why = f"embedder {self.encoder.name} failed: {type(error).__name__}: {error}"
            return dict.fromkeys(texts, Unanswered("error", why))
        self.embedded += len(texts)
        self._kept.put_many(vectors)
        return vectors
