"""500 human groups (DeliData) from their CSV files as they are, against values computed here from the same files."""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest

from adjudge.aggregate import Row, table
from adjudge.cli.main import main
from adjudge.core.mark import Score
from adjudge.run import Run

# What the tests below compute from the files.
METRICS = (
    "beats_average,beats_best,brier,consensus,consensus_before,consensus_gain,decision_quality,gain_over_average,"
    "ground_truth_match,matches_best,participation_balance,unanimous_wrong"
)
DELIDATA = Path(__file__).parents[4] / "shared" / "data" / "delidata"
NO_ANSWER = "N / A"

Member = dict[str, str]


@pytest.fixture(scope="module")
def delidata() -> Path:
    if not DELIDATA.is_dir():
        pytest.skip("no delidata in the shared data")
    return DELIDATA


@pytest.fixture(scope="module")
def run(delidata: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All groups scored by one command."""
    folder = tmp_path_factory.mktemp("delidata") / "run"
    files = [str(delidata / name) for name in ("members.csv", "messages.csv.gz")]
    assert main(["score", "decision", *files, "--metrics", METRICS, "-o", str(folder), "-q"]) == 0
    return Run(folder)


@pytest.fixture(scope="module")
def rows(run: Run) -> dict[tuple[str, str], Row]:
    return {(row.metric, row.arm): row for row in table(run)}


@pytest.fixture(scope="module")
def scores(run: Run) -> dict[tuple[str, str], dict[str, Score]]:
    """The scores of each record by group and arm."""
    return {(row.case, row.arm): row.scores for row in run.rows()}


@pytest.fixture(scope="module")
def groups(delidata: Path) -> dict[str, list[Member]]:
    members: dict[str, list[Member]] = {}
    with (delidata / "members.csv").open(newline="") as file:
        for member in csv.DictReader(file):
            members.setdefault(member["group_id"], []).append(member)
    return members


@pytest.fixture(scope="module")
def summary(delidata: Path) -> list[dict[str, str]]:
    with (delidata / "groups.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def turned(member: Member, when: str) -> frozenset[str] | None:
    """The cards of an answer; None where there was no answer ('N / A' names the card 'A' by accident)."""
    return None if member[when] == NO_ANSWER else frozenset(member[when].split())


def quality(member: Member, when: str) -> float | None:
    """The share of cards that are rightly turned or rightly left."""
    chosen, right = turned(member, when), set(member["correct"].split())
    if chosen is None:
        return None
    return fmean((card in chosen) == (card in right) for card in member["cards"].split())


def known(members: list[Member], when: str) -> list[float]:
    return [value for member in members if (value := quality(member, when)) is not None]


def consensus(members: list[Member], when: str) -> float | None:
    """The share of pairs with the same answer: beliefs in one answer each have a cosine of 1 or 0."""
    answers = [answer for member in members if (answer := turned(member, when)) is not None]
    pairs = [first == other for first, other in combinations(answers, 2)]
    return fmean(pairs) if pairs else None


def test_every_group_is_scored(run: Run, groups: dict[str, list[Member]]) -> None:
    of_groups = [row for row in run.rows() if row.arm == "group"]
    assert len(of_groups) == 500
    assert {row.case for row in of_groups} == set(groups)
    assert run.manifest.status == "complete"
    assert run.manifest.coverage.refused == 0


@pytest.mark.trial
def test_no_metric_fails(delidata: Path, tmp_path: Path) -> None:
    files = [str(delidata / name) for name in ("members.csv", "messages.csv.gz")]
    assert main(["score", "decision", *files, "-o", str(tmp_path / "run"), "-q"]) == 0
    assert {(row.metric, row.arm): row.reasons for row in table(Run(tmp_path / "run")) if row.errors} == {}


def test_answers_that_are_none_are_counted(run: Run, delidata: Path) -> None:
    (none,) = [line for line in run.manifest.coverage.warnings if NO_ANSWER in line]
    assert "taken as no answer" in none
    number = re.search(r"members\.csv:(\d+): ", none)
    assert number is not None
    assert NO_ANSWER in (delidata / "members.csv").read_text().splitlines()[int(number[1]) - 1]
    assert "(and 20 more like it)" in none
    (stray,) = [line for line in run.manifest.coverage.warnings if "U on 4" in line]
    assert "(and 1 more like it)" in stray


def test_quality_of_the_groups_is_that_of_the_source(
    rows: dict[tuple[str, str], Row], summary: list[dict[str, str]]
) -> None:
    expected = math.fsum(float(group["final_mean"]) for group in summary) / len(summary)
    row = rows["decision_quality", "group"]
    assert row.value == pytest.approx(expected, abs=1e-12)
    assert (row.n, row.undefined) == (500, 0)


def test_quality_of_each_group_is_that_of_the_source(
    scores: dict[tuple[str, str], dict[str, Score]], summary: list[dict[str, str]]
) -> None:
    actual = {group["group_id"]: scores[group["group_id"], "group"]["decision_quality"].value for group in summary}
    expected = {group["group_id"]: float(group["final_mean"]) for group in summary}
    assert actual == pytest.approx(expected, abs=1e-12)


def test_share_of_groups_that_improve(rows: dict[tuple[str, str], Row], groups: dict[str, list[Member]]) -> None:
    better = [fmean(known(members, "final")) > fmean(known(members, "initial")) + 1e-9 for members in groups.values()]
    assert sum(better) == 317
    assert rows["beats_average", "group"].value == pytest.approx(0.634, abs=1e-12)


def test_group_against_its_average_and_its_best_member(
    rows: dict[tuple[str, str], Row], groups: dict[str, list[Member]]
) -> None:
    average = fmean(fmean(known(members, "initial")) for members in groups.values())
    best = fmean(max(known(members, "initial")) for members in groups.values())
    assert rows["decision_quality", "group/average"].value == pytest.approx(average, abs=1e-12)
    assert rows["decision_quality", "group/best"].value == pytest.approx(best, abs=1e-12)
    assert average == pytest.approx(0.58086, abs=5e-6)
    assert best == pytest.approx(0.7805, abs=1e-12)
    group = rows["decision_quality", "group"].value
    assert group is not None
    assert average < group < best
    assert rows["gain_over_average", "group"].value == pytest.approx(group - average, abs=1e-12)


def test_groups_that_beat_their_best_member(rows: dict[tuple[str, str], Row], groups: dict[str, list[Member]]) -> None:
    gaps = [fmean(known(members, "final")) - max(known(members, "initial")) for members in groups.values()]
    assert sum(gap > 1e-9 for gap in gaps) == 79
    assert rows["beats_best", "group"].value == pytest.approx(79 / 500, abs=1e-12)
    assert rows["matches_best", "group"].value == pytest.approx(sum(gap > -1e-9 for gap in gaps) / 500, abs=1e-12)


def test_majority_and_random_member_of_each_group(
    scores: dict[tuple[str, str], dict[str, Score]], groups: dict[str, list[Member]]
) -> None:
    for id, members in groups.items():
        votes = Counter(answer for member in members if (answer := turned(member, "initial")) is not None)
        most = [answer for answer, count in votes.items() if count == max(votes.values())]
        leading = {turned(member, "initial"): quality(member, "initial") for member in members}
        expected = fmean(leading[answer] or 0.0 for answer in most)
        assert scores[id, "group/majority"]["decision_quality"].value == pytest.approx(expected, abs=1e-12)
        assert scores[id, "group/random"]["decision_quality"].value in known(members, "initial")


def test_unanimous_groups_that_are_wrong(
    rows: dict[tuple[str, str], Row], groups: dict[str, list[Member]], summary: list[dict[str, str]]
) -> None:
    agreed = [members for members in groups.values() if len({turned(member, "final") for member in members}) == 1]
    wrong = [members for members in agreed if turned(members[0], "final") != set(members[0]["correct"].split())]
    assert len(agreed) == sum(group["all_final_same"] == "True" for group in summary) == 120
    assert len(wrong) == 77
    row = rows["unanimous_wrong", "group"]
    assert (row.n, row.undefined) == (120, 380)
    assert row.value == pytest.approx(77 / 120, abs=1e-12)


def test_share_of_right_answers(rows: dict[tuple[str, str], Row], groups: dict[str, list[Member]]) -> None:
    for arm, when in (("group", "final"), ("group/average", "initial")):
        shares = [
            fmean(quality(member, when) == 1.0 for member in members if turned(member, when) is not None)
            for members in groups.values()
        ]
        assert rows["ground_truth_match", arm].value == pytest.approx(fmean(shares), abs=1e-12)


def test_consensus_after_the_discussion(
    scores: dict[tuple[str, str], dict[str, Score]],
    rows: dict[tuple[str, str], Row],
    groups: dict[str, list[Member]],
) -> None:
    expected = {id: consensus(members, "final") for id, members in groups.items()}
    assert {id: scores[id, "group"]["consensus"].value for id in groups} == pytest.approx(expected, abs=1e-12)
    defined = [value for value in expected.values() if value is not None]
    assert rows["consensus", "group"].value == pytest.approx(fmean(defined), abs=1e-12)


def test_consensus_before_the_discussion(
    scores: dict[tuple[str, str], dict[str, Score]],
    rows: dict[tuple[str, str], Row],
    groups: dict[str, list[Member]],
) -> None:
    expected = {id: consensus(members, "initial") for id, members in groups.items()}
    actual = {id: scores[id, "group"]["consensus_before"].value for id in groups}
    assert {id for id, value in actual.items() if value is None} == {id for id in groups if expected[id] is None}
    assert actual == pytest.approx(expected, abs=1e-12)
    defined = [value for value in expected.values() if value is not None]
    row = rows["consensus_before", "group"]
    assert row.value == pytest.approx(fmean(defined), abs=1e-12)
    assert (row.n, row.undefined) == (495, 5)


def test_discussion_brings_groups_together(rows: dict[tuple[str, str], Row], groups: dict[str, list[Member]]) -> None:
    moves = [
        (consensus(members, "final") or 0.0) - before
        for members in groups.values()
        if (before := consensus(members, "initial")) is not None
    ]
    assert rows["consensus_gain", "group"].value == pytest.approx(fmean(moves), abs=1e-12)
    assert fmean(moves) > 0


def gini(amounts: list[int]) -> float:
    """The mean absolute difference over twice the mean."""
    return fmean(abs(x - y) for x in amounts for y in amounts) / (2 * fmean(amounts))


def test_participation_is_counted_from_the_messages(
    delidata: Path, scores: dict[tuple[str, str], dict[str, Score]], groups: dict[str, list[Member]]
) -> None:
    messages: Counter[tuple[str, str]] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    with gzip.open(delidata / "messages.csv.gz", "rt", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["message_type"] == "MESSAGE":
                messages[row["group_id"], row["origin"]] += 1
                words[row["group_id"], row["origin"]] += len(row["original_text"].split())
    for id in sorted(groups)[::25]:
        names = [member["member"] for member in groups[id]]
        assert [messages[id, member["member"]] for member in groups[id]] == [int(m["messages"]) for m in groups[id]]
        actual = {mark.at: mark.value for mark in scores[id, "group"]["participation_balance"].marks}
        expected = {
            "messages": 1 - gini([messages[id, name] for name in names]),
            "words": 1 - gini([words[id, name] for name in names]),
        }
        assert actual == pytest.approx(expected, abs=1e-12)


def test_brier_is_that_of_the_share_behind_the_foremost_answer(
    rows: dict[tuple[str, str], Row], groups: dict[str, list[Member]]
) -> None:
    squares = []
    for members in groups.values():
        counts = Counter(turned(member, "final") for member in members)
        (answer, count), *rest = counts.most_common(2)
        if rest and rest[0][1] == count:
            continue
        right = answer == frozenset(members[0]["correct"].split())
        squares.append((count / len(members) - right) ** 2)
    row = rows["brier", "group"]
    assert (row.n, row.undefined) == (len(squares), 500 - len(squares))
    assert row.value == pytest.approx(fmean(squares), abs=1e-12)


def test_comparison_pits_the_group_against_its_members(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "compare.json"
    chosen = ["--baseline", "group", "--arms", "group,group/average,group/best", "--metrics", "decision_quality"]
    assert main(["compare", str(run.folder), *chosen, "-o", str(target), "-q"]) == 0
    contrasts = {
        contrast["a"]["arm"]: contrast for contrast in json.loads(target.read_text())["comparison"]["contrasts"]
    }
    assert contrasts["group/average"]["verdict"] == "worse"
    assert contrasts["group/best"]["verdict"] == "better"
    assert all(contrast["paired"] and contrast["pairs"] == 500 for contrast in contrasts.values())
    assert contrasts["group/average"]["difference"] == pytest.approx(0.5808630952380952 - 0.6822476190476191, abs=1e-9)


def test_members_alone_are_enough(delidata: Path, tmp_path: Path, rows: dict[tuple[str, str], Row]) -> None:
    folder = tmp_path / "run"
    files = [str(delidata / name) for name in ("members.csv", "groups.csv")]
    only = ["--only", "decision_quality,participation_balance", "--baselines", "none"]
    assert main(["score", "decision", *files, *only, "-o", str(folder), "-q"]) == 0
    by_metric = {row.metric: row for row in table(Run(folder))}
    assert by_metric["decision_quality"].value == rows["decision_quality", "group"].value
    assert by_metric["participation_balance"].value is None
    assert any("groups.csv: a summary of the groups" in line for line in Run(folder).manifest.coverage.warnings)
