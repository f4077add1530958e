"""The body of an HTTP reply, decompressed up to a limit, so that no server can fill the memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

# The number of bytes that are decompressed at a time. One byte of gzip can become a thousand.
PIECE = 1 << 16
# The encodings that servers are told to use.
ENCODINGS = "gzip, deflate"
# Adding 16 makes zlib expect the header of gzip, and a negative number makes it expect no header.
_GZIP = 16 + zlib.MAX_WBITS
_WINDOW_BITS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": zlib.MAX_WBITS}
_RAW_DEFLATE = -zlib.MAX_WBITS
# The low four bits of the first byte of zlib's header.
_ZLIB_METHOD = 8


class BadBody(Exception):  # noqa: N818 - a fact about a reply
    """The body of a reply cannot be used; the message says why."""


class TooLong(BadBody):
    """The body of a reply has more than `limit` bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the reply has more than {limit:,} bytes; the rest was not read")


def expand(body: bytes, encoding: str, limit: int) -> bytes:
    """The decompressed body; raises TooLong if it has more than `limit` bytes, and decompresses no further."""
    if not encoding and len(body) <= limit:
        return body
    beginning = expand_beginning(body, encoding, limit + 1)
    if len(beginning) > limit:
        raise TooLong(limit)
    return beginning


def expand_beginning(body: bytes, encoding: str, length: int) -> bytes:
    """At most the first `length` bytes of the decompressed body; raises BadBody if it cannot be decompressed."""
    expanded = bytearray()
    expansion = Expansion(encoding)
    # A stream of many parts is copied for each of them, so it is taken in small chunks.
    for start in range(0, len(body), PIECE):
        for piece in expansion.pieces(body[start : start + PIECE]):
            expanded += piece
            if len(expanded) >= length:
                return bytes(expanded[:length])
    return bytes(expanded)


class Expansion:
    """The decompression of a body in small pieces; an empty encoding leaves it as it is."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding.strip().lower()
        self._stream: zlib._Decompress | None = None
        if self._encoding not in ("", "identity", *_WINDOW_BITS):
            raise BadBody(f"the reply is encoded as {self._encoding[:40]!r}; expected {ENCODINGS} or no encoding")

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What a chunk of the body becomes; raises BadBody if it cannot be decompressed."""
        if self._encoding not in _WINDOW_BITS:
            yield data
            return
        while data:
            if self._stream is None or self._stream.eof:
                self._stream = zlib.decompressobj(self._window_bits(data[0]))
            try:
                piece = self._stream.decompress(data, PIECE)
                yield piece
                while len(piece) == PIECE:
                    piece = self._stream.decompress(self._stream.unconsumed_tail, PIECE)
                    yield piece
            except zlib.error as error:
                raise BadBody(f"the reply is not valid {self._encoding}: {error}") from None
            data = self._stream.unused_data

    def _window_bits(self, first: int) -> int:
        """The window bits for a stream; some servers send `deflate` without the header that belongs to it."""
        bits = _WINDOW_BITS[self._encoding]
        return _RAW_DEFLATE if bits == zlib.MAX_WBITS and first & 0x0F != _ZLIB_METHOD else bits
