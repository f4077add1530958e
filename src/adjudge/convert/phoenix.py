"""Spans as Arize Phoenix exports them from a data frame: one column for each attribute.

Shape: `context.span_id`, `context.trace_id`, `span_kind` and `attributes.*` are columns; lists of messages are cells:
`attributes.llm.input_messages: [{"message.role": "user", "message.content": "Hi"}]`.
Quirks: cells of attributes that a span does not have are null.
Version: the columns of `get_spans_dataframe()` in the documentation of arize-phoenix ("Querying Spans").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SPAN_ID = "context.span_id"
CONTEXT, ATTRIBUTES = "context.", "attributes."


def restore_span(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """The span of a row of the data frame; any other object is given back as it is.

    >>> row = {"name": "chat", "context.span_id": "a", "attributes.llm.input_messages": [{"message.role": "user"}]}
    >>> restore_span(row)["attributes"]
    {'llm.input_messages.0.message.role': 'user'}
    """
    if SPAN_ID not in columns:
        return columns
    span = {name: cell for name, cell in columns.items() if not name.startswith((CONTEXT, ATTRIBUTES))}
    context = {name.removeprefix(CONTEXT): cell for name, cell in columns.items() if name.startswith(CONTEXT)}
    attributes = dict(
        pair
        for name, cell in columns.items()
        if name.startswith(ATTRIBUTES)
        for pair in _spread(name.removeprefix(ATTRIBUTES), cell)
    )
    if kind := span.pop("span_kind", None):
        attributes.setdefault("openinference.span.kind", kind)
    return {**span, "context": context, "attributes": attributes}


def _spread(name: str, cell: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of a cell: those of each object in a list, and no attribute for null."""
    if isinstance(cell, list) and any(isinstance(item, dict) for item in cell):
        for number, item in enumerate(cell):
            yield from _spread(f"{name}.{number}", item)
    elif isinstance(cell, dict):
        for key, value in cell.items():
            yield from _spread(f"{name}.{key}", value)
    elif cell is not None:
        yield name, cell
