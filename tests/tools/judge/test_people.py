"""People as the judge: labels become typed answers, item by item, and runs name the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from chat_server import ChatServer, chat
from msgspec import Meta, Struct

from adjudge.cli.main import main
from adjudge.core.ask import NO_LABEL, About, Labelled, Question, YesNo
from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.mark import Mark, Score, Unlabelled
from adjudge.core.record import Key
from adjudge.suites.service import suite
from adjudge.tools.judge.people import LabelFile, PeopleAnswerer

HEAD = "case,arm,trial,metric,turn,at,field,label,rater,why"
VISIT = Key("v1", "a")


class Part(Struct, frozen=True):
    name: str
    relation: Literal["entail", "neutral", "contradict"]


class Pair(Struct, frozen=True):
    earlier: int
    later: int


class Verdict(Struct, frozen=True):
    reasoning: str
    kind: Literal["information", "politeness"]
    points: Annotated[int, Meta(ge=1, le=4)]
    extra: Annotated[int, Meta(ge=1, le=4)] | None
    learned: str | None
    sure: bool
    parts: tuple[Part, ...]


class Answer(Struct, frozen=True):
    first: Verdict
    pairs: tuple[Pair, ...]


ABOUT = (
    About("first.kind", VISIT, "2", "Hello."),
    About("first.points", VISIT, "2", "Hello.", "quality"),
    About("first.extra", VISIT, "2", "Hello.", "extra"),
    About("first.learned", VISIT, "2", "Hello.", "learned"),
    About("first.sure", VISIT, "2", "Hello.", "sure"),
    About("first.parts.relation", VISIT, "2", "Hello.", "parts"),
    About("first.parts.relation", VISIT, "2", "Hello.", "verdict"),
    About("pairs", VISIT, "4", label="clash"),
    About("pairs", VISIT, "6", label="clash"),
)


def label_file(folder: Path, *rows: str) -> LabelFile:
    path = folder / "labels.csv"
    path.write_text("\n".join([HEAD, *rows]) + "\n", "utf-8")
    return LabelFile(path)


def answer_of(labels: LabelFile, about: Sequence[About] = ABOUT, kind: Any = Answer) -> Any:
    question = Question("?", kind, about=tuple(about))
    people = PeopleAnswerer(labels)
    people.ask([question])
    ((asked, reply),) = people.wait()
    assert asked is question
    assert reply.usage.calls == 0
    return reply.answer


def hello(field: str, label: object, rater: str = "ann", why: str = "") -> str:
    return f"v1,a,,,2,Hello.,{field},{label},{rater},{why}"


def test_every_type_of_field_is_answered(tmp_path: Path) -> None:
    labels = label_file(
        tmp_path,
        hello("kind", "Information", why="a fact"),
        "v1,a,,quality,2,Hello.,,3,ann,good enough",
        hello("extra", "none"),
        hello("learned", "a fever"),
        hello("sure", "yes"),
        hello("parts.tobacco", "contradict", why="never smoked"),
        hello("parts.age", "entail"),
        "v1,a,,clash,4,,,0,ann,",
        "v1,a,,clash,6.0,,,1,ann,against turn 2",
    )
    answer = answer_of(labels)
    first = answer.first
    assert (first.kind, first.points, first.extra, first.learned, first.sure) == (
        "information",
        3.0,
        None,
        "a fever",
        True,
    )
    assert first.reasoning == "a fact; good enough; never smoked"
    assert [(part.key, part.value) for part in first.parts] == [("tobacco", "contradict"), ("age", "entail")]
    assert [(pair.about.turn, pair.value, pair.why) for pair in answer.pairs] == [
        ("4", False, ""),
        ("6", True, "against turn 2"),
    ]


def test_what_nobody_labelled_is_marked_field_by_field(tmp_path: Path) -> None:
    answer = answer_of(label_file(tmp_path, hello("kind", "politeness")))
    first = answer.first
    assert first.kind == "politeness"
    assert {first.points, first.extra, first.learned, first.sure} == {NO_LABEL}
    assert {element.value for element in (*first.parts, *answer.pairs)} == {NO_LABEL}


def test_a_list_may_be_labelled_as_a_whole_under_another_name(tmp_path: Path) -> None:
    answer = answer_of(label_file(tmp_path, "v1,a,,verdict,2,Hello.,,neutral,ann,"))
    given = [part for part in answer.first.parts if part.value is not NO_LABEL]
    assert [(part.key, part.value, part.about.label) for part in given] == [("", "neutral", "verdict")]


def test_labels_of_elements_go_before_a_label_of_the_whole(tmp_path: Path) -> None:
    labels = label_file(tmp_path, "v1,a,,verdict,2,Hello.,,neutral,ann,", hello("parts.age", "entail"))
    given = [part for part in answer_of(labels).first.parts if part.value is not NO_LABEL]
    assert [(part.key, part.value) for part in given] == [("age", "entail")]


@pytest.mark.parametrize(
    ("field", "labels", "expected"),
    [
        ("points", ("4", "1", "2"), 7 / 3),
        ("kind", ("information", "politeness", "information"), "information"),
        ("kind", ("information", "politeness"), NO_LABEL),
        ("extra", ("none", "none", "3"), None),
        ("extra", ("none", "2", "3"), 2.5),
        ("extra", ("none", "3"), NO_LABEL),
        ("learned", ("0", "0", "a fever"), None),
        ("learned", ("0", "a fever", "fever"), "a fever"),
        ("sure", ("1", "0", "yes"), True),
        ("sure", ("true", "no"), NO_LABEL),
    ],
)
def test_several_raters_combine_by_mean_or_majority(
    tmp_path: Path, field: str, labels: Sequence[str], expected: object
) -> None:
    name = "quality" if field == "points" else field
    rows = [hello(name, label, rater=f"rater {number}") for number, label in enumerate(labels)]
    value = getattr(answer_of(label_file(tmp_path, *rows)).first, field)
    assert value == (pytest.approx(expected) if isinstance(expected, float) else expected)


def test_a_label_of_told_or_not_takes_the_reason_as_what_was_told(tmp_path: Path) -> None:
    assert answer_of(label_file(tmp_path, hello("learned", 1, why="a fever"))).first.learned == "a fever"
    assert answer_of(label_file(tmp_path, hello("learned", 1))).first.learned == "labelled as told"


def test_reasons_of_several_raters_are_told_apart(tmp_path: Path) -> None:
    labels = label_file(tmp_path, hello("kind", "politeness", "ann", "a greeting"), hello("kind", "politeness", "ben"))
    assert answer_of(labels).first.reasoning == "ann: a greeting"


def test_yes_or_no_is_the_share_of_raters_who_say_yes(tmp_path: Path) -> None:
    labels = label_file(tmp_path, "v1,a,,fit,,,,yes,ann,", "v1,a,,fit,,,,0,ben,")
    assert answer_of(labels, [About("yes", VISIT, label="fit")], YesNo) == YesNo(0.5)


def test_a_question_that_says_nothing_about_itself_stays_unanswered(tmp_path: Path) -> None:
    answer = answer_of(label_file(tmp_path, hello("kind", "politeness")), ())
    assert isinstance(answer, Unanswered)
    assert answer.status == "no_label"


def test_labels_of_other_records_and_places_do_not_count(tmp_path: Path) -> None:
    labels = label_file(
        tmp_path,
        "v2,a,,,2,Hello.,kind,politeness,ann,",
        "v1,b,,,2,Hello.,kind,politeness,ann,",
        "v1,a,1,,2,Hello.,kind,politeness,ann,",
        "v1,a,,,4,Hello.,kind,politeness,ann,",
        "v1,a,,,2,Goodbye.,kind,politeness,ann,",
        "v1,a,,quality,,,,4,ann,the whole conversation",
    )
    answer = answer_of(labels)
    assert (answer.first.kind, answer.first.points) == (NO_LABEL, NO_LABEL)


@pytest.mark.parametrize("row", ["v1,,,,2,Hello.,kind,politeness,,", "v1,a,0,,,Hello.,kind,politeness,,"])
def test_arm_trial_and_turn_may_be_left_out(tmp_path: Path, row: str) -> None:
    assert answer_of(label_file(tmp_path, row)).first.kind == "politeness"


def test_a_label_that_fits_two_things_is_refused_with_the_column_that_helps(tmp_path: Path) -> None:
    labels = label_file(tmp_path, "v1,,,,2,Hello.,kind,politeness,,")
    answer_of(labels)
    with pytest.raises(BadInput, match=r"labels.csv:2: .* is about several things; tell them apart in the column arm"):
        answer_of(labels, [About("first.kind", Key("v1", "b"), "2", "Hello.")])


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (hello("quality", 5), "labels.csv:2: label: found '5' for quality; expected a number from 1 to 4"),
        (hello("quality", "good"), "found 'good' for quality; expected a number from 1 to 4"),
        (hello("extra", "0"), "found '0' for extra; expected a number from 1 to 4 or none"),
        (hello("kind", "small talk"), "found 'small talk' for kind; expected one of information, politeness"),
        (hello("parts.age", "1"), "found '1' for parts.age; expected one of contradict, entail, neutral"),
        (hello("sure", "0.5"), "found '0.5' for sure; expected 1 or 0, yes or no"),
    ],
)
def test_a_label_that_does_not_fit_is_named_with_its_line(tmp_path: Path, row: str, fault: str) -> None:
    with pytest.raises(BadInput) as refused:
        answer_of(label_file(tmp_path, row))
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ((hello("kind", "politeness"), hello("kind", "information")), "labels.csv:3: rater 'ann' labelled case 'v1'"),
        (("v1,a,,,2,Hello.,,politeness,ann,",), "labels.csv:2: metric: empty"),
        ((",a,,quality,2,Hello.,,4,ann,",), "labels.csv:2: case: empty"),
    ],
)
def test_a_file_with_faults_is_refused_when_it_is_opened(tmp_path: Path, rows: Sequence[str], fault: str) -> None:
    with pytest.raises(BadInput) as refused:
        label_file(tmp_path, *rows)
    assert fault in str(refused.value)


def test_items_without_a_label_are_counted_and_have_no_value() -> None:
    score = Score.of_labelled([Mark(1.0), Unlabelled("age"), Mark(0.0), Unlabelled()])
    assert (score.value, score.n, score.unlabelled) == (0.5, 2, 2)
    nothing = Score.of_labelled([Unlabelled(), Unlabelled()])
    assert nothing.skipped is not None
    assert (nothing.skipped.status, nothing.unlabelled, nothing.value) == ("no_label", 2, None)
    assert Score.of_labelled([]) == Score()


def test_an_element_of_a_list_says_what_it_is_about() -> None:
    assert Labelled(ABOUT[0], NO_LABEL).key == ""


# Whole runs, on the service suite


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first two dialogues of the sample, with labels of some of their replies."""
    monkeypatch.chdir(tmp_path)
    lines = suite.sample.read_text("utf-8").splitlines()[:2]
    (tmp_path / "two.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    write_labels("labels.csv", 4)
    return tmp_path / "two.jsonl"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("ADJUDGE_JUDGE_KEY", "sk-planted-9876543210")
    quality = {"correctness": 2, "completeness": 2, "clarity": 2, "policy_adherence": 2, "overall": 2}
    started = ChatServer()
    started.script = lambda body, number: chat(json.dumps({"reasoning": "hm", **quality}))
    yield started
    started.stop()


def dialogues() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("two.jsonl").read_text("utf-8").splitlines()]


