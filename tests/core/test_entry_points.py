"""Entry points are read once, and again after a package was installed or removed."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.entry_points import entry_points

GROUP = "adjudge.suites"


@pytest.fixture
def read_folders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that were read, in order."""
    folders: list[str] = []
    read = importlib.metadata.distributions

    def count(path: list[str]) -> Any:
        folders.extend(path)
        return read(path=path)

    monkeypatch.setattr(importlib.metadata, "distributions", count)
    return folders


def install(site: Path, name: str) -> Path:
    info = site / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}:suite\n")
    return info


def age(site: Path, seconds: int) -> None:
    """Give a folder a time of its own, as if what changes it took longer than the clock of the file system can tell."""
    os.utime(site, (seconds, seconds))


def names() -> set[str]:
    return {entry.name for entry in entry_points(GROUP)}


def test_a_folder_is_read_once(read_folders: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert {"service", "decision"} <= names() == names()
    assert read_folders.count(str(tmp_path)) == 1


def test_where_another_folder_changes_only_that_one_is_read_again(
    read_folders: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for site in (tmp_path / "mine", tmp_path / "other"):
        install(site, f"{site.name}_suite")
        monkeypatch.syspath_prepend(site)
    names()
    read_folders.clear()
    age(tmp_path / "other", 1)
    assert {"mine_suite", "other_suite"} <= names()
    assert read_folders == [str(tmp_path / "other")]


def test_a_package_in_two_folders_counts_where_it_is_found_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("second", "first"):
        info = install(tmp_path / folder, "twice")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{folder} = twice:suite\n")
        monkeypatch.syspath_prepend(tmp_path / folder)
    assert "first" in names()
    assert "second" not in names()


def test_a_package_is_seen_when_it_is_installed_and_gone_when_it_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    monkeypatch.syspath_prepend(site)
    before = names()
    first = install(site, "one_suite")
    age(site, 1)
    assert names() == before | {"one_suite"}
    install(site, "two_suite")
    age(site, 2)
    assert names() == before | {"one_suite", "two_suite"}
    shutil.rmtree(first)
    age(site, 3)
    assert names() == before | {"two_suite"}


def test_the_current_folder_counts_where_it_is_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("here", "there"):
        install(tmp_path / folder, f"{folder}_suite")
    monkeypatch.syspath_prepend("")
    monkeypatch.chdir(tmp_path / "here")
    assert "here_suite" in names()
    monkeypatch.chdir(tmp_path / "there")
    assert "there_suite" in names()
    assert "here_suite" not in names()
