"""A cross-encoder as an ONNX file with its tokenizer, on onnxruntime: offline and without torch."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.core.ask import Pair
from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.tools.nli import Probabilities
from adjudge.tools.nli.labels import read_config, relations_by_output, softmax

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Where the exporters of optimum and sentence-transformers write the model.
PLACES = ("model.onnx", "onnx/model.onnx")
# What the common encoders (BERT, RoBERTa, DeBERTa) were trained on; longer pairs are cut, the longer text first.
MAX_TOKENS = 512
BATCH = 16
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def onnx_file(folder: Path) -> Path | None:
    """The ONNX file of a folder: one of the usual names, or the only one there is."""
    usual = next((folder / place for place in PLACES if (folder / place).is_file()), None)
    files = sorted(folder.glob("*.onnx"))
    return usual or (files[0] if len(files) == 1 else None)


class OnnxCrossEncoder:
    """The cross-encoder of a folder: its files are checked when it is made and loaded when first used."""

    def __init__(self, folder: Path) -> None:
        absent = [name for name in ("onnxruntime", "tokenizers") if importlib.util.find_spec(name) is None]
        if absent:
            raise BadInput(f"--nli {folder} needs {' and '.join(absent)}: {install_command('embed')}")
        weights = onnx_file(folder)
        if weights is None:
            raise BadInput(f"--nli {folder}: no ONNX file in it; expected {' or '.join(PLACES)}")
        self.weights = weights
        self.tokenizer_file = folder / "tokenizer.json"
        if not self.tokenizer_file.is_file():
            raise BadInput(f"{self.tokenizer_file}: no such file; expected the tokenizer of the model beside it")
        self.folder = folder
        self.name = folder.resolve().name
        self.config = read_config(folder)
        self.relations = relations_by_output(self.config, folder)

    @cached_property
    def revision(self) -> str:
        """A hash of the weights, the tokenizer and the configuration."""
        digest = hashlib.sha256()
        # Models above 2 GB keep their weights in files beside the ONNX file, called model.onnx_data or model.onnx.data.
        for path in [
            *sorted(self.weights.parent.glob(f"{self.weights.name}*")),
            self.tokenizer_file,
            self._config_file,
        ]:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:16]

    @property
    def _config_file(self) -> Path:
        return self.folder / "config.json"

    def classify(self, pairs: Sequence[Pair]) -> list[Probabilities]:
        """For each pair, in order, the probability of each relation."""
        encodings = self._tokenizer.encode_batch([(pair.premise, pair.hypothesis) for pair in pairs])
        classified: dict[int, Probabilities] = {}
        for rows in _batches(encodings):
            logits = self._logits([encodings[row] for row in rows])
            classified |= {row: self._probabilities(outputs) for row, outputs in zip(rows, logits, strict=True)}
        return [classified[row] for row in range(len(pairs))]

    def _probabilities(self, outputs: Sequence[float]) -> Probabilities:
        return dict(zip(self.relations, softmax(outputs), strict=True))

    def _logits(self, encodings: Sequence[Any]) -> Any:
        import numpy as np

        width = max(len(encoding.ids) for encoding in encodings)
        padding = self.config.pad_token_id or 0
        values = {
            "input_ids": _pad([encoding.ids for encoding in encodings], width, padding),
            "attention_mask": _pad([encoding.attention_mask for encoding in encodings], width, 0),
            "token_type_ids": _pad([encoding.type_ids for encoding in encodings], width, 0),
        }
        logits = np.asarray(self._session.run(None, {name: values[name] for name in self._input_names})[0])
        if logits.shape != (len(encodings), len(self.relations)):
            raise BadInput(
                f"{self.weights}: gives an array of shape {list(logits.shape)} for {len(encodings)} pairs; "
                f"expected {len(encodings)} rows of {len(self.relations)} (a sequence classifier of three labels)"
            )
        return logits

    @cached_property
    def _input_names(self) -> list[str]:
        """The inputs that the model takes; raises BadInput for one that no tokenizer gives."""
        names = [given.name for given in self._session.get_inputs()]
        if unknown := [name for name in names if name not in _INPUTS]:
            raise BadInput(f"{self.weights}: takes the input {unknown[0]!r}; expected only {', '.join(_INPUTS)}")
        return names

    @cached_property
    def _session(self) -> Any:
        onnxruntime = importlib.import_module("onnxruntime")
        options = onnxruntime.SessionOptions()
        # Several threads become slower than one where other processes use the same cores.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            return onnxruntime.InferenceSession(str(self.weights), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has an exception of its own for each fault of a file.
            raise BadInput(f"{self.weights}: not an ONNX model that onnxruntime can load: {error}") from error

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizers = importlib.import_module("tokenizers")
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(self.tokenizer_file))
        except Exception as error:  # The library raises plain exceptions.
            raise BadInput(f"{self.tokenizer_file}: not a tokenizer: {error}") from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(min(MAX_TOKENS, self.config.max_position_embeddings or MAX_TOKENS))
        return tokenizer


def _pad(rows: Sequence[Sequence[int]], width: int, padding: int) -> NDArray[np.int64]:
    import numpy as np

    return np.asarray([[*row, *[padding] * (width - len(row))] for row in rows], dtype=np.int64)


def _batches(encodings: Sequence[Any]) -> Iterator[list[int]]:
    """The rows of pairs of similar length, so that little padding is computed."""
    by_length = sorted(range(len(encodings)), key=lambda row: len(encodings[row].ids))
    for start in range(0, len(by_length), BATCH):
        yield by_length[start : start + BATCH]
