from __future__ import annotations

import io
from pathlib import Path

import pytest
from example_run import CARDS, ROWS, card, make_run, manifest
from rich.console import Console

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.report.run.summary import RunSummary
from adjudge.report.run.terminal import print_breakdown, print_coverage, print_summary, print_worst
from adjudge.report.run.words import coverage_line


def show(summary: RunSummary, console: Console, by_group: bool = True) -> None:
    print_summary(summary, console, verbose=True)
    if by_group:
        print_breakdown(summary, console, "group", summary.groups)


def printed(summary: RunSummary, width: int = 120, by_group: bool = False) -> list[str]:
    file = io.StringIO()
    show(summary, Console(file=file, width=width), by_group)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_coverage_comes_before_any_number(summary: RunSummary) -> None:
    lines = printed(summary)

    covered = lines.index("ubar: 5 of 6 conversations, 13 of 16 turns (81.2 %)")
    warned = lines.index("warning: 2 turns do not align")
    assert covered < warned < next(place for place, line in enumerate(lines) if "0.625" in line)
    assert lines[covered + 1] == "  `people` never meets `bookpeople`"


def test_a_share_just_short_of_all_is_not_shown_as_all() -> None:
    assert coverage_line("a", ArmCoverage(1, 1, 9999, 10000)) == (
        "a: 1 of 1 conversation, 9999 of 10000 turns (99.9 %)"
    )


def test_without_expectations_only_what_is_there_is_counted() -> None:
    assert coverage_line("", ArmCoverage(3)) == "(unnamed): 3 conversations"


def test_a_row_has_the_values_of_all_arms_and_all_that_belongs_to_them(summary: RunSummary) -> None:
    lines = printed(summary)
    header = next(line for line in lines if line.startswith("metric"))

    assert header.split() == ["metric", "ubar", "(81.2", "%)", "galaxy", "n"]
    assert cells(lines, "success ↑") == ["0.600", "0.131–0.937", "0.667*", "0.204–0.940", "5/6 conv.,", "1/0 undefined"]
    assert cells(lines, "hallucination ↓") == ["0.292", "0.063–0.717", "0.000*", "0.000–0.459", "6 replies"]
    assert cells(lines, "turns_taken") == ["2.667", "1.583–3.751", "2.667", "1.583–3.751", "6 conv."]


def cells(lines: list[str], name: str) -> list[str]:
    """The cells of a metric's row: figures one by one, counts with their noun."""
    row = next(line for line in lines if line.startswith(f"{name} "))
    words = row.removeprefix(name).split()
    counts = [place for place, word in enumerate(words) if word[0].isdigit() and "." not in word]
    first = counts[0] if counts else len(words)
    return [*words[:first], *(" ".join(words[place : place + 2]) for place in counts)]


def test_where_there_is_little_room_the_interval_stands_below_its_value(summary: RunSummary) -> None:
    lines = printed(summary, 70)

    place = next(place for place, line in enumerate(lines) if line.startswith("success ↑"))
    assert lines[place].split() == ["success", "↑", "0.600", "0.667*", "5/6", "conv."]
    assert lines[place + 1].split() == ["0.131–0.937", "0.204–0.940", "1/0", "undefined"]


def test_one_arm_has_no_best(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row.arm == "ubar"]
    lines = printed(RunSummary.of(make_run(tmp_path / "run", rows, manifest())))

    assert cells(lines, "success ↑") == ["0.600", "0.131–0.937", "5 conv.,", "1 undefined"]
    assert not any("*" in line for line in lines)


def test_equal_arms_and_metrics_without_direction_have_no_best(summary: RunSummary) -> None:
    assert not any("*" in line for line in printed(summary) if line.startswith("turns_taken"))


