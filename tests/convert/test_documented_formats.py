"""The page of formats has the table of the registry, and every reader names shape, quirks and version at its top."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest

import adjudge.convert
from adjudge.convert.format import Format
from adjudge.convert.refusals import REFUSALS
from adjudge.convert.registry import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats.md"


def reader_modules() -> dict[str, Format]:
    """The modules that declare a format."""
    names = [info.name for info in pkgutil.iter_modules(adjudge.convert.__path__)]
    modules = {name: importlib.import_module(f"adjudge.convert.{name}") for name in names}
    return {name: module.FORMAT for name, module in modules.items() if hasattr(module, "FORMAT")}


def table_rows(heading: str) -> list[list[str]]:
    section = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_the_page_says_of_every_format_what_is_kept() -> None:
    assert table_rows("What is kept") == [[format.title, f"`{format.name}`", format.kept] for format in FORMATS]


def test_the_page_lists_what_is_refused_and_why() -> None:
    assert table_rows("What is refused") == [[refusal.name, refusal.reason] for refusal in REFUSALS]


def test_every_format_is_registered_once_and_has_a_module_of_its_own() -> None:
    assert sorted(format.name for format in reader_modules().values()) == sorted(format.name for format in FORMATS)
    names = [name for format in FORMATS for name in (format.name, *format.aliases)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", [*reader_modules(), "openinference"])
def test_a_reader_names_shape_quirks_and_version_at_its_top(name: str) -> None:
    top = importlib.import_module(f"adjudge.convert.{name}").__doc__ or ""
    assert "Shape" in top
    assert "Quirks:" in top or name == "own"
    assert "Version:" in top
