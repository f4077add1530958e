"""Damages files at random, and finds what was lost in silence."""

from __future__ import annotations

import copy
import gzip
import io
import json
import random
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudge.convert.fields import json_text, parse_loosely
from adjudge.convert.reading import ReadingOptions, read_conversations
from adjudge.core.conversation import Conversation
from adjudge.core.errors import BadInput, Warnings

# Shorter texts occur by chance.
LONG_ENOUGH = 20
SWAPS: tuple[Any, ...] = (None, 7, "text", [], {}, True, ["a", 1], {"a": {"b": None}}, -1.5, "")


@dataclass
class Outcome:
    """What came out of a file."""

    conversations: list[Conversation] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    remarks: dict[str, int] = field(default_factory=dict)

    @property
    def texts(self) -> set[str]:
        """Every long text that was read."""
        turns = [turn for conversation in self.conversations for turn in conversation.turns]
        texts = [turn.text for turn in turns]
        texts += [text for turn in turns if turn.call for text in leaves(turn.call.arguments)]
        texts += [text for conversation in self.conversations for text in conversation.instructions.values()]
        return {plain(text) for text in texts if len(plain(text)) >= LONG_ENOUGH}


def read_file(path: Path) -> Outcome:
    """Read a file as `convert` does; what is refused is kept."""
    warnings = Warnings()
    result = Outcome(remarks=warnings.counts)
    try:
        for placed in read_conversations(
            path, ReadingOptions(warnings, lambda fault: result.complaints.append(str(fault)))
        ):
            result.conversations.append(placed.conversation)
    except BadInput as fault:
        result.complaints.append(str(fault))
    return result


def lost_texts(before: Outcome, after: Outcome, whole: bytes, content: bytes) -> list[str]:
    """The texts that the damage did not touch and that were read from the whole file, but now are lost in silence.

    A text that stands in the file several times counts as touched if one of its copies is.
    """
    if after.complaints or any(count > before.remarks.get(kind, 0) for kind, count in after.remarks.items()):
        return []
    missing = before.texts - after.texts
    if not missing:
        return []
    copies, left = (Counter(map(plain, file_texts(raw))) for raw in (whole, content))
    # A result may be read from another copy, in which it is wrapped as JSON.
    kept = "\n".join(plain(part) for text in after.texts for part in (text, *leaves(text)))
    return sorted(text for text in missing if 0 < copies[text] <= left[text] and text not in kept)


def damage(path: Path, seed: int) -> tuple[str, bytes]:
    """What was done to the file, and its content then."""
    rng = random.Random(f"{path.name} {seed}")
    raw = path.read_bytes()
    if zipfile.is_zipfile(path):
        return _damage_zip(raw, rng)
    packed = raw.startswith(b"\x1f\x8b")
    kind, content = _damage_text(gzip.decompress(raw) if packed else raw, rng)
    return kind, gzip.compress(content) if packed else content


def _damage_zip(raw: bytes, rng: random.Random) -> tuple[str, bytes]:
    if rng.random() < 0.3:
        return "cut zip", raw[: rng.randrange(len(raw))]
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice([name for name in members if name.startswith("samples/")])
    kind, members[name] = _damage_text(members[name], rng)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return kind, target.getvalue()


def _damage_text(content: bytes, rng: random.Random) -> tuple[str, bytes]:
    kind = rng.choice(("cut", "flip", "drop", "drop", "swap", "swap"))
    if kind == "cut":
        return kind, content[: rng.randrange(len(content))]
    rows = _rows(content)
    if kind == "flip" or rows is None:
        flipped = bytearray(content)
        for _ in range(rng.randint(1, 3)):
            flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
        return "flip", bytes(flipped)
    rows = copy.deepcopy(rows)
    place = rng.randrange(len(rows))
    holder = {"row": rows[place]}
    nodes = [node for node in _nodes(holder) if node[0] is not holder]
    if not nodes:
        return "nothing", content
    # Shallow places are few and deep ones many: each depth is hit alike.
    depth = rng.choice(sorted({node[2] for node in nodes}))
    parent, key, _ = rng.choice([node for node in nodes if node[2] == depth])
    what = f"{kind} {key!r}"
    if kind == "swap" or isinstance(parent, list):
        parent[key] = rng.choice(SWAPS)
    else:
        del parent[key]
    return what, b"\n".join(json.dumps(row).encode() for row in rows)


def _rows(content: bytes) -> list[Any] | None:
    try:
        return [json.loads(content)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in content.splitlines() if line.strip()]
    except ValueError:
        return None


def _nodes(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any, int]]:
    """Every place in a value: its holder, its key, and how deep it is."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key, depth
        yield from _nodes(item, depth + 1)


def file_texts(content: bytes) -> Iterator[str]:
    """Every text in a file, also those in JSON that is written as text."""
    if content.startswith(b"PK"):
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                for name in archive.namelist():
                    yield from file_texts(archive.read(name))
        except (zipfile.BadZipFile, OSError):
            return
        return
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    yield from leaves(_rows(content))


def leaves(value: Any) -> Iterator[str]:
    """The texts in a value."""
    parsed = parse_loosely(value)
    if isinstance(parsed, str):
        yield parsed
    elif isinstance(parsed, dict):
        if isinstance(value, str):
            yield value
        for item in parsed.values():
            yield from leaves(item)
    elif isinstance(parsed, list):
        if isinstance(value, str):
            yield value
        for item in parsed:
            yield from leaves(item)


def plain(text: Any) -> str:
    return " ".join(json_text(text).split())
