"""Scoring from Python: the same as the command line, from files and from values in memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest

import adjudge as aj
from adjudge.cli.main import main
from adjudge.score import find_suite

SAMPLE = find_suite("service").sample
METRICS = ["joint_goal_accuracy", "task_completion"]


def sample() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]


def rows(run: aj.Run) -> list[dict[str, Any]]:
    return run.table().to_dicts()


@pytest.fixture(scope="module")
def run() -> aj.Run:
    return aj.score("service", SAMPLE, only=METRICS)


def test_the_command_line_and_python_write_the_same_run(tmp_path: Path) -> None:
    assert main(["score", "service", str(SAMPLE), "--only", ",".join(METRICS), "-o", str(tmp_path / "cli"), "-q"]) == 0
    aj.score("service", SAMPLE, only=METRICS, folder=tmp_path / "python")
    for name in ("scores.jsonl", "records.jsonl"):
        assert (tmp_path / "cli" / name).read_bytes() == (tmp_path / "python" / name).read_bytes()
    manifests = [json.loads((tmp_path / way / "run.json").read_text()) for way in ("cli", "python")]
    for manifest in manifests:
        for varying in ("started", "finished", "seconds"):
            del manifest[varying]
    assert manifests[0] == manifests[1]


@pytest.mark.parametrize(
    "conversations",
    [
        sample(),
        pandas.DataFrame(sample()),
        polars.DataFrame([{"id": row["id"], "whole": json.dumps(row)} for row in sample()]),
        (row for row in sample()),
    ],
    ids=["dicts", "pandas", "polars", "iterator"],
)
def test_conversations_in_memory_are_scored_without_a_file(conversations: Any, run: aj.Run) -> None:
    if isinstance(conversations, polars.DataFrame):
        conversations = [json.loads(row["whole"]) for row in conversations.to_dicts()]
    assert rows(aj.score("service", conversations, only=METRICS)) == rows(run)


def test_typed_records_are_scored(run: aj.Run) -> None:
    import msgspec

    suite = find_suite("service")
    records = [msgspec.json.decode(line, type=suite.record) for line in run.records()]
    assert rows(aj.score("service", records, only=METRICS)) == rows(run)


def test_a_flat_frame_is_read_as_the_table_it_would_be(tmp_path: Path) -> None:
    from adjudge.api.inputs import write_frame

    written = write_frame([{"speaker": "Ann", "text": "Hello"}, {"speaker": "Bob", "text": "Hi, Ann"}], tmp_path)
    assert written.name == "conversations.csv"
    assert pandas.read_csv(written).to_dict("list") == {"speaker": ["Ann", "Bob"], "text": ["Hello", "Hi, Ann"]}


def test_a_bad_conversation_in_memory_is_named_by_its_place() -> None:
    bad = [*sample()[:2], {"id": "third", "turns": "none"}]
    with pytest.raises(
        aj.BadInput, match=r"^conversations:3: turns: expected a list, found 'none'\nnothing was scored"
    ) as error:
        aj.score("service", bad)
    assert "/tmp" not in str(error.value)


def test_remarks_on_values_in_memory_name_their_place() -> None:
    run = aj.score("service", [sample()[0], sample()[0]], only=METRICS)
    assert "conversations:2: repeats conversations:1; left out" in run.manifest.coverage.warnings


@pytest.mark.parametrize(
    ("conversations", "message"),
    [
        ([], "found nothing to read; expected files, a list of dicts or records, or a DataFrame"),
        (3, "found 3 to read"),
        ([3], r"conversations\[0\]: found 3; expected"),
        ([{"id": object()}], r"conversations\[0\]: .*expected values of JSON"),
    ],
)
def test_what_is_no_conversation_is_refused(conversations: Any, message: str) -> None:
    with pytest.raises(aj.BadInput, match=message):
        aj.score("service", conversations)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mach": "strict"}, "mach: no such option of the suite service; did you mean 'match'?"),
        ({"fresch": True}, "fresch: no such option of the suite service; did you mean 'fresh'?"),
        ({"match": "loose"}, "match: found 'loose'; expected one of"),
        ({"only": "jgacc"}, "no metric 'jgacc'"),
        ({"judge_url": "http://127.0.0.1:1/v1"}, "--judge-url: there is no judge to ask"),
        ({"max_cost": -1, "judge": "openai:gpt-4.1-mini"}, "--max-cost: expected"),
    ],
)
def test_wrong_options_are_told_in_the_words_of_the_command_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises(aj.BadInput) as error:
        aj.score("service", SAMPLE, **options)
    assert message in str(error.value)


def test_a_run_without_a_folder_is_removed_with_it_and_can_be_saved(tmp_path: Path) -> None:
    run = aj.demo("service", only="task_completion")
    place, kept = run.folder, run.save(tmp_path / "kept")
    narrowed = run.with_metrics(["task_completion"])
    del run
    assert place.exists()
    del narrowed
    assert not place.exists()
    assert rows(kept) == rows(aj.load(tmp_path / "kept"))
    with pytest.raises(aj.BadInput, match="already exists"):
        kept.save(tmp_path / "kept")


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    first = aj.score("service", SAMPLE, only=METRICS, folder=tmp_path / "run")
    again = aj.score("service", SAMPLE, only=METRICS, folder=tmp_path / "run")
    assert again.manifest.started == first.manifest.started
    with pytest.raises(aj.BadInput, match="holds a different run"):
        aj.score("service", SAMPLE, only="task_completion", folder=tmp_path / "run")


def test_importing_adjudge_and_listing_its_names_import_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); import adjudge; dir(adjudge)\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "assert not new & {'numpy', 'scipy', 'msgspec', 'rich', 'pandas', 'jinja2', 'asyncio'}, new\n"
        "assert {'score', 'load', 'compare', 'gate', 'play', 'judge'} <= set(dir(adjudge))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_verbs_stay_functions_although_packages_have_their_names() -> None:
    code = (
        "import adjudge.score, adjudge.compare.sheet, adjudge.gate.check, adjudge.play.engine\n"
        "from adjudge.score import find_suite\n"
        "import adjudge as aj\n"
        "from adjudge import compare, gate, play, score\n"
        "assert all(map(callable, (aj.score, aj.compare, aj.gate, aj.play, score, compare, gate, play)))\n"
        "assert callable(find_suite)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
