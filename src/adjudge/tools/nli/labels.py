"""Which output of a model means which relation, as its config.json says it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from adjudge.core.ask import Relation
from adjudge.core.errors import BadInput

# Models name the relations "entailment", "ENTAILMENT", "entail", "contradiction" and so on.
_STARTS: dict[str, Relation] = {"entail": "entail", "neutral": "neutral", "contradict": "contradict"}
EXPECTED = "expected three labels: entailment, neutral and contradiction, in any order"


class ModelConfig(msgspec.Struct, frozen=True):
    """What is read of a model's config.json."""

    id2label: dict[str, str] = {}
    max_position_embeddings: int | None = None
    pad_token_id: int | None = None


def read_config(folder: Path) -> ModelConfig:
    """The config.json of a model; raises BadInput."""
    path = folder / "config.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=ModelConfig)
    except FileNotFoundError as error:
        raise BadInput(f"{path}: no such file; expected the model's configuration with id2label") from error
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read: {error}; expected the model's configuration with id2label") from error


def relations_by_output(config: ModelConfig, where: Path) -> tuple[Relation, ...]:
    """The relation that each output of a model stands for, in order; raises BadInput."""
    try:
        numbered = {int(number): label for number, label in config.id2label.items()}
    except ValueError:
        numbered = {}
    relations = tuple(relation_of(numbered.get(number, "")) for number in range(len(config.id2label)))
    if sorted(filter(None, relations)) != ["contradict", "entail", "neutral"]:
        raise BadInput(f"{where / 'config.json'}: id2label: found {config.id2label!r}; {EXPECTED}")
    return tuple(filter(None, relations))


def relation_of(label: str) -> Relation | None:
    """The relation that a model's label means; None where it means none.

    >>> relation_of("ENTAILMENT"), relation_of("contradiction"), relation_of("LABEL_0")
    ('entail', 'contradict', None)
    """
    return next((relation for start, relation in _STARTS.items() if label.strip().lower().startswith(start)), None)


def softmax(logits: Sequence[float]) -> list[float]:
    """Probabilities from a model's raw outputs."""
    import numpy as np

    raised: Any = np.exp(np.asarray(logits, dtype=np.float64) - max(logits))
    return [float(value) for value in raised / raised.sum()]
