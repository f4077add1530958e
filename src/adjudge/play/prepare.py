"""A plan with everything it names looked up and checked, before anything is played."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from adjudge.core.errors import BadInput, Warnings
from adjudge.core.play import Case
from adjudge.core.system import Setup
from adjudge.core.version import __version__
from adjudge.play.assembly import Assembly, assemble, check_tools
from adjudge.play.cases import mark_protected
from adjudge.play.generated import generated_cases, parse_parameters
from adjudge.play.models import Models
from adjudge.play.plan import PlayPlan
from adjudge.play.registry import find_setup, find_systems
from adjudge.run.inputs import input_file, time_stamp
from adjudge.run.played import PlayManifest
from adjudge.tools.rubrics import Rubrics
from adjudge.tools.storage import input_path


@dataclass(frozen=True)
class PreparedPlay:
    """A plan with its setup, cases, arms, tools and models, and the warnings of reading the cases."""

    plan: PlayPlan
    setup: Setup
    cases: tuple[Case, ...]
    assembly: Assembly
    tools: Mapping[str, object]
    models: Models
    manifest: PlayManifest
    warnings: Warnings


def prepare(plan: PlayPlan, models: Models) -> PreparedPlay:
    """Look everything up that a plan names; raises BadInput where something is unknown, missing or broken."""
    setup = find_setup(plan.suite)
    options = _complete_options(setup, plan.options)
    assembly = assemble(setup, find_systems(setup), plan, models)
    prompts = _prompts(setup, plan)
    tools = {**setup.tools(options), **({"prompts": prompts} if prompts else {})}
    check_tools(assembly.arms, tools)
    models.new_budget()  # An unknown price is reported before anything is written.
    files = _case_files(setup, plan)
    warnings = Warnings()
    rows = setup.open(files, options) if plan.generate is None else generated_cases(setup, plan.generate)
    held = (mark_protected(row, warnings) for row in islice(rows, plan.limit))
    varied = (variant for case in held for variant in setup.variants(case, options))
    cases = _check_cases(varied, ", ".join(map(str, files)) or f"--generate {plan.generate}")
    manifest = _manifest(plan, setup, options, assembly, models, prompts.identity if prompts else "")
    return PreparedPlay(plan, setup, cases, assembly, tools, models, manifest, warnings)


def _case_files(setup: Setup, plan: PlayPlan) -> list[Path]:
    """The files that the cases are read from: none where they are generated."""
    if plan.generate is None:
        return [input_path(file) for file in plan.files] or [setup.sample]
    if plan.files:
        raise BadInput(f"found --generate and files of cases ({', '.join(plan.files)}); expected one of the two")
    return []


def _complete_options(setup: Setup, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a setup with their defaults, without those that have no value."""
    values = {option.name: given.get(option.name) or option.default for option in setup.options}
    return {name: _plain(value) for name, value in values.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _prompts(setup: Setup, plan: PlayPlan) -> Rubrics | None:
    if setup.prompts is None:
        if plan.prompts:
            raise BadInput(f"--prompts {plan.prompts}: the systems of {setup.suite} have no prompt files")
        return None
    return Rubrics(setup.prompts, Path(plan.prompts) if plan.prompts else None)


def _check_cases(cases: Iterable[Case], source: str) -> tuple[Case, ...]:
    """All cases; raises BadInput where there are none, or two have the same id."""
    by_id: dict[str, Case] = {}
    for case in cases:
        if case.id in by_id:
            raise BadInput(f"{source}: two cases have the id {case.id!r}; expected each once")
        by_id[case.id] = case
    if not by_id:
        raise BadInput(f"{source}: no case in it; expected at least one")
    return tuple(by_id.values())


def _manifest(
    plan: PlayPlan, setup: Setup, options: Mapping[str, Any], assembly: Assembly, models: Models, prompts: str
) -> PlayManifest:
    paths = {option.name for option in setup.options if option.is_path}
    places = {name: value for name, value in options.items() if name in paths}
    made = {} if plan.generate is None else {"generate": to_builtins(parse_parameters(setup, plan.generate))}
    return PlayManifest(
        suite=setup.suite,
        adjudge=__version__,
        arms=dict(assembly.entries),
        cards=dict(assembly.cards),
        options={name: value for name, value in options.items() if name not in paths} | made,
        places={"files": list(plan.files), **places},
        inputs=[input_file(path) for path in _input_paths([*_case_files(setup, plan), *_places(places)])],
        trials=plan.trials,
        seed=plan.seed,
        limit=plan.limit,
        limits=plan.limits or setup.limits,
        models=models.identity(),
        prompts=prompts,
        started=time_stamp(),
    )


def _places(places: Mapping[str, Any]) -> list[Path]:
    values = [value if isinstance(value, list) else [value] for value in places.values()]
    return [Path(value) for group in values for value in group]


def _input_paths(paths: Iterable[Path]) -> list[Path]:
    """The files among paths, and those in folders."""
    inside = [sorted(path.iterdir()) if path.is_dir() else [path] for path in paths]
    return [path for group in inside for path in group if path.is_file()]
