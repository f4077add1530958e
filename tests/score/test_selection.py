"""Which suite and metrics a plan means, metrics of the user's own files included."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.core.errors import BadInput
from adjudge.core.record import Record
from adjudge.score import Plan, Scorer, choose_metrics, find_suite, load_metrics, suite_names

MINE = '''
from adjudge import Mark, Record, metric

@metric("M", formula="1", unit="record", better="higher", source="me")
def {name}(record: Record):
    """Is it mine?"""
    yield Mark(1.0)
'''


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_metrics_of_a_users_file_are_loaded(tmp_path: Path) -> None:
    (mine,) = load_metrics(write(tmp_path / "mine.py", MINE.format(name="mine")))
    assert (mine.card.name, mine.card.question) == ("mine", "Is it mine?")


OWN_TYPES = """
from __future__ import annotations
from dataclasses import dataclass

import msgspec

class Verdict(msgspec.Struct):
    right: Right

class Right(msgspec.Struct):
    yes: bool

VERDICT = b'{"right": {"yes": true}}'

@dataclass
class Limit:
    most: int
"""


def test_a_users_file_may_hold_types_of_its_own(tmp_path: Path) -> None:
    text = OWN_TYPES + MINE.format(name="mine") + "    msgspec.json.decode(VERDICT, type=Verdict)\n"
    (mine,) = load_metrics(write(tmp_path / "mine.py", text))
    ((_, scores),) = Scorer([mine], {}, {}).score([Record(id="a")])
    assert scores["mine"].value == 1.0


def test_a_metric_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.py: no such Python file; expected one that declares metrics"):
        load_metrics(tmp_path / "none.py")


def test_a_metric_file_that_is_not_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"mine\.txt: no such Python file"):
        load_metrics(write(tmp_path / "mine.txt", MINE))


def test_a_metric_file_with_a_syntax_error_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"mine\.py: cannot be imported: SyntaxError: .*line 2"):
        load_metrics(write(tmp_path / "mine.py", "\ndef (:\n"))


def test_a_metric_file_that_fails_at_import_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"mine\.py: cannot be imported: ModuleNotFoundError: .*no_such_package"):
        load_metrics(write(tmp_path / "mine.py", "import no_such_package"))


def test_a_metric_whose_docstring_is_no_question_is_refused(tmp_path: Path) -> None:
    text = MINE.format(name="mine").replace("Is it mine?", "It is mine.")
    with pytest.raises(BadInput, match=r"mine: the docstring's first line must be a question, found 'It is mine\.'"):
        load_metrics(write(tmp_path / "mine.py", text))


def test_a_metric_file_without_metric_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"mine\.py: declares no metric; expected a function under @metric"):
        load_metrics(write(tmp_path / "mine.py", "from adjudge import metric\n"))


def test_a_metric_of_a_users_file_is_scored_with_the_suites_own(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.py", MINE.format(name="mine"))
    chosen = choose_metrics(find_suite("service"), Plan(suite="service", files=(), metric_files=(str(file),)))
    assert [metric.card.name for metric in chosen][-1] == "mine"
    assert len(chosen) > 1


def test_two_metrics_of_one_name_are_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.py", MINE.format(name="inform"))
    plan = Plan(suite="service", files=(), metric_files=(str(file),))
    with pytest.raises(BadInput, match=r"two metrics are named 'inform'; rename the one in .*mine\.py"):
        choose_metrics(find_suite("service"), plan)


def test_metrics_are_chosen_by_name_in_the_order_named() -> None:
    plan = Plan(suite="service", files=(), metrics=("slot_f1", "inform"))
    assert [metric.card.name for metric in choose_metrics(find_suite("service"), plan)] == ["slot_f1", "inform"]


def test_an_unknown_metric_is_answered_with_the_nearest() -> None:
    plan = Plan(suite="service", files=(), metrics=("joint_goal_acuracy",))
    expected = (
        r"no metric 'joint_goal_acuracy' in suite 'service'; did you mean 'joint_goal_accuracy'\? "
        r"\(adjudge list service\)"
    )
    with pytest.raises(BadInput, match=expected):
        choose_metrics(find_suite("service"), plan)


def test_a_name_like_no_other_gets_no_guess() -> None:
    with pytest.raises(BadInput, match=r"^no metric 'zzz' in suite 'service' \(adjudge list service\)$"):
        choose_metrics(find_suite("service"), Plan(suite="service", files=(), metrics=("zzz",)))


def test_an_unknown_suite_is_answered_with_the_nearest() -> None:
    assert "service" in suite_names()
    with pytest.raises(BadInput, match=r"no suite 'servise'; did you mean 'service'\?.*there are: .*service"):
        find_suite("servise")
