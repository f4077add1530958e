"""The changelog is built from news fragments, and releases stay in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

CHANGES = Path(__file__).parent.parent / "changes"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the script, two fragments and a changelog of one release."""
    (tmp_path / "changes").mkdir()
    shutil.copy(CHANGES / "build.py", tmp_path / "changes")
    (tmp_path / "changes" / "README.md").write_text("how to")
    (tmp_path / "changes" / "0002-second.md").write_text("The second change.\n")
    (tmp_path / "changes" / "0001-first.md").write_text("# First\n\n- A change.\n")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\nStale.\n\n## 0.1.0 (2026-01-01)\n\nOld.\n")
    return tmp_path


def build(project: Path, *arguments: str) -> str:
    subprocess.run([sys.executable, project / "changes" / "build.py", *arguments], check=True)
    return (project / "CHANGELOG.md").read_text()


def test_fragments_are_put_together_in_order(project: Path) -> None:
    unreleased = "## Unreleased\n\n### First\n\n- A change.\n\nThe second change."
    expected = f"# Changelog\n\n{unreleased}\n\n## 0.1.0 (2026-01-01)\n\nOld.\n"
    assert build(project) == expected
    assert build(project) == expected


def test_a_release_has_its_version_and_takes_the_fragments(project: Path) -> None:
    text = build(project, "--release", "0.2.0")
    assert re.findall(r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", text, re.MULTILINE) == ["0.2.0", "0.1.0"]
    assert sorted(path.name for path in (project / "changes").iterdir()) == ["README.md", "build.py"]
    assert build(project) == text


def test_fragments_are_named_so_that_they_are_found() -> None:
    names = sorted(path.name for path in CHANGES.glob("*.md") if path.name != "README.md")
    assert [name for name in names if not re.fullmatch(r"\d{4}-[\w-]+\.md", name)] == []


def test_no_two_fragments_have_the_same_number() -> None:
    numbers = [path.name[:4] for path in CHANGES.glob("*.md") if path.name != "README.md"]
    assert [number for number, uses in Counter(numbers).items() if uses > 1] == []
