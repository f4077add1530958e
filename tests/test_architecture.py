"""The shape of the source: imports point one way, the folder is the registry, names and sizes stay readable."""

from __future__ import annotations

import ast
import gc
import importlib
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from adjudge.core.suite import declared_metrics
from adjudge.score import find_suite
from own_suites import OWN_SUITES

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "adjudge"
MODULES = tuple(sorted(PACKAGE.rglob("*.py")))

LONGEST_MODULE = 300
LONGEST_FUNCTION = 40
# What still has to be cleaned up, as folders and modules within src/adjudge. The list only becomes shorter.
TO_CLEAN_UP: tuple[str, ...] = ()

RUNS_TEXT = ("eval", "exec")
UNPICKLES = ("pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve")
# A source without such a word need not be parsed for them.
SUSPECT = re.compile("|".join((*RUNS_TEXT, *UNPICKLES)))
VAGUE_VARIABLES = ("found", "one", "those", "told", "said")
# Participles that do not end in -ed; those that are imperatives as well (read, set, cut, put, run) are fine.
IRREGULAR_PARTICIPLES = frozenset(
    "begun born bought bound broken brought built caught chosen done drawn found given gone grown heard held hidden "
    "kept known led left lent lit listed lost made meant met named paid said seen sent shown sold sought spent spoken "
    "stood struck sung sunk taken taught thought thrown told torn understood won worn written wrung one those".split()
)
ENDS_LIKE_A_PARTICIPLE = frozenset(("bed", "bleed", "embed", "exceed", "feed", "need", "proceed", "seed", "speed"))
# A property, metric or system is a noun or an adjective: `record.credentialed`, `trip.over_budget`, `--user recorded`.
NAMED_AS_A_NOUN = frozenset(("property", "cached_property", "metric", "system"))


def test_imports_point_one_way() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_of_a_metrics_folder_declares_a_metric() -> None:
    without = [module for module in metric_modules() if not declared_metrics(vars(importlib.import_module(module)))]
    assert without == []


def metric_modules() -> Iterator[str]:
    for suite in OWN_SUITES:
        package = f"{find_suite(suite).package}.metrics"
        for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
            yield f"{package}.{info.name}"


def test_no_source_runs_text_as_code_or_unpickles() -> None:
    suspects = [path for path in MODULES if SUSPECT.search(path.read_text("utf-8"))]
    assert [place(path, node) for path, node in nodes(suspects) if runs_text(node) or unpickles(node)] == []


def runs_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RUNS_TEXT


def unpickles(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        modules = [node.module or ""]
    elif isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    else:
        return False
    return any(module.partition(".")[0] in UNPICKLES for module in modules)


def test_modules_and_functions_are_short() -> None:
    long_modules = [
        f"{relative(path)}: {lines} lines"
        for path in MODULES
        if (lines := len(path.read_text("utf-8").splitlines())) > LONGEST_MODULE and is_clean(path)
    ]
    long_functions = [
        f"{place(path, node)}: {node.name} has {lines} lines"
        for path, node in functions(filter(is_clean, MODULES))
        if (lines := body_lines(node)) > LONGEST_FUNCTION
    ]
    assert not [*long_modules, *long_functions], "\n".join([*long_modules, *long_functions])


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its signature and docstring: a command has many options to explain."""
    first = function.body[1:2] if ast.get_docstring(function) else function.body[:1]
    return (function.end_lineno or 0) - first[0].lineno + 1 if first else 0


# Names that two classes have: public on both sides, records, or types whose name a judge or model is shown. The list
# only becomes shorter.
SHARED_CLASS_NAMES = frozenset(
    "Arm Column Criterion Decision Guard Member Memory PatientTurn Pivot Plan Reply Run RunTables Utterance Wording "
    "_Request".split()
)


def test_no_two_classes_have_one_name() -> None:
    names = Counter(node.name for _, node in nodes() if isinstance(node, ast.ClassDef))
    assert {name for name, count in names.items() if count > 1} <= SHARED_CLASS_NAMES


def test_names_say_what_a_thing_is() -> None:
    participles = [
        f"{place(path, node)}: function {node.name}"
        for path, node in functions(filter(is_clean, MODULES))
        if is_bare_participle(node)
    ]
    vague = [
        f"{place(path, node)}: variable {name}"
        for path, node in nodes(filter(is_clean, MODULES))
        if (name := bound_name(node)) in VAGUE_VARIABLES
    ]
    assert not [*participles, *vague], "\n".join([*participles, *vague])


def is_bare_participle(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function has a name such as `found` or `_combined`, which names neither an act nor a thing."""
    name = function.name.strip("_")
    if NAMED_AS_A_NOUN & decorators(function):
        return False
    return name in IRREGULAR_PARTICIPLES or (
        name.endswith("ed") and "_" not in name and name not in ENDS_LIKE_A_PARTICIPLE
    )


def decorators(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names of a function's decorators, without what they are called with."""
    plain = [node.func if isinstance(node, ast.Call) else node for node in function.decorator_list]
    return {node.id for node in plain if isinstance(node, ast.Name)}


def bound_name(node: ast.AST) -> str:
    """The name of the variable or parameter that a node binds; empty where it binds none."""
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ""


def nodes(paths: Iterable[Path] = MODULES) -> Iterator[tuple[Path, ast.AST]]:
    return ((path, node) for path in paths for node in nodes_of(path))


# Parsed by the worker that runs these tests, not by all that collect them.
@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """The nodes that the rules are about: the other nodes are most of them."""
    kinds = (
        ast.Call,
        ast.Import,
        ast.ImportFrom,
        ast.ClassDef,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.arg,
        ast.Name,
    )
    gc.disable()  # Nothing of a tree becomes garbage while it is made, and to look for it takes most of the time.
    try:
        return tuple(node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, kinds))
    finally:
        gc.enable()


def functions(paths: Iterable[Path]) -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path, node in nodes(paths):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield path, node


def is_clean(path: Path) -> bool:
    """Whether a module must keep the rules for names and sizes already."""
    name = path.relative_to(PACKAGE).as_posix()
    return not any(name == unclean or name.startswith(f"{unclean}/") for unclean in TO_CLEAN_UP)


def place(path: Path, node: ast.AST) -> str:
    return f"{relative(path)}:{getattr(node, 'lineno', 1)}"


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
