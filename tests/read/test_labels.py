"""Labels as they are read: columns, cells, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudge.core.errors import BadInput
from adjudge.read.labels import Label, Layout, by_metric, read_labels

TABLE = """\
case,arm,trial,metric,turn,at,label,rater
s1,a,0,quality,2,,4,ann
s1,a,0,quality,2,,good,bob
s2,a,,right,,,yes,
"""


def write(folder: Path, text: str, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def refused(folder: Path, text: str, name: str = "labels.csv", layout: Layout | None = None) -> str:
    with pytest.raises(BadInput) as error:
        read_labels(write(folder, text, name), layout or Layout())
    return str(error.value)


def test_a_row_is_a_label(tmp_path: Path) -> None:
    path = write(tmp_path, TABLE)
    first, second, third = read_labels(path).entries
    assert first == Label(
        where=f"{path}:2", case="s1", metric="quality", label=4.0, arm="a", trial=0, turn="2", rater="ann"
    )
    assert second.label == "good"
    assert (third.label, third.trial, third.turn, third.rater) == ("yes", None, "", "")


@pytest.mark.parametrize("name", ["labels.json", "labels.jsonl"])
def test_objects_read_as_the_table_does(tmp_path: Path, name: str) -> None:
    header, *lines = TABLE.splitlines()
    rows: list[dict[str, object]] = [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]
    rows[0] |= {"trial": 0, "turn": 2, "label": 4, "at": None}
    text = json.dumps(rows, indent=1) if name.endswith("json") else "\n".join(map(json.dumps, rows))
    results = read_labels(write(tmp_path, text, name)).entries
    expected = read_labels(write(tmp_path, TABLE)).entries
    assert [repr(item).partition("case=")[2] for item in results] == [
        repr(item).partition("case=")[2] for item in expected
    ]


def test_true_and_false_are_numbers_in_json(tmp_path: Path) -> None:
    text = '{"case": "s1", "metric": "right", "label": true}\n{"case": "s2", "metric": "right", "label": false}\n'
    assert [item.label for item in read_labels(write(tmp_path, text, "labels.jsonl")).entries] == [1.0, 0.0]


def test_one_metric_may_stand_for_all(tmp_path: Path) -> None:
    result = read_labels(write(tmp_path, "case,label\ns1,1\n"), Layout(metric="right"))
    assert [item.metric for item in result.entries] == ["right"]


def test_labels_of_other_metrics_and_blank_ones_are_counted(tmp_path: Path) -> None:
    result = read_labels(write(tmp_path, TABLE + "s3,a,,right,,,,ann\n"), Layout(metric="right"))
    assert ([item.case for item in result.entries], result.others, result.blank) == (["s2"], {"quality": 2}, 1)


def test_where_all_labels_are_of_other_metrics_it_is_said_of_which(tmp_path: Path) -> None:
    message = refused(tmp_path, TABLE, layout=Layout(metric="success"))
    assert message.endswith(
        "no label of 'success'; found 2 labels of 'quality', 1 label of 'right'; name another --metric, or none"
    )


def test_of_many_other_metrics_those_with_most_labels_are_named() -> None:
    counts = {f"m{number}": number for number in range(1, 8)}
    assert by_metric(counts).startswith("7 labels of 'm7', 6 labels of 'm6', ")
    assert by_metric(counts).endswith("3 labels of 'm3', and those of 2 more")


def test_columns_that_are_not_read_are_named(tmp_path: Path) -> None:
    result = read_labels(write(tmp_path, "case,metric,label,date,comment\ns1,right,1,May,hm\n"))
    assert result.unused == ("date", "comment")


def test_whole_numbers_of_data_frames_are_whole_numbers(tmp_path: Path) -> None:
    (result,) = read_labels(write(tmp_path, "case,metric,trial,label\ns1,right,2.0,1.0\n")).entries
    assert (result.trial, result.label) == (2, 1.0)


@pytest.mark.parametrize("name", ["turns", "Turn", " turn", "turn_id", "Turn number"])
def test_a_column_by_another_spelling_is_refused(tmp_path: Path, name: str) -> None:
    message = refused(tmp_path, f"case,metric,{name},label\ns1,right,0,1\n")
    assert f"column {name!r}; did you mean 'turn'?" in message


def test_missing_columns_are_named(tmp_path: Path) -> None:
    assert "no column 'label'" in refused(tmp_path, "case,metric,verdict\ns1,right,1\n")
    message = refused(tmp_path, "case,label\ns1,1\n")
    assert message.endswith("no column 'metric'; add it, or name one metric for all labels with --metric")
    assert "no field 'label'; found 'case', 'metric', 'score'" in refused(
        tmp_path, '{"case": "s1", "metric": "right", "score": 1}\n', "labels.jsonl"
    )


def test_another_delimiter_is_recognised_and_taken(tmp_path: Path) -> None:
    text = "case;metric;label\ns1;right;1\n"
    assert "give --delimiter ';'" in refused(tmp_path, text)
    assert len(read_labels(write(tmp_path, text), Layout(delimiter=";")).entries) == 1


def test_all_faults_are_listed_with_their_place(tmp_path: Path) -> None:
    text = "case,metric,trial,label\n,right,,1\ns1,,,1\ns1,right,second,1\ns1,right,0,1\n"
    path = tmp_path / "labels.csv"
    assert refused(tmp_path, text).splitlines() == [
        f"{path}:2: case: empty; expected the case that was labelled",
        f"{path}:3: metric: empty; expected a metric's name, or one for all labels with --metric",
        f"{path}:4: trial: found 'second'; expected a whole number from 0",
    ]


def test_broken_objects_are_refused(tmp_path: Path) -> None:
    good = '{"case": "s1", "metric": "right", "label": 1}\n'
    assert "expected an object" in refused(tmp_path, good + "[1]\n", "labels.jsonl")
    nested = refused(tmp_path, good + '{"case": "s2", "metric": "right", "label": [1]}\n', "labels.jsonl")
    assert nested.endswith("labels.jsonl:2: label: found a list; expected a number or text")


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"labels\.csv"):
        read_labels(tmp_path / "labels.csv")
