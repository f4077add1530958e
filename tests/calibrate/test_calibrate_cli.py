"""`adjudge calibrate` as a user runs it: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from labelled_runs import QUALITY, RIGHT, of_marks, write_labels, write_run

from adjudge.cli.main import main
from adjudge.run import Run

Command = Callable[..., tuple[int, str, str]]

HOSTILE = "<script>alert(1)</script> | `x` \x1b[31m [red]"
FORMULA = "=cmd()"


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `adjudge calibrate`: exit code, output, errors."""
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(["calibrate", *map(str, arguments)])
        except SystemExit as left:
            code = int(left.code or 0)
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    judge = [5, 4, 4, 3, 2, 5, 1, 3, 4, 2, 5, 3, 4, 1]
    return write_run(tmp_path / "run", [of_marks(f"c{n}", [value]) for n, value in enumerate(judge)], QUALITY)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    people = [5, 4, 3, 3, 2, 4, 1, 3, 4, 2, 4]
    rows = [{"case": f"c{n}", "metric": "quality", "turn": 0, "label": label} for n, label in enumerate(people)]
    return write_labels(tmp_path / "labels.csv", rows)


def test_the_answer_comes_first_in_one_sentence(command: Command, run: Run, labels: Path) -> None:
    code, out, err = command(run.folder, "--labels", labels)
    assert (code, err) == (0, "")
    first = out.splitlines()[0]
    assert first.startswith("quality: the judge agrees with people on 72.7 % of 11 marks (Cohen's kappa 0.653 [")
    assert "], substantial); the corrected value is " in first
    assert first.endswith(", the judge alone gives 3.286")


def test_all_that_belongs_to_it_follows_in_order(command: Command, run: Run, labels: Path) -> None:
    _, out, _ = command(run.folder, "--labels", labels)
    titles = [
        "quality by mark",
        "11 of 14 marks labelled, 11 labels by 1 rater.",
        "Agreement on labels",
        "Confusion (rows: people, columns: the judge)",
        "In numbers (the judge minus people)",
        "Bias by length and turn",
        "Corrected value",
        "are valid only if the labelled marks are a random sample of all",
        "Landis & Koch (1977), a convention and not a test",
    ]
    places = [out.index(title) for title in titles]
    assert places == sorted(places)


def test_a_metric_without_a_judge_is_called_a_metric(command: Command, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [of_marks(f"c{n}", [n % 2], "right") for n in range(4)], RIGHT)
    path = write_labels(tmp_path / "labels.csv", [{"case": f"c{n}", "label": "yes"} for n in range(3)])
    _, out, _ = command(run.folder, "--labels", path, "--metric", "right")
    assert out.startswith("right: the metric agrees with people on 33.3 % of 3 conversations")


def test_labels_without_a_match_are_counted_and_listed(command: Command, run: Run, labels: Path) -> None:
    with labels.open("a") as file:
        file.writelines(f"d{n},quality,0,3\n" for n in range(25))
        file.write("c8,quality,0,\n")
    code, out, _ = command(run.folder, "--labels", labels)
    assert code == 0
    assert "25 labels without a match, listed below\n1 row without a label\n" in out
    assert f"{labels}:13: quality, case 'd0', turn '0': no case 'd0'" in out
    assert "... and 5 more; .json and .csv have all" in out
    target = labels.with_name("all.json")
    assert command(run.folder, "--labels", labels, "-o", target)[0] == 0
    assert len(json.loads(target.read_text())["unmatched"]) == 25


def test_files_are_written_by_their_ending(command: Command, run: Run, labels: Path, tmp_path: Path) -> None:
    targets = [tmp_path / f"out/calibration.{ending}" for ending in ("md", "csv", "json")]
    code, out, _ = command(run.folder, "--labels", labels, *(part for target in targets for part in ("-o", target)))
    assert (code, out.splitlines()) == (0, [f"wrote {target}" for target in targets])
    page = targets[0].read_text()
    assert "- quality: the judge agrees with people on 72.7 % of 11 marks" in page
    assert "### Corrected value\n\n| arm | corrected | 95 % interval |" in page
    with targets[1].open(newline="") as file:
        lines = list(csv.DictReader(file))
    (kappa,) = [line for line in lines if line["name"] == "Cohen's kappa"]
    assert (kappa["metric"], kappa["part"], kappa["n"], kappa["word"]) == ("quality", "agreement", "11", "substantial")
    assert json.loads(targets[2].read_text())["calibrations"][0]["metric"] == "quality"


@pytest.mark.parametrize("ending", ["md", "csv", "json"])
def test_the_same_run_gives_the_same_bytes(
    command: Command, run: Run, labels: Path, tmp_path: Path, ending: str
) -> None:
    first, second = tmp_path / f"first.{ending}", tmp_path / f"second.{ending}"
    command(run.folder, "--labels", labels, "-o", first, "-o", second)
    assert first.read_bytes() == second.read_bytes()


def test_text_from_labels_is_shown_as_text(command: Command, run: Run, labels: Path, tmp_path: Path) -> None:
    with labels.open("a", newline="") as file:
        csv.writer(file).writerows([[HOSTILE, "quality", 0, 3], [FORMULA, "quality", 0, 3]])
    page, sheet = tmp_path / "c.md", tmp_path / "c.csv"
    assert command(run.folder, "--labels", labels, "-o", page, "-o", sheet)[0] == 0
    _, out, _ = command(run.folder, "--labels", labels)
    assert "\x1b" not in out
    assert "[red]" in out
    assert "<script>" not in page.read_text()
    with sheet.open(newline="") as file:
        cells = [cell for line in csv.reader(file) for cell in line]
    assert not [cell for cell in cells if cell.startswith("=")]


