"""A comparison as files: the ending names the format."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.compare.comparison import Comparison
from adjudge.compare.contrast import Contrast, ContrastSide
from adjudge.compare.flips import Flip
from adjudge.core.card import Card
from adjudge.report.comparison import headline, words
from adjudge.report.comparison.figure import comparison_figure
from adjudge.report.comparison.page import comparison_page
from adjudge.report.comparison.tables import UNPAIRED, contrast_table, flip_table, unpaired_table
from adjudge.report.comparison.words import ComparisonReport
from adjudge.report.csvfile import write_csv
from adjudge.report.latex import latex_document, latex_paragraph, latex_table
from adjudge.report.markdown import bullets, escape, markdown_document, markdown_table, section
from adjudge.report.table import TextTable
from adjudge.report.target import format_of, write_target
from adjudge.report.words import DIRECTIONS


class ComparisonFile(Struct, frozen=True):
    """What the JSON file holds: the comparison, and the cases that changed."""

    comparison: Comparison
    flips: list[Flip]


def write_comparison(report: ComparisonReport, target: Path) -> None:
    """Write a comparison, in the format that the target's ending names."""
    content = FORMATS[format_of(target, FORMATS)](report)
    write_target(target, content, report.runs)


def comparison_json(report: ComparisonReport) -> bytes:
    """The comparison as JSON."""
    changed = [flip for flips in report.flips.values() for flip in flips]
    return msgspec.json.format(msgspec.json.encode(ComparisonFile(report.comparison, changed))) + b"\n"


def comparison_csv(comparison: Comparison) -> bytes:
    """One line per contrast; the two sides' fields are prefixed with a_ and b_."""
    lines = [_flatten(contrast) for contrast in comparison.contrasts]
    return write_csv(lines[0], (line.values() for line in lines))


def comparison_markdown(report: ComparisonReport) -> bytes:
    """The comparison as Markdown."""
    comparison, pairs = report.comparison, report.pairs
    settings = {**comparison.settings, **comparison.tools}
    headlines = _headlines(report) if report.headline else {}
    return markdown_document(
        [
            [f"# {escape(comparison.suite)}: {', '.join(map(escape, comparison.arms))}", ""]
            + [f"- **Warning:** {escape(text)}" for text in report.warnings]
            + bullets(words.pair_answer(pair, contrasts) for pair, contrasts in pairs.items())
            + ["", f"{escape('. '.join(words.method_lines(comparison)))}."],
            *(section(f"Headline: {escape(title)}", markdown_table(table)) for title, table in headlines.items()),
            *(_block(pair, contrasts, report.flips.get(pair, [])) for pair, contrasts in pairs.items()),
            section("Ranking of all arms", bullets(map(words.ranking_line, comparison.rankings))),
            section("Several trials per case", bullets(map(words.repeated_line, comparison.repeated))),
            section("Not compared", bullets(words.left_out_lines(comparison.left_out))),
            section("Metrics", [_entry(card) for card in comparison.cards.values()]),
            section("Settings", bullets(f"{name}: {value}" for name, value in settings.items())),
        ]
    )


def comparison_latex(report: ComparisonReport) -> bytes:
    """The comparison as a LaTeX document: a table for each pair of arms."""
    lines = [*(f"warning: {text}" for text in report.warnings), *words.method_lines(report.comparison)]
    headlines = _headlines(report) if report.headline else {}
    tables = [latex_table(table, f"{title}; {headline.EXPLANATION}") for title, table in headlines.items()]
    tables += [
        latex_table(contrast_table(contrasts).without("p"), words.pair_title(pair))
        for pair, contrasts in report.pairs.items()
    ]
    return latex_document([*map(latex_paragraph, lines), *tables])


def _headlines(report: ComparisonReport) -> dict[str, TextTable]:
    """The headline table of each pair of arms by its title."""
    return {words.pair_title(pair): headline.headline_table(pair, report.comparison) for pair in report.pairs}


def _flatten(contrast: Contrast) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in structs.asdict(contrast).items():
        if isinstance(value, ContrastSide):
            flat |= {f"{name}_{field}": part for field, part in structs.asdict(value).items()}
        else:
            flat[name] = int(value) if isinstance(value, bool) else value
    return flat


def _entry(card: Card) -> str:
    name = f"**{escape(card.name)}** (version {card.version})"
    return f"- {name}: {escape(card.question)} {DIRECTIONS[card.better]}"


def _block(pair: words.Pair, contrasts: list[Contrast], flips: list[Flip]) -> list[str]:
    lines = section(escape(words.pair_title(pair)), markdown_table(contrast_table(contrasts)))
    lines += ["", f"{UNPAIRED}:", "", *markdown_table(unpaired_table(contrasts))]
    if gaps := words.gap_lines(contrasts):
        lines += ["", "Without a value:", "", *bullets(gaps)]
    if flips:
        lines += ["", "What changed most:", "", *markdown_table(flip_table(pair, flips))]
    return lines


def _of_comparison(make: Callable[[Comparison], bytes]) -> Callable[[ComparisonReport], bytes]:
    return lambda report: make(report.comparison)


FORMATS: dict[str, Callable[[ComparisonReport], bytes]] = {
    ".html": comparison_page,
    ".json": comparison_json,
    ".md": comparison_markdown,
    ".tex": comparison_latex,
    ".csv": _of_comparison(comparison_csv),
    ".pdf": _of_comparison(partial(comparison_figure, file_format="pdf")),
    ".svg": _of_comparison(partial(comparison_figure, file_format="svg")),
    ".png": _of_comparison(partial(comparison_figure, file_format="png")),
}
