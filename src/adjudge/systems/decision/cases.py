"""The cases of files: our own JSON lines, or scenarios with `available_actions` and profiles of experts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from adjudge.core.errors import Warnings, bad_record, did_you_mean
from adjudge.core.play import CaseRow
from adjudge.core.suite import Options
from adjudge.play.cases import gather_cases, rows_of_files
from adjudge.read.decode import decode, refuse_duplicate_keys
from adjudge.read.files import document
from adjudge.suites.decision.read.formats import read_criteria, read_scenario, with_facts
from adjudge.suites.decision.read.layouts import CriterionFacts
from adjudge.systems.decision.checks import check_case
from adjudge.systems.decision.data import COORDINATOR, DecisionCase, Expert, Scores

SAMPLE = Path(__file__).parent / "sample" / "cases.jsonl"


class Profile(Struct, frozen=True):
    """An expert's profile in a file of agent profiles; other keys are ignored."""

    agent_id: str
    role: str = ""
    weight_preferences: dict[str, float] = {}
    confidence_level: float | None = None
    risk_tolerance: float = 0.5


OWN = msgspec.json.Decoder(DecisionCase)
KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])
PROFILES = msgspec.json.Decoder(tuple[Profile, ...])


def read_cases(files: list[Path], options: Options) -> Iterator[CaseRow[DecisionCase]]:
    """The cases of files; raises BadInput with all that is broken."""
    reader = _CaseReader(options)
    return gather_cases(partial(rows_of_files, files), lambda where, row: [reader.read(where, row)])


class _CaseReader:
    """Reads cases, with the profiles and weights that options name."""

    def __init__(self, options: Options) -> None:
        self.names: list[str] = list(options.get("experts") or ())
        self.experts = _read_profiles(options.get("profiles"))
        self.weights = _read_weights(options.get("weights"))

    def read(self, where: str, row: bytes) -> DecisionCase:
        """The case of a row, complete and checked."""
        refuse_duplicate_keys(where, row)
        is_scenario = "available_actions" in decode(where, row, KEYS)
        case = self._scenario_case(where, row) if is_scenario else decode(where, row, OWN)
        case = structs.replace(case, experts=_choose(where, case.experts, self.names))
        check_case(where, case)
        return with_sight(case)

    def _scenario_case(self, where: str, row: bytes) -> DecisionCase:
        """The case of a scenario file."""
        if not self.experts:
            raise bad_record(where, "a scenario without experts; name their profiles with --profiles FILE")
        id, kind, scenario = read_scenario(where, row)
        scenario = with_facts(scenario, self.weights, where) if self.weights else scenario
        return DecisionCase(
            id=id,
            facets={"type": kind} if kind else {},
            alternatives=scenario.alternatives,
            criteria=scenario.criteria,
            experts=self.experts,
            name=scenario.name,
            description=scenario.description,
            matrix=scenario.matrix,
        )


def with_sight(case: DecisionCase) -> DecisionCase:
    """The case in which every expert has the scores it sees: its own or those of the case, without what it lacks."""
    experts = [structs.replace(expert, scores=_visible(expert, case.matrix)) for expert in case.experts]
    return structs.replace(case, experts=tuple(experts))


def _visible(expert: Expert, matrix: Scores) -> Scores:
    return {
        alternative: {criterion: score for criterion, score in scores.items() if criterion not in expert.lacks}
        for alternative, scores in (expert.scores or matrix).items()
    }


def _choose(where: str, experts: tuple[Expert, ...], names: list[str]) -> tuple[Expert, ...]:
    """The experts of these names, in their order; all where none are named."""
    known = {expert.id: expert for expert in experts}
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise bad_record(where, f"no expert {name!r}{hint} (there are: {', '.join(known)})", "--experts")
    return tuple(known[name] for name in names) or experts


def _read_profiles(path: str | None) -> tuple[Expert, ...]:
    """The experts of a file of profiles; a profile of a coordinator is left out, since ours needs none."""
    if not path:
        return ()
    where, raw = document(Path(path), Warnings())
    refuse_duplicate_keys(where, raw)
    profiles = decode(where, raw, PROFILES)
    return tuple(_expert(profile) for profile in profiles if not profile.agent_id.startswith(COORDINATOR))


def _expert(profile: Profile) -> Expert:
    return Expert(
        id=profile.agent_id,
        role=profile.role,
        weights=profile.weight_preferences,
        confidence=profile.confidence_level,
        risk_tolerance=profile.risk_tolerance,
    )


def _read_weights(path: str | None) -> dict[str, CriterionFacts]:
    if not path:
        return {}
    where, raw = document(Path(path), Warnings())
    refuse_duplicate_keys(where, raw)
    return read_criteria(where, raw, Warnings())