def write_labels(name: str, points: int) -> None:
    """Labels of the quality of each dialogue's first reply by two raters."""
    rows = [HEAD]
    for dialogue in dialogues():
        case, arm = dialogue.get("case") or dialogue["id"], dialogue.get("arm", "")
        turn = dialogue["turns"][0]["id"]
        rows += [f"{case},{arm},,response_quality,{turn},,,{points + off},{rater},so" for rater, off in RATERS]
    Path(name).write_text("\n".join(rows) + "\n", "utf-8")


RATERS = (("ann", 0), ("ben", 1))


def score(*options: str, run: str = "run") -> int:
    command = ["score", "service", "two.jsonl", "-o", run, "--only", "response_quality,response_clarity", "-q"]
    return main([*command, *options])


def scores(run: str = "run") -> list[dict[str, Any]]:
    return [json.loads(line)["scores"] for line in Path(run, "scores.jsonl").read_text("utf-8").splitlines()]


def test_a_run_judged_by_people_needs_no_network_and_names_the_file(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score("--judge", "labels:labels.csv") == 0
    manifest = json.loads(Path("run/run.json").read_text("utf-8"))
    assert manifest["tools"]["judge"].startswith("labels (labels.csv, sha256 ")
    assert manifest["tools"]["judge"].endswith(", raters ann, ben)")
    assert manifest["usage"] == {}
    for row in scores():
        assert [mark["value"] for mark in row["response_quality"]["marks"]] == [4.5]
        assert row["response_quality"]["unlabelled"] > 0
        assert row["response_clarity"]["skipped"]["status"] == "no_label"
    assert not Path("run/answers.sqlite").exists()
    assert main(["report", "run", "--verbose"]) == 0
    shown = capsys.readouterr().out
    assert "judged by labels (labels.csv, sha256 " in shown
    assert "response_quality: " in shown
    assert "without a label" in shown


def test_labels_of_turns_that_do_not_exist_are_warned_of_with_their_place(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = dialogues()[0].get("case") or dialogues()[0]["id"]
    with Path("labels.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"{case},,,response_quality,{turn},,,4,eve,\n" for turn in (97, "98.0", "x", 99))
        file.write(f"{case},,,goal_success,97,,,4,eve,\n")  # Nobody asks about this one.
    options = ["--only", "response_quality", "--judge", "labels:labels.csv"]
    assert main(["score", "service", "two.jsonl", "-o", "run", *options]) == 0
    warning = next(
        line for line in json.loads(Path("run/run.json").read_bytes())["coverage"]["warnings"] if "turns" in line
    )
    assert warning.startswith("labels.csv: 4 labels are of turns or items that the run does not have, and not used (")
    assert f"labels.csv:6: case '{case}'" in warning
    assert "turn '97'" in warning
    assert "; and 1 more); check `turn` and `at`" in warning
    assert "4 labels are of turns or items" in capsys.readouterr().out.replace("\n", " ")


def test_labels_that_all_fit_are_not_warned_of(sample: Path) -> None:
    assert score("--judge", "labels:labels.csv") == 0
    assert "labels are of" not in Path("run/run.json").read_text("utf-8")


def test_a_run_judged_by_people_goes_on_and_other_labels_are_another_run(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("adjudge.toml").write_text('judge = "labels:labels.csv"\n', "utf-8")
    assert score() == 0
    lines = Path("run/scores.jsonl").read_text("utf-8").splitlines(keepends=True)
    Path("run/scores.jsonl").write_text(lines[0], "utf-8")
    manifest = json.loads(Path("run/run.json").read_text("utf-8"))
    Path("run/run.json").write_text(json.dumps({**manifest, "status": "running"}), "utf-8")
    assert score() == 0
    assert Path("run/scores.jsonl").read_text("utf-8") == "".join(lines)
    write_labels("labels.csv", 2)
    assert score() == 2
    assert "judge" in capsys.readouterr().err


def test_people_and_a_model_are_a_panel(sample: Path, server: ChatServer) -> None:
    options = ["--judge", "labels:labels.csv", "--judge", "small", "--judge-url", server.url]
    assert score(*options) == 0
    row = scores()[0]["response_quality"]
    assert row["marks"][0]["value"] == pytest.approx((4.5 + 2) / 2)
    assert [mark["value"] for mark in row["marks"][1:]] == [2.0] * (len(row["marks"]) - 1)
    assert row["draws"]["labels (labels.csv)"][1:] == [None] * (len(row["marks"]) - 1)
    assert scores()[0]["response_clarity"]["missing"]["labels (labels.csv)"]["status"] == "no_label"
    manifest = json.loads(Path("run/run.json").read_text("utf-8"))
    assert manifest["tools"]["judge"].startswith("labels (labels.csv, ")
    assert manifest["tools"]["judge"].endswith(f", small at {server.url}")


def test_runs_judged_by_different_labels_are_not_compared(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_labels("others.csv", 3)
    assert score("--judge", "labels:labels.csv", run="one") == 0
    assert score("--judge", "labels:others.csv", run="two") == 0
    assert main(["compare", "one", "two"]) == 2
    assert "judge" in capsys.readouterr().err


def test_a_model_is_calibrated_against_the_same_file(
    sample: Path, server: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score("--judge", "small", "--judge-url", server.url) == 0
    assert main(["calibrate", "run", "--labels", "labels.csv"]) == 0
    assert "response_quality" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--judge", "labels:nothing.csv"), "nothing.csv: no such file"),
        (("--judge", "labels:two.jsonl"), "two.jsonl: column 'turns'; did you mean 'turn'?"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_before_anything_is_scored(
    sample: Path, capsys: pytest.CaptureFixture[str], options: Sequence[str], fault: str
) -> None:
    assert score(*options) == 2
    assert fault in capsys.readouterr().err
    assert not Path("run").exists()


def test_entailment_and_canaries_are_not_asked_of_people(sample: Path) -> None:
    assert score("--judge", "labels:labels.csv", "--canaries") == 0
    assert json.loads(Path("run/run.json").read_text("utf-8"))["canaries"] == {}


def test_what_people_cost_is_said_to_be_nothing(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("adjudge.toml").write_text('judge = "labels:labels.csv"\n', "utf-8")
    assert score("--estimate") == 0
    assert "people are the judge; nothing would be sent" in capsys.readouterr().out
    assert main(["doctor"]) == 0
    assert "judge: labels (labels.csv, sha256 " in capsys.readouterr().out


def test_labels_of_an_arm_that_is_not_there_are_remarked(sample: Path) -> None:
    labels = Path("labels.csv")
    labels.write_text(labels.read_text("utf-8").replace("five-agents", "five-agent"), "utf-8")
    assert score("--judge", "labels:labels.csv") == 0
    warnings = json.loads(Path("run/run.json").read_text("utf-8"))["coverage"]["warnings"]
    expected = "labels.csv: 2 labels of arm 'five-agent', which the data does not have; did you mean 'five-agents'?"
    assert expected in warnings


def test_labels_of_cases_that_are_not_there_are_remarked_once(sample: Path) -> None:
    labels = Path("labels.csv")
    labels.write_text(
        labels.read_text("utf-8") + "s1,,,response_quality,0,,,4,,\nx,,,response_quality,0,,,4,,\n", "utf-8"
    )
    assert score("--judge", "labels:labels.csv") == 0
    warnings = json.loads(Path("run/run.json").read_text("utf-8"))["coverage"]["warnings"]
    expected = "labels.csv: 2 labels are of cases that the data does not have ('s1', 'x'); did you mean 's01'?"
    assert expected in warnings


def test_labels_of_metrics_that_are_not_there_are_remarked(sample: Path) -> None:
    labels = Path("labels.csv")
    text = labels.read_text("utf-8")
    labels.write_text(text + "s01,,,response_qualty,0,,,4,,\ns01,,,inform,,,,1,,\n", "utf-8")
    assert score("--judge", "labels:labels.csv") == 0
    warnings = json.loads(Path("run/run.json").read_text("utf-8"))["coverage"]["warnings"]
    expected = "labels.csv: 1 label is of metrics that the suite does not have ('response_qualty'); did you mean"
    assert [line.partition(" 'response_quality'?")[0] for line in warnings] == [expected]


def test_a_judge_of_labels_needs_a_file(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert score("--judge", "labels:") == 2
    assert "--judge labels:: no file is named; expected labels:FILE" in capsys.readouterr().err
