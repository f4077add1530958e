"""The report of a played run: ends, agents, what a part is worth, and what happened inside the turns."""

from __future__ import annotations

import json
import re

from playing import thinks

from adjudge.report.play.summary import agent_totals
from adjudge.report.play.worth import pairs_without_parts
from adjudge.run.played import PlayedArm, TraceLine
from tools.judge.chat_server import ChatServer
from workspace import Workspace


def trace(agent: str, **numbers: object) -> TraceLine:
    return TraceLine(case="c", arm="a", turn=1, participant="system", agent=agent, **numbers)  # type: ignore[arg-type]


def test_totals_add_up_what_each_agent_took() -> None:
    answered = trace("triage", calls=2, input_tokens=10, output_tokens=3, cost=0.5, seconds=1.5, attempts=3)
    [total] = agent_totals([answered, trace("triage", cached=True), trace("triage", kind="call", name="search")])

    assert (total.answers, total.cached, total.calls, total.attempts, total.uses) == (2, 1, 2, 3, 1)
    assert (total.input_tokens, total.output_tokens, total.seconds, total.cost) == (10, 3, 1.5, 0.5)


def test_a_cost_that_is_not_known_makes_the_total_unknown() -> None:
    [total] = agent_totals([trace("triage", calls=1, cost=None), trace("triage", calls=1, cost=0.1)])
    assert total.cost is None


def test_a_part_is_compared_with_the_arm_that_only_lacks_less() -> None:
    systems = {"system": "team", "user": "agenda"}
    arms = {
        "whole": PlayedArm(systems=systems, models={"triage": "m", "supervisor": "m"}),
        "a": PlayedArm(systems=systems, without=("supervisor",), models={"triage": "m"}),
        "b": PlayedArm(systems=systems, without=("supervisor", "memory"), models={"triage": "m"}),
        "other model": PlayedArm(systems=systems, without=("memory",), models={"triage": "n", "supervisor": "n"}),
        "other system": PlayedArm(systems={**systems, "system": "rules"}),
    }
    pairs = [(pair.whole, pair.without, pair.parts) for pair in pairs_without_parts(arms)]
    assert pairs == [("whole", "a", ("supervisor",)), ("a", "b", ("memory",))]


def test_a_report_shows_what_was_played(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks
    arms = ("--arm", "bisection", "--arm", "bisection-memory", "--arm", "thinking@small", "--model-url", server.url)
    played = desk.adjudge("play", "guessing", *arms, "-o", desk.run)
    assert played.code == 0, played.err
    assert "Effect of each part" in played.out

    assert desk.adjudge("report", desk.run, "-o", "r.md", "-o", "r.json", "-o", "r.html").code == 0
    markdown, page = ((desk.folder / name).read_text("utf-8") for name in ("r.md", "r.html"))
    summary = json.loads((desk.folder / "r.json").read_text("utf-8"))["play"]

    assert "| thinking&#8288;@&#8288;small |" in markdown.replace("@&#8288;", "&#8288;@&#8288;")
    [worth] = summary["worths"]
    assert (worth["parts"], worth["whole"], worth["without"]) == (["memory"], "bisection", "bisection-memory")
    # Without its memory the system needs more guesses, so the part is worth a negative number of them.
    assert worth["contrasts"][0]["difference"] < 0
    assert sum(agent["answers"] for agent in summary["agents"]) == 21
    inside = re.findall(r"<summary>what happened inside this turn: 1 step</summary>", page)
    assert inside
    assert "<bdi>1 to 8: 4</bdi>" in page  # A decision of the rule.
    assert "tokens in" in page  # What an answer of the model took.


def test_a_terminal_report_shows_agents_and_ends(desk: Workspace) -> None:
    desk.adjudge("play", "guessing", "-o", desk.run)
    shown = desk.adjudge("report", desk.run).out
    assert "played 8 conversations with" in shown
    assert re.search(r"bisection +the user +8", shown)


def test_a_run_that_is_not_scored_says_how_to_score_it(desk: Workspace) -> None:
    desk.adjudge("play", "guessing", "-o", desk.run, "--no-score")
    done = desk.adjudge("report", desk.run)
    assert done.code == 2
    assert "was played, but is not scored yet; score it with `adjudge score" in done.err
