"""What Python objects hold, and how they show themselves in a terminal and a notebook."""

from __future__ import annotations

import builtins
import html
import json
from pathlib import Path
from typing import Any

import pytest

import adjudge as aj
from adjudge.api import progress
from adjudge.cli.main import main

METRICS = ["joint_goal_accuracy", "task_completion"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> aj.Run:
    return aj.demo("service", folder=tmp_path_factory.mktemp("api") / "demo", only=METRICS)


def test_a_run_prints_what_the_report_prints(
    run: aj.Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    assert main(["report", str(run.folder)]) == 0
    printed = capsys.readouterr().out
    assert [line for line in repr(run).splitlines() if line not in printed] == []


def test_tables_become_frames_of_three_libraries(run: aj.Run) -> None:
    marks = run.marks()
    assert len(run.to_pandas()) == run.to_polars().height == run.to_arrow().num_rows == len(marks) == 232
    assert list(run.to_pandas().columns) == run.to_polars().columns == run.to_arrow().column_names
    assert run.to_arrow("conversations").num_rows == len(run.scores()) == 96
    assert run.table().to_arrow().column("value").to_pylist() == [row.value for row in run.table()]
    assert run.table().to_polars()["n"].to_list() == [92, 92, 24, 24]
    with pytest.raises(aj.BadInput, match="no level 'turns'; expected marks or conversations"):
        run.to_pandas("turns")


@pytest.mark.parametrize(("library", "extra"), [("pandas", "pandas"), ("polars", "polars"), ("pyarrow", "parquet")])
def test_a_library_that_is_missing_is_named_with_its_command(
    run: aj.Run, monkeypatch: pytest.MonkeyPatch, library: str, extra: str
) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name == library:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    convert = {"pandas": run.to_pandas, "polars": run.to_polars, "pyarrow": run.to_arrow}[library]
    with pytest.raises(aj.BadInput, match=rf"{library} is not installed; .*install .*\[{extra}\]"):
        convert()


def test_the_worst_conversations_come_worst_first_with_their_reason(run: aj.Run) -> None:
    worst = run.worst("joint_goal_accuracy", 4)
    values = [item.value for item in worst]
    assert values == sorted(values)
    assert len(values) == 4
    assert all(item.why for item in worst)
    assert len(run.worst("joint_goal_accuracy", 100)) > 4
    with pytest.raises(aj.BadInput, match="did you mean 'task_completion'"):
        run.worst("task_completon")


def test_rows_by_group_are_those_of_the_report(run: aj.Run) -> None:
    groups = {row.group for row in run.table(by="group")}
    assert {"hotel", "restaurant"} <= groups
    with pytest.raises(aj.BadInput, match="no facet of that name"):
        run.table(by="weather")


def test_objects_show_the_page_in_a_notebook_with_everything_escaped(run: aj.Run, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    record = json.loads(next(run.records()))
    renamed = aj.score("service", [{**record, "arm": evil, "case": evil}], only=METRICS)
    shown = {
        "run": renamed._repr_html_(),
        "table": renamed.table()._repr_html_(),
        "marks": renamed.marks()._repr_html_(),
        "gate": aj.gate(renamed, "task_completion >= 0.5")._repr_html_(),
    }
    for content in shown.values():
        assert "<script" not in content
        assert "script" in content
    inner = html.unescape(shown["run"].partition('srcdoc="')[2].rpartition('"')[0])
    assert inner.startswith("<!doctype html>")
    assert "default-src &#39;none&#39;" in inner
    assert "<script" not in inner


def test_a_comparison_and_a_page_are_frames_of_their_own(run: aj.Run) -> None:
    for shown in (aj.compare(run), run.page(), run):
        content = shown._repr_html_()
        assert content.startswith('<iframe sandbox=""')
        assert content.count("<") == 2  # The frame's own begin and end: the page within is escaped.


def test_a_gate_is_true_if_all_rules_pass(run: aj.Run) -> None:
    assert aj.gate(run, ["task_completion >= 0.7"])
    failed = aj.gate(run, ["task_completion >= 0.8"])
    assert not failed
    assert "s02: booked restaurant without booktime" in repr(failed)
    assert aj.gate(run, "task_completion not worse by 0.5", against=f"{run.folder}:five-agents", arms="one-agent")


def test_a_gate_takes_a_run_as_its_baseline(run: aj.Run, tmp_path: Path) -> None:
    assert aj.gate(run, "task_completion not worse by 0.5", against=run.save(tmp_path / "before"))


def test_a_comparison_has_a_row_for_each_contrast(run: aj.Run, tmp_path: Path) -> None:
    result = aj.compare(run, margin=0.5)
    assert [line.metric for line in result.table()] == METRICS
    assert result.verdict("task_completion") == "tied"
    result.report(tmp_path / "compare.json")
    assert json.loads((tmp_path / "compare.json").read_text())["comparison"]["arms"] == ["five-agents", "one-agent"]
    with pytest.raises(aj.BadInput, match="inform: compared in 0 pairs"):
        result.verdict("inform")


def test_reports_are_written_by_their_ending(run: aj.Run, tmp_path: Path) -> None:
    run.report(tmp_path / "a.html", tmp_path / "a.csv")
    assert (tmp_path / "a.html").read_text() == run.page().html
    with pytest.raises(aj.BadInput, match="expected a name that ends in"):
        run.report(tmp_path / "a.docx")


def test_long_tables_show_their_beginning(run: aj.Run) -> None:
    assert repr(run.marks()).splitlines()[-1] == "... and 202 more rows"
    assert len(run.marks()[:2]) == 2


def test_a_notebook_has_a_bar_that_needs_no_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    updates: list[dict[str, str]] = []

    class Handle:
        def update(self, content: dict[str, str], raw: bool) -> None:
            updates.append(content)

    import IPython.display

    def display(content: dict[str, str], raw: bool, display_id: bool) -> Handle:
        updates.append(content)
        return Handle()

    monkeypatch.setattr(IPython.display, "display", display)
    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    with progress.progress_for(quiet=False) as bar:
        bar("scoring", 64, 100)
        bar("scoring", 65, 100)
    assert updates[0]["text/html"] == '<progress value="64" max="100"></progress> scoring, 64 of 100'
    assert updates[-1] == {"text/html": "", "text/plain": ""}
    assert isinstance(progress.bar_for(True, ""), progress.NoBar)
