"""What takes long to compute from a run, kept in memory as long as its files stay as they are."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from adjudge.web.opened import OpenRun

T = TypeVar("T")


class Memory:
    """Results of computations over runs: so many are kept, those that were asked for last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[tuple[str, str, str], object] = OrderedDict()
        self._lock = Lock()

    def remember(self, run: OpenRun, name: str, compute: Callable[[], T]) -> T:
        """The result of a computation over a run, computed once for each state of its files."""
        key = (str(run.entry.folder), name, run.index.stamp)
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]  # type: ignore[return-value]
        result = compute()
        with self._lock:
            self._results[key] = result
            while len(self._results) > self._most:
                self._results.popitem(last=False)
        return result


remember = Memory(64).remember
