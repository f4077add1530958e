"""Members of a zip that are packed with zstd, as in recent `.eval` files of Inspect: Python reads them from 3.14 on."""

from __future__ import annotations

import copy
import io
import zipfile
import zlib
from typing import Any

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command

# The number of zstd in the ZIP specification (APPNOTE 6.3.10, 4.4.5).
ZSTD = 93


class ZstdMember(io.BufferedIOBase):
    """The content of a member; raises BadZipFile where it is damaged or not what the zip says it is."""

    def __init__(self, source: Any, damage: type[Exception], info: zipfile.ZipInfo) -> None:
        self._source = source
        self._damage = damage
        self._info = info
        self._checksum = 0

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto1(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill a part of the buffer; the checksum is compared at the end."""
        try:
            count: int = self._source.readinto(buffer)
        except self._damage as fault:
            raise zipfile.BadZipFile(str(fault)) from None
        self._checksum = zlib.crc32(memoryview(buffer)[:count], self._checksum)
        if not count and self._checksum != self._info.CRC:
            raise zipfile.BadZipFile("Bad CRC-32")
        return count


def open_zstd_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> ZstdMember:
    """Open a member; raises BadInput where the package for it is not installed."""
    try:
        import zstandard
    except ImportError:
        raise BadInput(
            f"{name}: packed with zstd, which needs the package zstandard: {install_command('inspect')}; or convert an "
            "Inspect log with `inspect log convert --to json`"
        ) from None
    # The packed bytes as they are: of a member that claims not to be packed, and has no checksum.
    packed = copy.copy(info)
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, info.compress_size
    packed.CRC = None  # type: ignore[assignment]
    reader = zstandard.ZstdDecompressor().stream_reader(archive.open(packed), read_across_frames=True)
    return ZstdMember(reader, zstandard.ZstdError, info)
