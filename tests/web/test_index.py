"""The index of a run: as the files are, continued when they grow, written anew when they change."""

from __future__ import annotations

import time
import weakref
from pathlib import Path

import numpy as np
import pytest
from example_run import ROWS, make_run, manifest
from serving import serving, small_run

from adjudge.aggregate import table
from adjudge.cli.main import main
from adjudge.run import RECORDS, SCORES, Run, read_manifest
from adjudge.web.index import Index, open_index
from adjudge.web.index.store import NAME


def opened(folder: Path) -> Index:
    return open_index(folder, read_manifest(folder).cards)


def test_the_table_is_the_one_of_the_report(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ROWS, manifest())
    with opened(run.folder) as index:
        rows = index.rows(["ubar", "galaxy"])

    facts = [(row.metric, row.arm, row.value, row.low, row.high, row.n, row.undefined, row.skipped) for row in rows]
    expected = [
        (row.metric, row.arm, row.value, row.low, row.high, row.n, row.undefined, row.skipped) for row in table(run)
    ]
    assert facts == expected


@pytest.mark.trial
def test_the_table_of_a_sample_is_the_one_of_its_report(tmp_path: Path) -> None:
    assert main(["demo", "decision", "-o", str(tmp_path / "run")]) == 0
    with opened(tmp_path / "run") as index:
        rows = index.rows(list(read_manifest(tmp_path / "run").coverage.arms))

    expected = table(Run(tmp_path / "run"))
    assert [(row.metric, row.arm, row.value, row.low, row.high, row.bases, row.reasons) for row in rows] == [
        (row.metric, row.arm, row.value, row.low, row.high, row.bases, row.reasons) for row in expected
    ]


def test_a_run_being_written_is_shown_up_to_its_last_whole_line(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    records, scores = (folder / RECORDS).read_bytes(), (folder / SCORES).read_bytes()
    lines = scores.splitlines(keepends=True)
    (folder / SCORES).write_bytes(b"".join(lines[:5]) + lines[5][:40])
    with opened(folder) as index:
        assert index.count == 5
        assert index.damage == ""

    (folder / SCORES).write_bytes(scores)
    with opened(folder) as index:
        assert index.count == len(records.splitlines()) == 12
        continued = index.column("value:joint_goal_accuracy")
        places = [index.span(place, "score").start for place in range(12)]
    (folder / NAME).unlink()
    with opened(folder) as index:
        np.testing.assert_array_equal(index.column("value:joint_goal_accuracy"), continued)
        assert [index.span(place, "score").start for place in range(12)] == places
        assert scores[places[7] :].startswith(lines[7])


def test_a_run_that_was_scored_anew_is_indexed_anew(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run", cases=6)
    with opened(folder) as index:
        assert index.count == 12
    other = small_run(tmp_path / "other", cases=2, texts=("Good evening.", "Welcome."))
    for name in (RECORDS, SCORES):
        (folder / name).write_bytes((other / name).read_bytes())
    with opened(folder) as index:
        assert index.count == 4
        assert index.list_conversations([3])[0].opens == "Good evening. It is c1."


def test_a_broken_line_ends_what_is_shown_and_is_named(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    lines = (folder / SCORES).read_bytes().splitlines(keepends=True)
    lines[3] = b'{"case": 7}\n'
    (folder / SCORES).write_bytes(b"".join(lines))
    with opened(folder) as index:
        assert index.count == 3
        assert index.damage.startswith("scores.jsonl: line 4 cannot be read")


def test_the_index_of_a_run_that_cannot_be_written_is_in_the_cache(tmp_path: Path, own_cache: Path) -> None:
    folder = small_run(tmp_path / "run")
    (folder / NAME).mkdir()  # Nobody, not even root, can write a file of this name.
    with opened(folder) as index:
        assert index.count == 12
    assert len(list((own_cache / "adjudge" / "view").glob("*.sqlite"))) == 1


def test_a_file_that_is_no_index_is_replaced(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    (folder / NAME).write_bytes(b"this is no database" * 100)
    with opened(folder) as index:
        assert index.count == 12


def test_a_large_run_is_read_in_the_background_and_appears(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudge.web.opened.LARGE", 1)
    with serving(runs) as served:
        first = served.page(served.run("small"))
        assert "is being read for the first time" in first
        assert "data-live" in first
        while "is being read for the first time" in served.page("/"):
            time.sleep(0.01)
        assert "Primary metrics" in served.page(served.run("small"))


def test_only_its_owner_may_read_the_index(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "run")
    opened(folder).close()
    assert (folder / NAME).stat().st_mode & 0o077 == 0


def test_a_closed_index_lets_go_of_its_columns(tmp_path: Path) -> None:
    with opened(small_run(tmp_path / "run")) as index:
        column = weakref.ref(index.column("arm"))
        assert column() is not None

    assert column() is None
    assert index.count == 12
