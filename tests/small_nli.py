"""A real cross-encoder, small enough to read: an ONNX file that adds up what each word says about the relation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

LABELS = ("contradiction", "entailment", "neutral")
# What words of the hypothesis say; the canaries of adjudge.tools.nli come out right with them.
WORDS: Mapping[str, str] = {
    "instrument": "entailment",
    "same": "entailment",
    "open": "contradiction",
    "never": "contradiction",
    "doctor": "neutral",
}
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def write_model(
    folder: Path,
    labels: Sequence[str] = LABELS,
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    outputs: int = 3,
) -> Path:
    """A folder with model.onnx, tokenizer.json and config.json; `labels` is what config.json says of the outputs."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(_model(inputs, outputs), folder / "model.onnx")
    _tokenizer().save(str(folder / "tokenizer.json"))
    config = {"id2label": {str(number): label for number, label in enumerate(labels)}, "pad_token_id": 0}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return folder


def _tokenizer() -> Tokenizer:
    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *WORDS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    return tokenizer


def _model(inputs: Sequence[str], outputs: int) -> onnx.ModelProto:
    """logits = sum over tokens of mask * table[token + size * type]: only words of the hypothesis count."""
    size = len(SPECIAL) + len(WORDS)
    table = np.zeros((2 * size, outputs), dtype=np.float32)
    for number, label in enumerate(WORDS.values()):
        table[size + len(SPECIAL) + number, LABELS.index(label) % outputs] = 4.0
    constants = {
        "table": table,
        "size": np.asarray(size, dtype=np.int64),
        "tokens": np.asarray([1], dtype=np.int64),
        "last": np.asarray([2], dtype=np.int64),
    }
    nodes = [
        helper.make_node("Mul", [inputs[2], "size"], ["offset"]),
        helper.make_node("Add", [inputs[0], "offset"], ["rows"]),
        helper.make_node("Gather", ["table", "rows"], ["said"]),
        helper.make_node("Cast", [inputs[1]], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
        helper.make_node("Mul", ["said", "column"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "tokens"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["pairs", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", outputs])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model
