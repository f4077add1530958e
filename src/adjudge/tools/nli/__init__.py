"""Entailment: models that say how a hypothesis relates to its premise, on disk, behind an address, or by a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from adjudge.core.ask import Pair, Relation
from adjudge.core.errors import BadInput

# The value of --nli that asks the judge; every other value is a folder.
BY_JUDGE = "judge"
KEY_VARIABLE = "ADJUDGE_NLI_KEY"

Probabilities = Mapping[Relation, float]


class EntailmentModel(Protocol):
    """A model of entailment; `name` and `revision` say which answers it gives."""

    @property
    def name(self) -> str:
        """What messages and runs call it."""

    @property
    def revision(self) -> str:
        """A hash that changes when its answers may."""

    def classify(self, pairs: Sequence[Pair]) -> list[Probabilities]:
        """For each pair, in order, the probability of each relation; raises Unanswered."""


def entailment_model(name: str | None, url: str | None) -> EntailmentModel | None:
    """The model that `--nli` or `--nli-url` names; None where they name none, or the judge."""
    if name and url:
        raise BadInput(f"--nli {name} and --nli-url {url}: expected one of them")
    if url:
        from adjudge.tools.nli.endpoint import EntailmentEndpoint

        return EntailmentEndpoint(url)
    return None if name is None or name == BY_JUDGE else open_folder(Path(name))


def open_folder(folder: Path) -> EntailmentModel:
    """The cross-encoder in a folder, checked but not loaded; raises BadInput where there is none."""
    if not folder.is_dir():
        raise BadInput(
            f"--nli {folder}: no such folder; expected {BY_JUDGE!r}, or a folder with a cross-encoder "
            "(model.onnx or model.safetensors, tokenizer.json, config.json)"
        )
    from adjudge.tools.nli.onnx import OnnxCrossEncoder, onnx_file

    if onnx_file(folder) is not None:
        return OnnxCrossEncoder(folder)
    from adjudge.tools.nli.sentence_transformers import WEIGHTS, TransformersCrossEncoder

    if (folder / WEIGHTS).is_file():
        return TransformersCrossEncoder(folder)
    raise BadInput(f"--nli {folder}: no model in it; expected model.onnx, onnx/model.onnx or {WEIGHTS}")
