"""Pages that were made a moment ago, kept as long as the files they are about stay as they are."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from adjudge.run import MANIFEST
from adjudge.web.catalogue import RunEntry
from adjudge.web.index.store import file_stamp
from adjudge.web.labels.files import label_folder

# The most bytes of pages that are kept; the pages that were requested last stay.
LARGEST = 32_000_000


class PageCache:
    """Pages by address; each with the stamp of the files it was made from."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def find(self, address: str, stamp: str) -> bytes | None:
        """The page of an address; None where there is none, or where the files have changed since."""
        with self._lock:
            kept = self._pages.get(address)
            if kept is None or kept[0] != stamp:
                return None
            self._pages.move_to_end(address)
            return kept[1]

    def keep(self, address: str, stamp: str, page: bytes) -> None:
        """Keep a page, and drop the oldest ones where there is no room."""
        with self._lock:
            self._size -= len(self._pages.pop(address, ("", b""))[1])
            self._pages[address] = (stamp, page)
            self._size += len(page)
            while self._size > LARGEST:
                self._size -= len(self._pages.popitem(last=False)[1][1])


def run_stamp(entry: RunEntry) -> str:
    """What changes when the files of a run or the labels of it do."""
    labels = label_folder(entry.folder)
    paths = [entry.folder / MANIFEST, *(sorted(labels.glob("*.csv")) if labels.is_dir() else [])]
    times = [f"{path.stat().st_mtime_ns} {path.stat().st_size}" for path in paths if path.is_file()]
    return f"{entry.status}; {file_stamp(entry.folder)}; {'; '.join(times)}"
