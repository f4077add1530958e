"""Run folders opened for the verbs that report on them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.run import Manifest, Run


def open_run(folder: str) -> Run:
    """A run folder, with the metrics that its suite no longer has marked as retired."""
    from adjudge.run import Run
    from adjudge.run.version import newer_version

    run = Run(Path(folder))
    run.retired = retired_metrics(run.manifest)
    if line := newer_version(run.manifest.adjudge):
        run.manifest.coverage.warnings.insert(0, line)
        print(f"adjudge: {folder}: {line}", file=sys.stderr)
    return run


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
