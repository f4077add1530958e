"""Runs that keep the worst conversations or tallies only have the same tables as runs that keep everything."""

from __future__ import annotations

import gzip
import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.api.runs import Run
from adjudge.cli.main import main
from adjudge.compare.sheet import Sheet
from adjudge.compare.unnamed import open_sheet
from adjudge.core.errors import BadInput
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.run.chunk import rows_of
from adjudge.run.columns import encode_rows, read_chunks
from adjudge.run.keep import Keep
from adjudge.run.summary import SummaryRow
from adjudge.stats.cases import Undefined, UnpairedCases
from adjudge.stats.difference import pivot_of
from examples import few_examples
from kept import SUITES, SampleRuns, keep_part, score_sample

QUICKLY = few_examples()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> SampleRuns:
    """The sample of every suite, kept in every way."""

    def make(runs: SampleRuns, suite: str, keep: str, folder: Path) -> Run:
        return score_sample(suite, folder) if keep == "all" else keep_part(runs[suite, "all"], folder, keep)

    return SampleRuns(tmp_path_factory.mktemp("kept"), make)


def report_of(run: Run, tmp_path: Path) -> dict[str, Any]:
    run.report(tmp_path / "report.json")
    content: dict[str, Any] = json.loads((tmp_path / "report.json").read_bytes())
    return content


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("keep", ["worst:2", "tallies"])
def test_every_way_of_keeping_gives_the_same_tables(runs: SampleRuns, suite: str, keep: str, tmp_path: Path) -> None:
    whole, lean = (report_of(runs[suite, kind], tmp_path) for kind in ("all", keep))
    tables = ("rows", "groups", "parts", "gaps", "voices", "unlabelled", "coverage")
    assert {name: lean[name] for name in tables} == {name: whole[name] for name in tables}
    facets = sorted({facet for row in runs[suite, "all"].summaries() for facet in row.facets})
    for facet in facets:
        assert list(runs[suite, keep].table(facet)) == list(runs[suite, "all"].table(facet))


@pytest.mark.parametrize("suite", SUITES)
def test_a_run_of_the_worst_compares_as_a_whole_one(runs: SampleRuns, suite: str) -> None:
    whole, lean = (aj.compare(runs[suite, kind]).comparison for kind in ("all", "worst:2"))
    assert lean.contrasts == whole.contrasts
    assert lean.rankings == whole.rankings


@pytest.mark.parametrize("suite", SUITES)
def test_a_run_of_tallies_compares_without_pairs(runs: SampleRuns, suite: str) -> None:
    whole, lean = (aj.compare(runs[suite, kind]).comparison for kind in ("all", "tallies"))
    assert [(each.metric, each.a.arm, each.b.arm) for each in lean.contrasts] == [
        (each.metric, each.a.arm, each.b.arm) for each in whole.contrasts
    ]
    assert [(each.metric, each.why) for each in lean.left_out] == [(each.metric, each.why) for each in whole.left_out]
    assert lean.rankings == lean.repeated == lean.unchecked == []
    assert not any(each.paired or each.pairs or each.same_as for each in lean.contrasts)


@pytest.mark.parametrize("suite", SUITES)
def test_a_comparison_of_tallies_is_that_of_arms_that_share_no_case(runs: SampleRuns, suite: str) -> None:
    whole, lean = Sheet([runs[suite, "all"]]), open_sheet([runs[suite, "tallies"]])
    for contrast in aj.compare(runs[suite, "tallies"], metrics="all").comparison.contrasts:
        a, b = (whole.column(contrast.metric, side.arm).unpaired_sums() for side in (contrast.a, contrast.b))
        pivot = pivot_of(UnpairedCases.of(a, b), whole.cards[contrast.metric].scale)
        kept = lean.arms_of(contrast.metric, contrast.a.arm, contrast.b.arm)
        assert (kept.a.n, kept.b.n) == (a.n, b.n)
        if not isinstance(pivot, Undefined):
            assert (contrast.low, contrast.high) == pytest.approx(pivot.limits(0.95), abs=1e-9)
            assert contrast.p == pytest.approx(pivot.p(), abs=1e-9)


