"""Every suite has the same shape: who knows one finds their way in all."""

from __future__ import annotations

from pathlib import Path

import pytest

SUITES = Path(__file__).parents[2] / "src" / "adjudge" / "suites"
NEEDED = {"__init__.py", "data.py", "read", "rules", "metrics", "sample"}
ALLOWED = NEEDED | {"lexicon", "rubrics", "methods"}


def names_in(folder: Path) -> set[str]:
    """The names in a folder, without bytecode: a folder that was removed may leave its own behind."""
    sources = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).parts[0] for path in sources}


def suites() -> list[Path]:
    return sorted(path for path in SUITES.iterdir() if (path / "__init__.py").is_file())


@pytest.mark.parametrize("folder", suites(), ids=lambda folder: folder.name)
def test_a_suite_has_the_shape_of_its_siblings(folder: Path) -> None:
    assert names_in(folder) >= NEEDED
    assert names_in(folder) <= ALLOWED


@pytest.mark.parametrize("folder", suites(), ids=lambda folder: folder.name)
def test_vocabulary_samples_and_rubrics_stand_in_their_folders(folder: Path) -> None:
    for path in folder.rglob("*"):
        place = path.relative_to(folder).parts[0]
        if path.suffix == ".toml":
            assert place == "lexicon"
        if path.suffix == ".md":
            assert place == "rubrics"
        if path.suffix in (".json", ".jsonl", ".csv"):
            assert place == "sample"
