"""Write the generated pages of the reference: metrics from cards, the command line from parsers, files from schemas.

`python docs/generate.py` writes them; `--check` writes nothing and exits 1 naming the pages that are missing,
stale or left over.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generators.metric_pages import metric_pages
from generators.schema_pages import schema_pages
from generators.verb_pages import verb_pages

from adjudge.core.suite import Suite
from adjudge.score import find_suite, suite_names

REFERENCE = Path(__file__).parent / "reference"
METRICS = REFERENCE / "metrics"
COMMAND_LINE = REFERENCE / "command-line"
FILES = REFERENCE / "files"


def main() -> int:
    """Write the pages or check them; the exit code says whether they are as they should be."""
    options = argparse.ArgumentParser(description="Write the generated pages of the reference.")
    options.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is not up to date")
    given = options.parse_args()
    pages = all_pages()
    if not given.check:
        write(pages)
        return 0
    faults = differences(pages)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print("run `make docs` to fix them", file=sys.stderr)
    return 1 if faults else 0


def all_pages() -> dict[Path, str]:
    """The content of every page by its path."""
    suites = own_suites()
    names = [suite.name for suite in suites]
    folders = {METRICS: metric_pages(suites), COMMAND_LINE: verb_pages(names), FILES: schema_pages(names)}
    return {folder / name: content for folder, pages in folders.items() for name, content in pages.items()}


def own_suites() -> list[Suite]:
    """The suites that come with adjudge; those of other packages are documented there."""
    suites = map(find_suite, suite_names())
    return [suite for suite in suites if suite.package.startswith("adjudge.suites.")]


def differences(pages: dict[Path, str]) -> list[str]:
    """Which pages on disk are not what they should be, a line each."""
    there = _written()
    missing = [f"{_name(path)}: missing" for path in sorted(pages.keys() - there)]
    stale = [f"{_name(path)}: stale" for path in sorted(pages.keys() & there) if _read(path) != pages[path]]
    left = [f"{_name(path)}: left over, nothing generates it" for path in sorted(there - pages.keys())]
    return missing + stale + left


def write(pages: dict[Path, str]) -> None:
    """Write all pages and take away what is left over."""
    for path, content in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8", newline="\n")
    for path in _written() - pages.keys():
        path.unlink()


def _written() -> set[Path]:
    return {path for folder in (METRICS, COMMAND_LINE, FILES) for path in folder.rglob("*.md")}


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _name(path: Path) -> str:
    return path.relative_to(REFERENCE.parent.parent).as_posix()


if __name__ == "__main__":
    sys.exit(main())
