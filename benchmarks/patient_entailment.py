"""Measure what the patient suite says about facts without a judge.

    python benchmarks/patient_entailment.py             # limits from development, quality on the held-out pairs
    python benchmarks/patient_entailment.py --errors    # what it gets wrong in development (never what is held out)
    python benchmarks/patient_entailment.py --write     # keeps limits and figures in patient/offline.toml

Limits are searched on a grid for the best accuracy in development. Rules and words may be changed after looking at
development errors only. Whoever changes them after looking at held-out pairs writes new ones and moves the old ones to
development. The generic heuristic (`nli`) is measured on the same pairs. Sentences and kinds are measured on the labels
of visits: the suite's sample and `calibration/patient_visits_dev.jsonl` are development, `..._test.jsonl` is held out.
"""

from __future__ import annotations

import argparse
import csv
import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from math import inf
from pathlib import Path
from typing import cast

import msgspec

from adjudge.agreement.kappa import cohen_kappa
from adjudge.agreement.ratings import Ratings
from adjudge.bounds import wilson
from adjudge.core.ask import Pair, Relation, Vector
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.facts import Limits, pieces, read_as, relate
from adjudge.suites.patient.fields import says
from adjudge.suites.patient.kinds import kind_of
from adjudge.suites.patient.offline import USE, Closeness, readings
from adjudge.suites.patient.topics import claim_of
from adjudge.tools.embed import Encoder, embedder, threshold
from adjudge.tools.embed.answerer import EmbedAnswerer
from adjudge.tools.nli import entailment, similarities

HERE = Path(__file__).parent
PATIENT = HERE.parent / "src" / "adjudge" / "suites" / "patient"
PAIRS = HERE / "calibration" / "patient_pairs.jsonl"
KEPT = PATIENT / "offline.toml"
# Visits with a label for each sentence, by split; the labels of NAME.jsonl are in NAME_gold.csv.
VISITS = {
    "sample": PATIENT / "sample.jsonl",
    "dev": HERE / "calibration" / "patient_visits_dev.jsonl",
    "test": HERE / "calibration" / "patient_visits_test.jsonl",
}
RELATIONS: tuple[Relation, ...] = ("entail", "neutral", "contradict")
KINDS = ("information", "politeness", "emotion", "inquiry", "meta")
Key = tuple[str, str, str, str]
NO_COSINES = Limits(share=0.6, near=inf, far=-inf)

_HEAD = """\
# How good the patient suite's offline heuristic is, and its limits.
# Written by benchmarks/patient_entailment.py --write: limits and `development` come from the development pairs of
# benchmarks/calibration/patient_pairs.jsonl, `pairs` from the held-out ones, which were written after rules and words
# were fixed, as the doctor and patient talk in real visits; `generic` is what the generic heuristic (nli) does on them.
# `sentences`, `kinds` and `coverage` come from visits written and labelled by somebody who did not know the rules
# (benchmarks/calibration/patient_visits_test.jsonl); `sample` from the suite's sample, with which they were developed.
# `coverage` is the share of known items that the labels and the heuristic call told, and of items on which they agree.
# All with minilm; intervals are Wilson's, 95 %.
"""


class Labelled(msgspec.Struct, frozen=True):
    """A sentence, the question it answers, an item of a profile, and how they relate."""

    split: str
    asked: str
    sentence: str
    item: str
    value: str
    relation: Relation
    hard: bool


class Agreement(msgspec.Struct, frozen=True):
    """Labels beside what was found."""

    labels: list[str]
    found: list[str]
    names: tuple[str, ...]

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def accuracy(self) -> float:
        return sum(one == other for one, other in zip(self.labels, self.found, strict=True)) / self.n

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.accuracy, self.n)

    @property
    def kappa(self) -> float:
        value = cohen_kappa(Ratings.of([self.labels, self.found])).value
        assert value is not None
        return value

    def always(self, label: str) -> float:
        """How often one would be right who always says the same."""
        return self.labels.count(label) / self.n

    def recall(self) -> dict[str, float]:
        """By label, the share of its cases that was found."""
        return _shares(self.labels, self.labels, self.found, self.names)

    def precision(self) -> dict[str, float]:
        """By label, the share of those found that is right."""
        return _shares(self.found, self.labels, self.found, self.names)

    def table(self) -> str:
        """Labels down, findings across."""
        counts = Counter(zip(self.labels, self.found, strict=True))
        rows = [f"    {name:12}" + "".join(f"{counts[name, other]:12}" for other in self.names) for name in self.names]
        return "\n".join([" " * 16 + "".join(f"{name:>12}" for name in self.names), *rows])

    def lines(self) -> list[str]:
        """The figures as TOML."""
        low, high = self.interval
        return [
            f"accuracy = {self.accuracy:.3f}",
            f"interval = [{low:.3f}, {high:.3f}]",
            f"kappa = {self.kappa:.3f}",
            f"n = {self.n}",
            f"recall = {_inline(self.recall())}",
            f"precision = {_inline(self.precision())}",
        ]