def test_a_comparison_of_tallies_says_that_nothing_is_paired(
    runs: SampleRuns, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(runs["service", "tallies"].folder)]) == 0
    assert "keeps tallies, which do not name cases" in " ".join(capsys.readouterr().out.split())


def test_tallies_of_an_earlier_version_are_not_compared(tmp_path: Path) -> None:
    run = score_sample("service", tmp_path / "run", "tallies")
    tables = json.loads((run.folder / "tables.json").read_bytes())
    del tables["cases"]
    (run.folder / "tables.json").write_text(json.dumps(tables))
    with pytest.raises(BadInput, match="has no sums of cases to compare"):
        aj.compare(run)


@pytest.mark.parametrize("suite", SUITES)
def test_the_worst_conversations_are_those_of_the_whole_run(runs: SampleRuns, suite: str) -> None:
    whole, lean = runs[suite, "all"], runs[suite, "worst:2"]
    for metric, card in whole.manifest.cards.items():
        if card.better == "neither" or card.variant or card.pool == "groups":
            continue
        assert list(lean.worst(metric, 2)) == list(whole.worst(metric, 2))
    kept = [row.key for row in lean.rows()]
    assert len(kept) == len(list(lean.records())) == lean.manifest.counts["kept"] < whole.manifest.counts["records"]


def test_a_report_lists_the_worst_conversations_of_arms_in_the_same_order(runs: SampleRuns, tmp_path: Path) -> None:
    whole, lean = (report_of(runs["service", kind], tmp_path)["worst"] for kind in ("all", "worst:3"))
    assert lean == whole
    first_kept = next(iter(runs["service", "worst:1"].rows())).arm
    assert first_kept != runs["service", "all"].arms[0]
    worst_of_each = report_of(runs["service", "worst:1"], tmp_path)["worst"]
    assert list(dict.fromkeys(worst["arm"] for worst in worst_of_each)) == runs["service", "all"].arms


def test_a_changed_case_has_marks_only_where_both_arms_keep_them(runs: SampleRuns, tmp_path: Path) -> None:
    flips = []
    for kind in ("all", "worst:5"):
        target = tmp_path / "compared.json"
        assert main(["compare", str(runs["service", kind].folder), "-o", str(target), "-q"]) == 0
        flips.append(json.loads(target.read_bytes())["flips"])
    whole, lean = flips
    assert [{**flip, "marks": []} for flip in lean] == [{**flip, "marks": []} for flip in whole]
    with_marks = [(flip, full) for flip, full in zip(lean, whole, strict=True) if flip["marks"]]
    assert 0 < len(with_marks) < len([flip for flip in whole if flip["marks"]])
    assert all(flip == full for flip, full in with_marks)


def test_a_run_of_tallies_keeps_no_record(runs: SampleRuns) -> None:
    run = runs["service", "tallies"]
    assert sum((run.folder / name).stat().st_size for name in ("records.jsonl", "scores.jsonl")) == 0
    assert not (run.folder / "columns.jsonl.gz").exists()
    for read in (run.marks, run.scores, lambda: run.worst("task_completion")):
        with pytest.raises(BadInput, match="keeps tallies only"):
            read()


def test_what_is_not_kept_is_said(runs: SampleRuns, tmp_path: Path) -> None:
    for keep, words in (("worst:2", "2 worst conversations"), ("tallies", "comparisons with pairs need --keep worst")):
        runs["service", keep].report(tmp_path / "report.md", tmp_path / "report.html")
        assert words in (tmp_path / "report.md").read_text()
        assert words in (tmp_path / "report.html").read_text()


