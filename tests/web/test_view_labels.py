"""Labels: drawn by a plan, appended at once, taken back, read by calibrate."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
from serving import Served, small_run

from adjudge.cli.main import main
from adjudge.run import MANIFEST, read_manifest
from adjudge.web.catalogue import Catalogue
from adjudge.web.labels.agreement import rater_pairs
from adjudge.web.labels.files import LabelRow, append_row, label_path, read_rows, remove_last
from adjudge.web.labels.queue import LabelPlan, choices_of, draw_items, standing
from adjudge.web.opened import OpenRun, open_run
from browser import read

PLAN = {"metric": "joint_goal_accuracy", "plan": "random", "n": "6", "seed": "1", "rater": "ann"}
FORM = "application/x-www-form-urlencoded"


def row(case: str, label: str = "1", rater: str = "ann", **cells: str) -> LabelRow:
    facts = {"arm": "a", "trial": "0", "metric": "joint_goal_accuracy", "turn": "0", "at": "belief"} | cells
    return LabelRow(case=case, label=label, rater=rater, **facts)


def opened(root: Path) -> OpenRun:
    return open_run(Catalogue(root).entries()[0])


def post(served: Served, fields: dict[str, str], plan: dict[str, str] = PLAN, **headers: str) -> tuple[int, str]:
    path = f"{served.run('small')}/label?{urlencode(plan)}"
    sent = {"token": served.guard.page_token} | fields
    headers = {"content_type": FORM, "sec_fetch_site": "same-origin"} | headers
    answer, text = served.ask(path, "POST", urlencode(sent), **headers)
    return answer.status, text


def test_an_answer_is_a_row_at_once_and_an_item_is_labelled_once(tmp_path: Path) -> None:
    path = tmp_path / "labels" / "ann.csv"
    assert append_row(path, row("c0", why='said "no", twice'))
    assert append_row(path, row("c1"))
    assert not append_row(path, row("c1", "0"))
    assert [each.label for each in read_rows(path)] == ["1", "1"]
    with path.open(newline="") as file:
        assert next(iter(csv.DictReader(file)))["why"] == 'said "no", twice'


def test_what_was_half_written_when_a_server_was_killed_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "ann.csv"
    append_row(path, row("c0"))
    with path.open("ab") as file:
        file.write(b"c1,a,0,joint_goal")
    assert len(read_rows(path)) == 1
    append_row(path, row("c2"))
    assert [each.case for each in read_rows(path)] == ["c0", "c2"]


def test_the_last_answer_can_be_taken_back_even_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "ann.csv"
    append_row(path, row("c0"))
    append_row(path, row("c1", at="two\nlines"))
    assert remove_last(path) == row("c1", at="two\nlines")
    assert [each.case for each in read_rows(path)] == ["c0"]
    remove_last(path)
    assert remove_last(path) is None
    assert remove_last(tmp_path / "nobody.csv") is None


@pytest.mark.parametrize("rater", ["../../ann", "a/b", "con\x00", "ann ", "…", "a" * 300])
def test_no_name_leads_out_of_the_folder_or_to_the_file_of_another(tmp_path: Path, rater: str) -> None:
    path = label_path(tmp_path, rater)
    assert path.parent == tmp_path / "labels"
    assert path != label_path(tmp_path, "ann")
    assert path != label_path(tmp_path, f"{rater}x")


@pytest.mark.parametrize("kind", ["random", "stratified"])
def test_a_plan_draws_the_same_items_for_every_rater(runs: Path, kind: str) -> None:
    plan = LabelPlan("joint_goal_accuracy", kind, 8, 3)  # type: ignore[arg-type]
    with opened(runs) as run:
        items = draw_items(run, plan)
        assert items == draw_items(run, plan)
        assert items != draw_items(run, LabelPlan(plan.metric, plan.kind, 8, 4))
        assert len({item.key for item in items}) == len(items) == 8
        assert {item.arm for item in items} == {"a", "b"}
        assert standing(items, []).next == items[0]


def test_a_plan_larger_than_the_run_draws_every_mark_once(runs: Path) -> None:
    with opened(runs) as run:
        assert len(draw_items(run, LabelPlan("joint_goal_accuracy", "random", 500))) == 24
        assert draw_items(run, LabelPlan("joint_goal_accuracy", "disagreement", 500)) == []
        assert draw_items(run, LabelPlan("intent_accuracy", "random", 500)) == []


def test_the_kind_of_answer_follows_the_scale(runs: Path) -> None:
    cards = read_manifest(runs / "small").cards
    assert [word for _, word, _ in choices_of(cards["success"], [0.0, 1.0])] == ["Yes", "No"]
    assert [value for value, _, _ in choices_of(cards["success"], [0.25])] == ["0", "0.25", "0.5", "0.75", "1"]
    assert choices_of(cards["turns_taken"], [4.0]) == []


def test_the_page_hides_arm_case_marks_and_what_follows(served: Served) -> None:
    text = served.page(f"{served.run('small')}/label?{urlencode(PLAN)}")
    page = read(text.encode())
    shown = page.id("main").text
    assert "Judge this" in shown
    assert "gold west" not in text
    assert "predicted" not in text
    assert ' value="c0"' not in text
    assert "joint_goal_accuracy" in shown


def test_answers_are_kept_and_calibrate_reads_them(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert [post(served, {"item": str(item), "label": "1", "note": "fine"})[0] for item in range(5)] == [303] * 5
    assert post(served, {"item": "5", "label": "cannot tell", "note": "too short"})[0] == 303
    path = served.root / "small" / "labels" / "ann.csv"
    rows = read_rows(path)
    assert len(rows) == 6
    assert rows[-1].label == ""
    assert rows[-1].why == "cannot tell: too short"
    assert rows[0].plan == "random 6 seed 1"
    assert "All 6 items are done" in served.page(f"{served.run('small')}/label?{urlencode(PLAN)}")
    assert main(["calibrate", str(served.root / "small"), "--labels", str(path)]) == 0
    assert "joint_goal_accuracy" in capsys.readouterr().out


def test_people_are_told_what_the_judge_was_told(served: Served) -> None:
    path = served.root / "small" / MANIFEST
    facts = json.loads(path.read_text())
    facts["cards"]["joint_goal_accuracy"]["rubrics"] = ["state", "lost"]
    path.write_text(json.dumps(facts | {"rubrics": {"state": "Is it <b>all</b> there?", "reply": "Is it kind?"}}))
    page = read(served.page(f"{served.run('small')}/label?{urlencode(PLAN)}").encode())
    assert "what the judge was told Is it <b>all</b> there?" in page.text
    assert "Is it kind?" not in page.text


def test_an_answer_that_cannot_be_kept_stays_on_the_page(served: Served) -> None:
    for label in ("", "7", "nan", "x"):
        status, text = post(served, {"item": "0", "label": label, "note": "my note"})
        assert status == 422
        assert "Not saved" in text
        assert "my note" in text
    assert post(served, {"item": "99", "label": "1"})[0] == 422
    assert not (served.root / "small" / "labels").exists()


def test_a_form_without_the_token_of_the_page_is_refused(served: Served) -> None:
    assert post(served, {"item": "0", "label": "1", "token": "guess"})[0] == 403
    assert post(served, {"item": "0", "label": "1"}, origin="http://evil.example")[0] == 403
    assert post(served, {"item": "0", "label": "1", "note": "x" * 100_000})[0] == 403
    assert not (served.root / "small" / "labels").exists()


def test_undo_takes_back_the_last_answer(served: Served) -> None:
    post(served, {"item": "0", "label": "1"})
    post(served, {"item": "1", "label": "0"})
    post(served, {"action": "undo"})
    assert [each.label for each in read_rows(served.root / "small" / "labels" / "ann.csv")] == ["1"]


def test_two_raters_get_their_agreement(served: Served) -> None:
    for item in range(6):
        post(served, {"item": str(item), "label": str(item % 2)})
        post(served, {"item": str(item), "label": str(item % 2 if item else 1)}, PLAN | {"rater": "bob"})
    (pair,) = rater_pairs(served.root / "small")
    assert (pair.first, pair.second, pair.shared, pair.equal) == ("ann", "bob", 6, 5)
    # Five of six agree; by chance 3/6 x 2/6 + 3/6 x 4/6 = 1/2, so kappa is (5/6 - 1/2) / (1 - 1/2) = 2/3.
    assert pair.kappa.startswith("0.67")
    assert "0.67" in served.page(f"{served.run('small')}/label")


def test_labels_of_a_run_that_cannot_be_written_go_to_the_cache(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_run(tmp_path / "run")
    monkeypatch.setattr("os.access", lambda *_: False)  # Root may write everywhere, so the folder cannot be closed.
    assert label_path(folder, "ann").is_relative_to(own_cache)
