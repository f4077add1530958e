"""The content of an object as a stream of bytes."""

from __future__ import annotations

import hashlib
import io
from contextlib import AbstractContextManager
from typing import Any, Protocol


class ReadPath(Protocol):
    """The path of what is read."""

    def faults(self) -> AbstractContextManager[None]:
        """Turn what the client raises into messages."""

    def keep_hash(self, digest: str) -> None:
        """Keep the hash of a content that was read to its end."""


class ObjectStream(io.RawIOBase):
    """The bytes of an object; every read is a request of its own, which the client repeats a few times if it fails."""

    def __init__(self, source: Any, path: ReadPath) -> None:
        self._source = source
        self._path = path
        self._size = source.size()
        self._place = 0
        self._hash = hashlib.sha256()
        self._hashed = 0

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = max(0, base + offset)
        return self._place

    def tell(self) -> int:
        """The place of the next byte."""
        return self._place

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as the object goes; raises BadInput where the server is lost."""
        count = min(len(buffer), max(0, self._size - self._place))
        with self._path.faults():
            data = self._source.read_at(count, self._place) if count else b""
        buffer[: len(data)] = data
        self._add_to_hash(data)
        self._place += len(data)
        return len(data)

    def close(self) -> None:
        """Close the object."""
        self._source.close()
        super().close()

    def _add_to_hash(self, data: bytes) -> None:
        """Hash what is read in order; what is read again, or after a gap, is not."""
        if self._place != self._hashed:
            return
        self._hash.update(data)
        self._hashed += len(data)
        if self._hashed == self._size:
            self._path.keep_hash(self._hash.hexdigest())
