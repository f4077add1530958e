"""`adjudge export`: the long table of marks or conversations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.options import parser
from adjudge.cli.output import output_path
from adjudge.core.errors import BadInput

if TYPE_CHECKING:
    from adjudge.run import Run
    from adjudge.run.manifest import Store


def run(arguments: list[str]) -> int:
    """Write every mark of a run as one line of a table."""
    options = parser("export", "Write every mark of a run as one row of a table: .csv, .jsonl or .parquet.")
    options.add_argument("run", metavar="RUN", help="a run folder")
    options.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the file to write; its ending sets the format"
    )
    options.add_argument(
        "--level",
        choices=("marks", "conversations"),
        help="one row for each mark (default) or for each score of a conversation",
    )
    options.add_argument(
        "--store",
        choices=("json", "parquet"),
        help="instead of a table, write a copy of the run to the folder FILE, with its scores stored in this format",
    )
    given = options.parse_args(arguments)
    if given.store and given.level:
        raise BadInput("--level is for tables, and --store copies a whole run; expected one of them; leave one out")

    from adjudge.api.runs import load
    from adjudge.report.run.export import export
    from adjudge.report.words import retired_line

    target, opened = output_path(given.output), load(given.run)
    if given.store:
        return _copy(opened, target, given.store)
    level = given.level or "marks"
    count = export(opened, target, level)
    print(f"wrote {count} {'marks' if level == 'marks' else 'scores of conversations'} to {given.output}")
    if level == "marks" and opened.keep.kind == "worst":
        print(
            f"these are the marks of the worst conversations only (--keep {opened.keep}), so their means are not those "
            "of the run; --level conversations has the values of all"
        )
    if line := retired_line(opened.retired):
        print(line)
    return 0


def _copy(opened: Run, target: Path, store: Store) -> int:
    from adjudge.run.copying import copy_run

    print(f"wrote a run of {copy_run(opened, target, store)} records to {target}, its scores as {store}")
    return 0
