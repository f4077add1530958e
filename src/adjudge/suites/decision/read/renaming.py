"""Renaming of criteria with `--map OLD=NEW`."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from adjudge.core.errors import BadInput, bad_record
from adjudge.suites.decision.data import DecisionScenario
from adjudge.suites.decision.read.matrices import Matrix

Names = dict[str, str]


def criterion_map(given: Iterable[str]) -> Names:
    """The renaming of criteria in `--map OLD=NEW` arguments.

    >>> criterion_map(["C_safety=safety"])
    {'C_safety': 'safety'}
    """
    names: Names = {}
    for pair in given:
        old, sign, new = pair.partition("=")
        if not (old and sign and new):
            raise BadInput(f"--map {pair}: expected OLD=NEW, such as C_safety=safety")
        names[old] = new
    return names


def rename_matrix(where: str, matrix: Matrix, names: Names) -> Matrix:
    """The matrix with renamed criteria; raises BadRecord if two get the same name."""
    if not names:
        return matrix
    for scores in matrix.values():
        _refuse_merged(where, scores, names)
    return {
        alternative: {names.get(criterion, criterion): score for criterion, score in scores.items()}
        for alternative, scores in matrix.items()
    }


def rename_scenario(where: str, scenario: DecisionScenario, names: Names) -> DecisionScenario:
    """The scenario with renamed criteria; raises BadRecord if two get the same name."""
    if not names:
        return scenario
    _refuse_merged(where, [criterion.id for criterion in scenario.criteria], names)
    criteria = tuple(
        structs.replace(criterion, id=names.get(criterion.id, criterion.id)) for criterion in scenario.criteria
    )
    return structs.replace(scenario, criteria=criteria, matrix=rename_matrix(where, scenario.matrix, names))


def _refuse_merged(where: str, criteria: Iterable[str], names: Names) -> None:
    renamed = [names.get(name, name) for name in criteria]
    if merged := [name for place, name in enumerate(renamed) if name in renamed[:place]]:
        raise bad_record(where, f"{merged[0]!r} appears twice after --map; expected names that differ", "criteria")
