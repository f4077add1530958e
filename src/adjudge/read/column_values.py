"""The values of an Arrow column as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from msgspec import Raw

from adjudge.core.errors import BadInput

# Extension types of Arrow: text that is JSON, and identifiers.
JSON, UUID = "arrow.json", "arrow.uuid"
EXPECTED = "expected numbers, text, booleans, dates, times, lists, structs or maps"
# JSON has no word for an infinite number; the reader of the row says so, with its place.
INFINITE = {math.inf: Raw(b"Infinity"), -math.inf: Raw(b"-Infinity")}
# Line feeds and carriage returns become spaces.
ONE_LINE = bytes.maketrans(b"\r\n", b"  ")


def is_json_text(schema: Any) -> bool:
    """Whether the only column of a file is text, so that each value is a record in JSON."""
    return len(schema) == 1 and _is_text(_storage(schema.types[0]))


def check_schema(schema: Any, name: str, depth: int) -> None:
    """Raise BadInput for columns that JSON cannot hold, that have the same name, or that are nested too deep."""
    if not schema.names:
        raise BadInput(f"{name}: no columns; expected one for each field of a record")
    _refuse_repeated(schema.names, name, "columns")
    for field in schema:
        _check_type(field.type, f"{name}: column {field.name!r}", depth)


def json_texts(array: Any) -> list[bytes | None]:
    """The texts of a column of JSON, each on one line: a line break in JSON is white space, as strings hold none."""
    import pyarrow as pa

    texts = _plain(array).cast(pa.large_binary()).to_pylist()
    return [text if text is None else text.translate(ONE_LINE) for text in texts]


def column_values(array: Any, place: str) -> list[Any]:
    """The values of a column, None where they are null; `place` names it in messages.

    In structs, fields that are null are left out.
    """
    import pyarrow.types as kinds

    if _extension(array.type) == JSON:
        return [text if text is None else Raw(text) for text in json_texts(array)]
    array = _plain(array)
    if kinds.is_struct(array.type):
        return _struct_values(array, place)
    if kinds.is_map(array.type):
        return _map_values(array, place)
    if kinds.is_large_list(array.type):
        return _list_values(array, place)
    values = _leaf_values(array, place)
    return _finite(values) if kinds.is_floating(array.type) else values


def _struct_values(array: Any, place: str) -> list[Any]:
    names = [field.name for field in array.type]
    columns = [column_values(part, f"{place}.{name}") for name, part in zip(names, array.flatten(), strict=True)]
    return _with_nulls(records(names, columns, len(array)), array)


def records(names: Sequence[str], columns: Sequence[list[Any]], count: int) -> list[dict[str, Any]]:
    """The values of columns by name, row by row, without those that are null."""
    rows = zip(*columns, strict=True) if columns else [()] * count
    return [{name: value for name, value in zip(names, row, strict=True) if value is not None} for row in rows]


def _list_values(array: Any, place: str) -> list[Any]:
    spans = _Spans(array)
    items = column_values(spans.window(array.values), place)
    return _with_nulls([items[start:end] for start, end in spans.pairs], array)


def _map_values(array: Any, place: str) -> list[Any]:
    spans = _Spans(array)
    keys = [str(key) for key in column_values(spans.window(array.keys), place)]
    items = column_values(spans.window(array.items), place)
    for start, end in spans.pairs:
        _refuse_repeated(keys[start:end], place, "keys of a map")
    return _with_nulls([dict(zip(keys[start:end], items[start:end], strict=True)) for start, end in spans.pairs], array)


class _Spans:
    """Where the items of each list or map stand among the items of the column, counted from its first one."""

    def __init__(self, array: Any) -> None:
        offsets = array.offsets.to_pylist()
        self._start, self._end = offsets[0], offsets[-1]
        ends = [offset - self._start for offset in offsets]
        self.pairs = list(pairwise(ends))

    def window(self, items: Any) -> Any:
        """The items of this column: a slice of a column shares the items of the whole."""
        return items.slice(self._start, self._end - self._start)


def _leaf_values(array: Any, place: str) -> list[Any]:
    try:
        return list(array.to_pylist())
    except UnicodeDecodeError as fault:
        raise BadInput(f"{place}: {fault.reason}; expected text in UTF-8; write the file again") from None
    except (OverflowError, ValueError) as fault:
        raise BadInput(f"{place}: {fault}; expected dates from the year 1 to 9999; correct them") from None


def _finite(values: list[Any]) -> list[Any]:
    """Numbers; NaN, which data frames write for a missing value, is null."""
    if all(value is None or math.isfinite(value) for value in values):
        return values
    return [None if value is None or math.isnan(value) else INFINITE.get(value, value) for value in values]


def _with_nulls(values: list[Any], array: Any) -> list[Any]:
    if not array.null_count:
        return values
    return [value if valid else None for value, valid in zip(values, array.is_valid().to_pylist(), strict=True)]


def _plain(array: Any) -> Any:
    """The column in one of few types: no dictionaries, text for bytes, large lists, times in microseconds."""
    import pyarrow as pa
    import pyarrow.types as kinds

    kind = array.type
    if _extension(kind) not in ("", UUID):
        return _plain(array.storage)
    if kinds.is_dictionary(kind):
        return _plain(array.dictionary_decode())
    if kinds.is_timestamp(kind) and kind.unit == "ns":
        return array.cast(pa.timestamp("us", kind.tz), safe=False)
    if kinds.is_time64(kind) and kind.unit == "ns":
        return array.cast(pa.time64("us"), safe=False)
    if _is_bytes(kind):
        return array.cast(pa.large_string(), safe=False)
    return array.cast(pa.large_list(kind.value_field)) if _is_list(kind) else array


def _check_type(kind: Any, place: str, depth: int) -> None:
    """Raise BadInput for a type that JSON cannot hold."""
    import pyarrow.types as kinds

    if not depth:
        raise BadInput(f"{place}: nested too deep; expected at most as many levels as JSON may have")
    if _extension(kind) == UUID or _is_leaf(_storage(kind)):
        return
    kind = _storage(kind)
    if not (_is_list(kind) or kinds.is_large_list(kind) or kinds.is_struct(kind) or kinds.is_map(kind)):
        raise BadInput(f"{place}: of the type {kind}; {EXPECTED}; cast the column, or leave it out")
    if kinds.is_struct(kind):
        _refuse_repeated([field.name for field in kind], place, "fields of a struct")
    if kinds.is_map(kind) and not (_is_text(_storage(kind.key_type)) or kinds.is_integer(_storage(kind.key_type))):
        raise BadInput(f"{place}: a map with keys of the type {kind.key_type}; expected text; cast the keys to text")
    for place_of_child in range(kind.num_fields):
        child = kind.field(place_of_child)
        _check_type(child.type, f"{place}.{child.name}" if kinds.is_struct(kind) else place, depth - 1)


def _is_leaf(kind: Any) -> bool:
    import pyarrow.types as kinds

    simple = (kinds.is_boolean, kinds.is_integer, kinds.is_floating, kinds.is_decimal, kinds.is_null)
    in_time = (kinds.is_date, kinds.is_time, kinds.is_timestamp)
    return _is_text(kind) or any(is_kind(kind) for is_kind in (*simple, *in_time))


def _is_text(kind: Any) -> bool:
    import pyarrow.types as kinds

    return bool(kinds.is_string(kind) or kinds.is_large_string(kind) or str(kind) == "string_view" or _is_bytes(kind))


def _is_bytes(kind: Any) -> bool:
    """Whether a column holds bytes, which is how some programs write text into Parquet."""
    import pyarrow.types as kinds

    return bool(kinds.is_binary(kind) or kinds.is_large_binary(kind) or str(kind) == "binary_view")


def _is_list(kind: Any) -> bool:
    """Whether a column holds lists of another layout than `large_list`."""
    import pyarrow.types as kinds

    return bool(kinds.is_list(kind) or kinds.is_fixed_size_list(kind) or "list_view" in str(kind).partition("<")[0])


def _storage(kind: Any) -> Any:
    """The type in which values are stored: without dictionary and extension."""
    import pyarrow.types as kinds

    if kinds.is_dictionary(kind):
        return _storage(kind.value_type)
    return _storage(kind.storage_type) if _extension(kind) else kind


def _extension(kind: Any) -> str:
    """The name of an extension type; empty for another type."""
    return str(getattr(kind, "extension_name", ""))


def _refuse_repeated(names: Sequence[str], place: str, what: str) -> None:
    if len(set(names)) < len(names):
        repeated = next(name for at, name in enumerate(names) if name in names[:at])
        raise BadInput(f"{place}: two {what} have the name {repeated!r}; expected each name once; rename one")
