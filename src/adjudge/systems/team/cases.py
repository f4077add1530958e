"""Scenarios from files: tables `[[scenario]]` of TOML, or JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from adjudge.core.errors import BadInput
from adjudge.core.play import CaseRow
from adjudge.core.suite import Options
from adjudge.play.cases import gather_cases, read_cases
from adjudge.read.decode import decode
from adjudge.read.settings_file import read_settings
from adjudge.systems.team.data import ScenarioCase

TABLE = "scenario"
DECODER = msgspec.json.Decoder(ScenarioCase)


def read_scenarios(files: list[Path], options: Options) -> Iterator[CaseRow[ScenarioCase]]:
    """The scenarios of files; raises BadInput with all that is broken."""
    for path in files:
        read = _read_toml(path) if path.suffix.lower() == ".toml" else read_cases([path], ScenarioCase)
        yield from (_check_scenario(row) for row in read)


def _read_toml(path: Path) -> Iterator[CaseRow[ScenarioCase]]:
    content = read_settings(path)[1]
    tables: Any = content.get(TABLE)
    if not isinstance(tables, list) or not tables or set(content) != {TABLE}:
        names = ", ".join(content) or "nothing"
        raise BadInput(f"{path}: found {names}; expected tables [[{TABLE}]], and nothing else")
    rows = [
        (f"{path}: [[{TABLE}]] {number}", msgspec.json.encode(table, enc_hook=str))
        for number, table in enumerate(tables, 1)
    ]
    return gather_cases(lambda _: iter(rows), lambda where, row: [decode(where, row, DECODER)])


def _check_scenario(row: CaseRow[ScenarioCase]) -> CaseRow[ScenarioCase]:
    case = row.case
    if not (case.script or case.wordings or case.goal):
        raise BadInput(f"{row.where}: the user has nothing to say; expected a goal, wordings or a script")
    if not case.agents or len({"user", *case.agents}) != len(case.agents) + 1:
        raise BadInput(f"{row.where}: agents: found {list(case.agents)}; expected different names, none of them 'user'")
    return row
