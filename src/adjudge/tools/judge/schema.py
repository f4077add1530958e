"""Answer types: the JSON Schema that a model is shown, and the strict decoder of its answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import msgspec
import msgspec.inspect

from adjudge.core.schema import json_schema

T = TypeVar("T")


def per_type(function: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """The function, computed once for each answer type."""
    return cache(function)  # type: ignore[return-value]  # mypy: type[Any] is not taken for hashable


@per_type
def schema_text(answer: type[Any]) -> str:
    """The JSON Schema of an answer type, closed: every field is required and no other is allowed."""
    return msgspec.json.encode(_close_objects(_inline_root(json_schema(answer)))).decode()


@per_type
def decoder(answer: type[Any]) -> msgspec.json.Decoder[Any]:
    """The strict decoder of an answer type."""
    return msgspec.json.Decoder(answer)


@per_type
def type_info(answer: type[Any]) -> Any:
    """The description of an answer type by msgspec."""
    return msgspec.inspect.type_info(answer)


def _inline_root(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with an object at its root: servers refuse a reference there."""
    definitions = dict(schema.get("$defs", {}))
    root = definitions.get(schema.get("$ref", "").rpartition("/")[2])
    if root is None:
        return schema
    if not any(schema["$ref"] in str(definition) for definition in definitions.values()):
        definitions = {name: value for name, value in definitions.items() if value is not root}
    return {**root, "$defs": definitions} if definitions else root


def _close_objects(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_close_objects(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _close_objects(part) for key, part in schema.items() if key != "default"}
    if isinstance(properties := schema.get("properties"), dict) and schema.get("type") == "object":
        closed["properties"] = {name: _close_objects(part) for name, part in properties.items()}
        closed |= {"required": list(properties), "additionalProperties": False}
    return closed
