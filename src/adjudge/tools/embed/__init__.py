"""Embedders by name: texts in, vectors of length 1 out, with thresholds that belong to the embedder."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from adjudge.core.ask import Vector
from adjudge.core.errors import BadInput
from adjudge.core.install import install_command

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.float32]

DEFAULT = "minilm"
KEY_VARIABLE = "ADJUDGE_EMBED_KEY"
_PREFIX = "sentence-transformers:"
_KNOWN = (
    "minilm ({embed}), wordllama (pip install wordllama), "
    "sentence-transformers:MODEL (pip install sentence-transformers), or any model of an OpenAI-compatible "
    "embeddings endpoint with its URL"
)


class Encoder(Protocol):
    """An embedder: its name and revision say which vectors it gives, its thresholds what they mean."""

    @property
    def name(self) -> str:
        """The name a user asks for it by."""

    @property
    def revision(self) -> str:
        """A hash that changes when its vectors may."""

    @property
    def shares_vectors(self) -> bool:
        """Whether runs may share its vectors: its revision covers the weights, and looking one up is faster."""

    @property
    def thresholds(self) -> Mapping[str, float]:
        """For each use, the cosine from which two texts count as a match."""

    def embed(self, texts: Sequence[str]) -> Rows:
        """One row of length 1 for each text, in order."""


def embedder(name: str = DEFAULT, url: str = "", key_variable: str = KEY_VARIABLE) -> Encoder:
    """The embedder of a name; with a URL, the model of that name at an OpenAI-compatible endpoint.

    The endpoint's key is read from the environment variable `key_variable`, and from nowhere else.
    """
    if url:
        from adjudge.tools.embed.endpoint import EmbeddingsEndpoint

        return EmbeddingsEndpoint(name, url, key_variable)
    if name == "minilm":
        from adjudge.tools.embed.minilm import MiniLm

        return MiniLm()
    if name == "wordllama":
        from adjudge.tools.embed.wordllama import StaticWords

        return StaticWords()
    if name.startswith(_PREFIX) and name != _PREFIX:
        from adjudge.tools.embed.sentence_transformers import Transformer

        return Transformer(name.removeprefix(_PREFIX))
    raise BadInput(f"no embedder {name!r}; there are: {_KNOWN.format(embed=install_command('embed'))}")


def threshold(encoder: Encoder, use: str) -> float:
    """The cosine from which two texts count as a match for a use; raises BadInput where none was calibrated."""
    if use in encoder.thresholds:
        return encoder.thresholds[use]
    raise BadInput(
        f"embedder {encoder.name!r} has no threshold for {use!r} (it has: {', '.join(encoder.thresholds) or 'none'}); "
        "run benchmarks/calibrate.py for it"
    )


def cosine(first: Vector, second: Vector) -> float:
    """The cosine of two vectors of length 1."""
    import numpy as np

    return float(np.dot(first, second))


def require(name: str, *packages: str, install: str) -> None:
    """Raise BadInput unless the packages that an embedder runs on can be imported."""
    absent = [package for package in packages if importlib.util.find_spec(package) is None]
    if absent:
        raise BadInput(f"embedder {name!r} needs {' and '.join(absent)}: {install}")
