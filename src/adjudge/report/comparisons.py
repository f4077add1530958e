"""A comparison as JSON, CSV and Markdown; as a page elsewhere."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.compare.comparison import Comparison
from adjudge.compare.contrast import Contrast, Side
from adjudge.compare.flips import Flip
from adjudge.core.card import Card
from adjudge.report import contrasts as words
from adjudge.report.csvfile import protected
from adjudge.report.markdown import escaped, grid, section
from adjudge.report.page import comparison_page
from adjudge.report.words import ARROWS, DIRECTIONS, NONE, arm_name, figure
from adjudge.run import Run

Flips = dict[words.Pair, list[Flip]]

HEADER = [
    "metric",
    "",
    "",
    "difference",
    "95 % interval",
    "in percent",
    "p",
    "corrected p",
    "effect",
    "cases",
    "verdict",
]
WELCH = ["metric", "difference", "in percent", "t", "p", "Cohen's d", "Cliff's delta"]


class ComparisonFile(Struct, frozen=True):
    """What the JSON file holds: the comparison, and the cases that changed."""

    comparison: Comparison
    flips: list[Flip]


def comparison_json(comparison: Comparison, flips: Flips) -> bytes:
    """The comparison as JSON."""
    found = [one for those in flips.values() for one in those]
    return msgspec.json.format(msgspec.json.encode(ComparisonFile(comparison, found))) + b"\n"


def comparison_csv(comparison: Comparison, flips: Flips) -> bytes:
    """One line per contrast; the two sides' fields are prefixed with a_ and b_."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    lines = [_flat(one) for one in comparison.contrasts]
    writer.writerow(lines[0])
    for line in lines:
        writer.writerow([protected(value) for value in line.values()])
    return file.getvalue().encode()


def _flat(one: Contrast) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in structs.asdict(one).items():
        if isinstance(value, Side):
            found |= {f"{name}_{part}": it for part, it in structs.asdict(value).items()}
        else:
            found[name] = int(value) if isinstance(value, bool) else value
    return found


def comparison_markdown(comparison: Comparison, flips: Flips) -> bytes:
    """The comparison as Markdown."""
    blocks = words.by_pair(comparison)
    sections = [
        [f"# {escaped(comparison.suite)}: {', '.join(map(escaped, comparison.arms))}", ""]
        + [f"- **Warning:** compared nevertheless: {escaped(mark)}" for mark in comparison.marked]
        + [f"- {escaped(words.answer(pair, found))}" for pair, found in blocks.items()]
        + ["", f"{escaped(words.method(comparison))}."],
        *(_block(pair, found, flips.get(pair, [])) for pair, found in blocks.items()),
        section("Ranking of all arms", _listed(words.ranking_line(one) for one in comparison.rankings)),
        section("Several trials a case", _listed(words.repeated_line(one) for one in comparison.repeated)),
        section("Not compared", _listed(words.left_out_lines(comparison.left_out))),
        section(
            "Metrics",
            [_entry(card) for card in comparison.cards.values()],
        ),
        section(
            "Settings",
            _listed(f"{name}: {value}" for name, value in {**comparison.settings, **comparison.tools}.items()),
        ),
    ]
    return ("\n\n".join("\n".join(lines) for lines in sections if lines) + "\n").encode()


def _entry(card: Card) -> str:
    name = f"**{escaped(card.name)}** (version {card.version})"
    return f"- {name}: {escaped(card.question)} {DIRECTIONS[card.better]}"


def _block(pair: words.Pair, found: list[Contrast], flips: list[Flip]) -> list[str]:
    header = HEADER.copy()
    header[1:3] = [escaped(arm_name(pair[1])), escaped(arm_name(pair[2]))]
    lines = section(escaped(words.title(pair)), grid(header, map(_cells, found)))
    lines += ["", "As if the cases were not shared (Welch's t, Cohen's d):", "", *grid(WELCH, map(_welch, found))]
    if gaps := [f"- {escaped(one.metric)}: {escaped(words.missing(one))}" for one in found if words.missing(one)]:
        lines += ["", "Without a value:", "", *gaps]
    if flips:
        header = ["metric", "case", arm_name(pair[2]), arm_name(pair[1]), "turn", "what", "why"]
        lines += ["", "What changed most:", "", *grid(list(map(escaped, header)), map(_flip, flips))]
    return lines


def _cells(one: Contrast) -> list[str]:
    return [
        f"{escaped(one.metric)} {ARROWS[one.better]}".rstrip(),
        words.value(one.a),
        words.value(one.b),
        words.difference(one),
        words.interval(one),
        words.percent(one),
        escaped(words.p_value(one.p)),
        escaped(words.p_value(one.p_corrected)),
        words.effect(one),
        words.cases(one),
        words.verdict(one),
    ]


def _welch(one: Contrast) -> list[str]:
    t, p, d = words.welch(one)
    delta = NONE if one.cliffs_delta is None else figure(one.cliffs_delta)
    return [escaped(one.metric), words.difference(one), words.relative(one), t, escaped(p), d, delta]


def _flip(one: Flip) -> list[str]:
    told = next((mark for mark in one.marks if mark.why), one.marks[0] if one.marks else None)
    place = [told.turn, told.at, told.why] if told else ["", "", ""]
    return [escaped(one.metric), escaped(one.name), figure(one.value_b), figure(one.value_a), *map(escaped, place)]


def _listed(lines: Any) -> list[str]:
    return [f"- {escaped(line)}" for line in lines]


Form = Callable[[Comparison, Flips, list[Run]], bytes]


def _alone(form: Callable[[Comparison, Flips], bytes]) -> Form:
    """A format that needs no more of the runs than the comparison has."""
    return lambda comparison, flips, _: form(comparison, flips)


FORMATS: dict[str, Form] = {
    ".html": comparison_page,
    ".json": _alone(comparison_json),
    ".md": _alone(comparison_markdown),
    ".csv": _alone(comparison_csv),
}
