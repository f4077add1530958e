"""`adjudge list`: the suites, or the metrics and systems of one."""

from __future__ import annotations

from adjudge.cli.console import console_for
from adjudge.cli.options import add_metrics, metric_names, parser
from adjudge.cli.systems import print_systems


def run(arguments: list[str]) -> int:
    """Print a table of suites or metrics."""
    options = parser("list", "List the suites that are installed, or the metrics and systems of a suite.")
    options.add_argument("suite", nargs="?", metavar="SUITE", help="list the metrics and systems of this suite")
    add_metrics(options, "list only these metrics of the suite (default: all)")
    given = options.parse_args(arguments)
    names = metric_names(given)
    if given.suite:
        _metrics(given.suite, names)
        if not names:
            print_systems(given.suite, console_for(False))
    elif names:
        options.error("--metrics: name the suite first, as in `adjudge list service --metrics inform`")
    else:
        _suites()
    return 0


def _suites() -> None:
    from adjudge.score import find_suite, suite_names

    for name in suite_names():
        suite = find_suite(name)
        count = len(suite.metrics())
        print(f"{name}: {suite.title} ({count} metric{'s'[: count != 1]}; adjudge list {name})")


def _metrics(name: str, names: tuple[str, ...]) -> None:
    from rich.table import Column, Table

    from adjudge.report.words import ARROWS
    from adjudge.score import Plan, choose_metrics, find_suite

    table = Table(Column("metric", overflow="fold", min_width=30), "better", "unit", "asks", box=None, pad_edge=False)
    metrics = choose_metrics(find_suite(name), Plan(suite=name, files=(), metrics=names))
    for metric in metrics:
        card = metric.card
        style = "dim" if card.variant else ""
        needs = f" (needs {', '.join(card.needs)})" if {"judge", "embed", "nli", "db"} & set(card.needs) else ""
        name = f"{card.name} *" if card.primary else card.name
        table.add_row(name, ARROWS[card.better], card.unit, card.question + needs, style=style)
    console = console_for(False)
    console.print(table)
    if any(metric.card.primary for metric in metrics):
        console.print("* primary: compared unless other metrics are named", markup=False)
