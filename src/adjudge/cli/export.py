"""`adjudge export`: the long table of marks or conversations."""

from __future__ import annotations

from pathlib import Path

from adjudge.cli.options import parser


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
        default="marks",
        help="one row for each mark (default) or for each score of a conversation",
    )
    given = options.parse_args(arguments)

    from adjudge.api.runs import load
    from adjudge.report.run.export import export
    from adjudge.report.words import retired_line

    opened = load(given.run)
    count = export(opened, Path(given.output), given.level)
    print(f"wrote {count} {'marks' if given.level == 'marks' else 'scores of conversations'} to {given.output}")
    if line := retired_line(opened.retired):
        print(line)
    return 0
