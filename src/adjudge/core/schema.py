"""JSON Schemas of types, described by their docstrings without the examples for programmers."""

from __future__ import annotations

import re
from typing import Any

import msgspec

# "How polite it is.\n\n    >>> Verdict(5)": where the examples of a docstring begin.
_EXAMPLES = re.compile(r"\n\n *>>> ")


def json_schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a type.

    >>> class Verdict(msgspec.Struct):
    ...     '''How polite it is.
    ...
    ...     >>> Verdict(5).score
    ...     5
    ...     '''
    ...     score: int
    >>> json_schema(Verdict)["$defs"]["Verdict"]["description"]
    'How polite it is.'
    """
    schema: dict[str, Any] = _without_examples(msgspec.json.schema(kind))
    return schema


def _without_examples(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_examples(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: _without_examples(part) for key, part in schema.items()}
    if isinstance(description := schema.get("description"), str):
        parts["description"] = _EXAMPLES.split(description, maxsplit=1)[0]
    return parts
