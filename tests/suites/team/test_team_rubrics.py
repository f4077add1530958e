"""Questions of the user's own to a judge, from Markdown and TOML files."""

from __future__ import annotations

from pathlib import Path

import pytest
from team_talks import RUBRICS, Clerk, talk

from adjudge.cli.main import main
from adjudge.core.errors import BadInput
from adjudge.suites.team import suite
from adjudge.suites.team.rules.own_rubrics import OwnRubrics, metric_of, own_metrics
from adjudge.suites.team.rules.rubric_file import read_rubrics

POLITENESS = """\
---
scale: 1 to 5
per: turn
who: agents
---
# How polite is this turn?

5 is friendly throughout, 1 is rude.
"""


def write(folder: Path, text: str, name: str = "politeness.md") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_the_card_comes_from_the_file(tmp_path: Path) -> None:
    (rubric,) = read_rubrics(write(tmp_path, POLITENESS))
    card = metric_of(rubric).card
    assert (card.name, card.question, card.scale, card.unit) == (
        "politeness",
        "How polite is this turn?",
        (1.0, 5.0),
        "turn",
    )
    assert card.notes == "5 is friendly throughout, 1 is rude."
    assert card.source == f"the rubric politeness.md (sha256 {rubric.digest})"
    assert (card.needs, card.primary, card.pool) == (("judge", "rubrics", "own_rubrics"), True, "marks")


def test_a_question_alone_is_a_rubric(tmp_path: Path) -> None:
    (rubric,) = read_rubrics(write(tmp_path, "Was it kind?\n", "Kind-ness.md"))
    assert (rubric.name, rubric.low, rubric.high, rubric.per) == ("kind_ness", 1, 5, "conversation")


def test_other_words_give_another_hash(tmp_path: Path) -> None:
    first, second = (read_rubrics(write(tmp_path, text))[0] for text in (POLITENESS, POLITENESS + "Really."))
    assert first.digest != second.digest


def test_turns_of_agents_are_asked_about_one_by_one(tmp_path: Path) -> None:
    options = {"rubric": [str(write(tmp_path, POLITENESS))]}
    (metric,) = own_metrics(options)
    judge = Clerk(lambda shown: {code: {"reasoning": "kind", "score": 4} for code in shown["judged"]})
    said = talk(("mia", "Hello"), ("ann", "Good day!"), ("ann", ""))
    (mark,) = metric(said, judge=judge, rubrics=RUBRICS, own_rubrics=OwnRubrics(options))
    assert (mark.value, mark.turn, mark.group, mark.why) == (4.0, "2", "ann", "kind")
    assert judge.asked[0].prompt.endswith("5 is friendly throughout, 1 is rude.\n\nThe score is 1 to 5.")


def test_a_conversation_is_asked_about_once_with_yes_or_no(tmp_path: Path) -> None:
    brief = '[rubric.brief]\nquestion = "Is it brief?"\nscale = "yes or no"\n'
    text = f'{brief}[rubric.kind]\nquestion = "How kind is it?"\n'
    options = {"rubric": [str(write(tmp_path, text, "own.toml"))]}
    metrics, own = own_metrics(options), OwnRubrics(options)
    assert [metric.card.name for metric in metrics] == ["brief", "kind"]
    judge = Clerk(lambda shown: {"reasoning": "short", "score": True})
    (mark,) = metrics[0](talk(("ann", "Hi")), judge=judge, rubrics=RUBRICS, own_rubrics=own)
    assert (mark.value, mark.why) == (1.0, "short")
    assert list(metrics[0](talk(), judge=judge, rubrics=RUBRICS, own_rubrics=own)) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("---\nscal: 1 to 5\n---\nHow?", "politeness.md:2: no setting 'scal'; did you mean 'scale'?"),
        ("---\nscale 1 to 5\n---\nHow?", "politeness.md:2: found 'scale 1 to 5'; expected a setting such as"),
        ("---\nscale: 5 to 1\n---\nHow?", "scale: found '5 to 1'; expected two whole numbers"),
        ("---\nscale: 1 to 999\n---\nHow?", "at most 100 apart"),
        ("---\nper: word\n---\nHow?", "per: found 'word'; expected one of turn, conversation"),
        ("---\nname: 1st\n---\nHow?", "name: found '1st'; expected letters"),
        ("---\nscale: 1 to 5\nHow?", "politeness.md:1: settings begin with '---' and do not end"),
        ("Be polite.", "question: found 'Be polite.'; expected a question"),
        ("", "question: found nothing"),
    ],
)
def test_faults_of_a_rubric_have_a_place(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(BadInput) as fault:
        read_rubrics(write(tmp_path, text))
    assert complaint in str(fault.value)


@pytest.mark.parametrize(
    "text", ["rubric = 3", "[rubric.a]\nquestion = 5", "[rubric.a]\nscale = [1, 5]", "[rubric", ""]
)
def test_faults_of_a_toml_rubric(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match=r"own\.toml"):
        read_rubrics(write(tmp_path, text, "own.toml"))


def test_two_rubrics_of_one_name_are_refused(tmp_path: Path) -> None:
    first, second = write(tmp_path, POLITENESS), write(tmp_path, "[rubric.politeness]\nquestion = 'Is it?'", "own.toml")
    with pytest.raises(BadInput, match=r"two rubrics are named 'politeness' \(politeness.md, own.toml\)"):
        own_metrics({"rubric": [str(first), str(second)]})


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file; expected a rubric in Markdown"):
        read_rubrics(tmp_path / "none.md")
    (tmp_path / "bytes.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="cannot be read as a rubric"):
        read_rubrics(tmp_path / "bytes.md")


def test_a_rubric_may_not_take_the_name_of_a_metric(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, POLITENESS, "blame.md")
    assert main(["score", "team", str(suite.sample), "--rubric", str(path), "-o", str(tmp_path / "run")]) == 2
    assert "two metrics are named 'blame'; rename the one in the rubric blame.md" in capsys.readouterr().err