def test_an_export_says_that_marks_are_those_of_the_worst_conversations(
    runs: SampleRuns, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "the marks of the worst conversations only (--keep worst:2)"
    for keep, level, is_said in (
        ("worst:2", "marks", True),
        ("worst:2", "conversations", False),
        ("all", "marks", False),
    ):
        folder = str(runs["service", keep].folder)
        assert main(["export", folder, "--level", level, "-o", str(tmp_path / "table.csv")]) == 0
        assert (words in capsys.readouterr().out) == is_said


@pytest.mark.parametrize("keep", ["worst:2", "tallies"])
def test_calibrate_refuses_a_run_without_every_mark(
    runs: SampleRuns, keep: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = runs["service", keep]
    labels = tmp_path / "labels.csv"
    labels.write_text("metric,case,arm,label\ntask_completion,s01,one-agent,1\n")
    assert main(["calibrate", str(run.folder), "--labels", str(labels)]) == 2
    assert f"scored with --keep {keep}; score the data again with --keep all" in capsys.readouterr().err


@pytest.mark.parametrize("keep", ["worst:2", "tallies"])
def test_a_gate_on_a_lean_run_has_the_same_verdicts(runs: SampleRuns, keep: str, tmp_path: Path) -> None:
    rules = ["--rule", "joint_goal_accuracy >= 0.7", "--rule", "lower(task_completion) >= 0.5"]
    verdicts = []
    for kind in ("all", keep):
        target = tmp_path / f"{kind[:5]}.json"
        assert main(["gate", str(runs["service", kind].folder), *rules, "-o", str(target), "-q"]) == 1
        verdicts.append(
            [(v["text"], v["arm"], v["outcome"], v["value"]) for v in json.loads(target.read_text())["verdicts"]]
        )
    assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("kinds", [("tallies", "all"), ("all", "tallies"), ("tallies", "tallies")])
def test_a_gate_on_tallies_compares_with_a_baseline_without_pairs(runs: SampleRuns, kinds: tuple[str, str]) -> None:
    run, base = (runs["service", kind] for kind in kinds)
    rules = ["task_completion not worse by 0.2", "every(task_completion) >= 0"]
    gate = aj.gate(run, rules, against=f"{base.folder}:five-agents", arms="one-agent")
    difference, every = gate.verdicts
    contrast = next(
        each for each in aj.compare(runs["service", "tallies"]).comparison.contrasts if each.metric == "task_completion"
    )
    assert (contrast.a.arm, contrast.b.arm) == ("one-agent", "five-agents")
    found = (difference.value, difference.low, difference.high)
    assert found == pytest.approx((contrast.difference, contrast.low, contrast.high))
    assert (difference.n, difference.unit) == (24, "case")
    assert "24 and 24 cases, not paired" in difference.why
    assert "tallies, which do not name cases" in " ".join(gate.gate.warnings)
    assert every.outcome == ("pass" if kinds[0] == "all" else "error")


def test_another_way_of_keeping_is_a_different_run(tmp_path: Path) -> None:
    score_sample("service", tmp_path / "run", "worst")
    with pytest.raises(BadInput, match="keep was 'worst:20', now 'worst:3'"):
        score_sample("service", tmp_path / "run", "worst:3")


@pytest.mark.parametrize("keep", ["worst:2", "tallies"])
def test_a_finished_run_is_not_scored_again(keep: str, tmp_path: Path) -> None:
    first = score_sample("service", tmp_path / "run", keep)
    again = score_sample("service", tmp_path / "run", keep)
    assert again.manifest == first.manifest


@pytest.mark.parametrize("text", ["some", "worst:", "worst:0", "worst:x", "", "all:3"])
def test_other_words_for_keep_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="expected all, tallies, worst, or worst:N"):
        Keep.parse(text)


def cut_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def change_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def put_other_json(path: Path) -> None:
    path.write_bytes(gzip.compress(b'{"case": 3}\n'))


def put_a_short_column(path: Path) -> None:
    path.write_bytes(gzip.compress(b'{"case": ["a", "b"], "arm": "x", "scores": {"m": {"value": [1.0]}}}\n'))


def put_a_group_of_no_record(path: Path) -> None:
    scores = b'{"m": {"value": [1.0, 0.0], "groups": {"hotel": {"row": [2], "n": [1], "total": [1.0]}}}}'
    path.write_bytes(gzip.compress(b'{"case": ["a", "b"], "arm": "x", "scores": %s}\n' % scores))


@pytest.mark.parametrize(
    "damage", [cut_in_half, change_a_byte, put_other_json, put_a_short_column, put_a_group_of_no_record]
)
def test_a_damaged_file_of_columns_is_refused(damage: Any, tmp_path: Path) -> None:
    run = score_sample("service", tmp_path / "run", "worst")
    damage(run.folder / "columns.jsonl.gz")
    with pytest.raises(BadInput, match=r"columns\.jsonl\.gz: .*the file was changed"):
        Run(run.folder).table()


def test_columns_can_be_read_with_gzip_and_json_alone(runs: SampleRuns) -> None:
    run = runs["service", "worst:2"]
    with gzip.open(run.folder / "columns.jsonl.gz") as file:
        chunks = [json.loads(line) for line in file]
    values = []
    for chunk in chunks:
        column = chunk["scores"]["task_completion"]["value"]
        values += column if isinstance(column, list) else [column] * len(chunk["case"])
    assert values == [row.scores["task_completion"].value for row in runs["service", "all"].summaries()]


def drawn_rows(seed: int, count: int) -> list[ScoreRow]:
    """Scores with everything that a summary may have, drawn at random."""
    dice = random.Random(seed)
    groups = ("", "hotel", "taxi")
    rows = []
    for place in range(count):
        marks = [Mark(dice.random(), group=dice.choice(groups), weight=dice.choice((1.0, 2.5))) for _ in range(3)]
        score = dice.choice([Score.of(marks), Score(), Score.skip("no_tool", "no judge"), Score.of(marks[:1])])
        facets = dice.choice([{}, {"tone": "kind"}, {"tone": "rude", "length": "short"}])
        given_parts = {"gold": dice.choice("ab")} if dice.random() < 0.5 else {}
        arm = dice.choice(["x", "y"])
        rows.append(ScoreRow(f"c{place // 2}", arm, {"m": score}, place % 3, facets, given_parts))
    return rows


def values_of(rows: list[ScoreRow]) -> list[SummaryRow]:
    return msgspec.json.decode(msgspec.json.encode(rows), type=list[SummaryRow])


@QUICKLY
@given(st.integers(0, 10_000), st.lists(st.integers(0, 12), max_size=4))
def test_rows_come_back_from_columns_whatever_the_split(
    tmp_path_factory: pytest.TempPathFactory, seed: int, cuts: list[int]
) -> None:
    rows = drawn_rows(seed, 12)
    bounds = [0, *sorted(cuts), 12]
    path = tmp_path_factory.getbasetemp() / "split.gz"
    path.write_bytes(b"".join(encode_rows(rows[a:b], {}) for a, b in pairwise(bounds)))
    assert [row for chunk in read_chunks(path) for row in rows_of(chunk)] == values_of(rows)


def test_metrics_may_differ_between_rows(tmp_path: Path) -> None:
    rows = [ScoreRow("1", "a", {}), *drawn_rows(1, 2), ScoreRow("2", "a", {})]
    (tmp_path / "columns").write_bytes(encode_rows(rows, {}))
    assert [row for chunk in read_chunks(tmp_path / "columns") for row in rows_of(chunk)] == values_of(rows)


def test_what_a_run_cannot_keep_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{", "utf-8")
    assert main(["score", "service", str(broken), "-o", str(tmp_path / "run"), "--keep", "best"]) == 2
    assert "--keep best: expected all, tallies, worst" in capsys.readouterr().err
