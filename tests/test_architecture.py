"""The shape of the source: imports point one way, the folder is the registry, nothing runs text as code."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

from adjudge.core.suite import declared
from adjudge.score import find_suite, suite_names

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
LONGEST = 450


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def metric_modules() -> list[str]:
    packages = [f"{find_suite(suite).package}.metrics" for suite in suite_names()]
    return [
        f"{package}.{info.name}"
        for package in packages
        for info in pkgutil.iter_modules(importlib.import_module(package).__path__)
    ]


def test_imports_point_one_way() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", metric_modules())
def test_every_file_of_a_metrics_folder_declares_a_metric(module: str) -> None:
    assert declared(vars(importlib.import_module(module)))


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_source_runs_text_as_code_or_unpickles(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("eval", "exec"), f"{name(path)}:{node.lineno}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = {node.module or ""} if isinstance(node, ast.ImportFrom) else {alias.name for alias in node.names}
            roots = {module.partition(".")[0] for module in modules}
            assert not roots & {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve"}, (
                f"{name(path)}:{node.lineno}"
            )


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_source_file_is_long(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST
