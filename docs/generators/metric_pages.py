"""The pages of the metrics, from their cards."""

from __future__ import annotations

from adjudge.cli.describe import lines
from adjudge.core.card import Metric
from adjudge.core.suite import Suite
from adjudge.report.words import ARROWS

MADE = "<!-- Made by docs/generate.py from the metric's card: change the card, then run `make docs`. -->"


def metric_pages(suites: list[Suite]) -> dict[str, str]:
    """The content of every page by its path: an index of all suites, one for each suite, a page for each metric."""
    pages = {"index.md": suite_index(suites)}
    for suite in suites:
        metrics = suite.metrics()
        pages[f"{suite.name}.md"] = metric_index(suite, metrics)
        for metric in metrics:
            pages[f"{suite.name}/{metric.card.name}.md"] = metric_page(suite, metric)
    return pages


def suite_index(suites: list[Suite]) -> str:
    """The page that lists the suites with the numbers of their metrics."""
    rows = [f"| [{suite.name}]({suite.name}.md) | {suite.title} | {len(suite.metrics())} |" for suite in suites]
    return "\n".join([MADE, "", "# Metrics", "", "| suite | about | metrics |", "|---|---|---|", *rows]) + "\n"


def metric_index(suite: Suite, metrics: list[Metric]) -> str:
    """The page that lists a suite's metrics."""
    head = [
        MADE,
        "",
        f"# Metrics of the suite {suite.name}",
        "",
        f"{suite.title}. {len(metrics)} metrics; ↑ higher is better, ↓ lower is better, no arrow: neither. "
        f"[The guide of the suite](../../suites/{suite.name}.md) says how files are read and what counts as right.",
    ]
    ruled = [metric for metric in metrics if not metric.card.variant]
    variants = [metric for metric in metrics if metric.card.variant]
    parts = [*head, "", *_metric_table(suite, ruled)]
    if variants:
        parts += ["", "## Variants", "", "Literal readings of a source, kept beside the ruled ones.", ""]
        parts += _metric_table(suite, variants)
    return "\n".join(parts) + "\n"


def metric_page(suite: Suite, metric: Metric) -> str:
    """The page of one metric: what `adjudge describe` says, as a table."""
    card = metric.card
    table = [f"| {name} | {_cell(fact)} |" for name, fact in _facts(suite, metric)]
    parts = [MADE, "", f"# {card.name}", "", card.question, "", "| fact | |", "|---|---|", *table]
    if card.notes:
        parts += ["", card.notes]
    parts += ["", f"[All metrics of {suite.name}](../{suite.name}.md)"]
    return "\n".join(parts) + "\n"


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