def main() -> None:
    """Measure and print; with --write also keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", action="store_true", help="show what is wrong in development")
    parser.add_argument("--write", action="store_true", help=f"keep the results in {KEPT.name}")
    asked = parser.parse_args()
    limits = best_limits(pairs("dev"))
    if asked.errors:
        _show_errors(limits)
        return
    _show(limits)
    if asked.write:
        KEPT.write_text(kept(limits), "utf-8")


def kept(limits: Limits) -> str:
    """The text of `offline.toml` but for its date."""
    development, test = pairs("dev"), pairs("test")
    return "\n".join(
        [
            _HEAD,
            f'date = "{datetime.date.today()}"',
            "",
            "[limits]",
            *(f"{name} = {value:g}" for name, value in msgspec.to_builtins(limits).items()),
            "",
            "[development]",
            *own(development, limits).lines(),
            "",
            "[pairs]",
            *own(test, limits).lines(),
            "",
            "[generic]",
            *generic(test).lines(),
            "",
            "[sentences]",
            *on_visits("test", limits).lines(),
            f"always = {on_visits('test', limits).always('entail'):.3f}",
            "",
            "[sample]",
            *on_visits("sample", limits).lines(),
            "",
            "[kinds]",
            *on_kinds("test").lines(),
            "",
            "[coverage]",
            *(f"{name} = {value:.3f}" for name, value in on_coverage("test", limits).items()),
            "",
        ]
    )


def pairs(split: str) -> list[Labelled]:
    """The pairs of a split."""
    read = (msgspec.json.decode(line, type=Labelled) for line in PAIRS.read_bytes().splitlines())
    return [pair for pair in read if pair.split == split]


def own(some: Sequence[Labelled], limits: Limits) -> Agreement:
    """What the suite's heuristic finds."""
    found = [_relation(pair, limits) for pair in some]
    return Agreement([pair.relation for pair in some], list(found), RELATIONS)


def generic(some: Sequence[Labelled]) -> Agreement:
    """What the generic heuristic finds, with the item as the premise."""
    asked = [Pair(says(pair.item, pair.value), pair.sentence) for pair in some]
    cosines = similarities(_encoder(), asked)
    found = [entailment(pair, cosine).relation for pair, cosine in zip(asked, cosines, strict=True)]
    return Agreement([pair.relation for pair in some], list(found), RELATIONS)


