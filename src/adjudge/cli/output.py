"""Files that verbs write instead of printing: the ending of a name sets the format."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from pathlib import Path

from adjudge.read.addresses import refuse_address


def add_output(options: argparse.ArgumentParser, formats: str) -> None:
    """Add the options for files to write."""
    options.add_argument(
        "-o", "--output", action="append", default=[], metavar="FILE", help=f"write {formats}; repeatable"
    )
    options.add_argument("-q", "--quiet", action="store_true", help="do not print the names of written files")


def output_files(given: argparse.Namespace, formats: Collection[str]) -> list[Path]:
    """The files to write; raises BadInput, before anything is computed, where one cannot be written."""
    from adjudge.report.target import format_of

    files = [output_path(name) for name in given.output]
    for file in files:
        format_of(file, formats)
    return files


def output_path(name: str, kind: str = "file") -> Path:
    """The path of a file or folder to write; raises BadInput for an address of object storage."""
    refuse_address(name, f"a {kind} to write", "copy it there afterwards")
    return Path(name)


def write_files(files: list[Path], write: Callable[[Path], None], quiet: bool) -> None:
    """Write the files, and print their names."""
    for file in files:
        write(file)
        if not quiet:
            print(f"wrote {file}")