def test_arms_that_do_not_fit_stand_in_further_tables(tmp_path: Path) -> None:
    rows = [
        ScoreRow(f"c{case}", f"arm{number}", {"success": Score.of([Mark(float(case % 2))])})
        for number in range(9)
        for case in range(4)
    ]
    summary = RunSummary.of(make_run(tmp_path / "run", rows, manifest(coverage=Coverage())))
    lines = printed(summary, 80)
    headers = [line.split()[1:-1] for line in lines if line.startswith("metric")]

    assert headers[:3] == [["arm0", "arm1", "arm2", "arm3"], ["arm4", "arm5", "arm6", "arm7"], ["arm8"]]
    assert max(map(len, lines)) <= 80


def test_counts_of_many_arms_are_a_range(tmp_path: Path) -> None:
    rows = [
        ScoreRow(f"c{case}", f"a{arm}", {"success": Score.of([Mark(1.0)])})
        for arm in range(5)
        for case in range(arm + 2)
    ]
    lines = printed(RunSummary.of(make_run(tmp_path / "run", rows, manifest(coverage=Coverage()))), 200)

    assert any(line.startswith("success ↑") and line.endswith("2–6 conv.") for line in lines)


@pytest.mark.parametrize("width", [80, 100, 120])
def test_no_line_is_longer_than_the_console(tmp_path: Path, width: int) -> None:
    name = "share_of_replies_that_state_what_the_database_says_in_full"
    rows = [ScoreRow("a", f"{arm}/of-some-length_of_name" * 2, {name: Score.of([Mark(1.0)])}) for arm in "xy"]
    summary = RunSummary.of(make_run(tmp_path / "run", rows, manifest(cards={name: card(name)})))
    file = io.StringIO()

    show(summary, Console(file=file, width=width))

    assert max(map(len, file.getvalue().splitlines())) <= width
    assert all(part in file.getvalue() for part in ("share_of_replies_", "_in_full ↑"))


def test_names_without_a_place_to_break_are_broken_anyway(tmp_path: Path) -> None:
    name = "x" * 130
    rows = [ScoreRow("a", "y" * 130, {name: Score.of([Mark(1.0, group="z" * 130)])})]
    summary = RunSummary.of(make_run(tmp_path / "run", rows, manifest(cards={name: card(name, probes=("p" * 130,))})))

    assert max(map(len, printed(summary, 80, by_group=True))) <= 80


@pytest.mark.parametrize("length", range(20, 50))
def test_an_arrow_stays_with_its_metric(tmp_path: Path, length: int) -> None:
    name = ("one_" * length)[: length - 1] + "x"
    rows = [ScoreRow("a", arm, {name: Score.of([Mark(1.0)])}) for arm in "xy"]
    lines = printed(RunSummary.of(make_run(tmp_path / "run", rows, manifest(cards={name: card(name)}))), 70)

    assert "↑" not in [line.strip() for line in lines]
    assert max(map(len, lines)) <= 70


def test_figures_are_whole_on_a_very_narrow_console(summary: RunSummary) -> None:
    assert any("0.230–0.903" in line for line in printed(summary, 30))


def test_what_an_arm_skips_is_not_in_the_table_but_its_reason_is_below(summary: RunSummary) -> None:
    lines = printed(summary)

    assert cells(lines, "intent_accuracy ↑") == ["1.000", "0.541–1.000", "6 turns"]
    assert "skipped for ubar (never predicts intents): intent_accuracy" in lines


def test_a_value_without_interval_has_a_dash(tmp_path: Path) -> None:
    rows = [ScoreRow("a", "x", {"success": Score.of([Mark(1.0)])})]
    summary = RunSummary.of(make_run(tmp_path / "run", rows, manifest()))

    assert cells(printed(summary), "success ↑") == ["1.000", "–", "1 conv."]


def test_what_no_conversation_asks_is_undefined(tmp_path: Path) -> None:
    rows = [ScoreRow("a", "x", {"success": Score.of([])})]
    summary = RunSummary.of(make_run(tmp_path / "run", rows, manifest()))

    assert cells(printed(summary), "success ↑") == ["undefined", "1 undefined"]


