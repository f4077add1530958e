"""Files beside the decisions: scenarios, criteria, right answers, execution logs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput, Warnings, bad_record
from adjudge.core.suite import Options
from adjudge.read.decode import decode, refuse_duplicate_keys
from adjudge.read.files import document, rows
from adjudge.suites.decision.data import Decision, DecisionScenario, LogEntry
from adjudge.suites.decision.read.check import check_complete, check_log, check_scenario
from adjudge.suites.decision.read.formats import read_criteria, read_scenario, with_facts
from adjudge.suites.decision.read.layouts import CriterionFacts
from adjudge.suites.decision.read.renaming import Names, rename_scenario
from adjudge.tools.storage import input_path

TRUTHS = msgspec.json.Decoder(dict[str, str])
LOGS = msgspec.json.Decoder(tuple[LogEntry, ...] | dict[str, tuple[LogEntry, ...]])

Log = tuple[LogEntry, ...]
T = TypeVar("T")


class DecisionFiles:
    """The content of the files that options name, by case."""

    def __init__(self, options: Options, names: Names, warnings: Warnings) -> None:
        self.options = options
        self.types: dict[str, list[str]] = {}
        self.facts = self._criteria(warnings)
        self.scenarios = self._scenarios(names, warnings)
        self.truths = _read_document(options.get("truth"), TRUTHS, warnings) or {}
        self.logs = _read_document(options.get("log"), LOGS, warnings) or {}
        self._check_logs()

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""
        named = [self.options.get(name) for name in ("criteria", "truth", "log")]
        return [*map(input_path, self.options.get("scenarios") or ()), *(input_path(path) for path in named if path)]

    def case(self, id: str) -> str:
        """The id of the scenario that `id` names: `id` itself, or that of the only scenario of the type `id`."""
        matching = self.types.get(id, [])
        return matching[0] if id not in self.scenarios and len(matching) == 1 else id

    def attach(self, where: str, decision: Decision) -> Decision:
        """The decision with the scenario, the right answer and the log of its case."""
        case, scenario = decision.key.case, decision.scenario
        if case in self.scenarios:
            if scenario.matrix and scenario.matrix != self.scenarios[case].matrix:
                raise bad_record(
                    where,
                    "a criteria matrix that differs from that of --scenarios; expected the same or none",
                    "scenario.matrix",
                )
            scenario = self.scenarios[case]
        truth = self.truths.get(case, decision.truth)
        if decision.truth not in (None, truth):
            raise bad_record(where, f"found {decision.truth!r}, --truth says {truth!r}; expected the same", "truth")
        log = decision.log or self._log(case, decision.arm)
        return structs.replace(decision, scenario=scenario, truth=truth, log=log)

    def with_weights(self, where: str, decision: Decision) -> Decision:
        """The decision with the weights and directions of the criteria file."""
        if not self.facts or not decision.scenario.criteria:
            return decision
        return structs.replace(decision, scenario=with_facts(decision.scenario, self.facts, where))

    def remark(self, decisions: Iterable[Decision], warnings: Warnings) -> None:
        """Warn of entries that belong to no decision; raise BadInput if one log is given for several decisions."""
        known = list(decisions)
        cases = {decision.key.case for decision in known}
        keys = cases | {f"{decision.key.case}/{decision.arm}" for decision in known}
        if isinstance(self.logs, tuple) and self.logs and len(known) > 1:
            raise BadInput(
                f"{self.options['log']}: one list of events for {len(known)} decisions; expected an object that maps "
                "a case (or case/arm) to its events"
            )
        for option, id in self._named_cases():
            if id not in keys:
                place = self.options[option]
                path = ", ".join(place) if isinstance(place, list) else place
                warnings.add(option, f"{path}: {id!r} is not a case of the decisions (there are: {_few(cases)})")

    def _named_cases(self) -> Iterator[tuple[str, str]]:
        yield from (("scenarios", id) for id in self.scenarios)
        yield from (("truth", id) for id in self.truths)
        yield from (("log", id) for id in (self.logs if isinstance(self.logs, dict) else ()))

    def _log(self, case: str, arm: str) -> Log:
        if isinstance(self.logs, tuple):
            return self.logs
        log: Log | None = self.logs.get(f"{case}/{arm}") or self.logs.get(case)
        return log or ()

    def _check_logs(self) -> None:
        logs = self.logs if isinstance(self.logs, dict) else {"": self.logs}
        for log in logs.values():
            check_log(str(self.options.get("log")), log)

    def _criteria(self, warnings: Warnings) -> dict[str, CriterionFacts]:
        path = self.options.get("criteria")
        if not path:
            return {}
        name, raw = document(input_path(path), warnings)
        refuse_duplicate_keys(name, raw)
        return read_criteria(name, raw, warnings)

    def _scenarios(self, names: Names, warnings: Warnings) -> dict[str, DecisionScenario]:
        scenarios: dict[str, DecisionScenario] = {}
        for path in self.options.get("scenarios") or ():
            before = len(scenarios)
            for where, row in rows(input_path(path), warnings):
                refuse_duplicate_keys(where, row)
                id, kind, scenario = read_scenario(where, row)
                if id in scenarios:
                    raise bad_record(where, f"scenario {id!r} appears twice; expected once", "id")
                scenario = rename_scenario(where, scenario, names)
                check_scenario(where, scenario)
                check_complete(where, scenario)
                scenarios[id] = scenario
                self.types.setdefault(kind, []).append(id)
            if len(scenarios) == before:
                raise BadInput(f"{path}: no scenario in it; expected at least one with its available_actions")
        return scenarios


def _read_document(path: str | None, decoder: msgspec.json.Decoder[T], warnings: Warnings) -> T | None:
    if not path:
        return None
    name, raw = document(input_path(path), warnings)
    refuse_duplicate_keys(name, raw)
    return decode(name, raw, decoder)


def _few(names: Collection[str]) -> str:
    shown = sorted(names)[:5]
    return ", ".join(shown) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
