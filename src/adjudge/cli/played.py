"""What `adjudge play` and `adjudge score RUN` share: a played run is scored, and its tables are printed."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.console import console_for
from adjudge.cli.judging import toolbox_of
from adjudge.cli.options import engine_of, metric_names

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.api.playing import PlayedScoring


def score_played(scoring: PlayedScoring, given: argparse.Namespace, console: Console) -> int:
    """Score the conversations of a played run into its folder, and print the tables."""
    from adjudge.api.progress import progress_for
    from adjudge.cli.score import exit_code
    from adjudge.report.play.terminal import print_worths
    from adjudge.report.run.terminal import print_coverage, print_tables

    print_coverage(scoring.scoring.inventory.coverage, console)
    for line in scoring.remarks():
        print(f"warning: {line}", file=sys.stderr)
    if given.estimate:
        print("\n".join(scoring.scoring.estimate()))
        return 0
    with progress_for(given.quiet) as progress:
        fresh = given.fresh or given.refresh
        done = scoring.run(fresh=fresh, progress=progress)
    print_tables(done.summary, console, given.verbose)
    if done.summary.play is not None:
        print_worths(done.summary.play, console)
    if not given.quiet:
        name = shlex.quote(str(done.folder))
        more = f"; adjudge compare {name}" if len(scoring.played.manifest.arms) > 1 else ""
        console.print(
            f"\nscored into {done.folder}; read on with: adjudge report {name}{more}", markup=False, soft_wrap=True
        )
    return exit_code(done.summary, getattr(given, "require_coverage", 0.0))


def score_run(folder: Path, given: argparse.Namespace) -> int:
    """Score a played run."""
    from adjudge.api.playing import PlayedScoring
    from adjudge.run.played import Played

    played, toolbox = Played(folder), toolbox_of(given)
    metrics, files = metric_names(given), given.metrics_file or ()
    scoring = PlayedScoring.open(played, toolbox, metrics, files, engine_of(given), given.keep, given.store)
    return score_played(scoring, given, console_for(given.quiet))