def test_an_unfinished_run_says_so(command: Command, tmp_path: Path, labels: Path) -> None:
    run = write_run(tmp_path / "half", [of_marks(f"c{n}", [3]) for n in range(7)], QUALITY, status="running")
    assert "the run is not finished" in command(run.folder, "--labels", labels)[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--metric", "qualty"), "--metric: no metric 'qualty' in the run; did you mean 'quality'?"),
        (("-o", "c.pdf"), "c.pdf: no format '.pdf'; expected a name that ends in .html, .json, .md or .csv"),
        (("--delimiter", ";;"), "--delimiter ';;': expected one character"),
        (("--encoding", "klingon"), "--encoding 'klingon': not a text encoding"),
    ],
)
def test_bad_arguments_are_refused(
    command: Command, run: Run, labels: Path, options: tuple[str, ...], message: str
) -> None:
    code, out, err = command(run.folder, "--labels", labels, *options)
    assert (code, out) == (2, "")
    assert message in err


def test_bad_labels_are_refused(command: Command, run: Run, tmp_path: Path) -> None:
    path = write_labels(tmp_path / "labels.csv", [{"case": "c1", "metric": "quality", "label": "splendid"}])
    code, _, err = command(run.folder, "--labels", path)
    assert code == 2
    assert err == (
        f"adjudge calibrate: {path}:2: label: found 'splendid'; quality expects a number from 1 to 5, "
        "or one of poor, weak, fair, good\n"
    )


def test_the_files_of_the_run_are_not_overwritten(command: Command, run: Run, labels: Path) -> None:
    code, _, err = command(run.folder, "--labels", labels, "-o", run.folder / "run.json")
    assert code == 2
    assert "belongs to the run itself" in err


def test_numbers_that_are_no_labels_have_a_sentence_of_their_own(command: Command, tmp_path: Path) -> None:
    rows = [of_marks(f"c{n}", [1 + n / 10]) for n in range(30)]
    run = write_run(tmp_path / "run", rows, QUALITY)
    path = write_labels(tmp_path / "labels.csv", [{"case": f"c{n}", "label": 1.2 + n / 10} for n in range(25)])
    _, out, _ = command(run.folder, "--labels", path, "--metric", "quality")
    assert out.startswith(
        "quality: the judge is off by 0.200 (conversations do not differ: no interval) on average "
        "over 25 conversations (Spearman's rho 1.000"
    )


def test_words_have_agreement_and_no_corrected_value(command: Command, run: Run, tmp_path: Path) -> None:
    path = write_labels(tmp_path / "labels.csv", [{"case": f"c{n}", "label": "good"} for n in range(5)])
    _, out, _ = command(run.folder, "--labels", path, "--metric", "quality")
    assert "there is no corrected value: labels are words, which have no mean" in out.splitlines()[0]


def test_labels_that_are_no_random_part_are_said_in_every_format(command: Command, tmp_path: Path) -> None:
    rows = [of_marks(f"c{n}", [float(n < 30)], "right") for n in range(36)]
    run = write_run(tmp_path / "run", rows, RIGHT)
    path = write_labels(tmp_path / "labels.csv", [{"case": f"c{n}", "turn": 0, "label": "yes"} for n in range(30)])
    why = "the labelled items are not a random sample (the metric says 1.000 there and 0.000 elsewhere)"
    _, out, _ = command(run.folder, "--labels", path, "--metric", "right")
    assert out.splitlines()[0].endswith(f"; no corrected value: {why}; the metric alone gives 0.833")
    assert "Weight given to" not in out
    for ending in ("md", "csv", "json"):
        target = tmp_path / f"c.{ending}"
        command(run.folder, "--labels", path, "--metric", "right", "-o", target)
        assert "are not a random sample" in target.read_text()


def test_an_arm_with_few_labels_is_named_beside_the_others(command: Command, tmp_path: Path) -> None:
    rows = [of_marks(f"c{n}", [n % 2], "right", arm) for n in range(20) for arm in "ab"]
    run = write_run(tmp_path / "run", rows, RIGHT)
    said = [{"case": f"c{n}", "arm": arm, "label": n % 2} for arm, size in (("a", 12), ("b", 1)) for n in range(size)]
    path = write_labels(tmp_path / "labels.csv", said)
    first = command(run.folder, "--labels", path, "--metric", "right")[1].splitlines()[0]
    assert first.endswith("none for b (0.500); b: needs at least 10 labelled conversations, found 1")


def test_one_of_a_kind_is_said_in_the_singular(command: Command, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [of_marks("c0", [1], "right")], RIGHT, QUALITY)
    said = [
        {"case": "c0", "turn": 0, "metric": metric, "label": label, "rater": rater, "note": ""}
        for metric, label, rater in (("right", 1, "ann"), ("right", 0, "bob"), ("quality", 4, "ann"))
    ]
    path = write_labels(tmp_path / "labels.csv", said)
    _, out, _ = command(run.folder, "--labels", path, "--metric", "right")
    assert "1 of 1 mark labelled, 2 labels by 2 raters; " in out
    assert "left out of agreement: 1 without a most frequent label." in out
    assert "left out: 1 label of 'quality'\ncolumn not read: note\n" in out
