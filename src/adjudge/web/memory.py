"""What takes long to compute from a run, kept in memory as long as its files stay as they are."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from adjudge.web.opened import OpenRun

T = TypeVar("T")
# So many results are kept, those that were asked for last.
MOST = 64

_results: OrderedDict[tuple[str, str, str], object] = OrderedDict()
_lock = Lock()


def remember(run: OpenRun, name: str, compute: Callable[[], T]) -> T:
    """The result of a computation over a run, computed once for each state of its files."""
    key = (run.entry.id, name, run.index.stamp)
    with _lock:
        if key in _results:
            _results.move_to_end(key)
            return _results[key]  # type: ignore[return-value]
    result = compute()
    with _lock:
        _results[key] = result
        while len(_results) > MOST:
            _results.popitem(last=False)
    return result
