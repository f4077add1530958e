"""The file of a run that keeps values in columns: JSON in gzip, a member for each chunk of records."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.core.mark import ScoreRow
from adjudge.run.chunk import Chunk
from adjudge.run.chunking import chunks_of

# The window of zlib with the header of gzip.
_GZIP = 31
# Level 1 takes a third of the time of level 6 and makes a tenth more bytes.
_LEVEL = 1
_READ = 1 << 20


class Member(NamedTuple):
    """A chunk in its file: where it ends, and its JSON."""

    end: int
    content: bytes


_decoder = msgspec.json.Decoder(Chunk)


def encode_rows(rows: Iterable[ScoreRow], cards: Mapping[str, Card]) -> bytes:
    """Scores as the chunks of a file."""
    return b"".join(_compress(msgspec.json.encode(chunk) + b"\n") for chunk in chunks_of(rows, cards))


def read_chunks(path: Path) -> Iterator[Chunk]:
    """The whole chunks of a file; a last one that was cut off is left out. Raises BadInput for a file that changed."""
    for number, member in enumerate(read_members(path), 1):
        try:
            chunk = _decoder.decode(member.content)
        except msgspec.MsgspecError as error:
            raise _damage(path, f"chunk {number}: {error}") from error
        if not chunk.is_whole:
            raise _damage(path, f"chunk {number}: columns of different lengths")
        yield chunk


def read_members(path: Path) -> Iterator[Member]:
    """The whole members of a file of chunks; raises BadInput where it is not in gzip."""
    end = 0
    with path.open("rb") as file:
        pieces: list[bytes] = []
        stream = zlib.decompressobj(_GZIP)
        while piece := file.read(_READ):
            while piece:
                size = len(piece)
                try:
                    pieces.append(stream.decompress(piece))
                except zlib.error as error:
                    raise _damage(path, f"byte {end}: {error}") from error
                piece = stream.unused_data
                end += size - len(piece)
                if stream.eof:
                    yield Member(end, b"".join(pieces))
                    pieces, stream = [], zlib.decompressobj(_GZIP)


def _damage(path: Path, what: str) -> BadInput:
    return BadInput(f"{path}: {what}; the file was changed; score the run again with --fresh")


def _compress(content: bytes) -> bytes:
    # No time stamp, so that the same run gives the same bytes.
    stream = zlib.compressobj(_LEVEL, wbits=_GZIP)
    return stream.compress(content) + stream.flush()
