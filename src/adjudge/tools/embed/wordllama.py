"""WordLlama: static word vectors, much faster than `minilm` and less exact."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.tools.embed import require
from adjudge.tools.embed.calibrated import thresholds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_INSTALL = "pip install 'wordllama>=0.4,<0.5'"
_WEIGHTS = "weights/l2_supercat_256.safetensors"


class StaticWords:
    """The embedder `wordllama`: the 256-dimensional vectors that come with its package."""

    name = "wordllama"
    shares_vectors = False  # It embeds as fast as vectors are read from a file.

    def __init__(self) -> None:
        require(self.name, "wordllama", install=_INSTALL)
        package = importlib.util.find_spec("wordllama")
        assert package is not None
        assert package.origin is not None
        self.folder = Path(package.origin).parent
        self.thresholds = thresholds(self.name)

    @cached_property
    def revision(self) -> str:
        """A hash of the package's version and its weights."""
        digest = hashlib.sha256(importlib.metadata.version("wordllama").encode())
        digest.update((self.folder / _WEIGHTS).read_bytes())
        return digest.hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, in order; a text without words gives a row of zeros."""
        import numpy as np

        if not texts:
            return np.empty((0, 256), dtype=np.float32)
        return unit(np.asarray(self._model.embed(list(texts)), dtype=np.float32))

    @cached_property
    def _model(self) -> Any:
        # Without a cache folder it looks for the tokenizer outside its package and then downloads it.
        return importlib.import_module("wordllama").WordLlama.load(cache_dir=self.folder, disable_download=True)


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows scaled to length 1; rows of zeros stay so."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
