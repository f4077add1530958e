"""`adjudge convert`: logs of other tools as conversations that `adjudge score team` reads."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from adjudge.cli.options import parser
from adjudge.cli.output import output_path

if TYPE_CHECKING:
    from adjudge.convert.writing import ConversionSummary

EPILOG = """example:
  adjudge convert traces.json -o records.jsonl
  adjudge score team records.jsonl -o runs/mine

The content of a file tells its format; `adjudge convert --formats` lists the formats."""
STANDARD_OUTPUT = "-"


def run(arguments: list[str]) -> int:
    """Read logs and write one conversation a line."""
    options = parser("convert", "Read logs of other tools, and write each conversation as one line of JSON.", EPILOG)
    options.add_argument("files", nargs="*", metavar="FILE", help="a log (plain, .gz or .zip), or a folder of logs")
    options.add_argument("-o", "--output", metavar="FILE", help="the file to write (.jsonl); - for standard output")
    options.add_argument("--format", metavar="NAME", default="", help="the format of the files (default: detected)")
    options.add_argument("--to", choices=("team",), default="team", help="the suite whose records are written")
    options.add_argument("--skip-bad", action="store_true", help="leave out rows that cannot be read, and count them")
    options.add_argument("--lenient", action="store_true", help="replace lone surrogates by U+FFFD and count them")
    options.add_argument("--delimiter", metavar="CHAR", help="the delimiter of a table (default: comma; tab for .tsv)")
    options.add_argument("--encoding", metavar="NAME", default="utf-8", help="the encoding of tables and text chats")
    options.add_argument("--formats", action="store_true", help="list the formats and stop")
    given = options.parse_args(arguments)
    if given.formats:
        print_formats()
        return 0
    if not given.files or not given.output:
        options.error("expected FILE and -o FILE, such as: adjudge convert log.json -o records.jsonl")

    from adjudge.convert.registry import find_format
    from adjudge.convert.writing import ConversionRequest, convert_files
    from adjudge.tools.storage import input_path

    if given.format:
        find_format(given.format)
    request = ConversionRequest(
        files=tuple(map(input_path, given.files)),
        format=given.format,
        skip_bad=given.skip_bad,
        lenient=given.lenient,
        delimiter=given.delimiter,
        encoding=given.encoding,
    )
    with open_output(given.output) as file:
        summary = convert_files(request, Path(given.output), file)
    print_summary(summary, given.output)
    return 0


def print_formats() -> None:
    """Print the name of each format and what it is."""
    from adjudge.convert.registry import FORMATS

    width = max(len(format.name) for format in FORMATS)
    for format in FORMATS:
        print(f"{format.name:<{width}}  {format.title}")


@contextmanager
def open_output(name: str) -> Iterator[IO[bytes]]:
    """A file that appears when all is written; for `-`, standard output that gets all at once."""
    from adjudge.run.whole_file import whole_file

    if name != STANDARD_OUTPUT:
        with whole_file(output_path(name)) as file:
            yield file
        return
    with tempfile.TemporaryFile() as file:
        yield file
        file.seek(0)
        sys.stdout.flush()
        shutil.copyfileobj(file, sys.stdout.buffer)


def print_summary(summary: ConversionSummary, output: str) -> None:
    """Print what was read, and what was not understood, each kind once with its number."""
    stream = sys.stderr if output == STANDARD_OUTPUT else sys.stdout
    where = "standard output" if output == STANDARD_OUTPUT else output
    print(f"wrote {summary} to {where}", file=stream)
    for line in summary.remarks:
        print(f"  {line}", file=stream)
