"""Any model of the sentence-transformers package, where the user has it."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from adjudge.tools.embed import require
from adjudge.tools.embed.calibrated import thresholds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE = "sentence-transformers"


class Transformer:
    """The embedder `sentence-transformers:MODEL`; the model is a name or folder that the package can load."""

    shares_vectors = False  # The revision does not cover the weights.

    def __init__(self, model: str) -> None:
        self.name = f"{_PACKAGE}:{model}"
        require(self.name, "sentence_transformers", install=f"pip install {_PACKAGE}")
        self.model = model
        self.thresholds = thresholds(self.name)

    @property
    def revision(self) -> str:
        """A hash of the model's name and the package's version; the weights behind the name are not looked at."""
        content = f"{self.name} {importlib.metadata.version(_PACKAGE)}"
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, in order; equal texts are embedded once."""
        import numpy as np

        place = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        rows = self._transformer.encode(
            list(place), normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(rows, dtype=np.float32)[[place[text] for text in texts]]

    @cached_property
    def _transformer(self) -> Any:
        return importlib.import_module("sentence_transformers").SentenceTransformer(self.model)
