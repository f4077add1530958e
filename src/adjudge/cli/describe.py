"""`adjudge describe`: all that the card of a metric or a system says."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from adjudge.cli.options import add_metric_files, metric_names, parser
from adjudge.cli.systems import system_lines
from adjudge.core.errors import BadInput, did_you_mean

if TYPE_CHECKING:
    from adjudge.core.card import Card


def run(arguments: list[str]) -> int:
    """Print the card of a metric or a system."""
    options = parser(
        "describe",
        "Describe a metric: its question, formula, range, direction, source and version; or a system, SUITE/SYSTEM:\n"
        "its parts, which of them ask a model, its prompt files and its source.",
    )
    options.add_argument(
        "metric", metavar="METRIC", help="a name or symbol (SUITE.METRIC where two suites have it), or SUITE/SYSTEM"
    )
    add_metric_files(options)
    # Once the option for files: what follows it is answered with the option's name.
    options.add_argument("--metrics", action="append", help=argparse.SUPPRESS)
    given = options.parse_args(arguments)
    metric_names(given)
    if "/" in given.metric:
        print("\n".join(system_lines(given.metric)))
        return 0
    for suite, card in _cards_named(given.metric, given.metrics_file or []):
        print("\n".join(lines(suite, card)))
    return 0


def _cards_named(name: str, files: list[str]) -> list[tuple[str, Card]]:
    from pathlib import Path

    from adjudge.score import find_suite, load_metrics, suite_names

    cards = [(suite, metric.card) for suite in suite_names() for metric in find_suite(suite).metrics()]
    cards += [(file, metric.card) for file in files for metric in load_metrics(Path(file))]
    named = [(suite, card) for suite, card in cards if name in (card.name, f"{suite}.{card.name}")]
    named = named or [(suite, card) for suite, card in cards if name == card.symbol]
    if not named:
        hint = did_you_mean(name, [card.name for _, card in cards])
        raise BadInput(f"no metric {name!r}{hint} (adjudge list)")
    return named


HEADLINES = {
    "marks": "mean over marks",
    "conversations": "mean over conversations",
    "groups": "mean distance of the groups' means from 0, weighted by the size of the groups",
}


def lines(suite: str, card: Card) -> list[str]:
    """The card as lines of text."""
    low, high = (("open" if bound is None else f"{bound:g}") for bound in card.scale)
    facts = {
        "symbol": card.symbol,
        "suite": suite,
        "formula": card.formula,
        "unit": f"one mark a {card.unit}",
        "headline": HEADLINES[card.pool],
        "range": f"0 to {high}" if card.pool == "groups" else f"{low} to {high}",
        "better": card.better,
        "bands": "; ".join(f"{band.word} {'above' if band.above else 'from'} {band.low:g}" for band in card.bands),
        "probes": ", ".join(card.probes),
        "judges": ", ".join(card.predicts),
        "needs": ", ".join(card.needs),
        "uses": f"{', '.join(card.optional)}, if available" if card.optional else "",
        "language": "English only; skipped on text in another language" if card.english else "",
        "source": card.source,
        "departs": card.departs,
        "variant": "a literal reading of the source's definition, compared only if named" if card.variant else "",
        "compared": "" if card.compared else "never, even if named",
        "primary": "yes: compared unless other metrics are named" if card.primary else "",
        "version": str(card.version),
    }
    body = [f"  {name:<9} {fact}" for name, fact in facts.items() if fact]
    notes = ["", *(f"  {line}".rstrip() for line in card.notes.splitlines())] if card.notes else []
    return [card.name, f"  {card.question}", "", *body, *notes]
