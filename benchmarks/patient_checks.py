"""How much the patient checks that need no judge find, and how often they cry wolf, on labelled replies.

    python benchmarks/patient_checks.py              # recall and false alarms of each check, development and held-out
    python benchmarks/patient_checks.py --errors     # what is missed or wrongly raised in development
    python benchmarks/patient_checks.py --write      # keeps the held-out figures in patient/checks.toml
    python benchmarks/patient_checks.py --unneeded   # phrases without which everything is found that is found with them

Each case is the end of a visit; its label says whether a check must fire on the last reply. Cases were written by
somebody who knew what each check is for and not how it works. Phrases and rules may be changed after looking at
development cases only; whoever looks at the others writes new ones.
"""

from __future__ import annotations

import argparse
import datetime
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from adjudge.core.card import Metric
from adjudge.english.normalise import write_out as written_out
from adjudge.stats.interval import wilson
from adjudge.suites.patient.data import Consultation, PatientReply, PatientTurn, Persona
from adjudge.suites.patient.lexicon.phrases import breaks, orders
from adjudge.suites.patient.metrics.breaks import find_break, injection_suspected, role_break
from adjudge.suites.patient.metrics.numbers import number_contradiction
from adjudge.suites.patient.metrics.precision import unexpected_precision
from adjudge.suites.patient.metrics.repeats import repeated_reply
from adjudge.suites.patient.metrics.revealed import diagnosis_revealed
from adjudge.suites.patient.metrics.values import impossible_value

HERE = Path(__file__).parent
CASES = HERE / "calibration" / "patient_replies.jsonl"
WORDINGS = HERE.parent / "tests" / "suites" / "patient" / "wordings.toml"
KEPT = HERE.parent / "src" / "adjudge" / "suites" / "patient" / "lexicon" / "checks.toml"
CHECKS = (
    role_break,
    injection_suspected,
    number_contradiction,
    repeated_reply,
    diagnosis_revealed,
    unexpected_precision,
    impossible_value,
)


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a visit, and whether a check must fire on its last reply."""

    split: str
    check: str
    fires: bool
    profile: dict[str, str]
    persona: Persona
    turns: list[tuple[str, str]]
    why: str

    @property
    def visit(self) -> Consultation:
        turns = tuple(PatientTurn(str(place), *turn) for place, turn in enumerate(self.turns, 1))
        return Consultation(id="case", profile=self.profile, persona=self.persona, turns=turns)


class Found(msgspec.Struct, frozen=True):
    """How many of the cases on which a check must fire it found, and how many of the others it raised."""

    found: int
    of: int
    raised: int
    among: int

    def line(self, name: str) -> str:
        """The figures as a line of TOML."""
        return f"{name} = {{ found = {self.found}, of = {self.of}, raised = {self.raised}, among = {self.among} }}"


def main() -> None:
    """Measure and print; with --write also keep."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--errors", action="store_true", help="show what is wrong in development")
    options.add_argument("--write", action="store_true", help=f"keep the held-out figures in {KEPT.name}")
    options.add_argument("--unneeded", action="store_true", help="list phrases that find nothing that others do not")
    chosen = options.parse_args()
    if chosen.errors or chosen.unneeded:
        _show_errors(cases("dev")) if chosen.errors else _show_unneeded()
        return
    for split in ("dev", "test"):
        _show(split, cases(split))
    if chosen.write:
        KEPT.write_text(checks_text(), "utf-8")


def cases(split: str) -> list[Case]:
    """The cases of a split."""
    read = (msgspec.json.decode(line, type=Case) for line in CASES.read_bytes().splitlines())
    return [case for case in read if case.split == split]


def measure(check: Metric, some: Sequence[Case]) -> Found:
    """What a check finds among its cases."""
    own = [(case.fires, fires(check, case)) for case in some if case.check == check.card.name]
    due = [fired for must, fired in own if must]
    quiet = [fired for must, fired in own if not must]
    return Found(sum(due), len(due), sum(quiet), len(quiet))


def fires(check: Metric, case: Case) -> bool:
    """Whether a check fires on the last reply of a case."""
    return any(mark.value == 1.0 and mark.turn == str(len(case.turns)) for mark in check(case.visit))


def checks_text() -> str:
    """The text of `checks.toml`."""
    head = [
        "# How much each check finds on held-out replies: found where it must fire, raised elsewhere.",
        "# Written by benchmarks/patient_checks.py --write from benchmarks/calibration/patient_replies.jsonl.",
        "",
        f'date = "{datetime.date.today()}"',
        "",
        "[checks]",
    ]
    return "\n".join([*head, *(measure(check, cases("test")).line(check.card.name) for check in CHECKS), ""])


def replies() -> Iterator[tuple[PatientReply, str]]:
    """The labelled replies, and every wording that the tests try as a reply to no question, with the whole text."""
    labelled = [case.visit for case in cases("dev")]
    wordings = dict.fromkeys(_strings(list(tomllib.loads(WORDINGS.read_text("utf-8")).values())))
    tried = [Consultation(id="wording", turns=(PatientTurn("1", "patient", text),)) for text in wordings]
    for visit in [*labelled, *tried]:
        if visit.replies:
            yield visit.replies[-1], visit.turns[-1].text


def _strings(rows: Any) -> Iterator[str]:
    if isinstance(rows, str):
        yield rows
    for row in rows if isinstance(rows, list) else ():
        yield from _strings(row)


def _show_unneeded() -> None:
    """Leave out each phrase in turn: one that never finds a reply alone is not needed, as long as the others stay."""
    ways = [structs.replace(way, patterns=(phrase,)) for way in breaks() for phrase in way.patterns]
    orders_to_judges = [("order to a judge", re.compile(phrase)) for phrase in orders()]
    needed: set[str] = set()
    for reply, text in replies():
        finders = [way.patterns[0] for way in ways if find_break(reply, text, [way])]
        givers = [phrase.pattern for _, phrase in orders_to_judges if phrase.search(written_out(text))]
        needed |= {alone[0] for alone in (finders, givers) if len(alone) == 1}
    names = [(way.name, way.patterns[0]) for way in ways] + [
        (name, phrase.pattern) for name, phrase in orders_to_judges
    ]
    for name, phrase in names:
        if phrase not in needed:
            print(f"{name}: {phrase}")


def _show(split: str, some: Sequence[Case]) -> None:
    print(f"{split}, {len(some)} replies")
    for check in CHECKS:
        quality = measure(check, some)
        recall, alarms = quality.found / quality.of, quality.raised / quality.among
        print(
            f"    {check.card.name:27} found {quality.found:3} of {quality.of:3}  {_interval(recall, quality.of)}"
            f"   raised {quality.raised:3} of {quality.among:3}  {_interval(alarms, quality.among)}"
        )


def _interval(share: float, n: int) -> str:
    low, high = wilson(share, n)
    return f"{share:.3f} [{low:.3f}, {high:.3f}]"


def _show_errors(some: Sequence[Case]) -> None:
    for check in CHECKS:
        for case in some:
            if case.check == check.card.name and fires(check, case) != case.fires:
                wrong = "missed" if case.fires else "raised"
                print(f"{wrong} {check.card.name}: {case.turns[-1][1]!r} ({case.why}) {case.turns[:-1]} {case.profile}")


if __name__ == "__main__":
    main()
