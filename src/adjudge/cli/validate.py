"""`adjudge validate`: check files without scoring them."""

from __future__ import annotations

from adjudge.cli.console import console_for
from adjudge.cli.options import add_reading, parser, plan_of
from adjudge.cli.score import named_suite


def run(arguments: list[str]) -> int:
    """Read everything and say what is there, what is missing and what is wrong."""
    suite = named_suite(arguments)
    options = parser("validate", "Check files as `score` reads them: print the coverage, and list bad records.")
    options.add_argument("suite", metavar="SUITE", help=suite.name if suite else "`adjudge list` shows the suites")
    add_reading(options, suite)
    given = options.parse_args(arguments)
    assert suite is not None

    from adjudge.api.progress import progress_for
    from adjudge.engines.local import Job, survey
    from adjudge.report.run.terminal import print_coverage

    with progress_for(False) as progress:
        inventory = survey(Job.open(plan_of(suite, given)), progress)
    print_coverage(inventory.coverage, console_for(False))
    print(
        f"{inventory.records} records can be scored"
        + (f", {inventory.coverage.refused} were refused" if inventory.coverage.refused else "")
    )
    return 0
