"""Conversations as users hand them over: files, or values in memory, which are written to a file to be read."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.api.runs import PREFIX, TemporaryFolder
from adjudge.core.coverage import Coverage
from adjudge.core.errors import BadInput

# The stem of the file that values in memory are written to; messages name it in place of the file.
NAME = "conversations"
EXPECTED = "expected files, a list of dicts or records, or a DataFrame"


@contextmanager
def input_files(conversations: Any) -> Iterator[tuple[str, ...]]:
    """The files to read; those of values in memory exist within the `with` block only."""
    if isinstance(conversations, str | os.PathLike):
        conversations = [conversations]
    frame = _frame_rows(conversations)
    items = frame if frame is not None else list(conversations) if isinstance(conversations, Iterable) else None
    if not items:
        raise BadInput(f"found {'nothing' if items == [] else repr(conversations)[:80]} to read; {EXPECTED}")
    if all(isinstance(item, str | os.PathLike) for item in items):
        yield tuple(map(str, items))
        return
    folder = TemporaryFolder()
    path = write_values(items, folder.path) if frame is None else write_frame(frame, folder.path)
    try:
        yield (str(path),)
    except BadInput as error:
        # "conversations:3: turns: ..." says more than the place of a file that the user has not made.
        raise BadInput(str(error).replace(str(path), NAME)) from error


def name_values_in(coverage: Coverage, files: Sequence[str]) -> None:
    """Let remarks on values in memory name their place in the list, and not the file that they were written to."""
    for path in files:
        if Path(path).stem == NAME and Path(path).parent.parent.name.startswith(PREFIX):
            coverage.warnings = [line.replace(path, NAME) for line in coverage.warnings]
            for arm in coverage.arms.values():
                arm.remarks = [line.replace(path, NAME) for line in arm.remarks]


def write_values(items: list[Any], folder: Path) -> Path:
    """Write values to a file of JSON lines."""
    rows = [_plain_row(item, place) for place, item in enumerate(items)]
    path = folder / f"{NAME}.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return path


def write_frame(frame: list[dict[str, Any]], folder: Path) -> Path:
    """Write the rows of a data frame to a file: a table if every cell is flat, otherwise JSON lines."""
    rows = [_plain_row(row, place) for place, row in enumerate(frame)]
    if not all(isinstance(value, str | int | float | None) for row in rows for value in row.values()):
        return write_values(rows, folder)
    header = list(dict.fromkeys(name for row in rows for name in row))
    path = folder / f"{NAME}.csv"
    # Not `report.csvfile`, which guards cells against spreadsheets: a conversation stays as it is.
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.DictWriter(file, header).writerows([dict(zip(header, header, strict=True)), *rows])
    return path


def _plain_row(item: object, place: int) -> dict[str, Any]:
    """A conversation as a dict of JSON values."""
    if not isinstance(item, Mapping | Struct):
        raise BadInput(f"{NAME}[{place}]: found {item!r:.80}; {EXPECTED}")
    try:
        row = msgspec.to_builtins(dict(item) if isinstance(item, Mapping) else item, enc_hook=_plain_value)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{NAME}[{place}]: {error}; expected values of JSON") from error
    return {str(name): value for name, value in row.items() if not _is_gap(value)}


def _plain_value(value: Any) -> Any:
    """A number or an array of another library as plain values."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"found a {type(value).__name__}")


def _is_gap(value: object) -> bool:
    """Whether a value is the sign of a data frame for a value that is missing."""
    return isinstance(value, float) and value != value


def _frame_rows(value: Any) -> list[dict[str, Any]] | None:
    """The rows of a data frame of pandas or polars; None for anything else."""
    if hasattr(value, "to_dicts"):
        return [{name: cell for name, cell in row.items() if cell is not None} for row in value.to_dicts()]
    if hasattr(value, "to_dict") and hasattr(value, "columns"):
        return list(value.to_dict("records"))
    return None
