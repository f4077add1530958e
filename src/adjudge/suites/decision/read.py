"""Where decisions come from: our own records, files of decision systems, tables of human groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path, PurePath
from typing import TypeVar

import msgspec
from msgspec import structs

from adjudge.core.complaint import BadInput, BadRecord, Complaint, Warnings, bad_record
from adjudge.core.suite import Options, Refuse
from adjudge.read.decode import decode
from adjudge.read.files import document, rows
from adjudge.read.tables import is_table, table_rows
from adjudge.suites.decision.baselines import baselines
from adjudge.suites.decision.check import check_complete, check_scenario, checked
from adjudge.suites.decision.data import Assessment, Decision, LogEntry, Scenario
from adjudge.suites.decision.formats import (
    CriterionFacts,
    is_assessment,
    read_assessment,
    read_criteria,
    read_scenario,
    reader_of,
    with_facts,
)
from adjudge.suites.decision.humans import MEMBERS, MESSAGES, SUMMARY, human_groups
from adjudge.suites.decision.matrices import Case, completed, renamed
from adjudge.suites.decision.survey import DecisionSurvey

TRUTHS = msgspec.json.Decoder(dict[str, str])
LOGS = msgspec.json.Decoder(tuple[LogEntry, ...] | dict[str, tuple[LogEntry, ...]])
PARTS = msgspec.json.Decoder(list[msgspec.Raw])
ENCODE = msgspec.json.Encoder().encode

T = TypeVar("T")


class DecisionSource:
    """The decisions of the files, each with the scenario, truth and log that belong to it."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.options = options
        self.warnings = Warnings()
        self._given = files
        self._arms = _arms(files, options)
        self._members, self._messages, self._plain = _sorted(files, self.warnings)
        self._map = _mapping(options.get("map") or ())
        self._types: dict[str, list[str]] = {}
        self._scenarios = self._read_scenarios()
        self._truths = _read(options.get("truth"), TRUTHS, self.warnings) or {}
        self._logs = _read(options.get("log"), LOGS, self.warnings) or ()
        self.cases: dict[str, Case] = {}
        self._unlike: dict[str, BadRecord] = {}
        self._gather()

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""
        named = [self.options.get(name) for name in ("criteria", "truth", "log")]
        return [*self._given, *map(Path, self.options.get("scenarios") or ()), *(Path(path) for path in named if path)]

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded decisions in order, each with the place it stands at."""
        if self._members:
            for where, decision in human_groups(self._members, self._messages, warnings, refuse):
                yield where, ENCODE(decision)
        for path in self._plain:
            yield from self._rows_of(path, warnings, refuse)

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[Decision]:
        """The decision of one row, and the arms derived from it."""
        if where in self._unlike:
            raise self._unlike[where]
        decision = self._read(where, row)
        case = self.cases.get(decision.key.case)
        decision = checked(where, completed(decision, case) if case else decision, warnings)
        derived = baselines(decision) if self.options.get("baselines") != "none" else ()
        return [decision, *derived]

    def survey(self) -> DecisionSurvey:
        """An empty survey of these records."""
        return DecisionSurvey(self.cases)

    def _rows_of(self, path: Path, warnings: Warnings, refuse: Refuse | None) -> Iterator[tuple[str, bytes]]:
        """The rows of a file; one of assessments is one row, since they make one decision."""
        found: list[bytes] = []
        start = ""
        for where, row in rows(path, warnings, refuse=refuse):
            if is_assessment(row):
                start = start or where
                found.append(row)
            else:
                yield where, row
        if found:
            yield start, b"[" + b",".join(found) + b"]"

    def _read(self, where: str, row: bytes) -> Decision:
        """The decision as it stands in the row, with what stands elsewhere filled in."""
        file = where.rpartition(":")[0]
        if row.startswith(b"["):
            decision = _together(where, decode(where, row, PARTS))
        else:
            decision = reader_of(where, row)(where, row)
        decision = self._named(decision, file)
        return self._filled(where, self._tidied(decision))

    def _named(self, decision: Decision, file: str) -> Decision:
        """The decision with its case and arm."""
        id = decision.id or PurePath(file).stem
        matching = self._types.get(id, [])
        if id not in self._scenarios and len(matching) == 1:
            id = matching[0]
        arm = self._arms.get(file) or decision.arm or "group"
        return structs.replace(decision, id=id, arm=arm)

    def _tidied(self, decision: Decision) -> Decision:
        """The decision with criteria renamed and beliefs divided by their sum, as the options ask."""
        if not self._map and self.options.get("beliefs") != "normalised":
            return decision
        return structs.replace(
            decision,
            scenario=self._renamed(decision.scenario),
            assessments=tuple(self._tidied_assessment(one) for one in decision.assessments),
        )

    def _renamed(self, scenario: Scenario) -> Scenario:
        criteria = tuple(structs.replace(one, id=self._map.get(one.id, one.id)) for one in scenario.criteria)
        return structs.replace(scenario, criteria=criteria, matrix=renamed(scenario.matrix, self._map))

    def _tidied_assessment(self, one: Assessment) -> Assessment:
        total = sum(one.beliefs.values())
        if self.options.get("beliefs") == "normalised" and total > 1:
            one = structs.replace(one, beliefs={name: belief / total for name, belief in one.beliefs.items()})
        return structs.replace(one, matrix=renamed(one.matrix, self._map))

    def _filled(self, where: str, decision: Decision) -> Decision:
        """The decision with the scenario, weights, truth and log that files beside it give."""
        case = decision.key.case
        scenario = decision.scenario
        if case in self._scenarios:
            scenario = _joined(where, scenario, self._scenarios[case])
        if self.options.get("criteria") and scenario.criteria:
            scenario = with_facts(scenario, self._facts, where)
        log = decision.log or self._logged(case, decision.arm)
        return structs.replace(decision, scenario=scenario, truth=self._truths.get(case, decision.truth), log=log)

    def _logged(self, case: str, arm: str) -> tuple[LogEntry, ...]:
        if not isinstance(self._logs, dict):
            return self._logs
        found = self._logs.get(f"{case}/{arm}") or self._logs.get(case)
        return found or ()

    def _read_scenarios(self) -> dict[str, Scenario]:
        found: dict[str, Scenario] = {}
        self._facts: dict[str, CriterionFacts] = {}
        if self.options.get("criteria"):
            self._facts = read_criteria(*document(Path(self.options["criteria"]), self.warnings))
        for path in self.options.get("scenarios") or ():
            for where, row in rows(Path(path), self.warnings):
                id, kind, scenario = read_scenario(where, row)
                if id in found:
                    raise bad_record(where, f"scenario {id!r} stands twice; expected once", "id")
                scenario = self._renamed(scenario)
                check_scenario(where, scenario)
                check_complete(where, scenario)
                found[id] = scenario
                self._types.setdefault(kind, []).append(id)
        return found

    def _gather(self) -> None:
        """Read everything once, to know what all arms say about each case."""
        single = 0
        for where, row in self.rows(Warnings(), _pass):
            try:
                decision = self._read(where, row)
            except BadRecord:
                continue  # Refused with its reason when the records are surveyed.
            single += 1
            complaint = self.cases.setdefault(decision.key.case, Case()).add(where, decision)
            if complaint is not None:
                self._unlike[where] = BadRecord(complaint)
        if self._logs and not isinstance(self._logs, dict) and single > 1:
            raise BadInput(
                f"{self.options['log']}: one list of events for {single} decisions; expected an object that maps "
                "a case (or case/arm) to its events"
            )


def _joined(where: str, own: Scenario, given: Scenario) -> Scenario:
    """The given scenario; what a decision knows of it must fit."""
    if own.matrix and own.matrix != given.matrix:
        raise bad_record(
            where,
            "a criteria matrix that differs from that of --scenarios; expected the same or none",
            "scenario.matrix",
        )
    return given


def _together(where: str, parts: list[msgspec.Raw]) -> Decision:
    """Assessments that stand together as one record."""
    read = [read_assessment(where, bytes(part)) for part in parts]
    names = tuple(dict.fromkeys(name for one in read for name in one.scenario.alternatives))
    return structs.replace(
        read[0],
        scenario=Scenario(alternatives=names),
        assessments=tuple(assessment for one in read for assessment in one.assessments),
    )


def _sorted(files: list[Path], warnings: Warnings) -> tuple[list[Path], list[Path], list[Path]]:
    """Tables of members, tables of messages, and all other files."""
    members, messages, plain = [], [], []
    for path in files:
        if not is_table(path):
            plain.append(path)
            continue
        _, first = next(table_rows(path, Warnings(), refuse=_pass), ("", {}))
        columns = list(first)
        if not columns:
            raise BadInput(f"{path}: no row below the header; expected one for each member or message")
        if set(MEMBERS) <= set(columns):
            members.append(path)
        elif set(MESSAGES) <= set(columns):
            messages.append(path)
        elif set(SUMMARY) <= set(columns):
            warnings.add(
                "summary", f"{path}: sums up the groups; what it says is computed from their members, not read"
            )
        else:
            raise BadInput(
                f"{path}: the columns are {', '.join(columns)}; expected a table of members ({', '.join(MEMBERS)}) "
                f"or of messages ({', '.join(MESSAGES)})"
            )
    if messages and not members:
        raise BadInput(f"{messages[0]}: messages without members; expected the table of members beside it")
    return members, messages, plain


def _arms(files: list[Path], options: Options) -> dict[str, str]:
    """The names of --arm by file."""
    names = list(options.get("arm") or ())
    if names and len(names) not in (1, len(files)):
        raise BadInput(f"--arm: found {len(names)} names for {len(files)} files; expected one for all or one for each")
    fill = names[0] if len(names) == 1 else ""
    return {str(path): name for path, name in zip_longest(files, names, fillvalue=fill) if name} if names else {}


def _mapping(given: Iterable[str]) -> dict[str, str]:
    """The renaming in `--map OLD=NEW` arguments."""
    names: dict[str, str] = {}
    for pair in given:
        old, sign, new = pair.partition("=")
        if not (old and sign and new):
            raise BadInput(f"--map {pair}: expected OLD=NEW, such as C_safety=safety")
        names[old] = new
    return names


def _pass(complaint: Complaint) -> None:
    """Say nothing: what is wrong with a row is said when it is read for good."""


def _read(path: str | None, decoder: msgspec.json.Decoder[T], warnings: Warnings) -> T | None:
    return decode(*document(Path(path), warnings), decoder) if path else None
