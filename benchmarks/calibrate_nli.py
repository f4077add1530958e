"""Calibrate and measure the entailment heuristic on pairs of our own.

    python benchmarks/calibrate_nli.py              # limits from the development pairs, quality on the held-out ones
    python benchmarks/calibrate_nli.py --errors     # the development pairs it gets wrong (never the held-out ones)
    python benchmarks/calibrate_nli.py --write      # keeps limits and figures in src/adjudge/tools/nli.toml

Limits are searched on a grid for the best accuracy in development. Rules and words may be changed after looking at
development errors only; the held-out pairs are for the numbers that are reported. Whoever changes rules or words after
looking at held-out pairs writes new ones and moves the old ones to development.
"""

from __future__ import annotations

import argparse
import datetime
from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import sqrt
from pathlib import Path

import msgspec

from adjudge.core.ask import Pair, Relation
from adjudge.tools.embed import embedder
from adjudge.tools.nli import Limits, Rule, relation, ruled, similarities

PAIRS = Path(__file__).parent / "calibration" / "nli.jsonl"
KEPT = Path(__file__).parents[1] / "src" / "adjudge" / "tools" / "nli.toml"
EMBEDDERS = ("minilm", "wordllama")
RULES: tuple[Rule, ...] = ("unrelated", "quantity", "side", "polarity", "close", "open")
RELATIONS: tuple[Relation, ...] = ("entail", "neutral", "contradict")

_HEAD = """\
# How good the entailment heuristic (nli.py) is, its limits, and how often each of its rules is right.
# Written by benchmarks/calibrate_nli.py --write from benchmarks/calibration/nli.jsonl: limits come from the development
# pairs, quality and confidence from the held-out ones, which were written after rules and words were fixed; the
# interval is Wilson's, 95 %.
"""


class Labelled(msgspec.Struct, frozen=True):
    """A pair and how its hypothesis relates to its premise."""

    split: str
    domain: str
    premise: str
    hypothesis: str
    relation: Relation

    @property
    def pair(self) -> Pair:
        """The pair without its label."""
        return Pair(self.premise, self.hypothesis)


class Sample(msgspec.Struct, frozen=True):
    """Labelled pairs with the cosines of an embedder."""

    pairs: list[Labelled]
    cosines: list[float]

    @classmethod
    def of(cls, split: str, name: str) -> Sample:
        """The pairs of a split as an embedder sees them."""
        lines = PAIRS.read_bytes().splitlines()
        pairs = [pair for line in lines if (pair := msgspec.json.decode(line, type=Labelled)).split == split]
        return cls(pairs, similarities(embedder(name), [pair.pair for pair in pairs]))

    def rules(self, limits: Limits) -> list[Rule]:
        """The rule that decides each pair."""
        return [ruled(pair.pair, similarity, limits) for pair, similarity in zip(self.pairs, self.cosines, strict=True)]

    def right(self, limits: Limits) -> list[bool]:
        """Which pairs are told right."""
        return [relation(rule) == pair.relation for rule, pair in zip(self.rules(limits), self.pairs, strict=True)]


def main() -> None:
    """Calibrate and print; with --write also keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", action="store_true", help="show what is wrong in development")
    parser.add_argument("--write", action="store_true", help=f"keep the results in {KEPT.name}")
    asked = parser.parse_args()
    if asked.errors:
        _show_errors()
        return
    sections = [_section(name) for name in EMBEDDERS]
    print("\n".join(sections))
    if asked.write:
        KEPT.write_text("\n".join([_HEAD, *sections]), "utf-8")


def best_limits(sample: Sample) -> Limits:
    """The limits that are right most often; the middle ones of several."""
    steps = [step / 20 for step in range(2, 17)]
    tried = [
        Limits(related, same, shared, covered)
        for related, same in product(steps, steps)
        if same > related
        for shared, covered in ((0.34, 0.75), (0.5, 0.75), (0.5, 1.0))
    ]
    reached = [sum(sample.right(limits)) for limits in tried]
    best = [limits for limits, count in zip(tried, reached, strict=True) if count == max(reached)]
    return best[len(best) // 2]


def wilson(right: int, count: int) -> tuple[float, float]:
    """Wilson's interval of a share, 95 %."""
    z = 1.959964
    middle = (right + z * z / 2) / (count + z * z)
    half = z / (count + z * z) * sqrt(right * (count - right) / count + z * z / 4)
    return middle - half, middle + half


def _confidences(sample: Sample, limits: Limits) -> dict[str, float]:
    """How often each rule was right, drawn towards one half where it seldom decided."""
    decided, right = Counter(sample.rules(limits)), Counter[Rule]()
    for rule, correct in zip(sample.rules(limits), sample.right(limits), strict=True):
        right[rule] += correct
    return {rule: (right[rule] + 1) / (decided[rule] + 2) for rule in RULES}


def _recalls(sample: Sample, right: Sequence[bool]) -> dict[str, float]:
    found = Counter(pair.relation for pair, correct in zip(sample.pairs, right, strict=True) if correct)
    there = Counter(pair.relation for pair in sample.pairs)
    return {name: found[name] / there[name] for name in RELATIONS}


def _section(name: str) -> str:
    development, test = Sample.of("dev", name), Sample.of("test", name)
    limits = best_limits(development)
    tuned, right = development.right(limits), test.right(limits)
    low, high = wilson(sum(right), len(right))
    return "\n".join(
        [
            f"[{name}]",
            f'date = "{datetime.date.today()}"',
            f"limits = {_inline(msgspec.to_builtins(limits))}",
            f"confidence = {_inline(_confidences(test, limits))}",
            f"development = {{ accuracy = {sum(tuned) / len(tuned):.3f}, pairs = {len(tuned)} }}",
            "",
            f"[{name}.quality]",
            f"accuracy = {sum(right) / len(right):.3f}",
            f"interval = [{low:.3f}, {high:.3f}]",
            f"pairs = {len(right)}",
            f"recall = {_inline(_recalls(test, right))}",
            "",
        ]
    )


def _inline(table: dict[str, float]) -> str:
    return "{ " + ", ".join(f"{key} = {value:.2f}" for key, value in table.items()) + " }"


def _show_errors() -> None:
    for name in EMBEDDERS:
        sample = Sample.of("dev", name)
        limits = best_limits(sample)
        print(name, limits, f"{sum(sample.right(limits))} of {len(sample.pairs)} right")
        for pair, rule, similarity in zip(sample.pairs, sample.rules(limits), sample.cosines, strict=True):
            if relation(rule) != pair.relation:
                print(f"  {pair.relation:10} {rule:9} {similarity:.2f} {pair.premise!r} / {pair.hypothesis!r}")


if __name__ == "__main__":
    main()
