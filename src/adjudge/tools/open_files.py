"""How many connections fit the number of files that this process may have open."""

from __future__ import annotations

import os

# Files that are kept free for the cache, the run folder and the event loop: 25 were seen in a run with a judge.
RESERVED = 40


def most_connections(wanted: int, clients: int = 1) -> int:
    """The number of connections that each of some clients may open: as many as wanted, or what fits the limit."""
    limit = open_file_limit()
    if limit is None:
        return wanted
    return max(1, min(wanted, (limit - RESERVED - _open_now()) // max(clients, 1)))


def open_file_limit() -> int | None:
    """The number of files that this process may have open; None where there is no limit or no way to know it."""
    try:
        import resource
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def _open_now() -> int:
    """The number of files that are open; only Linux tells, elsewhere the three standard streams are assumed."""
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 3