def best_limits(some: Sequence[Labelled]) -> Limits:
    """The limits that are right most often; the middle ones of several."""
    steps = product((0.5, 0.6, 0.7), (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6), (0.3, 0.4, 0.5, 0.6))
    tried = [Limits(share, near, far) for share, near, far in steps]
    reached = [own(some, limits).accuracy for limits in tried]
    best = [limits for limits, accuracy in zip(tried, reached, strict=True) if accuracy == max(reached)]
    return best[len(best) // 2]


def on_visits(split: str, limits: Limits) -> Agreement:
    """The verdicts on information sentences of visits beside their labels."""
    labels = {key: row["label"] for key, row in _gold(split).items() if row["kind"] == "information" and row["label"]}
    found = {
        (visit.case, visit.arm, reading.sentence.turn, reading.sentence.text): reading.relation
        for visit in _visits(split)
        for reading in readings(visit, _embed, _encoder().thresholds, limits)
    }
    # A sentence that the rules take for no information is never entailed.
    return Agreement(list(labels.values()), [found.get(key, "neutral") for key in labels], RELATIONS)


def on_kinds(split: str) -> Agreement:
    """The kinds of sentences of visits beside their labels."""
    asked = {
        (visit.case, visit.arm, one.turn, one.text): one.asked
        for visit in _visits(split)
        for reply in visit.replies
        for one in reply.sentences
    }
    rows = {key: row for key, row in _gold(split).items() if key in asked}
    found = [kind_of(key[3], asked[key]) for key in rows]
    return Agreement([row["kind"] for row in rows.values()], list(found), KINDS)


def on_coverage(split: str, limits: Limits) -> dict[str, float]:
    """The share of known items that the labels and the heuristic find told, over visits."""
    told = {(key[0], key[1], item) for key, row in _gold(split).items() for item in _entailed(row)}
    found = {
        (visit.case, visit.arm, item)
        for visit in _visits(split)
        for reading in readings(visit, _embed, _encoder().thresholds, limits)
        for item, finding in reading.findings.items()
        if finding.relation == "entail"
    }
    known = [(visit.case, visit.arm, item) for visit in _visits(split) for item in visit.known]
    return {
        "labels": sum(key in told for key in known) / len(known),
        "found": sum(key in found for key in known) / len(known),
        "agreement": sum((key in told) == (key in found) for key in known) / len(known),
    }


def _entailed(row: Mapping[str, str]) -> list[str]:
    return [item.strip() for item in row["item"].split(";")] if row["label"] == "entail" else []


def _relation(pair: Labelled, limits: Limits) -> Relation:
    claim = claim_of(pair.sentence, pair.asked)
    value = read_as(pair.item, pair.value)
    closeness = _closeness(claim.text, pair.item, value)
    return relate(claim, pair.item, value, closeness.of(claim.text), limits).relation


@cache
def _closeness(claim: str, item: str, value: str) -> Closeness:
    return Closeness([claim], {item: value}, _embed, threshold(_encoder(), USE))


@cache
def _encoder() -> Encoder:
    return embedder()


@cache
def _kept() -> EmbedAnswerer:
    """Vectors by text; those of all pairs are made at once."""
    answerer = EmbedAnswerer(_encoder())
    some = pairs("dev") + pairs("test")
    claims = [claim_of(pair.sentence, pair.asked).text for pair in some]
    answerer.vectors([*claims, *(text for pair in some for text in (pair.value, *pieces(pair.value)))])
    return answerer


def _embed(texts: Sequence[str]) -> list[Vector]:
    found = _kept().vectors(texts)
    return [cast(Vector, found[text]) for text in texts]


@cache
def _visits(split: str) -> list[Consultation]:
    return [msgspec.json.decode(line, type=Consultation) for line in VISITS[split].read_bytes().splitlines()]


@cache
def _gold(split: str) -> Mapping[Key, dict[str, str]]:
    path = VISITS[split]
    with path.with_name(f"{path.stem}_gold.csv").open(encoding="utf-8", newline="") as file:
        return {(row["case"], row["arm"], row["turn"], row["at"]): row for row in csv.DictReader(file)}


def _shares(of: Sequence[str], labels: Sequence[str], found: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    right = Counter(one for one, other in zip(labels, found, strict=True) if one == other)
    there = Counter(of)
    return {name: right[name] / there[name] for name in names if there[name]}


def _inline(table: Mapping[str, float]) -> str:
    return "{ " + ", ".join(f"{key} = {value:.2f}" for key, value in table.items()) + " }"


def _show(limits: Limits) -> None:
    print(limits)
    for split in ("dev", "test"):
        some = pairs(split)
        hard = [pair for pair in some if pair.hard]
        _print(f"{split}: generic nli", generic(some))
        _print(f"{split}: patient, rules alone", own(some, NO_COSINES))
        _print(f"{split}: patient", own(some, limits))
        _print(f"{split}: patient, hard pairs", own(hard, limits))
    for split in VISITS:
        _print(f"visits, {split}: sentences", on_visits(split, limits))
        _print(f"visits, {split}: kinds", on_kinds(split))
        print(f"visits, {split}: coverage", on_coverage(split, limits))


def _print(title: str, agreement: Agreement) -> None:
    print(f"{title}\n    " + "\n    ".join(agreement.lines()))
    print(agreement.table())


def _show_errors(limits: Limits) -> None:
    for pair in pairs("dev"):
        found = _relation(pair, limits)
        if found != pair.relation:
            print(f"{pair.relation:10} {found:10} {pair.item}: {pair.value!r} {pair.asked!r} {pair.sentence!r}")
    for split in ("sample", "dev"):
        for visit in _visits(split):
            _show_errors_in(visit, _gold(split), limits)


def _show_errors_in(visit: Consultation, gold: Mapping[Key, Mapping[str, str]], limits: Limits) -> None:
    for reading in readings(visit, _embed, _encoder().thresholds, limits):
        sentence = reading.sentence
        row = gold.get((visit.case, visit.arm, sentence.turn, sentence.text))
        if row and row["label"] not in ("", reading.relation):
            print(f"{row['label']:10} {reading.why} ({sentence.asked!r} {sentence.text!r})")


if __name__ == "__main__":
    main()
