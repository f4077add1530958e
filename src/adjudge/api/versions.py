"""What to know of a run that another version wrote: metrics that are gone, and versions that are newer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.run import Manifest


def newer_version(written_by: str) -> str:
    """What to say of a run that a newer version of adjudge wrote; empty for any other.

    >>> newer_version("99.0.0")
    'written by adjudge 99.0.0, this is 0.1.0; what is new there is not shown; update adjudge to read the run'
    >>> newer_version("0.0.9")
    ''
    """
    from adjudge.core.version import __version__

    if _numbers_of(written_by) <= _numbers_of(__version__):
        return ""
    return (
        f"written by adjudge {written_by}, this is {__version__}; what is new there is not shown; "
        "update adjudge to read the run"
    )


def _numbers_of(version: str) -> list[int]:
    """The numbers of a version, such as 0, 10 and 1 of "0.10.1.dev3"."""
    return [int(part) for part in version.split(".")[:3] if part.isdecimal()]


def retired_metrics(manifest: Manifest) -> tuple[str, ...]:
    """The metrics of a run that the installed suite does not have.

    None where the suite is not installed or cannot be loaded, because a run is readable without its suite, and none
    where the run also has metrics of the user's own, which no suite has.
    """
    if "metric_files" in manifest.places:
        return ()
    from adjudge.score import find_suite

    try:
        current = {metric.card.name for metric in find_suite(manifest.suite).metrics()}
    except Exception:  # A suite of another package may fail in any way.
        return ()
    return tuple(name for name in manifest.cards if name not in current)
