"""Inspect's `.eval` archives: a zip with a header and one file for each sample, read without unpacking to disk."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from adjudge.convert.fields import ReadingNotes
from adjudge.convert.format import PlacedConversation
from adjudge.convert.inspect_log import read_sample
from adjudge.core.errors import BadInput, BadRecord
from adjudge.read.decode import check_depth, decode
from adjudge.read.source import contents

HEADERS = ("header.json", "start.json")
SAMPLES = "samples"
ANY: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Any)


def is_log(names: Collection[str]) -> bool:
    """Whether an archive with such members is a log: it has a header or a journal of Inspect."""
    return bool({"header.json", "_journal/start.json"} & set(names))


def read(path: Path, notes: ReadingNotes) -> Iterator[PlacedConversation]:
    """The conversations of the samples of an archive."""
    log: dict[str, Any] = {}
    samples = 0
    for name, reader in contents(path, notes.warnings):
        member = PurePosixPath(name)
        is_sample = member.parent.name == SAMPLES
        if not is_sample and member.name not in HEADERS:
            continue
        where = f"{name}:1"
        try:
            raw = reader.read()
            check_depth(where, raw)
            value = decode(where, raw, ANY)
            if is_sample:
                samples += 1
                yield PlacedConversation(where, read_sample(where, log, value, notes))
            elif isinstance(value, dict):
                log = value
        except BadRecord as fault:
            notes.complain(fault.complaint)
    if not samples:
        raise BadInput(f"{path}: an Inspect log without samples; expected samples/ID_epoch_N.json in it")
