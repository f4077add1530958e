"""Folders that are damaged, half written, newer or of another tool are listed with what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from serving import Served, serving, small_run

from adjudge.run import MANIFEST, RECORDS, SCORES
from adjudge.web.catalogue import Catalogue, RunEntry, make_id
from browser import read


def entry(root: Path, name: str) -> RunEntry:
    (entry,) = [entry for entry in Catalogue(root).entries() if entry.name == name]
    return entry


def change_manifest(folder: Path, **changes: object) -> None:
    facts = json.loads((folder / MANIFEST).read_text()) | changes
    (folder / MANIFEST).write_text(json.dumps(facts))


def broken_json(folder: Path) -> None:
    (folder / MANIFEST).write_text('{"suite": "serv')


def of_another_tool(folder: Path) -> None:
    (folder / MANIFEST).write_text('{"run_id": "a1", "entry_point": "train.py"}')


def newer(folder: Path) -> None:
    change_manifest(folder, adjudge="99.0.0", settings=["of another shape"])


def without_scores(folder: Path) -> None:
    (folder / SCORES).unlink()


def without_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def linked_outside(folder: Path) -> None:
    target = folder.parent.parent / "secret.jsonl"
    target.write_bytes((folder / RECORDS).read_bytes())
    (folder / RECORDS).unlink()
    (folder / RECORDS).symlink_to(target)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (broken_json, "run.json: not a run manifest"),
        (of_another_tool, "run.json: not a run manifest"),
        (newer, "written by adjudge 99.0.0"),
        (without_scores, "scores.jsonl: not there"),
        (without_manifest, "run.json: not there, though the folder has scores.jsonl"),
        (linked_outside, "a link to a file outside"),
    ],
)
def test_a_folder_that_cannot_be_read_is_listed_with_the_reason(runs: Path, damage: object, words: str) -> None:
    damage(small_run(runs / "broken"))  # type: ignore[operator]
    assert words in entry(runs, "broken").problem
    with serving(runs) as served:
        page = read(served.page("/").encode())
        assert "Two runs, 1 that cannot be read" in page.text
        assert words in page.text
        answer, text = served.ask(f"/run/{make_id('broken')}")
        assert answer.status == 404
        assert words.split("'")[0] in read(text.encode()).text
        served.page(served.run("small"))


def test_a_run_of_a_newer_version_that_can_be_read_is_shown_with_a_warning(runs: Path) -> None:
    change_manifest(small_run(runs / "newer"), adjudge="99.0.0", invented={"a": 1})
    scores = runs / "newer" / SCORES
    scores.write_text(scores.read_text().replace('"value":', '"invented":{"x":1},"value":'))
    with serving(runs) as served:
        assert "written by adjudge 99.0.0" in served.page("/")
        assert "written by adjudge 99.0.0" in served.page(served.run("newer"))
        assert "gold west" in served.page(served.run("newer") + "/c/1")


def test_a_line_that_cannot_be_read_is_named_in_list_and_run(runs: Path) -> None:
    lines = (runs / "small" / SCORES).read_bytes().splitlines(keepends=True)
    (runs / "small" / SCORES).write_bytes(b"".join([*lines[:4], b"oops\n", *lines[5:]]))
    with serving(runs) as served:
        assert "line 5 cannot be read" in served.page("/")
        assert "line 5 cannot be read" in served.page(served.run("small"))
        assert served.ask(served.run("small") + "/c/4")[0].status == 404


def test_links_to_other_folders_are_not_followed(runs: Path, tmp_path: Path) -> None:
    outside = small_run(tmp_path / "elsewhere" / "secret")
    (runs / "link").symlink_to(outside, target_is_directory=True)
    assert [each.name for each in Catalogue(runs).entries()] == ["small"]


def test_one_run_can_be_served_alone(runs: Path) -> None:
    assert [each.name for each in Catalogue(runs / "small").entries()] == ["small"]


def test_an_empty_folder_says_how_to_make_a_run(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        assert "adjudge demo" in served.page("/")


def test_runs_are_filtered_and_sorted(runs: Path) -> None:
    change_manifest(small_run(runs / "other"), suite="trip", started="2020-01-01T00:00:00+00:00")
    with serving(runs) as served:

        def shown(query: str) -> list[str]:
            page = read(served.page(query).encode())
            return [link.text for link in page.all("a", "go")]

        assert shown("/?sort=name") == ["other", "small"]
        assert shown("/?sort=-name") == ["small", "other"]
        assert shown("/?suite=trip") == ["other"]
        assert shown("/?q=SMALL") == ["small"]
        assert shown("/?status=running") == []


def test_a_finished_run_that_lacks_lines_is_shown_as_far_as_it_goes(served: Served) -> None:
    described = served.root / "small" / MANIFEST
    described.write_text(json.dumps(json.loads(described.read_text()) | {"counts": {"records": 12}}))
    scores = served.root / "small" / SCORES
    scores.write_bytes(b"".join(scores.read_bytes().splitlines(keepends=True)[:5]))
    assert "5 of 12 records can be shown" in served.page(served.run("small"))
    assert "5 conversations" in served.page(f"{served.run('small')}/conversations")
