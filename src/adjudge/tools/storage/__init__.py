"""Files in object storage, as paths that are read as those of this machine are."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.read.addresses import ADDRESS, OTHER
from adjudge.tools.storage.clients import CREDENTIALS, ListingEntry, connect, describe_fault, kind_of, listing_of
from adjudge.tools.storage.streams import ObjectStream

# A request to a distant server takes about 50 ms whatever its size; larger ones hold more memory.
BLOCK = 8 << 20


def input_path(place: str | os.PathLike[str]) -> Path:
    """The path of a file on this machine, or of an object in storage where the place is an address.

    >>> input_path("trips.jsonl").name, str(input_path("s3://bucket/day 1/trips.jsonl"))
    ('trips.jsonl', 's3://bucket/day 1/trips.jsonl')
    """
    if isinstance(place, StoragePath):
        return place
    text = os.fspath(place)
    address = ADDRESS.match(text)
    if address is None:
        _refuse_other(text)
        return Path(text)
    bucket = address["bucket"]
    if ":" in bucket:
        shown = f"{address['scheme']}://..."
        raise BadInput(
            f"{shown}: credentials in the address; expected them in the environment; "
            f"{CREDENTIALS[kind_of(address['scheme'])]}"
        )
    if not bucket:
        raise BadInput(f"{text}: names no bucket; expected an address such as s3://bucket/trips.jsonl")
    return StoragePath(address["scheme"].lower() + ":/" + text[address.end("scheme") + 3 :])


# `type(Path())` is the class for this system, from which Python 3.11 wants subclasses to be made.
if TYPE_CHECKING:
    _SystemPath = Path
else:
    _SystemPath = type(Path())


class StoragePath(_SystemPath):
    """An object or a folder in object storage, as a path: opened, listed and measured through its server.

    An object that was read from its beginning to its end knows the hash of its content.
    """

    def __str__(self) -> str:
        scheme, *names = self.parts
        return f"{scheme}//{'/'.join(names)}"

    def __fspath__(self) -> str:
        return str(self)

    @property
    def parent(self) -> StoragePath:
        """The folder around this place; that of a bucket is the bucket itself."""
        return self if len(self.parts) <= len(("s3:", "bucket")) else super().parent

    def as_posix(self) -> str:
        """The address."""
        return str(self)

    def open(self, mode: str = "rb", *_: Any, **__: Any) -> io.BufferedReader:  # type: ignore[override]
        """The content as a stream of bytes, read from the server in blocks; raises FileNotFoundError and BadInput."""
        if mode != "rb":
            raise BadInput(f"{self}: opened for {mode!r}; expected a file on this machine; copy it first")
        self._refuse_change()
        with self.faults():
            source = self._filesystem.open_input_file(self._key)
        return io.BufferedReader(ObjectStream(source, self), BLOCK)

    def stat(self, **_: Any) -> os.stat_result:
        """Size and kind; raises FileNotFoundError where there is nothing."""
        listed = self._entry
        return os.stat_result((listed.mode, 0, 0, 0, 0, 0, listed.size, *[listed.written] * 3))

    def exists(self, **_: Any) -> bool:
        """Whether there is an object or a folder."""
        try:
            return bool(self._entry.mode)
        except FileNotFoundError:
            return False

    def is_dir(self, **_: Any) -> bool:
        """Whether there are objects whose addresses begin so."""
        return self.exists() and stat.S_ISDIR(self._entry.mode)

    def is_file(self, **_: Any) -> bool:
        """Whether there is an object of this address."""
        return self.exists() and stat.S_ISREG(self._entry.mode)

    def iterdir(self) -> Iterator[StoragePath]:  # type: ignore[override]
        """The objects and folders directly below this one."""
        from pyarrow.fs import FileSelector

        with self.faults():
            infos = self._filesystem.get_file_info(FileSelector(self._key))
        for info in infos:
            child = self / info.base_name
            child._entry = listing_of(info)
            yield child

    def content_hash(self) -> str | None:
        """The SHA-256 of the content, if all of it has been read in order; None where it has not."""
        return self._hashes.get(self._entry)

    def keep_hash(self, digest: str) -> None:
        """Keep the hash of a content that was read to its end."""
        self._hashes[self._entry] = digest

    @cached_property
    def _hashes(self) -> dict[ListingEntry, str]:
        return {}

    @cached_property
    def _entry(self) -> ListingEntry:
        """What storage says about the place when it is first asked."""
        return self._ask()

    def _ask(self) -> ListingEntry:
        with self.faults():
            info = self._filesystem.get_file_info(self._key)
        listed = listing_of(info)
        if not listed.mode:
            raise FileNotFoundError(f"{self}: no such file or folder")
        return listed

    def _refuse_change(self) -> None:
        """Raise BadInput where the object is another than when it was first looked at: files are read twice."""
        if self._entry != self._ask():
            raise BadInput(f"{self}: changed while it was read; expected the same content; run the command again")

    @property
    def _scheme(self) -> str:
        return self.parts[0].removesuffix(":")

    @property
    def _key(self) -> str:
        """The bucket and the name in it, as the client library wants them."""
        bucket, *names = self.parts[1:]
        return "/".join([bucket.partition("@")[0], *names])

    @property
    def _filesystem(self) -> Any:
        named = ("AWS_", "AZURE_", "GOOGLE_", "STORAGE_")
        settings = tuple(sorted((name, value) for name, value in os.environ.items() if name.startswith(named)))
        return connect(self._scheme, self.parts[1], settings)

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Turn what the client raises into a message; what is not there stays a FileNotFoundError."""
        try:
            yield
        except FileNotFoundError:
            raise FileNotFoundError(f"{self}: no such file or folder") from None
        except ImportError:
            raise BadInput(f"{self}: object storage needs pyarrow: {install_command('parquet')}") from None
        except (OSError, ValueError, NotImplementedError) as fault:
            raise BadInput(describe_fault(self._scheme, str(self), fault)) from None


def _refuse_other(text: str) -> None:
    if OTHER.match(text):
        raise BadInput(f"{text}: an address of another kind; expected a file, or s3://, gs:// or abfs://; download it")
