"""`adjudge doctor`: check the installation."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata

from adjudge.cli.options import parser

NEEDED = ("msgspec", "numpy", "scipy", "rich", "rapidfuzz")
EXTRAS = {"pyarrow": "export to .parquet: pip install 'adjudge[parquet]'"}


def run(arguments: list[str]) -> int:
    """Print what is installed, what is missing and what it is for."""
    parser("doctor", "Check this installation: versions, suites, optional parts.").parse_args(arguments)
    from adjudge import __version__

    print(f"adjudge {__version__} on Python {platform.python_version()}, {os.cpu_count()} cores")
    missing = [name for name in NEEDED if not _shown(name, "needed: pip install adjudge")]
    for name, use in EXTRAS.items():
        _shown(name, f"optional, for {use}")
    _suites()
    encoding = sys.stdout.encoding or "unknown"
    print(f"terminal: {encoding}, {'interactive' if sys.stdout.isatty() else 'not interactive: no progress bars'}")
    print("network: not used; no judge is configured")
    return 2 if missing else 0


def _shown(name: str, use: str) -> bool:
    try:
        print(f"  {name} {metadata.version(name)}")
    except metadata.PackageNotFoundError:
        print(f"  {name} is not installed ({use})")
        return False
    return True


def _suites() -> None:
    from adjudge.score import find_suite, suite_names

    for name in suite_names():
        suite = find_suite(name)
        print(
            f"suite {name}: {len(suite.metrics())} metrics, sample {'found' if suite.sample.is_file() else 'missing'}"
        )