def test_errors_are_counted_and_red(summary: RunSummary) -> None:
    file = io.StringIO()
    print_summary(summary, Console(file=file, width=120, force_terminal=True, color_system="standard"), verbose=True)

    assert "\x1b[31merror for galaxy in 1 conversation" in file.getvalue()


def test_reasons_without_end_are_listed_up_to_a_number(tmp_path: Path) -> None:
    rows = [ScoreRow(f"c{n}", "x", {"success": Score.skip("error", f"bad value {n}")}) for n in range(50)]
    lines = printed(RunSummary.of(make_run(tmp_path / "run", rows, manifest())))

    assert sum("bad value" in line for line in lines) == 20
    assert "... and 30 more, all in the .json report" in lines


def test_variants_stand_apart(summary: RunSummary) -> None:
    lines = printed(summary)

    title = lines.index("Variants (literal readings of a source's definition, for reference)")
    assert title < next(place for place, line in enumerate(lines) if "success_strict" in line)


def test_parts_of_the_system_have_their_own_table(summary: RunSummary) -> None:
    lines = printed(summary)

    parts = [line.split() for line in lines[lines.index("By part of the system") :]]
    assert ["supervisor"] in parts
    assert ["hallucination", "↓", "0.292"] in [words[:3] for words in parts]


def test_groups_are_shown_when_asked_for(summary: RunSummary) -> None:
    assert "By group" not in printed(summary)
    assert "hotel" in printed(summary, by_group=True)


def test_text_from_data_cannot_style_or_move(tmp_path: Path) -> None:
    arm = "[red]ub\x1b[31mar\x9b2J\u202e[/red]\r\nnext"
    rows = [ScoreRow(row.case, arm, row.scores) for row in ROWS if row.arm == "ubar"]
    summary = RunSummary.of(
        make_run(tmp_path / "run", rows, manifest(coverage=Coverage(arms={arm: ArmCoverage(1, 2, 3, 4)})))
    )
    file = io.StringIO()
    console = Console(file=file, width=120, force_terminal=True, color_system=None)
    show(summary, console)
    print_worst(summary, console)

    assert not {"\x1b", "\x9b", "\u202e", "\r"} & set(file.getvalue())
    assert "[red]ub[31mar2J[/red] next" in file.getvalue()


def test_a_console_without_arrows_gets_letters(summary: RunSummary) -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print_summary(summary, Console(file=file, width=120))
    file.seek(0)

    assert cells(file.read().replace("|", " ").splitlines(), "success ^")[:2] == ["0.600", "0.131-0.937"]


def test_a_run_that_is_not_finished_says_so(tmp_path: Path) -> None:
    lines = printed(RunSummary.of(make_run(tmp_path / "run", [], manifest(status="running"))))

    assert any(line.startswith("warning: the run is not finished") for line in lines)
    assert "no scores" in lines


def test_the_worst_are_printed_with_turn_and_reason(summary: RunSummary) -> None:
    file = io.StringIO()
    print_worst(summary, Console(file=file, width=120), verbose=True)

    assert "hallucination: worst of ubar\n  1.000  MUL0002.json: 09:15: =cmd()" in file.getvalue()
    assert "0.500  MUL0001.json, turn 1: belief: <script>" in file.getvalue()


def test_every_metric_of_the_run_is_printed(summary: RunSummary) -> None:
    text = "\n".join(printed(summary))

    assert all(name in text for name in CARDS)


def many_metrics(tmp_path: Path) -> RunSummary:
    """A run of thirty metrics, the first three of which are primary, with one worst conversation each."""
    names = [f"metric_{number:02}" for number in range(30)]
    cards = {name: card(name, primary=number < 3) for number, name in enumerate(names)}
    scores = {name: Score.of([Mark(0.0, why=f"{name} is wrong"), Mark(1.0)]) for name in names}
    rows = [ScoreRow(f"c{case}", arm, scores) for case in range(3) for arm in ("x", "y")]
    arms = {arm: ArmCoverage(3, 3) for arm in "xy"}
    return RunSummary.of(make_run(tmp_path / "run", rows, manifest(cards=cards, coverage=Coverage(arms=arms))))


