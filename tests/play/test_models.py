"""Systems that ask a model over real HTTP: played, cached, replayed, and failing in every way a server can."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playing import contents, guess_body, lines, thinks

from adjudge.play.records import Archive
from adjudge.run.played import Played
from tools.judge.chat_server import Body, ChatServer, Http, chat
from workspace import Workspace

THINKING = ("--arm", "thinking@small")


def play(desk: Workspace, server: ChatServer, *more: object, name: str = "run") -> Any:
    folder = desk.folder / name
    return desk.adjudge("play", "guessing", *THINKING, "--model-url", server.url, "-o", folder, *more)


def test_a_system_that_asks_a_model_is_played(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks

    done = play(desk, server)

    assert done.code == 0, done.err
    assert f"prompts to the model small go to {server.url}" in done.err
    traces = lines(desk.run / "traces.jsonl")
    assert {(trace["agent"], trace["participant"], trace["name"]) for trace in traces} == {
        ("thinker", "system", "small")
    }
    # Equal prompts of several conversations are asked once, and paid for once.
    assert sum(trace.get("calls", 0) for trace in traces) == len(server.bodies)
    assert len({body["messages"][-1]["content"].split("===")[-2] for body in server.bodies}) == len(server.bodies)


@pytest.mark.parametrize("concurrency", [8, 256])
def test_results_do_not_depend_on_concurrency(desk: Workspace, server: ChatServer, concurrency: int) -> None:
    server.script = thinks
    server.latency = lambda body, number: (number % 7) / 500

    play(desk, server, "--trials", 3, "--model-temperature", 0.5, "--concurrency", 1, name="alone")
    play(desk, server, "--trials", 3, "--model-temperature", 0.5, "--concurrency", concurrency, name="many")

    assert contents(desk.folder / "many") == contents(desk.folder / "alone")


def test_a_replay_needs_no_server_and_gives_the_same(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks
    play(desk, server, "--model-temperature", 1, "--trials", 2)
    asked = len(server.bodies)

    cache = desk.run / "answers.sqlite"
    done = play(desk, server, "--model-temperature", 1, "--trials", 2, "--replay", "--cache", cache, name="replayed")

    assert done.code == 0, done.err
    assert len(server.bodies) == asked
    assert contents(desk.folder / "replayed") == contents(desk.run)
    assert times(desk.folder / "replayed") == times(desk.run)


def times(folder: Path) -> dict[tuple[str, int], float]:
    """The seconds that the answers of each conversation took when they were first asked."""
    spent = Archive(Played(folder)).spent
    return {(key.case, key.trial): took.seconds for key, took in spent.items()}


def test_a_record_says_what_its_answers_took_cached_or_not(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks
    play(desk, server, "--trials", 4)

    traces = lines(desk.run / "traces.jsonl")
    assert {trace.get("cached", False) for trace in traces} == {True, False}
    for record in lines(desk.run / "records.jsonl"):
        place = record["case"], record.get("trial", 0)
        own = [trace["took"] for trace in traces if (trace["case"], trace.get("trial", 0)) == place]
        # The server says that every reply takes 10 tokens in and 5 out.
        assert (record["answers"], record["tokens"]) == (len(own), 15 * len(own))
    assert all(seconds > 0 for seconds in times(desk.run).values())


def test_a_replay_without_an_answer_says_so_and_goes_on_with_the_server(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks

    done = play(desk, server, "--replay")
    assert done.code == 3
    assert {line["end"]["status"] for line in lines(desk.run / "ends.jsonl")} == {"not_cached"}

    assert play(desk, server).code == 0
    assert len(lines(desk.run / "records.jsonl")) == 8


def test_every_trial_asks_anew_where_the_model_samples(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks
    play(desk, server, "--trials", 4, "--limit", 1, name="cold")
    cold = len(server.bodies)
    play(desk, server, "--trials", 4, "--limit", 1, "--model-temperature", 0.7, name="warm")
    warm = len(server.bodies) - cold

    # The user has two greetings, so that two of four conversations at temperature 0 ask what others have asked.
    assert cold < warm == len(lines(desk.folder / "warm" / "traces.jsonl"))


FAILURES = {
    "refusal": (lambda body: chat(None, refusal="I will not"), "refusal"),
    "nonsense": (lambda body: chat("seven, perhaps"), "parse_error"),
    "wrong type": (lambda body: chat('{"reasoning": "x", "number": "seven"}'), "parse_error"),
    "empty": (lambda body: chat(""), "refusal"),
    "not the protocol": (lambda body: "<html>", "provider_error"),
    "no such model": (lambda body: Http(404, "no such model"), "provider_error"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_model_that_fails_ends_its_conversations_with_a_typed_error(
    desk: Workspace, server: ChatServer, failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudge.tools.retry.RetryPolicy.wait", lambda policy, attempt, asked: 0.0)
    script, status = FAILURES[failure]
    server.script = lambda body, number: script(body)

    done = play(desk, server, "--limit", 2)

    assert done.code == 3
    assert "2 of 2 conversations ended by an error" in done.err
    ends = [line["end"] for line in lines(desk.run / "ends.jsonl")]
    assert [(end["reason"], end["by"], end["status"]) for end in ends] == [("error", "system/thinker", status)] * 2
    # Nothing is invented: the record has what was said before the failure.
    assert [len(record["turns"]) for record in lines(desk.run / "records.jsonl")] == [1, 1]
    assert {trace["status"] for trace in lines(desk.run / "traces.jsonl")} == {status}


def test_a_play_goes_on_when_the_server_is_back(
    desk: Workspace, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudge.tools.retry.RetryPolicy.wait", lambda policy, attempt, asked: 0.0)
    server.script = lambda body, number: thinks(body, number) if number < 5 else Http(500, "down")
    assert play(desk, server).code == 3

    server.script = thinks
    assert play(desk, server).code == 0
    play(desk, server, name="whole")

    assert contents(desk.run)["records"] == contents(desk.folder / "whole")["records"]


def test_a_refusal_is_final(desk: Workspace, server: ChatServer) -> None:
    server.script = lambda body, number: chat(None, refusal="I will not")
    assert play(desk, server, "--limit", 1).code == 3
    asked = len(server.bodies)
    server.script = thinks
    assert play(desk, server, "--limit", 1).code == 3
    assert len(server.bodies) == asked


def test_malformed_answers_and_429s_are_asked_again(
    desk: Workspace, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudge.tools.retry.RetryPolicy.wait", lambda policy, attempt, asked: 0.0)
    seen: Counter[str] = Counter()

    def stumble(body: Body, number: int) -> object:
        """The first request of a prompt is too many, the second gets nonsense, and the follow-up an answer."""
        if len(body["messages"]) > 2:
            return chat(guess_body({**body, "messages": body["messages"][:2]}))
        transcript = body["messages"][1]["content"].split("===")[2]
        seen[transcript] += 1
        return Http(429, "slow down") if seen[transcript] == 1 else chat('{"number": }')

    server.script = stumble
    assert play(desk, server).code == 0
    server.script = thinks
    assert play(desk, server, name="smooth").code == 0
    assert set(seen.values()) == {2}
    assert max(trace["attempts"] for trace in lines(desk.run / "traces.jsonl") if "attempts" in trace) == 3
    assert contents(desk.run)["turns"] == contents(desk.folder / "smooth")["turns"]


def test_a_run_stops_at_its_budget_and_goes_on_with_another(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks

    done = play(desk, server, "--max-calls", 5, "--concurrency", 1)
    assert done.code == 3
    assert "stopped at a limit" in done.err
    assert len(server.bodies) == 5
    assert "budget" in {line["end"]["reason"] for line in lines(desk.run / "ends.jsonl")}

    assert play(desk, server).code == 0
    play(desk, server, name="whole")
    assert contents(desk.run)["records"] == contents(desk.folder / "whole")["records"]
    # The traces of the step that stopped are completed, not written twice.
    answered = [trace for trace in lines(desk.run / "traces.jsonl") if trace.get("status", "ok") == "ok"]
    assert len(answered) == len(lines(desk.folder / "whole" / "traces.jsonl"))


def test_a_conversation_ends_at_its_own_limit_of_calls(desk: Workspace, server: ChatServer) -> None:
    server.script = lambda body, number: chat('{"reasoning": "always", "number": 1}')

    play(desk, server, "--max-calls-each", 3)

    ends = {line["case"]: line["end"] for line in lines(desk.run / "ends.jsonl")}
    assert ends["n1"]["reason"] == "participant"
    assert ends["n8"] == {
        "reason": "budget",
        "by": "system/thinker",
        "status": "over_budget",
        "why": "the limit of 3 calls in a conversation",
    }


def test_a_limit_of_cost_ends_a_replay_where_it_ended_the_play(desk: Workspace, server: ChatServer) -> None:
    server.script = lambda body, number: chat('{"reasoning": "always", "number": 1}')
    arm = ("--arm", "thinking@openai:gpt-4.1-mini", "--model-url", server.url, "--max-cost-each", 0.0001)

    for more in ([], ["--replay", "--cache", desk.run / "answers.sqlite"]):
        folder = desk.folder / ("replayed" if more else "run")
        desk.adjudge("play", "guessing", *arm, *more, "-o", folder)

    ends = [sorted(map(str, lines(desk.folder / name / "ends.jsonl"))) for name in ("run", "replayed")]
    assert ends[0] == ends[1]
    assert "the limit of 0.0001 USD" in ends[0][-1]


def test_credentialed_cases_are_not_sent_to_a_model_that_is_not_allowed(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks
    case = desk.write("cases.jsonl", ({"id": "n3", "number": 3, "credentialed": True},))

    done = play(desk, server, case)
    assert (done.code, server.bodies) == (3, [])
    assert lines(desk.run / "ends.jsonl")[0]["end"]["status"] == "not_allowed"

    assert play(desk, server, case, "--allow-credentialed", server.url, name="allowed").code == 0


def test_a_model_by_part(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks
    arguments = ("--arm", "thinking", "--model", "thinker=large", "--model", "other")

    done = desk.adjudge("play", "guessing", *arguments, "--model-url", server.url, "-o", desk.run)

    assert done.code == 0, done.err
    assert {body["model"] for body in server.bodies} == {"large"}


def test_a_judge_that_played_is_named(desk: Workspace, server: ChatServer) -> None:
    server.script = thinks

    done = play(desk, server, "--judge", "small", "--judge-url", server.url)

    assert "the judge small also played in thinking@small: judges prefer their own replies" in done.err
    assert "also played" not in play(desk, server, "--judge", "large", "--judge-url", server.url).err
