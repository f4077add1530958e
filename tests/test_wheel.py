"""The wheel has all that the package needs, and works where nothing else of the project is."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src"
NOT_SHIPPED = ("__pycache__", ".pyc")

pytest.importorskip("hatchling", reason="the build backend is not installed: pip install 'adjudge[dev]'")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the backend of this environment: without network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, "-m", *command], check=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.mark.slow
def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    files = {path.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "adjudge").rglob("*") if path.is_file()}
    files = {name for name in files if not any(part in name for part in NOT_SHIPPED)}
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.startswith("adjudge/")}
    assert shipped == files
    assert {Path(name).suffix for name in shipped} >= {".py", ".toml", ".jsonl", ".md"}


@pytest.mark.slow
def test_the_wheel_runs_the_demo_with_our_dependencies(wheel: Path, tmp_path: Path) -> None:
    python = empty_environment(tmp_path / "venv", with_pip=False)
    install(python, "--no-deps", str(wheel))
    # A path file adds the packages of this environment, but not those that are installed in it as editable.
    site = next((tmp_path / "venv").rglob("site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    assert_demo_runs(python, tmp_path, "service")


@pytest.mark.trial
def test_the_wheel_installs_into_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    python = empty_environment(tmp_path / "venv", with_pip=True)
    install(python, str(wheel))
    for suite in ("service", "decision", "patient", "team", "trip"):
        assert_demo_runs(python, tmp_path, suite)


def empty_environment(folder: Path, with_pip: bool) -> Path:
    """The interpreter of a new environment."""
    venv.create(folder, with_pip=with_pip)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(python: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", *arguments]
    subprocess.run(command, check=True)


def assert_demo_runs(python: Path, folder: Path, suite: str) -> None:
    """`adjudge demo` comes from the wheel, prints a table and writes a report."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = f"demo_{suite}"
    command = [str(python), "-m", "adjudge", "demo", suite, "-o", run]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    assert f"the run is in {run}" in " ".join(done.stdout.split())
    assert (folder / run / "report.html").stat().st_size > 10_000
    where = [str(python), "-c", "import adjudge; print(adjudge.__file__)"]
    assert str(folder) in subprocess.run(where, capture_output=True, text=True, cwd=folder, env=environment).stdout
