"""Words looked for in what was said: the file of records is read through, and hits come as they are found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from adjudge.report.page.facts import objects
from adjudge.web.index.lines import RECORD

# The number of characters that are shown around a hit.
AROUND = 60


def search(path: Path, text: str, wanted: Any) -> Iterator[tuple[int, str]]:
    """The places of conversations with a text in a turn, each with the words around it.

    `wanted` says by place which conversations are looked into. Letters count as equal in upper and lower case.
    """
    needle = text.casefold()
    # Bytes that a matching line must contain, so that most lines need not be decoded. Letters beyond ASCII may change
    # when folded.
    bare = msgspec.json.encode(text)[1:-1].lower() if text.isascii() else b""
    with path.open("rb") as file:
        for place, line in enumerate(file):
            if place >= len(wanted):
                return
            if wanted[place] and bare in line.lower() and (hit := _hit(line, needle)):
                yield place, hit


def _hit(line: bytes, needle: str) -> str:
    """The words around the first hit; empty where there is none."""
    try:
        turns = objects(RECORD.decode(line).get("turns"))
    except msgspec.MsgspecError:
        return ""
    for turn in turns:
        text = str(turn.get("text") or "")
        at = text.casefold().find(needle)
        if at >= 0:
            start = max(at - AROUND, 0)
            return ("…" if start else "") + text[start : at + len(needle) + AROUND * 2]
    return ""
