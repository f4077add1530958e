"""The page that compares two arms of one run or of several: by metric, and by case."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudge.compare.comparison import Comparison, ComparisonRequest, compare
from adjudge.compare.contrast import Contrast
from adjudge.compare.sheet import Sheet
from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.report.comparison import words
from adjudge.report.words import arm_name, count
from adjudge.run import Run
from adjudge.web.index.columns import is_value
from adjudge.web.memory import remember
from adjudge.web.opened import OpenRun
from adjudge.web.pages.contrasts import LARGEST

# The most cases that are listed; those that differ most come first.
CASES = 200
SHOWN = 4


class ArmChoice(Struct, frozen=True):
    """An arm of a run that can be compared: its number in the address, and its names."""

    number: int
    run: OpenRun
    arm: str
    name: str


class CaseDifference(Struct, frozen=True):
    """A case that both sides have: its places, the values by metric, and in how many metrics the second is worse."""

    case: str
    trial: int
    a: int
    b: int
    values: list[tuple[Card, float, float, str]]
    worse: int
    better: int


def comparison_view(runs: list[OpenRun], asked: dict[str, str]) -> dict[str, Any]:
    """Everything on the page of a comparison."""
    sides = _sides(runs)
    a, b = _chosen_sides(sides, asked)
    metric = asked.get("metric", "") if asked.get("metric") in runs[0].cards else ""
    too_large = max(run.index.count for run in runs) > LARGEST
    cases = [] if too_large else _cases(a, b)
    listed = [case for case in cases if not metric or any(card.name == metric for card, *_ in case.values)]
    comparison, refusal = (None, "") if too_large else _compare(runs, a, b)
    contrasts = comparison.contrasts if comparison else []
    return {
        "run": a.run,
        "runs": runs,
        "sides": sides,
        "a": a,
        "b": b,
        "metric": metric,
        "too_large": too_large,
        "refusal": refusal,
        "marked": comparison.marked if comparison else [],
        "answer": words.pair_answer(("", contrasts[0].a.arm, contrasts[0].b.arm), contrasts) if contrasts else "",
        "heading": _heading(a, b, cases, contrasts),
        "contrasts": contrasts,
        "changes": {contrast.metric: _change_counts(cases, contrast.metric) for contrast in contrasts},
        "method": words.method_lines(comparison) if comparison else [],
        "left_out": words.left_out_lines(comparison.left_out, 6) if comparison else [],
        "cases": listed[:CASES],
        "omitted": max(len(listed) - CASES, 0),
        "shared": len(_pairs(a, b)) if not too_large else 0,
        "labels": 0,
        "live": False,
    }


def _sides(runs: list[OpenRun]) -> list[ArmChoice]:
    several = len(runs) > 1
    pairs = [(run, arm) for run in runs for arm in run.arms]
    return [
        ArmChoice(number, run, arm, f"{arm_name(arm)} in {run.entry.name}" if several else arm_name(arm))
        for number, (run, arm) in enumerate(pairs)
    ]


def _chosen_sides(sides: list[ArmChoice], asked: dict[str, str]) -> tuple[ArmChoice, ArmChoice]:
    """The two sides that the address names by number or by arm, else the first of each run, else the first two."""
    if len(sides) < 2:
        raise BadInput("there is only one arm; choose two runs, or a run with two arms")
    second = next((side for side in sides if side.run is not sides[0].run), sides[1])
    a = _side(sides, asked.get("a", "")) or sides[0]
    b = _side(sides, asked.get("b", "")) or second
    return (a, b) if a is not b else (a, next(side for side in sides if side is not a))


def _side(sides: list[ArmChoice], text: str) -> ArmChoice | None:
    return next((side for side in sides if text and text in (f"{side.number}", side.arm)), None)


def _pairs(a: ArmChoice, b: ArmChoice) -> list[tuple[str, int, int, int]]:
    """The cases and trials that both sides have, with their places."""

    def places(side: ArmChoice) -> dict[tuple[str, int], int]:
        index = side.run.index
        if side.arm not in index.words("arm"):
            return {}
        code = index.words("arm").index(side.arm)
        arms, trials = index.column("arm"), index.column("trial")
        rows = index.connection.execute('SELECT place, "case" FROM conversation ORDER BY place')
        return {(case, int(trials[place])): place for place, case in rows if arms[place] == code}

    first, second = places(a), places(b)
    return [
        (case, trial, place, second[case, trial]) for (case, trial), place in first.items() if (case, trial) in second
    ]


def _cases(a: ArmChoice, b: ArmChoice) -> list[CaseDifference]:
    """The cases in which the sides differ by a metric, those that differ in most first."""
    cards = [card for name, card in a.run.cards.items() if name in b.run.cards and not card.variant]
    cards.sort(key=lambda card: not card.primary)
    pairs = _pairs(a, b)
    differing: dict[tuple[str, int, int, int], list[tuple[Card, float, float, str]]] = {}
    for card in cards:
        first, second = (side.run.index.column(f"value:{card.name}") for side in (a, b))
        for pair in pairs:
            x, y = float(first[pair[2]]), float(second[pair[3]])
            if is_value(x) and is_value(y) and abs(x - y) > 1e-9:
                differing.setdefault(pair, []).append((card, x, y, _verdict(card, y - x)))
    cases = [_case(pair, values) for pair, values in differing.items()]
    return sorted(cases, key=lambda case: -(case.worse + case.better))


def _case(pair: tuple[str, int, int, int], values: list[tuple[Card, float, float, str]]) -> CaseDifference:
    verdicts = [verdict for *_, verdict in values]
    return CaseDifference(*pair, values, verdicts.count("worse"), verdicts.count("better"))


def _verdict(card: Card, change: float) -> str:
    if card.better == "neither":
        return "different"
    return "better" if (change > 0) == (card.better == "higher") else "worse"


def _change_counts(cases: list[CaseDifference], metric: str) -> tuple[int, int]:
    """In how many cases the second side is worse and better by a metric."""
    verdicts = [verdict for case in cases for card, _, _, verdict in case.values if card.name == metric]
    return verdicts.count("worse"), verdicts.count("better")


def _compare(runs: list[OpenRun], a: ArmChoice, b: ArmChoice) -> tuple[Comparison | None, str]:
    """The comparison of the second side with the first; without one, the reason."""

    def compute() -> tuple[Comparison | None, str]:
        try:
            opened = [Run(run.entry.folder) for run in dict.fromkeys((a.run, b.run))]
            sheet = Sheet(opened, force=True)
            names = [sheet.names(opened[0 if side.run is a.run else -1])[side.arm] for side in (b, a)]
            return compare(sheet, ComparisonRequest(arms=tuple(names), baseline=names[1])), ""
        except (BadInput, ValueError, KeyError) as error:
            return None, str(error)

    stamps = "".join(run.index.stamp for run in runs)
    return remember(a.run, f"compare {a.run.entry.id} {a.arm} {b.run.entry.id} {b.arm} {stamps}", compute)


def _heading(a: ArmChoice, b: ArmChoice, cases: list[CaseDifference], contrasts: list[Contrast]) -> str:
    verdicts = [contrast.verdict for contrast in contrasts]
    better, worse = verdicts.count("better"), verdicts.count("worse")
    if better or worse:
        return f"{b.name} against {a.name}: better in {better}, worse in {worse} of {len(verdicts)} metrics"
    if not contrasts:
        return f"{b.name} against {a.name}"
    differing = (
        f"{count(len(cases), 'case')} {'differs' if len(cases) == 1 else 'differ'}" if cases else "no case differs"
    )
    return f"{b.name} against {a.name}: no metric differs significantly, {differing}"
