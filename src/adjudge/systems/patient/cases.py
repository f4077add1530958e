"""The cases of files: every profile that the patient suite reads is one; and the grid of personas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import structs

from adjudge.core.errors import BadInput, Warnings, bad_record, did_you_mean
from adjudge.core.play import CaseRow
from adjudge.core.suite import Options
from adjudge.play.cases import gather_cases
from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.lexicon.fields import HIDDEN
from adjudge.suites.patient.read.source import PatientSource
from adjudge.suites.patient.rules.personas import AXES, canonical, values
from adjudge.systems.patient.data import PatientCase

SAMPLE = Path(__file__).parent / "sample" / "cases.jsonl"
# The items that a doctor sees at once.
ARRIVAL = ("age", "gender", "arrival_transport")


def read_cases(files: list[Path], options: Options) -> Iterator[CaseRow[PatientCase]]:
    """The profiles of files in any format of the suite; one that several records share is one case."""
    source = PatientSource(files, {"aliases": options.get("aliases")})
    cases: dict[str, PatientCase] = {}

    def make(where: str, row: bytes) -> Iterator[PatientCase]:
        case = _case(where, row, source)
        if case.id not in cases:
            cases[case.id] = case
            yield case
        elif cases[case.id] != case:
            raise bad_record(where, f"another case has the id {case.id!r}; expected an id for each profile", "id")

    return gather_cases(partial(source.rows, Warnings()), make)


def case_of(id: str, profile: Mapping[str, str], persona: Persona, credentialed: bool = False) -> PatientCase:
    """A case from a whole profile."""
    return PatientCase(
        id=id,
        facets=_facets(persona),
        credentialed=credentialed,
        arrival={name: value for name, value in profile.items() if name in ARRIVAL},
        profile={name: value for name, value in profile.items() if name not in (*ARRIVAL, *HIDDEN)},
        persona=persona,
        hidden={name: value for name, value in profile.items() if name in HIDDEN},
    )


def vary_persona(case: PatientCase, options: Options) -> Iterator[PatientCase]:
    """The case with every combination of the personas that `--persona` names; as it is where it names none.

    The id of a variant is that of the case and its traits, such as `g001:recall=low`.
    """
    axes = parse_personas(options.get("persona") or [])
    for traits in product(*([(axis, value) for value in choices] for axis, choices in axes.items())):
        if not traits:
            yield case
            continue
        named = ",".join(f"{axis}={value}" for axis, value in traits)
        persona: Persona = structs.replace(case.persona, **dict(traits))
        facets = {**case.facets, **_facets(persona)}
        yield structs.replace(case, id=f"{case.id}:{named}", persona=persona, facets=facets)


def parse_personas(texts: list[str]) -> dict[str, list[str]]:
    """The values of each axis that texts such as "recall=low,high" name.

    >>> parse_personas(["recall=low,high", "confusion=dazed"])
    {'recall': ['low', 'high'], 'confusion': ['high']}
    """
    axes: dict[str, list[str]] = {}
    for text in texts:
        axis, equals, words = (part.strip() for part in text.partition("="))
        if not equals or not words:
            raise BadInput(f"--persona: found {text!r}; expected TRAIT=VALUE,..., such as recall=low,high")
        if axis not in AXES:
            hint = did_you_mean(axis, AXES)
            raise BadInput(f"--persona {text}: no trait {axis!r}{hint}; expected one of {', '.join(AXES)}")
        if axis in axes:
            raise BadInput(f"--persona: {axis} is named twice; expected all its values in one: {axis}=A,B")
        axes[axis] = list(dict.fromkeys(_trait(axis, word.strip()) for word in words.split(",")))
    return axes


def _trait(axis: str, word: str) -> str:
    value = canonical(axis, word)
    if value is None:
        hint = did_you_mean(word, values(axis))
        raise BadInput(f"--persona {axis}: found {word!r}{hint}; expected {', '.join(values(axis))}")
    return value


def _case(where: str, row: bytes, source: PatientSource) -> PatientCase:
    record = source.records(where, row, Warnings())[0]
    if not record.profile:
        raise bad_record(where, "nothing recorded; expected items such as age and chief_complaint", "profile")
    return case_of(record.case or record.id, record.profile, record.persona, record.credentialed)


def _facets(persona: Persona) -> dict[str, str]:
    traits: dict[str, Any] = structs.asdict(persona)
    return {axis: value for axis, value in traits.items() if value is not None}
