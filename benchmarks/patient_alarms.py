"""How often the patient checks that need no judge cry wolf: their alarms on consultations that people held.

    python benchmarks/patient_alarms.py [--data ../shared/data/patient] [--show]

Reads PriMock57 and ACI-BENCH, where doctor and patient are people, so that an alarm is false unless the person erred or
the transcript swaps the speakers. None of these patients is to be confused, so that words of confusion should be few.
`--show` lists every alarm with its reason.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import structs

from adjudge.core.card import Metric
from adjudge.core.errors import Warnings
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import DOCTOR, PATIENT, Consultation
from adjudge.suites.patient.metrics.breaks import injection_suspected, role_break
from adjudge.suites.patient.metrics.fading import is_confused
from adjudge.suites.patient.metrics.numbers import number_contradiction
from adjudge.suites.patient.metrics.repeats import repeated_reply
from adjudge.suites.patient.metrics.revealed import diagnosis_revealed
from adjudge.suites.patient.metrics.values import impossible_value
from adjudge.suites.patient.read.source import PatientSource

DATA = Path(__file__).parents[2] / "shared" / "data" / "patient"
CHECKS = (
    role_break,
    injection_suspected,
    repeated_reply,
    impossible_value,
    diagnosis_revealed,
    number_contradiction,
)
# The impression and the earlier illnesses in a note of PriMock57, and the age in one of ACI-BENCH.
IMPRESSION = re.compile(r"^\s*(?:imp|impression|dx|diagnosis|ix)\b\s*[:-]+\s*(.+)$", re.IGNORECASE | re.MULTILINE)
HISTORY = re.compile(r"^\s*PMHx?\b\s*[:-]+\s*(.+)$", re.IGNORECASE | re.MULTILINE)
AGE = re.compile(r"\b(\d{1,3})[- ]year[- ]old\b")


def main() -> None:
    """Print alarms, facts judged and their rate, for each collection and check."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=DATA)
    options.add_argument("--show", action="store_true")
    chosen = options.parse_args()
    for title, (name, with_note) in COLLECTIONS.items():
        path = chosen.data / name
        if not path.exists():
            print(f"{title}: skipped, {path} is not there")
            continue
        report(title, [with_note(visit) for visit in visits(path)], chosen.show)


def report(title: str, visits: list[Consultation], show: bool) -> None:
    """The alarms of every check on these visits."""
    print(f"{title}: {len(visits)} consultations, {sum(len(visit.replies) for visit in visits):,} replies")
    for check in CHECKS:
        judged = [(visit, mark) for visit in visits for mark in check(visit)]
        alarms = [(visit, mark) for visit, mark in judged if mark.value]
        rate = f"{len(alarms) / len(judged):.2%}" if judged else "undefined"
        print(f"  {check.card.name:28s} {len(alarms):3d} of {_units(check, len(judged))}   {rate}")
        for visit, mark in alarms if show else ():
            print(f"      {_describe(visit, mark)}")
    confused = [(visit, reply) for visit in visits for reply in visit.replies if is_confused(reply)]
    print(
        f"  {'words of confusion':28s} {len(confused):3d} of {sum(len(visit.replies) for visit in visits):6,d} replies"
    )
    for visit, reply in confused if show else ():
        print(f"      {visit.id}, turn {reply.turn}")
    swapped = [any(mark.value for mark in role_break(_swap_speakers(visit))) for visit in visits]
    print(f"  planted: role_break finds {sum(swapped)} of {len(visits)} consultations whose speakers were swapped")


def primock(visit: Consultation) -> Consultation:
    """A consultation of PriMock57 with the diagnosis and earlier illnesses of its note."""
    impression = IMPRESSION.search(visit.note)
    facts = {"medical_history": " ".join(HISTORY.findall(visit.note))}
    facts |= {"diagnosis": impression[1].strip()} if impression else {}
    return structs.replace(visit, profile=visit.profile | facts)


def aci(visit: Consultation) -> Consultation:
    """A consultation of ACI-BENCH with the age of its note."""
    age = AGE.search(visit.note)
    return structs.replace(visit, profile={"age": age[1]}) if age else visit


COLLECTIONS: Mapping[str, tuple[str, Callable[[Consultation], Consultation]]] = {
    "PriMock57": ("primock57_CC-BY-4.0/primock57.jsonl.gz", primock),
    "ACI-BENCH, validation": ("aci_bench_CC-BY-4.0/valid.jsonl.gz", aci),
}


def visits(path: Path) -> Iterator[Consultation]:
    """The consultations of a file, as the suite reads them."""
    source, warnings = PatientSource([path], {}), Warnings()
    for where, row in source.rows(warnings):
        yield from source.records(where, row, warnings)


def _units(check: Metric, number: int) -> str:
    many = {"reply": "replies", "number": "numbers", "value": "values"}
    return f"{number:6,d} {check.card.unit if number == 1 else many[check.card.unit]}"


def _describe(visit: Consultation, mark: Mark) -> str:
    return f"{visit.id}, turn {mark.turn}: {mark.why}"


def _swap_speakers(visit: Consultation) -> Consultation:
    """The visit with doctor and patient in each other's place: every patient in it falls out of the role."""
    other = {DOCTOR: PATIENT, PATIENT: DOCTOR}
    turns = tuple(structs.replace(turn, speaker=other.get(turn.speaker, turn.speaker)) for turn in visit.turns)
    return structs.replace(visit, turns=turns)


if __name__ == "__main__":
    main()
