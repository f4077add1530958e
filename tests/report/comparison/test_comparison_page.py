"""The page of a comparison: the words of the other formats, drawn, linked, and the same every time."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from example_run import card, make_run, manifest

from adjudge.cli.main import main
from adjudge.compare.comparison import Comparison, ComparisonRequest, Ranking, compare
from adjudge.compare.flips import Flip, flips
from adjudge.compare.sheet import Sheet
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.report.comparison import words
from adjudge.report.comparison.conversations import ListedFlip, choose_flips
from adjudge.report.comparison.page import MOST_PLOTTED_PAIRS, comparison_page
from adjudge.report.comparison.ranks import ranks_plot
from adjudge.report.comparison.tables import unpaired_table
from adjudge.report.page.choice import CONVERSATIONS
from adjudge.report.run.page import run_page
from adjudge.report.words import figure, method_words, p_value
from adjudge.run import RECORDS, SCORES, Run
from adjudge.stats.friedman import critical_difference, friedman, nemenyi
from browser import Element, read

CARDS = {
    one.name: one
    for one in (
        card("quality", pool="conversations", unit="conversation"),
        card("slips", better="lower", pool="conversations", unit="conversation"),
        card("length", better="neither", scale=(0.0, None), pool="conversations", unit="conversation"),
        card("rating", better="higher", scale=(1.0, 5.0), pool="conversations", unit="conversation"),
        card("never"),
    )
}
WON = ("better", "worse")
WHY = "<script>alert(1)</script>\u202e said so"


def scores(dice: random.Random, lift: float) -> dict[str, Score]:
    quality = float(dice.random() < 0.4 + lift)
    return {
        "quality": Score.of([Mark(quality, at="answer", turn="2", why="" if quality else WHY)]),
        "slips": Score.of([Mark(min(max(dice.gauss(0.4 - lift, 0.1), 0.0), 1.0), why="slipped")]),
        "length": Score.of([Mark(dice.gauss(20 + 10 * lift, 5) ** 2)]),
        "rating": Score.of([Mark(min(max(dice.gauss(3 + lift, 0.5), 1.0), 5.0))]),
        "never": Score.skip("no_tool", "no judge"),
    }


def run_of(folder: Path, arms: int, trials: int = 1) -> Run:
    dice = random.Random(7)
    rows = [
        ScoreRow(f"c{case}", f"arm{arm}", scores(dice, 0.25 * arm), trial)
        for case in range(40)
        for arm in range(arms)
        for trial in range(trials)
    ]
    coverage = Coverage(arms={f"arm{arm}": ArmCoverage(40 * trials, 40 * trials) for arm in range(arms)})
    return make_run(folder, rows, manifest(cards=CARDS, coverage=coverage))


def report_of(*runs: Run) -> words.ComparisonReport:
    sheet = Sheet(list(runs))
    found = compare(sheet, ComparisonRequest())
    changed = {
        pair: flips(sheet, [one.metric for one in those], (pair[1], pair[2]))
        for pair, those in words.contrasts_by_pair(found).items()
    }
    return words.ComparisonReport(found, changed, list(runs))


def record(case: str, arm: str, reply: str, trial: int = 0) -> dict[str, Any]:
    return {
        "id": case,
        "arm": arm,
        "trial": trial,
        "participants": [{"id": "user", "role": "customer"}, {"id": "system", "role": "assistant"}],
        "turns": [
            {"id": "1", "speaker": "user", "text": f"question of {case}"},
            {"id": "2", "speaker": "system", "text": reply, "gold": "right", "predicted": f"said by {arm}"},
        ],
    }


def told(folder: Path, arms: int, trials: int = 1, reply: str = "reply of {arm}") -> Run:
    """A run whose records have turns, in the order of its rows."""
    run = run_of(folder, arms, trials)
    lines = [record(row.case, row.arm, reply.format(arm=row.arm), row.trial) for row in run.rows()]
    (folder / RECORDS).write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return run


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Element]:
    report = report_of(told(tmp_path_factory.mktemp("two") / "run", 2))
    return report.comparison, read(comparison_page(report))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Element]:
    report = report_of(told(tmp_path_factory.mktemp("three") / "run", 3, 2))
    return report.comparison, read(comparison_page(report))


def test_the_answer_is_that_of_the_other_formats(two: tuple[Comparison, Element]) -> None:
    found, page = two
    (pair,) = words.contrasts_by_pair(found)

    assert words.pair_answer(pair, found.contrasts) in page.text
    assert next(page.all("h1")).text == words.short_answer(pair, found.contrasts)


def test_the_short_answer_counts_what_the_long_one_names(two: tuple[Comparison, Element]) -> None:
    found, _ = two
    (pair,) = words.contrasts_by_pair(found)
    unnamed = re.sub(r" \([^)]*\)", "", words.pair_answer(pair, found.contrasts)).replace(";", ",")

    assert words.short_answer(pair, found.contrasts) == unnamed


def test_the_table_has_the_cells_of_the_other_formats(two: tuple[Comparison, Element]) -> None:
    found, page = two
    lines = {line[0]: line for line in next(page.all("table", "contrasts")).lines()}

    for one in found.contrasts:
        cells = lines[f"{one.metric} {'↑' if one.better == 'higher' else '↓' if one.better == 'lower' else ''}".strip()]
        assert cells[1].endswith(words.verdict_text(one))
        assert cells[2:9] == [
            *(figure(one.a.value), figure(one.b.value), words.difference_text(one), words.difference_interval(one)),
            *(p_value(one.p), p_value(one.p_corrected), words.effect_text(one)),
        ]
        assert cells[9] == words.cases_text(one)


def test_better_is_drawn_to_the_right_whatever_the_metrics_direction(two: tuple[Comparison, Element]) -> None:
    found, page = two
    slips = next(one for one in found.contrasts if one.metric == "slips")
    plot = next(page.id("pair-0").all("svg"))
    (zero,) = plot.all("path", "zero")
    middle = float(zero.attributes["d"].split()[1])
    strokes = list(plot.all("path", "value-better"))

    assert slips.difference < 0
    assert slips.verdict == "better"
    assert all(float(x) > middle for path in strokes for x in re.findall(r"M ([\d.]+)", path.attributes["d"]))


def test_scales_are_not_mixed_in_one_plot(two: tuple[Comparison, Element]) -> None:
    _, page = two

    assert [one.text for one in page.id("pair-0").all("p", "subtitle")] == [
        "Differences, as a share of each metric's scale",
        "Differences on open scales, each row on its own axis",
    ]


def test_cases_that_changed_are_linked_and_their_marks_shown_as_text(two: tuple[Comparison, Element]) -> None:
    found, page = two
    changed = page.id("flips-0-0")
    quality = next(one for one in found.contrasts if one.metric == "quality")

    assert f"quality: {quality.gained} ↑ {quality.lost} ↓" in changed.text
    assert "turn 2 answer 0.000 to 1.000 arm0: <script>alert(1)</script>⟦U+202E⟧ said so" in changed.text
    assert "#flips-0-0" in [one.attributes["href"] for one in page.id("contrast-0-0").all("a")]
    assert not list(page.all("script"))


def test_the_heading_says_from_which_arm_to_which(two: tuple[Comparison, Element]) -> None:
    _, page = two

    assert "What changed most, from arm0 to arm1" in [one.text for one in page.id("pair-0").all("h4")]


def test_a_listed_case_leads_to_its_conversation_and_back(two: tuple[Comparison, Element]) -> None:
    _, page = two
    rows = [one for one in page.all("tr") if one.attributes.get("id", "").startswith("flip-")]
    linked = [(row, link) for row in rows for link in row.all("a")]

    assert linked
    for row, link in linked:
        case = page.id(link.attributes["href"][1:])
        assert f"#{row.attributes['id']}" in [one.attributes["href"] for one in case.all("a")]
        assert f"question of {link.text}" in case.text


def test_at_most_so_many_conversations_are_shown_and_the_rest_counted(three: tuple[Comparison, Element]) -> None:
    _, page = three
    rows = [one for one in page.all("tr") if one.attributes.get("id", "").startswith("flip-")]

    assert len(list(page.id("changed").all("details", "case"))) == CONVERSATIONS
    assert len([row for row in rows if not list(row.all("a"))]) > 0
    assert page.id("changed").text.startswith(f"Conversations that changed {CONVERSATIONS} of the ")
    (why,) = page.all("p", "unlinked")
    assert why.text.startswith(f"The page has {CONVERSATIONS} of the ")


def test_what_both_arms_said_stands_once_and_what_differs_side_by_side(two: tuple[Comparison, Element]) -> None:
    _, page = two
    case = page.id("case-0")
    first, second = (one for one in case.all("li") if list(one.all("p", "said")))

    assert next(first.all("p", "said")).text.startswith("question of c")
    assert len(list(first.all("p", "said"))) == 1
    assert [one.text for one in second.all("p", "said")][:2] == ["reply of arm0", "reply of arm1"]


def test_a_flipped_mark_stands_in_its_turn_with_what_each_record_says(two: tuple[Comparison, Element]) -> None:
    _, page = two
    turn = next(one for case in page.all("details", "case") for one in case.all("li", "judged"))

    assert re.search(
        r"quality answer (0.000 to 1.000|1.000 to 0.000) arm[01]: <script>alert\(1\)</script>⟦U\+202E⟧", turn.text
    )
    assert "both arms gold right A arm0 predicted said by arm0 B arm1 predicted said by arm1" in turn.text


def test_a_mark_of_no_turn_stands_over_the_whole(two: tuple[Comparison, Element]) -> None:
    _, page = two

    assert any(
        "The whole conversation" in case.text and re.search(r"slips [\d.]+ to [\d.]+ arm[01]: slipped", case.text)
        for case in page.all("details", "case")
    )


def test_hostile_replies_are_text_and_long_ones_cut(tmp_path: Path) -> None:
    reply = "<img src=x onerror=alert(1)>\u202e</details><script>alert(2)</script>" + "x" * 100_000 + "{arm}"
    content = comparison_page(report_of(told(tmp_path / "run", 2, reply=reply)))
    page = read(content)

    assert "<img src=x onerror=alert(1)>⟦U+202E⟧</details><script>alert(2)</script>xxx" in page.id("case-0").text
    assert "characters left out" in page.id("case-0").text
    assert not list(page.all("script")) + list(page.all("img"))
    assert len(content) < 1_000_000


def test_arms_of_one_name_in_two_runs_keep_their_own_words(tmp_path: Path) -> None:
    runs = [told(tmp_path / name, 1, reply=f"reply in {name}") for name in ("old", "new")]
    rows = [
        msgspec.structs.replace(row, scores=scores(random.Random(place), 0.5))
        for place, row in enumerate(runs[1].rows())
    ]
    (runs[1].folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    report = report_of(*runs)
    page = read(comparison_page(report))
    (pair,) = report.pairs
    said = [one.text for one in next(page.id("case-0").all("div", "sides")).all("p", "said")]
    named = [one.text for one in next(page.id("case-0").all("div", "sides")).all("span", "arm")]

    assert named == [f"A {pair[2]}", f"B {pair[1]}"]
    assert said == [f"reply in {'old' if 'old' in arm else 'new'}" for arm in named]
    assert said[0] != said[1]


def test_the_conversations_shown_are_gains_and_losses_of_every_metric_first() -> None:
    found = [("m", "a", 1.0), ("m", "b", 1.0), ("m", "c", 0.0), ("n", "c", 1.0), ("n", "b", 1.0)]
    entries = [ListedFlip(0, row, Flip(m, "x", "y", case, 0, value, 0.5)) for row, (m, case, value) in enumerate(found)]

    assert [case for _, (case, _) in choose_flips(entries)] == ["b", "c", "a"]
    assert len(choose_flips(entries, 2)) == 2


def test_what_was_not_compared_is_said_with_the_reason(two: tuple[Comparison, Element]) -> None:
    _, page = two

    assert "arm1 against arm0: arm1 has no value (40 skipped): never" in page.id("left-out").text


def test_welch_and_the_method_are_there(two: tuple[Comparison, Element]) -> None:
    found, page = two
    first = found.contrasts[0]

    assert [cell.text for cell in unpaired_table([first]).rows[0]] in page.lines()
    assert words.method_line(found) in page.id("method").text
    assert first.test == first.interval
    assert method_words(first.test) in page.id("method").text


def test_three_arms_have_verdicts_ranks_and_trials(three: tuple[Comparison, Element]) -> None:
    found, page = three
    symbols = {line[0]: line[1:] for line in page.id("verdicts").lines()}

    assert symbols["quality ↑"] == ["▲" if one.verdict == "better" else "○" for one in found.contrasts[:3]]
    assert words.ranking_line(found.rankings[0]) in page.id("rankings").text
    assert words.repeated_line(found.repeated[0]) in page.id("trials").text
    assert "mean ranks" in page.id("metrics").text


def test_several_pairs_are_summed_up_in_one_sentence(three: tuple[Comparison, Element]) -> None:
    found, page = three
    won = [one.a.arm if one.verdict == "better" else one.b.arm for one in found.contrasts if one.verdict in WON]
    (sentence,) = page.all("h1", "answer")

    assert sentence.text.startswith(f"arm2 is better in {won.count('arm2')} contrasts and worse in 0, arm1 in ")


def test_ids_are_unique_and_links_lead_somewhere(three: tuple[Comparison, Element]) -> None:
    _, page = three
    ids = [one.attributes["id"] for one in page.all() if "id" in one.attributes]

    assert len(ids) == len(set(ids))
    assert {one.attributes["href"][1:] for one in page.all("a")} <= set(ids)


def test_bars_of_ranks_meet_where_nemenyi_tells_no_difference() -> None:
    dice = random.Random(3)
    values = [[dice.gauss(arm * 0.5, 1) for arm in range(4)] for _ in range(30)]
    found = friedman(values)
    pairs, critical = tuple(nemenyi(found)), critical_difference(found)
    one = Ranking("m", tuple("abcd"), found.mean_ranks, found.statistic, found.p, 30, pairs, critical=critical)
    plot = next(read(str(ranks_plot(one)).encode()).all("svg"))
    (path,) = plot.all("path", "interval")
    numbers = [float(number) for number in re.findall(r"[\d.]+", path.attributes["d"])]
    order = sorted(range(4), key=lambda arm: found.mean_ranks[arm])
    bars = {arm: (numbers[4 * place], numbers[4 * place + 2]) for place, arm in enumerate(order)}

    for pair in one.pairs:
        apart = bars[pair.a][1] < bars[pair.b][0] or bars[pair.b][1] < bars[pair.a][0]
        assert apart == (pair.p < 0.05)


def test_the_same_comparison_gives_the_same_bytes(tmp_path: Path) -> None:
    run = told(tmp_path / "run", 2)

    assert comparison_page(report_of(run)) == comparison_page(report_of(run))


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_of(tmp_path / "run", 2)
    out = tmp_path / "compare.html"

    assert main(["compare", str(tmp_path / "run"), "-o", str(out)]) == 0
    assert out.read_bytes().startswith(b"<!doctype html>")
    assert str(out) in capsys.readouterr().out


def test_the_report_names_the_command_that_tests_pairs(tmp_path: Path) -> None:
    (reach,) = read(run_page(told(tmp_path / "run", 2))).all("p", "reach")

    assert reach.text.endswith("Pairs are tested by adjudge compare.")
    assert [one.text for one in reach.all("code")] == ["adjudge compare"]


def test_too_many_pairs_to_look_at_have_tables_but_no_plots(tmp_path: Path) -> None:
    rows = [
        ScoreRow(f"c{case}", f"arm{arm}", {"quality": Score.of([Mark(float((case + arm) % 3 > 0))])})
        for case in range(4)
        for arm in range(9)
    ]
    coverage = Coverage(arms={f"arm{arm}": ArmCoverage(4, 4) for arm in range(9)})
    run = make_run(tmp_path / "run", rows, manifest(cards={"quality": CARDS["quality"]}, coverage=coverage))
    found = compare(Sheet([run]), ComparisonRequest())
    page = read(comparison_page(words.ComparisonReport(found, {}, [run])))

    assert len(words.contrasts_by_pair(found)) > MOST_PLOTTED_PAIRS
    assert not list(page.all("svg", "plot"))
    assert len(list(page.all("table", "contrasts"))) == 36
