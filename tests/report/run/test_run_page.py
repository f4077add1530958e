"""The page of a run: what it shows, that it does nothing else, and that it is the same every time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from example_run import CARDS, ROWS, card, make_run, manifest
from msgspec import structs

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import BadInput
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.core.record import Key
from adjudge.report.page.choice import CONVERSATIONS
from adjudge.report.run.answer import run_answer
from adjudge.report.run.conversations import choose_conversations
from adjudge.report.run.files import write_run
from adjudge.report.run.page import run_page
from adjudge.report.run.summary import RunSummary
from adjudge.report.run.worst import Worst
from adjudge.run import RECORDS, Run
from browser import Element, read

OVERRIDE = "\u202e"
ATTACK = f"<script>alert(1)</script><img src=x onerror=alert(2)> {OVERRIDE}desrever\x1b[31m"


def with_records(run: Run, *records: dict[str, Any]) -> Run:
    (run.folder / RECORDS).write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in records))
    return run


def one_arm(folder: Path, *values: float, **changes: object) -> Run:
    """A run of one metric with one mark for each conversation."""
    made = card("quality", pool="conversations", unit="conversation", **changes)
    rows = [ScoreRow(f"c{place}", "only", {"quality": Score.of([Mark(v)])}) for place, v in enumerate(values)]
    coverage = Coverage(arms={"only": ArmCoverage(len(rows), len(rows))})
    return make_run(folder, rows, manifest(cards={"quality": made}, coverage=coverage))


@pytest.fixture
def page(run: Run) -> Element:
    return read(run_page(run))


def links(page: Element) -> list[str]:
    return [one.attributes["href"] for one in page.all("a")]


def test_the_answer_stands_first_in_one_sentence(page: Element) -> None:
    (sentence,) = page.all("h1", "answer")

    assert sentence.text == "galaxy has the best value in 3 of 3 metrics in which arms differ."
    assert next(page.all("title")).text == "service: first"


def test_every_metric_has_a_line_for_every_arm(page: Element) -> None:
    lines = page.lines()

    assert ["ubar (81.2 %)", "0.600", "0.131–0.937", "5 conversations", "1", "0", "0"] in lines
    assert ["ubar (81.2 %)", "skipped", "", "", "0", "6", "0"] in lines


def test_metrics_stand_under_what_they_probe(page: Element) -> None:
    parts = {part.text: [one.text for one in part.parent.all("h3")] for part in page.all("h2") if part.parent}

    assert parts["memory"] == ["joint_goal_accuracy ↑"]
    assert parts["policy"] == ["hallucination ↓", "success ↑"]
    assert parts["not tied to a part"] == ["turns_taken"]
    assert "Also measured by hallucination." in page.text


def test_warnings_stand_before_any_number(page: Element) -> None:
    assert page.text.index("Warning: 2 turns do not align") < page.text.index("0.600")


def test_the_primary_family_stands_first_as_metrics_by_arms(tmp_path: Path) -> None:
    cards = CARDS | {"success": structs.replace(CARDS["success"], primary=True)}
    section = read(run_page(make_run(tmp_path / "first", ROWS, manifest(cards=cards)))).id("first")

    assert section.lines() == [
        [
            "Metric",
            "A ubar (81.2 %)",
            "B galaxy",
            "Values and 95 % intervals, arms in the order of the columns 0 0.25 0.5 0.75 1",
            "Resting on",
        ],
        [
            "success ↑ How often is success right?",
            "0.600 0.131–0.937",
            "0.667* 0.204–0.940",
            "",
            "5/6 conv. 1/0 undefined",
        ],
    ]


def test_without_a_primary_family_all_metrics_with_a_value_stand_first(page: Element) -> None:
    assert [line[0].split()[0] for line in page.id("first").lines()[1:]] == [
        *("joint_goal_accuracy", "hallucination", "intent_accuracy", "success", "turns_taken"),
    ]


def test_the_best_value_is_marked_where_arms_differ_and_can_be_compared(page: Element) -> None:
    cells = {line[0].split()[0]: line[1:3] for line in page.id("first").lines()}

    assert [cell.split()[0] for cell in cells["hallucination"]] == ["0.292", "0.000*"]
    assert [cell.split()[0] for cell in cells["intent_accuracy"]] == ["skipped", "1.000"]
    assert not any("*" in cell for cell in cells["turns_taken"])


def test_a_metric_of_the_family_without_a_value_is_named(tmp_path: Path) -> None:
    cards = {name: structs.replace(card, primary=True) for name, card in CARDS.items()}
    rows = [row for row in ROWS if row.arm == "ubar"]
    section = read(run_page(make_run(tmp_path / "first", rows, manifest(cards=cards)))).id("first")

    assert "No value: intent_accuracy (why)" in section.text


def test_intervals_are_drawn_and_told_in_words(page: Element) -> None:
    drawn = [one for one in page.id("first").all("svg") if one.attributes.get("role") == "img"]

    assert "ubar 0.600 (0.131–0.937); galaxy 0.667 (0.204–0.940)" in [one.attributes["aria-label"] for one in drawn]
    assert all(list(one.all("line", "interval")) for one in drawn)


def test_distributions_are_drawn_for_every_arm(page: Element) -> None:
    (plot,) = page.id(f"metric-{list(CARDS).index('success')}").all("svg")

    assert len(list(plot.all("path", "spread"))) == 2


def test_nothing_on_the_page_can_run_or_load(page: Element) -> None:
    (policy,) = [one.attributes["content"] for one in page.all("meta") if "http-equiv" in one.attributes]
    (sheet,) = page.all("style")
    digest = b64encode(sha256("".join(map(str, sheet.content)).encode()).digest()).decode()

    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert not [one.tag for one in page.all() if one.tag in ("script", "iframe", "img", "object", "form")]
    assert not [name for one in page.all() for name in one.attributes if name.startswith("on") or name == "style"]
    assert {link[:1] for link in links(page)} == {"#"}


def test_all_links_lead_somewhere_and_no_id_is_twice(page: Element) -> None:
    ids = [one.attributes["id"] for one in page.all() if "id" in one.attributes]

    assert len(ids) == len(set(ids))
    assert {link[1:] for link in links(page)} <= set(ids)


def many_names(folder: Path) -> Run:
    """A run that names 96 conversations: three worst ones of each of eight arms by each of four metrics."""
    cards = {f"m{place}": card(f"m{place}", pool="conversations", unit="conversation") for place in range(4)}

    def scores(case: int) -> dict[str, Score]:
        return {name: Score.of([Mark(float(case // 3 != place))]) for place, name in enumerate(cards)}

    rows = [ScoreRow(f"c{case}", f"a{arm}", scores(case)) for arm in range(8) for case in range(12)]
    return make_run(folder, rows, manifest(cards=cards, coverage=Coverage()))


def worst_names(page: Element) -> list[tuple[str, str, str]]:
    """The arm, name and link (empty if there is none) of every conversation in the tables of the worst."""
    rows = [row for table in page.all("table", "worst") for row in table.all("tr") if list(row.all("td"))]
    return [(next(r.all("th")).text, next(r.all("td")).text, " ".join(links(r))) for r in rows]


def test_every_conversation_named_is_a_link_to_it(page: Element) -> None:
    names = worst_names(page)

    assert len(names) > 5
    for arm, name, link in names:
        case = page.id(link[1:]).parent
        assert case is not None
        assert re.match(rf"{name} [A-Z] {arm}\b", next(case.all("summary")).text)
    assert not list(page.all("p", "unlinked"))


def test_names_that_cannot_be_links_say_why_once(tmp_path: Path) -> None:
    page = read(run_page(many_names(tmp_path / "run")))
    names = worst_names(page)
    (why,) = page.all("p", "unlinked")

    assert len([link for _, _, link in names if link]) == CONVERSATIONS
    assert len(names) == 96
    assert why.text.startswith(f"The page has {CONVERSATIONS} of the 96 conversations it names")


def test_marks_stand_in_the_turn_they_are_about(run: Run) -> None:
    turns = [{"id": str(turn), "speaker": "user", "text": f"turn number {turn}"} for turn in range(4)]
    people = [{"id": "user", "role": "customer"}]
    with_records(run, *({"id": row.case, "arm": row.arm, "turns": turns, "participants": people} for row in ROWS))
    page = read(run_page(run))
    wrong = [one for one in page.all("li", "judged") if "joint_goal_accuracy belief 0.000" in one.text]

    assert wrong[0].text.startswith("U user customer turn ")
    assert "alert(1)" in wrong[0].text
    assert all(one.parent and one.parent.attributes["class"] == "turns" for one in wrong)


def test_a_record_without_turns_shows_its_facts(run: Run) -> None:
    scenario = {"alternatives": ["walk", "wait"], "matrix": {"walk": {"safety": 0.5}, "wait": {"safety": 1.0}}}
    people = [{"agent": "Ann", "beliefs": {"walk": 0.25}}, {"agent": "Ben", "beliefs": {"walk": 1.0}}]
    records = [{"id": row.case, "arm": row.arm, "scenario": scenario, "assessments": people} for row in ROWS]
    page = read(run_page(with_records(run, *records)))
    lines = page.id("case-0").lines()

    assert ["", "safety"] in lines
    assert ["walk", "0.5"] in lines
    assert ["1", "Ann", "walk: 0.25"] in lines
    assert "scenario: alternatives walk, wait" in page.id("case-0").text


def test_hostile_text_is_shown_as_text(run: Run) -> None:
    turns = [
        {"id": "0", "speaker": ATTACK, "text": ATTACK, "gold": {ATTACK: ATTACK}},
        {"id": "1", "speaker": "user", "text": "x" * 100_000},
    ]
    with_records(run, *({"id": row.case, "arm": row.arm, "turns": turns, "note": ATTACK} for row in ROWS))
    source = run_page(run)
    page = read(source)

    assert not [one.tag for one in page.all() if one.tag in ("script", "img")]
    assert "<script>alert(1)</script><img src=x onerror=alert(2)> ⟦U+202E⟧desrever␛[31m" in page.text
    assert OVERRIDE not in source.decode()
    assert "\x1b" not in source.decode()
    assert "98,000 characters left out" in page.text
    assert "x" * 2001 not in source.decode()


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    arm = "$x_1$ </svg><script> 東京 \U0001f600" + OVERRIDE
    rows = [ScoreRow(row.case + ATTACK, arm, row.scores, facets={ATTACK: ATTACK}) for row in ROWS if row.arm == "ubar"]
    rows += [ScoreRow(row.case, "b" * 300, row.scores, facets={ATTACK: "b"}) for row in ROWS if row.arm == "galaxy"]
    page = read(run_page(make_run(tmp_path / "run", rows, manifest(coverage=Coverage()))))

    assert not list(page.all("script"))
    assert any(line[0] == "$x_1$ </svg><script> 東京 \U0001f600" for line in page.lines() if line)
    assert all(len(one.text) <= 20 for one in page.all("text", "label"))


def test_the_same_run_gives_the_same_bytes_whatever_the_hash_seed(run: Run) -> None:
    code = (
        "import sys, pathlib; from adjudge.run import Run; from adjudge.report.run.files import write_run;"
        "run, folder = Run(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]);"
        "write_run(run, folder / 'run.html'); write_run(run, folder / 'run.json')"
    )
    outs = [run.folder.parent / str(seed) for seed in (1, 2)]
    for seed, out in enumerate(outs, 1):
        out.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        subprocess.run([sys.executable, "-c", code, str(run.folder), str(out)], env=environment, check=True)

    for name in ("run.html", "run.json"):
        assert (outs[0] / name).read_bytes() == (outs[1] / name).read_bytes()


def test_the_ending_names_the_page(run: Run, tmp_path: Path) -> None:
    write_run(run, tmp_path / "a.HTML")

    assert (tmp_path / "a.HTML").read_bytes().startswith(b"<!doctype html>")


def test_groups_and_facets_have_their_breakdowns(tmp_path: Path) -> None:
    rows = [ScoreRow(r.case, r.arm, r.scores, facets={"half": "ab"[place % 4 // 2]}) for place, r in enumerate(ROWS)]
    page = read(run_page(make_run(tmp_path / "run", rows, manifest())))
    titles = [one.text for one in page.id("breakdowns").all("h3")]
    lines = page.id("breakdowns").lines()

    assert titles == ["By group", "By half"]
    assert ["", "ubar", "galaxy"] in lines
    assert ["taxi", "0.500 0.061–0.939 n 4", "0.500 0.061–0.939 n 4"] in lines
    # Joint goal accuracy of the conversations 0, 2 and 4: 6 and 7 of 10 turns.
    assert ["a", "0.600 0.045–0.979 n 10", "0.700 0.145–0.970 n 10"] in lines


def test_what_could_not_be_scored_is_in_plain_sight(page: Element) -> None:
    assert "skipped for ubar (never predicts intents): intent_accuracy" in page.id("gaps").text


def test_the_method_says_what_each_metric_means(page: Element) -> None:
    text = page.id(f"card-{list(CARDS).index('hallucination')}").text

    assert "How often is hallucination right? Lower is better." in text
    assert "formula right / all" in text
    assert "a reply, 0 to 1" in text
    assert "source this test version 1" in text
    assert ["data/gold|1.json", "120", "ab" * 32] in page.id("method").lines()
    assert "score: Wilson's score interval" in page.id("method").text


def test_a_run_without_scores_has_a_page(tmp_path: Path) -> None:
    page = read(run_page(make_run(tmp_path / "run", [], manifest(status="running"))))

    assert "the run is not finished" in page.text
    assert "no scores" in page.text
    assert not list(page.all("svg", "plot"))


def test_a_single_arm_is_answered_with_its_first_values(tmp_path: Path) -> None:
    summary = RunSummary.of(one_arm(tmp_path / "run", 1.0, 0.0, 1.0, 1.0))

    assert run_answer(summary).sentence == "only: quality 0.750 (0.131–0.984)."


@pytest.mark.parametrize("values", [(5.0,), (0.0, 0.0), (-3.0, 1e9), (1e100, -1e100)])
def test_an_open_scale_is_drawn_as_far_as_values_reach(tmp_path: Path, values: tuple[float, ...]) -> None:
    page = read(run_page(one_arm(tmp_path / "run", *values, scale=(None, None))))

    assert len(list(page.id("metric-0").all("path", "value"))) == 1


def test_a_changed_record_is_complained_of(run: Run) -> None:
    (run.folder / RECORDS).write_bytes(b"{\n" * len(ROWS))

    with pytest.raises(BadInput, match=r"records\.jsonl:\d+: .*; the file was changed"):
        run_page(run)


def test_the_conversations_shown_cover_all_metrics_with_few() -> None:
    def worst(metric: str, case: str) -> Worst:
        return Worst("a", metric, case, 0, 0.0, 1, "", "", "")

    found = [worst("x", "1"), worst("y", "2"), worst("x", "3"), worst("y", "3"), worst("z", "2")]

    named = [Key("9", "b"), Key("2", "a")]
    assert choose_conversations(found) == [Key("2", "a"), Key("1", "a"), Key("3", "a")]
    assert choose_conversations(found, named) == [Key("2", "a"), Key("1", "a"), Key("9", "b"), Key("3", "a")]
    assert choose_conversations(found, named, 1) == [Key("2", "a")]


def test_nothing_heavy_is_imported_before_a_page_is_made() -> None:
    code = "import sys, adjudge.report.page; print({'jinja2', 'matplotlib', 'numpy'} & sys.modules.keys())"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_calls_results_and_thoughts_are_turns_of_their_own_kind(tmp_path: Path) -> None:
    turns = [
        {"id": "1", "speaker": "clerk", "text": "I look.", "to": ["planner"]},
        {"id": "2", "speaker": "clerk", "kind": "call", "call": {"name": "find", "arguments": {"room": "Elm"}}},
        {"id": "3", "speaker": "find", "text": "none", "kind": "result", "call": {"name": "find", "status": "error"}},
        {"id": "4", "speaker": "clerk", "text": "hm", "kind": "thought"},
        {"id": "5", "speaker": "clerk", "text": "odd", "kind": "<b>", "call": 7, "to": "all"},
    ]
    run = with_records(one_arm(tmp_path / "run", 0.0), {"id": "c0", "turns": turns})
    page = read(run_page(run))
    acts = [one.text for one in page.all("span", "act")]
    assert acts == ["to planner", "calls find", "result of find, error", "thinks"]
    kinds = [one.attributes["class"] for one in page.all("p", "said")]
    assert kinds[:5] == ["said", "said call", "said result", "said thought", "said"]
    assert "room: Elm" in page.text
