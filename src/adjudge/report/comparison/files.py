"""A comparison as files: the ending names the format."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.compare.comparison import Comparison
from adjudge.compare.contrast import Contrast, Side
from adjudge.compare.flips import Flip
from adjudge.core.card import Card
from adjudge.report.comparison import words
from adjudge.report.comparison.figure import comparison_figure
from adjudge.report.comparison.page import comparison_page
from adjudge.report.csvfile import write_csv
from adjudge.report.markdown import bullets, escape, markdown_document, markdown_table, section
from adjudge.report.target import format_of, write_target
from adjudge.report.words import ARROWS, DIRECTIONS, INTERVAL, NONE, arm_name, figure, p_value
from adjudge.run import Run

COLUMNS = ["difference", INTERVAL, "in percent", "p", "corrected p", "effect", "cases", "verdict"]
UNPAIRED = ["metric", "difference", "in percent", "t", "p", "Cohen's d", "Cliff's delta"]


class ComparisonFile(Struct, frozen=True):
    """What the JSON file holds: the comparison, and the cases that changed."""

    comparison: Comparison
    flips: list[Flip]


def write_comparison(comparison: Comparison, flips: words.Flips, runs: list[Run], target: Path) -> None:
    """Write a comparison, in the format that the target's ending names."""
    content = FORMATS[format_of(target, FORMATS)](comparison, flips, runs)
    write_target(target, content, runs)


def comparison_json(comparison: Comparison, flips: words.Flips) -> bytes:
    """The comparison as JSON."""
    changed = [flip for pair in flips.values() for flip in pair]
    return msgspec.json.format(msgspec.json.encode(ComparisonFile(comparison, changed))) + b"\n"


def comparison_csv(comparison: Comparison) -> bytes:
    """One line per contrast; the two sides' fields are prefixed with a_ and b_."""
    lines = [_flatten(contrast) for contrast in comparison.contrasts]
    return write_csv(lines[0], (line.values() for line in lines))


def comparison_markdown(comparison: Comparison, flips: words.Flips, runs: list[Run]) -> bytes:
    """The comparison as Markdown."""
    blocks = words.contrasts_by_pair(comparison)
    settings = {**comparison.settings, **comparison.tools}
    return markdown_document(
        [
            [f"# {escape(comparison.suite)}: {', '.join(map(escape, comparison.arms))}", ""]
            + [f"- **Warning:** {escape(text)}" for text in words.comparison_warnings(comparison, runs)]
            + bullets(words.pair_answer(pair, contrasts) for pair, contrasts in blocks.items())
            + ["", f"{escape(words.method_line(comparison))}."],
            *(_block(pair, contrasts, flips.get(pair, [])) for pair, contrasts in blocks.items()),
            section("Ranking of all arms", bullets(map(words.ranking_line, comparison.rankings))),
            section("Several trials per case", bullets(map(words.repeated_line, comparison.repeated))),
            section("Not compared", bullets(words.left_out_lines(comparison.left_out))),
            section("Metrics", [_entry(card) for card in comparison.cards.values()]),
            section("Settings", bullets(f"{name}: {value}" for name, value in settings.items())),
        ]
    )


def _flatten(contrast: Contrast) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in structs.asdict(contrast).items():
        if isinstance(value, Side):
            flat |= {f"{name}_{field}": part for field, part in structs.asdict(value).items()}
        else:
            flat[name] = int(value) if isinstance(value, bool) else value
    return flat


def _entry(card: Card) -> str:
    name = f"**{escape(card.name)}** (version {card.version})"
    return f"- {name}: {escape(card.question)} {DIRECTIONS[card.better]}"


def _block(pair: words.Pair, contrasts: list[Contrast], flips: list[Flip]) -> list[str]:
    a, b = escape(arm_name(pair[1])), escape(arm_name(pair[2]))
    lines = section(escape(words.pair_title(pair)), markdown_table(["metric", a, b, *COLUMNS], map(_cells, contrasts)))
    heading = "Unpaired, as if no cases were shared (Welch's t, Cohen's d):"
    lines += ["", heading, "", *markdown_table(UNPAIRED, map(_unpaired_cells, contrasts))]
    if gaps := words.gap_lines(contrasts):
        lines += ["", "Without a value:", "", *bullets(gaps)]
    if flips:
        header = ["metric", "case", b, a, "turn", "what", "why"]
        lines += ["", "What changed most:", "", *markdown_table(header, map(_flip_cells, flips))]
    return lines


def _cells(contrast: Contrast) -> list[str]:
    return [
        f"{escape(contrast.metric)} {ARROWS[contrast.better]}".rstrip(),
        figure(contrast.a.value),
        figure(contrast.b.value),
        words.difference_text(contrast),
        words.difference_interval(contrast),
        words.percent_text(contrast),
        escape(p_value(contrast.p)),
        escape(p_value(contrast.p_corrected)),
        words.effect_text(contrast),
        words.cases_text(contrast),
        words.verdict_text(contrast),
    ]


def _unpaired_cells(contrast: Contrast) -> list[str]:
    delta = NONE if contrast.cliffs_delta is None else figure(contrast.cliffs_delta)
    return [*map(escape, (contrast.metric, *words.unpaired_texts(contrast))), delta]


def _flip_cells(flip: Flip) -> list[str]:
    mark = words.telling_mark(flip)
    place = ("", "", "") if mark is None else (mark.turn, mark.at, mark.why)
    return [escape(flip.metric), escape(flip.name), figure(flip.value_b), figure(flip.value_a), *map(escape, place)]


Make = Callable[[Comparison, words.Flips, list[Run]], bytes]


def _of_comparison(make: Callable[[Comparison], bytes]) -> Make:
    return lambda comparison, flips, runs: make(comparison)


FORMATS: dict[str, Make] = {
    ".html": comparison_page,
    ".json": lambda comparison, flips, runs: comparison_json(comparison, flips),
    ".md": comparison_markdown,
    ".csv": _of_comparison(comparison_csv),
    ".pdf": _of_comparison(partial(comparison_figure, file_format="pdf")),
    ".svg": _of_comparison(partial(comparison_figure, file_format="svg")),
    ".png": _of_comparison(partial(comparison_figure, file_format="png")),
}