def printed_briefly(summary: RunSummary) -> list[str]:
    file = io.StringIO()
    console = Console(file=file, width=120)
    print_summary(summary, console)
    print_worst(summary, console)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_a_screen_shows_the_primary_family_and_says_what_is_not_shown(tmp_path: Path) -> None:
    lines = printed_briefly(many_metrics(tmp_path))

    assert [line.split()[0] for line in lines if line.startswith("metric_") and "↑" in line] == [
        "metric_00",
        "metric_01",
        "metric_02",
    ]
    assert "--verbose shows the rest: 27 more metrics, every reason" in lines
    assert "metric_00 0.500 of x in c0: metric_00 is wrong" in lines
    assert not any("metric_03" in line for line in lines)


def test_arms_with_the_same_coverage_share_a_line(tmp_path: Path) -> None:
    assert "x, y: 3 of 3 conversations" in printed_briefly(many_metrics(tmp_path))


def test_arms_are_grouped_by_what_they_cover() -> None:
    coverage = Coverage(arms={"a": ArmCoverage(1, 2), "b": ArmCoverage(2, 2), "c": ArmCoverage(1, 2)})
    file = io.StringIO()
    print_coverage(coverage, Console(file=file, width=120))

    assert file.getvalue().splitlines() == ["a, c: 1 of 2 conversations", "b: 2 of 2 conversations"]


def test_few_metrics_are_all_shown(summary: RunSummary) -> None:
    text = "\n".join(printed_briefly(summary))

    assert all(name in text for name in CARDS)


def test_few_metrics_with_a_value_are_all_shown_beside_the_primary_family(tmp_path: Path) -> None:
    names = [f"metric_{number:02}" for number in range(30)]
    cards = {name: card(name, primary=number < 3) for number, name in enumerate(names)}
    scores = {
        name: Score.of([Mark(1.0)]) if number in (1, 20) else Score.skip("no_tool", "no judge")
        for number, name in enumerate(names)
    }
    rows = [ScoreRow(f"c{case}", "x", scores) for case in range(3)]
    run = make_run(tmp_path / "run", rows, manifest(cards=cards, coverage=Coverage()))
    lines = printed_briefly(RunSummary.of(run))

    assert [line.split()[0] for line in lines if line.startswith("metric_") and "↑" in line] == [
        "metric_01",
        "metric_20",
    ]


def test_a_screen_names_some_metrics_of_a_reason_and_counts_the_others(tmp_path: Path) -> None:
    names = [f"metric_{number:02}" for number in range(6)]
    cards = {name: card(name) for name in names}
    rows = [ScoreRow("c", "x", {name: Score.skip("no_tool", "no judge") for name in names})]
    summary = RunSummary.of(make_run(tmp_path / "run", rows, manifest(cards=cards, coverage=Coverage())))

    assert "skipped for x (no judge): metric_00, metric_01, metric_02 and 3 more" in printed_briefly(summary)


def test_the_worst_of_a_metric_is_that_of_the_worst_arm(tmp_path: Path) -> None:
    def row(case: str, arm: str, hallucination: float, success: float) -> ScoreRow:
        marks = {"hallucination": hallucination, "success": success}
        return ScoreRow(case, arm, {name: Score.of([Mark(value, why="so")]) for name, value in marks.items()})

    rows = [
        row("c1", "good", 0.5, 0.0),
        row("c2", "good", 0.0, 1.0),
        row("c1", "bad", 0.75, 0.0),
        row("c2", "bad", 0, 0),
    ]
    arms = {arm: ArmCoverage(2) for arm in ("good", "bad")}
    summary = RunSummary.of(make_run(tmp_path / "run", rows, manifest(coverage=Coverage(arms=arms))))
    file = io.StringIO()
    print_worst(summary, Console(file=file, width=120))

    assert file.getvalue().splitlines()[2:] == [
        "hallucination 0.750 of bad in c1: so",
        "success 0.000 of bad in c1: so",
    ]
