"""Write the metric pages from the cards: an index for each suite, `metrics/SUITE.md`, and a page for each metric.

`python docs/generate.py` writes them; `--check` writes nothing and exits 1 naming the pages that are missing,
stale or left over.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from adjudge.cli.describe import lines
from adjudge.core.card import Metric
from adjudge.core.suite import Suite
from adjudge.report.words import ARROWS
from adjudge.score import find_suite, suite_names

PAGES = Path(__file__).parent / "metrics"
MADE = "<!-- Made by docs/generate.py from the metric's card: change the card, then run `make docs`. -->"


def main() -> int:
    """Write the pages or check them; the exit code says whether they are as they should be."""
    options = argparse.ArgumentParser(description="Write the metric pages from the cards.")
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
    pages: dict[Path, str] = {}
    for suite in own_suites():
        metrics = suite.metrics()
        pages[PAGES / f"{suite.name}.md"] = index(suite, metrics)
        for metric in metrics:
            pages[PAGES / suite.name / f"{metric.card.name}.md"] = page(suite, metric)
    return pages


def own_suites() -> list[Suite]:
    """The suites that come with adjudge; those of other packages are documented there."""
    suites = map(find_suite, suite_names())
    return [suite for suite in suites if suite.package.startswith("adjudge.suites.")]


def index(suite: Suite, metrics: list[Metric]) -> str:
    """The page that lists a suite's metrics."""
    head = [
        MADE,
        "",
        f"# Metrics of the suite {suite.name}",
        "",
        f"{suite.title}. {len(metrics)} metrics; ↑ higher is better, ↓ lower is better, no arrow: neither. "
        f"How the suite reads files and decides what is right stands in [its guide](../{suite.name}.md).",
    ]
    ruled = [metric for metric in metrics if not metric.card.variant]
    variants = [metric for metric in metrics if metric.card.variant]
    parts = [*head, "", *_metric_table(suite, ruled)]
    if variants:
        parts += ["", "## Variants", "", "Literal readings of a source, kept beside the ruled ones.", ""]
        parts += _metric_table(suite, variants)
    return "\n".join(parts) + "\n"


def page(suite: Suite, metric: Metric) -> str:
    """The page of one metric: what `adjudge describe` says, as a table."""
    card = metric.card
    table = [f"| {name} | {_cell(fact)} |" for name, fact in _facts(suite, metric)]
    parts = [MADE, "", f"# {card.name}", "", card.question, "", "| fact | |", "|---|---|", *table]
    if card.notes:
        parts += ["", card.notes]
    parts += ["", f"[All metrics of {suite.name}](../{suite.name}.md)"]
    return "\n".join(parts) + "\n"


def differences(pages: dict[Path, str]) -> list[str]:
    """Which pages on disk are not what they should be, a line each."""
    there = set(PAGES.rglob("*.md"))
    missing = [f"{_name(path)}: missing" for path in sorted(pages.keys() - there)]
    stale = [f"{_name(path)}: stale" for path in sorted(pages.keys() & there) if _read(path) != pages[path]]
    left = [f"{_name(path)}: left over, no metric has it" for path in sorted(there - pages.keys())]
    return missing + stale + left


def write(pages: dict[Path, str]) -> None:
    """Write all pages and take away what is left over."""
    for path, content in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8", newline="\n")
    for path in set(PAGES.rglob("*.md")) - pages.keys():
        path.unlink()


def _facts(suite: Suite, metric: Metric) -> list[tuple[str, str]]:
    """The facts that `adjudge describe` prints: below its name and question, up to the first empty line."""
    _, _, _, *body = lines(suite.name, metric.card)
    ending = body.index("") if "" in body else len(body)
    return [(name, fact) for name, fact in (line.split(maxsplit=1) for line in body[:ending])]


def _metric_table(suite: Suite, metrics: list[Metric]) -> list[str]:
    rows = [
        f"| [{card.name}]({suite.name}/{card.name}.md) | {ARROWS[card.better]} | {card.unit} | {_cell(card.question)} |"
        for card in (metric.card for metric in metrics)
    ]
    return ["| metric | better | unit | asks |", "|---|---|---|---|", *rows]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _name(path: Path) -> str:
    return path.relative_to(PAGES.parent.parent).as_posix()


if __name__ == "__main__":
    sys.exit(main())
