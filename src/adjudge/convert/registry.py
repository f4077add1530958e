"""The formats, in the order in which they are tried, and the reading of files in any of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from adjudge.convert import openai_chat, own
from adjudge.convert.fields import Notes, short
from adjudge.convert.format import Format, Placed, Row
from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings, did_you_mean
from adjudge.core.suite import Refuse
from adjudge.read.decode import check_depth, decode, lenient_row, refuse_duplicate_keys
from adjudge.read.files import LIMITS, Part, part_rows
from adjudge.read.source import contents

# The more particular formats come first: what they take would pass for plain chat messages, too.
FORMATS: tuple[Format, ...] = (own.FORMAT, openai_chat.FORMAT)
ANY: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Any)
KEYS_SHOWN = 8


def read_conversations(
    path: Path, warnings: Warnings, refuse: Refuse, *, format: str = "", lenient: bool = False
) -> Iterator[Placed]:
    """The conversations of a file in order, each with its place; the format is detected where none is named.

    Rows that cannot be read go to `refuse`, and what is not understood is counted in `warnings`. Raises BadInput for a
    file of no known format.
    """
    chosen = [find_format(format)] if format else [*FORMATS]
    for name, reader in contents(path, warnings):
        yield from _json_part(Part(name, reader, LIMITS, refuse), chosen, warnings, lenient)


def find_format(name: str) -> Format:
    """The format of a name; raises BadInput."""
    known = {format.name: format for format in FORMATS}
    if name not in known:
        raise BadInput(f"--format {name!r}: no such format{did_you_mean(name, known)} (there are: {', '.join(known)})")
    return known[name]


def _json_part(part: Part, formats: list[Format], warnings: Warnings, lenient: bool) -> Iterator[Placed]:
    rows = _decode_rows(part_rows(part), part, warnings, lenient)
    recognised = _match_formats(rows, formats, part)
    for format, group in groupby(recognised, key=lambda pair: pair[0]):
        notes = Notes(format.name, warnings, part.refuse)
        yield from format.read((row for _, row in group), notes)


def _decode_rows(rows: Iterable[tuple[str, bytes]], part: Part, warnings: Warnings, lenient: bool) -> Iterator[Row]:
    """The values of rows; what is no JSON is refused."""
    for where, raw in rows:
        try:
            raw = lenient_row(where, raw, warnings) if lenient else raw
            check_depth(where, raw)
            value = decode(where, raw, ANY)
            refuse_duplicate_keys(where, raw)
        except BadRecord as fault:
            part.refuse(fault.complaint)
        else:
            yield Row(where, value)


def _match_formats(rows: Iterator[Row], formats: list[Format], part: Part) -> Iterator[tuple[Format, Row]]:
    """Each row with its format; others are refused, and a file without any row of a known format raises BadInput."""
    known, unknown = False, None
    for row in rows:
        format = next((format for format in formats if format.recognises(row.value)), None)
        if format:
            known = True
            yield format, row
            continue
        unknown = unknown or row
        part.refuse(Complaint(row.where, _complaint_text(row.value, formats)))
    if unknown and not known:
        raise BadInput(f"{unknown.where}: {_complaint_text(unknown.value, formats)}")


def _complaint_text(value: Any, formats: list[Format]) -> str:
    shape = (
        f"an object with {', '.join(map(repr, list(value)[:KEYS_SHOWN]))}" if isinstance(value, dict) else short(value)
    )
    names = ", ".join(format.name for format in formats)
    return f"{shape}; expected a conversation in one of these formats: {names}"
