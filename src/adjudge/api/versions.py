"""Which metrics of a run its suite no longer has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.run import Manifest


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
