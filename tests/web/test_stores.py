"""Runs that are stored as Parquet or that keep a part of their records open on all pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import Served, serving

from adjudge.cli.main import main
from adjudge.run import RECORDS, SCORES, read_manifest
from adjudge.run.names import PARTS
from adjudge.run.parquet import read_parquet_rows, write_part
from adjudge.suites.service import suite as service
from adjudge.web.index import open_index
from adjudge.web.index.store import NAME

METRICS = "joint_goal_accuracy,act_accuracy,task_completion"


def page_paths(run: str) -> list[str]:
    """An address of each kind of page about a run with at least two conversations."""
    short = run.removeprefix("/run/")
    lists = ["", "?when=joint_goal_accuracy%3Abelow%3A1&sort=joint_goal_accuracy", "?q=thank"]
    return [
        "/",
        run,
        f"{run}?metric=joint_goal_accuracy&by=group",
        *(f"{run}/conversations{query}" for query in lists),
        f"{run}/c/0",
        f"{run}/differences",
        f"/diff/{short}/0/{short}/1",
        f"{run}/label",
        f"{run}/report",
        f"/compare?run={short}&run={short}",
    ]


@pytest.fixture
def as_parquet(runs: Path, tmp_path: Path) -> Path:
    """The same run stored as Parquet, in another folder."""
    pytest.importorskip("pyarrow", reason="pip install pyarrow")
    target = tmp_path / "columns" / "small"
    assert main(["export", str(runs / "small"), "-o", str(target), "--store", "parquet"]) == 0
    assert not (target / SCORES).exists()
    return target


def test_a_run_stored_as_parquet_has_the_pages_of_one_stored_as_json(runs: Path, as_parquet: Path) -> None:
    with serving(runs) as first, serving(as_parquet.parent) as second:
        for path in [*page_paths(first.run("small")), f"{first.run('small')}/label?metric=success&rater=ann&n=3"]:
            expected, page = first.page(path), second.page(path)
            assert _same(page.replace(str(as_parquet.parent), str(runs))) == _same(expected), path


def _same(page: str) -> str:
    """A page without the tokens and times that differ between two servers."""
    return "\n".join(line for line in page.splitlines() if 'name="token"' not in line)


def test_a_parquet_run_that_grows_is_read_on_from_its_last_part(as_parquet: Path) -> None:
    cards = read_manifest(as_parquet).cards
    rows = list(read_parquet_rows(as_parquet / PARTS, cards))
    write_part(as_parquet / PARTS / "000000.parquet", rows[:5], list(cards))
    with open_index(as_parquet, cards) as index:
        assert index.count == 5
        inode = (as_parquet / NAME).stat().st_ino
    write_part(as_parquet / PARTS / "000001.parquet", rows[5:], list(cards))
    with open_index(as_parquet, cards) as index:
        assert index.count == len(rows) == 12
        continued = index.column("value:success"), [index.kept_scores(place) for place in range(12)]
    assert (as_parquet / NAME).stat().st_ino != inode
    (as_parquet / NAME).unlink()
    with open_index(as_parquet, cards) as index:
        assert index.column("value:success").tobytes() == continued[0].tobytes()
        assert [index.kept_scores(place) for place in range(12)] == continued[1]


def test_a_damaged_part_is_named_and_does_not_break_the_list(as_parquet: Path) -> None:
    part = as_parquet / PARTS / "000000.parquet"
    part.write_bytes(part.read_bytes()[:100])
    with serving(as_parquet.parent) as served:
        assert "000000.parquet" in served.page("/")


def test_a_part_that_is_a_link_to_elsewhere_is_not_shown(as_parquet: Path, tmp_path: Path) -> None:
    shutil.move(as_parquet / PARTS / "000000.parquet", tmp_path / "elsewhere.parquet")
    (as_parquet / PARTS / "000000.parquet").symlink_to(tmp_path / "elsewhere.parquet")
    with serving(as_parquet.parent) as served:
        assert "a link to a file outside" in served.page("/")


@pytest.fixture(scope="module")
def lean(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A run that keeps its worst conversations, and one that keeps tallies, being served."""
    root = tmp_path_factory.mktemp("lean")
    for name in ("worst:1", "tallies"):
        options = ["--metrics", METRICS, "--keep", name, "-o", str(root / name.partition(":")[0]), "-q"]
        assert main(["score", "service", str(service.sample), *options]) == 0
    with serving(root) as served:
        yield served


def test_a_run_of_its_worst_conversations_opens_on_all_pages(lean: Served) -> None:
    count = len((lean.root / "worst" / RECORDS).read_bytes().splitlines())
    assert 2 <= count < 48
    for path in page_paths(lean.run("worst")):
        assert "<h1" in lean.page(path), path
    assert f"<h1>{count} of 48 conversations are kept</h1>" in lean.page(f"{lean.run('worst')}/conversations")
    assert f"{count} kept" in lean.page("/")


def test_a_run_of_tallies_says_what_it_does_not_keep(lean: Served) -> None:
    run = lean.run("tallies")
    for path in page_paths(run):
        if "/c/" in path or "/diff/" in path:
            assert lean.ask(path)[0].status == 404
        else:
            assert "<h1" in lean.page(path), path
    assert "joint_goal_accuracy" in lean.page(run)
    assert "None of 48 conversations are kept" in lean.page(f"{run}/conversations")
    assert "--keep worst or --keep all" in lean.page(f"{run}/conversations")


def test_the_pages_of_lean_runs_can_be_exported(lean: Served, tmp_path: Path) -> None:
    assert main(["view", str(lean.root), "--export", str(tmp_path / "site"), "-q"]) == 0
    kept = {name: len((lean.root / name / RECORDS).read_bytes().splitlines()) for name in ("tallies", "worst")}
    exported = {path.name[: path.name.rindex("-")]: path for path in (tmp_path / "site").iterdir() if "-" in path.name}
    assert {name: len(list(path.glob("c/*.html"))) for name, path in exported.items()} == kept
    assert "joint_goal_accuracy" in (exported["tallies"] / "index.html").read_text()
