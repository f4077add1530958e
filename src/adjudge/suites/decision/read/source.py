"""Where decisions come from: our own records, files of decision systems, tables of human groups."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.core.record import Key
from adjudge.core.suite import Options, Refuse
from adjudge.read.arms import arm_at, arms_of
from adjudge.read.decode import decode, lenient_row, replace_surrogates
from adjudge.read.files import rows
from adjudge.read.tables import is_table, table_rows
from adjudge.suites.decision.data import Assessment, Decision, DecisionScenario
from adjudge.suites.decision.read.attachments import DecisionFiles
from adjudge.suites.decision.read.check import check_assessment, check_decision
from adjudge.suites.decision.read.delidata import MEMBERS, MESSAGES, SUMMARY, Tables, human_groups
from adjudge.suites.decision.read.formats import assessed_scenario, read_assessment, reader_of
from adjudge.suites.decision.read.matrices import CaseMatrices, with_matrix
from adjudge.suites.decision.read.renaming import criterion_map, rename_matrix, rename_scenario
from adjudge.suites.decision.read.survey import DecisionSurvey
from adjudge.suites.decision.rules.baselines import FEW, Members, baselines

# The assessments that form one record, each with its place in the file.
PARTS = msgspec.json.Decoder(list[tuple[str, msgspec.Raw]])
ENCODE = msgspec.json.Encoder().encode


class DecisionSource:
    """The decisions of the files, each with the scenario, truth and log that belong to it."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.options = options
        self.warnings = Warnings()
        self.cases: dict[str, CaseMatrices] = {}
        self._given = files
        self._arms = arms_of(files, options)
        self._names = criterion_map(options.get("map") or ())
        self._tables, self._plain = _sort_files(files, options, self.warnings)
        self._attachments = DecisionFiles(options, self._names, self.warnings)
        self._unlike: dict[str, BadRecord] = {}
        self._keys: set[Key] = set()
        self._members = Members()
        self._gather()

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""
        return [*self._given, *self._attachments.files]

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded decisions in order, each with its place in the file."""
        for where, decision in human_groups(self._tables, warnings, refuse):
            yield where, ENCODE(decision)
        for path in self._plain:
            yield from self._rows_of(path, warnings, refuse)

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[Decision]:
        """The decision of one row, and the arms derived from it."""
        if where in self._unlike:
            raise self._unlike[where]
        decision = self._read(where, row, warnings)
        case = self.cases.get(decision.key.case)
        if case is not None and (complaint := case.complaint(decision.arm)):
            raise BadRecord(complaint)
        decision = self._attachments.with_weights(where, with_matrix(decision, case) if case else decision)
        decision = check_decision(where, decision, warnings)
        return [decision, *(baseline for baseline in self._baselines(decision) if baseline.key not in self._keys)]

    def survey(self) -> DecisionSurvey:
        """An empty survey of these records."""
        return DecisionSurvey(self.cases)

    def _baselines(self, decision: Decision) -> Iterator[Decision]:
        """The arms that are derived from the members of a decision."""
        wanted = self.options.get("baselines")
        if wanted == "none" or (wanted == "few" and not self._members.are_of(decision)):
            return iter(())
        return baselines(decision, FEW) if wanted == "few" else baselines(decision)

    def _rows_of(self, path: Path, warnings: Warnings, refuse: Refuse | None) -> Iterator[tuple[str, bytes]]:
        """The rows of a file; the assessments of one scenario are joined to one row, since they form one decision."""
        together: dict[str, list[tuple[str, msgspec.Raw]]] = {}
        for where, row in rows(path, warnings, refuse=refuse):
            scenario = assessed_scenario(replace_surrogates(row)[0] if self.options.get("lenient") else row)
            if scenario is None:
                yield where, row
            else:
                together.setdefault(scenario, []).append((where, msgspec.Raw(row)))
        for parts in together.values():
            yield parts[0][0], ENCODE(parts)

    def _read(self, where: str, row: bytes, warnings: Warnings) -> Decision:
        """The decision of a row, completed from the options and the attached files."""
        if self.options.get("lenient"):
            row = lenient_row(where, row, warnings)
        # A decision is a JSON object. An array holds assessments that `_rows_of` joined.
        is_joined = row.startswith(b"[")
        decision = _join_assessments(decode(where, row, PARTS)) if is_joined else reader_of(where, row)(where, row)
        return self._attachments.attach(where, self._apply_options(where, self._with_case_and_arm(decision, where)))

    def _with_case_and_arm(self, decision: Decision, where: str) -> Decision:
        """The decision with its case and arm."""
        file = where.rpartition(":")[0]
        id = self._attachments.case(decision.id or PurePath(file).stem)
        return structs.replace(decision, id=id, arm=arm_at(where, self._arms) or decision.arm or "group")

    def _apply_options(self, where: str, decision: Decision) -> Decision:
        """The decision after the options --map and --beliefs."""
        if not self._names and self.options.get("beliefs") != "normalised":
            return decision
        return structs.replace(
            decision,
            scenario=rename_scenario(where, decision.scenario, self._names),
            assessments=tuple(self._apply_options_to(where, assessment) for assessment in decision.assessments),
        )

    def _apply_options_to(self, where: str, assessment: Assessment) -> Assessment:
        total = sum(assessment.beliefs.values())
        if self.options.get("beliefs") == "normalised" and total > 1 and min(assessment.beliefs.values()) >= 0:
            assessment = structs.replace(
                assessment, beliefs={name: belief / total for name, belief in assessment.beliefs.items()}
            )
        return structs.replace(assessment, matrix=rename_matrix(where, assessment.matrix, self._names))

    def _gather(self) -> None:
        """Read all decisions once, to collect the matrices of all arms by case."""
        decisions: list[Decision] = []
        for where, row in self.rows(Warnings(), _ignore):
            try:
                decision = self._read(where, row, Warnings())
            except BadRecord:
                continue  # Refused with its reason when the records are surveyed.
            decisions.append(decision)
            self._keys.add(decision.key)
            if self.options.get("baselines") == "few":
                self._members.add(decision)
            complaint = self.cases.setdefault(decision.key.case, CaseMatrices()).add(where, decision)
            if complaint is not None:
                self._unlike[where] = BadRecord(complaint)
        if decisions:
            self._attachments.remark(decisions, self.warnings)
            self._remark_directions()

    def _remark_directions(self) -> None:
        pooled = any(case.scenario is None and case.scored_arms for case in self.cases.values())
        if (pooled or self.options.get("scenarios")) and not self.options.get("criteria"):
            self.warnings.add(
                "directions",
                "criteria without weight and direction: all count alike and as benefits; give both with --criteria",
            )


def _join_assessments(parts: list[tuple[str, msgspec.Raw]]) -> Decision:
    """One record from the assessments of a scenario; each is checked with its own place for messages."""
    read = [(where, read_assessment(where, bytes(part))) for where, part in parts]
    names = tuple(dict.fromkeys(name for _, decision in read for name in decision.scenario.alternatives))
    for where, decision in read:
        check_assessment(where, decision.assessments[0], "", names)
    return structs.replace(
        read[0][1],
        scenario=DecisionScenario(alternatives=names),
        assessments=tuple(assessment for _, decision in read for assessment in decision.assessments),
    )


def _sort_files(files: list[Path], options: Options, warnings: Warnings) -> tuple[Tables, list[Path]]:
    """The tables of members and of messages, and the files that are no tables."""
    tables = Tables([], [], options.get("delimiter"), options.get("encoding") or "utf-8")
    plain: list[Path] = []
    summaries: list[Path] = []
    kinds = ((MEMBERS, tables.members), (MESSAGES, tables.messages), (SUMMARY, summaries))
    for path in files:
        if not is_table(path):
            plain.append(path)
            continue
        columns = _columns(path, tables)
        fitting = [paths for required, paths in kinds if set(required) <= columns.keys()]
        if not fitting:
            raise BadInput(
                f"{path}: the columns are {', '.join(columns)}; expected a table of members ({', '.join(MEMBERS)}) "
                f"or of messages ({', '.join(MESSAGES)})"
            )
        fitting[0].append(path)
    for path in summaries:
        warnings.add("summary", f"{path}: a summary of the groups; not read, because it is computed from their members")
    _require_members(tables, summaries)
    return tables, plain


def _require_members(tables: Tables, summaries: list[Path]) -> None:
    """Raise BadInput where there are messages or summaries of groups but no table of members."""
    others = [*((path, "messages") for path in tables.messages), *((path, "a summary") for path in summaries)]
    if others and not tables.members:
        path, content = others[0]
        raise BadInput(f"{path}: {content} without members; expected the table of members beside it")


def _columns(path: Path, tables: Tables) -> dict[str, str]:
    """The first row of a table by its columns."""
    reading = table_rows(path, Warnings(), delimiter=tables.delimiter, encoding=tables.encoding, refuse=_ignore)
    _, first = next(reading, ("", {}))
    if not first:
        raise BadInput(f"{path}: no row below the header; expected one for each member or message")
    return first


def _ignore(complaint: Complaint) -> None:
    """Ignore a complaint about a row: it is reported when the row is read again."""
