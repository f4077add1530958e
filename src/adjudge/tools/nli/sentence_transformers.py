"""A cross-encoder of the sentence-transformers package, where the user has it."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from adjudge.core.ask import Pair
from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.tools.nli import Probabilities
from adjudge.tools.nli.labels import read_config, relations_by_output

# Weights in other formats are pickles, which run code when they are read.
WEIGHTS = "model.safetensors"
_PACKAGE = "sentence-transformers"


class TransformersCrossEncoder:
    """The cross-encoder of a folder, loaded when first used; nothing is downloaded."""

    def __init__(self, folder: Path) -> None:
        if importlib.util.find_spec("sentence_transformers") is None:
            raise BadInput(
                f"--nli {folder} needs {_PACKAGE}: pip install {_PACKAGE}; or export the model to ONNX "
                f"(model.onnx beside tokenizer.json), which needs only {install_command('embed')}"
            )
        self.folder = folder
        self.name = folder.resolve().name
        self.relations = relations_by_output(read_config(folder), folder)

    @cached_property
    def revision(self) -> str:
        """A hash of the weights, the configuration and the package's version."""
        digest = hashlib.sha256(importlib.metadata.version(_PACKAGE).encode())
        for name in (WEIGHTS, "config.json"):
            with (self.folder / name).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:16]

    def classify(self, pairs: Sequence[Pair]) -> list[Probabilities]:
        """For each pair, in order, the probability of each relation."""
        texts = [(pair.premise, pair.hypothesis) for pair in pairs]
        rows = self._model.predict(texts, apply_softmax=True, show_progress_bar=False)
        return [dict(zip(self.relations, map(float, row), strict=True)) for row in rows]

    @cached_property
    def _model(self) -> Any:
        encoder = importlib.import_module("sentence_transformers").CrossEncoder
        return encoder(str(self.folder), local_files_only=True, model_kwargs={"use_safetensors": True})
