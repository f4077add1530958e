"""Claims on questions: processes that share a cache pay for each question once, whatever happens to one of them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, Http, chat
from judging import Purse, Verdict, answers_to, client_of, question, verdict

from adjudge.core.errors import Unanswered
from adjudge.suites.service import suite
from adjudge.tools.cache import Answers
from adjudge.tools.claims import LEASE, Claims
from adjudge.tools.judge.answerer import JudgeAnswerer


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Answers]:
    with Answers(tmp_path / "kept.sqlite") as answers:
        yield answers


@pytest.fixture
def other(cache: Answers) -> Iterator[Answers]:
    """The same cache, as another process has it open."""
    with Answers(cache.path) as answers:
        yield answers


def acquire(answers: Answers, key: str = "question") -> bool:
    return asyncio.run(answers.claims.acquire(key)) != "taken"


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_a_claimed_question_is_granted_to_nobody_else(cache: Answers, other: Answers) -> None:
    assert acquire(cache)
    assert acquire(cache)
    assert not acquire(other)
    assert acquire(other, "another question")


def test_a_claim_is_new_only_where_nobody_has_asked_or_answered(cache: Answers, other: Answers) -> None:
    cache.put("answered", b"answer")
    cache.flush()
    assert asyncio.run(other.claims.acquire("answered")) == "own"
    assert [asyncio.run(cache.claims.acquire("question")) for _ in range(2)] == ["new", "own"]


def test_a_released_question_is_free(cache: Answers, other: Answers) -> None:
    acquire(cache)
    other.claims.release("question")  # Not its own: nothing happens.
    assert not acquire(other)
    cache.claims.release("question")
    assert acquire(cache, "something after the release")
    assert acquire(other)


def test_an_answer_and_the_end_of_its_claim_are_seen_together(cache: Answers, other: Answers) -> None:
    acquire(cache)
    cache.put("question", b"answer")
    while not acquire(other):
        time.sleep(0.01)
    assert other.get(["question"]) == {"question": b"answer"}


def test_claims_do_not_wait_for_the_disk(cache: Answers, other: Answers, monkeypatch: pytest.MonkeyPatch) -> None:
    syncing, synced = threading.Event(), threading.Event()

    def sync(descriptor: int) -> None:
        syncing.set()
        assert synced.wait(30)

    monkeypatch.setattr(os, "fsync", sync)
    cache.put("question", b"answer")
    assert syncing.wait(30)
    assert other.get(["question"]) == {"question": b"answer"}
    assert acquire(cache, "another question")
    assert not acquire(other, "another question")
    synced.set()
    cache.flush()


def test_closing_leaves_no_claims_behind(cache: Answers, other: Answers) -> None:
    acquire(cache)
    cache.close()
    assert acquire(other)
    other.close()
    assert rows(cache.path, "SELECT * FROM claims") == rows(cache.path, "SELECT * FROM owners") == []


def test_expected_questions_are_claimed_ahead_of_their_turn(cache: Answers, other: Answers) -> None:
    cache.claims.expect(["first", "second", "third"], most=1)
    assert asyncio.run(cache.claims.acquire("first")) == "new"
    assert not acquire(other, "second")
    assert acquire(other, "third")
    assert asyncio.run(cache.claims.acquire("second")) == "new"
    assert asyncio.run(cache.claims.acquire("third")) == "taken"


def test_expected_questions_that_are_withdrawn_are_free(cache: Answers, other: Answers) -> None:
    cache.claims.expect(["first", "second", "third"], most=1)
    acquire(cache, "first")
    cache.claims.withdraw(["first", "second", "third"])
    assert acquire(cache, "something after the release")
    assert not acquire(other, "first")  # It was acquired, so it may be on its way.
    assert acquire(other, "second")
    assert acquire(other, "third")


def test_a_question_that_is_requested_while_it_is_claimed_ahead_is_granted_once(cache: Answers) -> None:
    keys = [str(number) for number in range(500)]

    async def acquire_all() -> list[str]:
        cache.claims.expect(keys, most=50)
        return await asyncio.gather(*map(cache.claims.acquire, keys))

    assert asyncio.run(acquire_all()) == ["new"] * len(keys)


def ended_process() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


@pytest.mark.parametrize("fate", ["killed", "silent", "clock set back"])
def test_claims_of_the_dead_are_free(cache: Answers, other: Answers, fate: str) -> None:
    acquire(cache)
    space, pid, token = cache.claims.owner.split(" ")
    owner = f"{space} {ended_process()} {token}" if fate == "killed" else f"elsewhere {pid} {token}"
    renewed = time.time() + {"killed": 0, "silent": -2 * LEASE, "clock set back": 7200}[fate]
    cache.claims.close()
    with closing(sqlite3.connect(cache.path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO owners VALUES (?, ?)", (owner, renewed))
        connection.execute("INSERT INTO claims VALUES ('question', ?)", (owner,))
    assert acquire(other)


def test_a_living_owner_renews_its_lease(cache: Answers) -> None:
    brief = Claims(lambda: sqlite3.connect(cache.path, isolation_level=None), lease=0.2)
    asyncio.run(brief.acquire("question"))
    (before,) = rows(cache.path, "SELECT renewed FROM owners")
    while rows(cache.path, "SELECT renewed FROM owners") == [before]:
        time.sleep(0.01)
    brief.close()


def test_where_claims_cannot_be_written_questions_are_asked_all_the_same(tmp_path: Path) -> None:
    def refuse() -> sqlite3.Connection:
        raise sqlite3.OperationalError("disk I/O error")

    claims = Claims(refuse)
    assert asyncio.run(claims.acquire("question")) == "own"
    claims.close()


def test_a_cache_of_an_earlier_version_gets_its_tables(cache: Answers) -> None:
    cache.put("old", b"answer")
    cache.close()
    with closing(sqlite3.connect(cache.path, isolation_level=None)) as connection:
        connection.executescript("DROP TABLE claims; DROP TABLE owners;")
    with Answers(cache.path) as again:
        assert acquire(again)
        assert again.get(["old"]) == {"old": b"answer"}


def test_two_answerers_pay_once_and_both_get_the_answers(server: ChatServer, cache: Answers, other: Answers) -> None:
    server.script = lambda body, number: chat(verdict())
    server.latency = lambda body, number: 0.02
    asked, purses = [question(str(number)) for number in range(60)], (Purse(), Purse())
    answerers = [
        JudgeAnswerer(client_of(server.url, concurrency=8), kept, purse)
        for kept, purse in zip((cache, other), purses, strict=True)
    ]
    for answerer in answerers:
        answerer.ask(asked)
    for answerer in answerers:
        answers: list[Any] = []
        while len(answers) < len(asked):
            answers += [reply.answer for _, reply in answerer.wait()]
        assert answers == [Verdict("fine", 4)] * 60
        answerer.close()
    assert len(server.bodies) == 60
    assert sum(purse.calls.total() for purse in purses) == 60


def test_a_question_that_failed_elsewhere_is_asked_here(server: ChatServer, cache: Answers, other: Answers) -> None:
    server.script = lambda body, number: Http(400, "no") if number == 0 else chat(verdict())
    first, second = (JudgeAnswerer(client_of(server.url), kept, Purse()) for kept in (cache, other))
    ((_, failure),) = answers_to(first, [question()])
    assert isinstance(failure, Unanswered)
    assert answers_to(second, [question()]) == [(question(), Verdict("fine", 4))]
    first.close()
    second.close()


QUALITY = {"correctness": 4, "completeness": 4, "clarity": 5, "policy_adherence": 5, "overall": 4}


def start_run(server: ChatServer, folder: Path, name: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "adjudge.cli.main", "score", "service", str(suite.sample), "-q"]
    command += ["--only", "response_quality", "--judge", "small", "--judge-url", server.url, "--concurrency", "16"]
    return subprocess.Popen([*command, "--cache", str(folder / "kept.sqlite"), "-o", str(folder / name)])


def questions_asked(server: ChatServer) -> Counter[str]:
    """How often each question was asked, whatever its marks were."""
    texts = (body["messages"][1]["content"] for body in server.bodies)
    return Counter("\n".join(line for line in text.splitlines() if not line.startswith("===")) for text in texts)


@pytest.mark.slow
def test_two_runs_at_once_pay_for_each_question_once(server: ChatServer, tmp_path: Path) -> None:
    server.script = lambda body, number: chat(json.dumps({"reasoning": "fine", **QUALITY}))
    server.latency = lambda body, number: 0.03
    runs = [start_run(server, tmp_path, name) for name in "ab"]
    assert [run.wait() for run in runs] == [0, 0]
    assert len(questions_asked(server)) == len(server.bodies) == 184
    first, second = (sorted((tmp_path / name / "scores.jsonl").read_bytes().splitlines()) for name in "ab")
    assert first == second


@pytest.mark.slow
def test_a_killed_run_holds_up_nobody(server: ChatServer, tmp_path: Path) -> None:
    server.script = lambda body, number: chat(json.dumps({"reasoning": "fine", **QUALITY}))
    server.latency = lambda body, number: 0.05
    first, second = (start_run(server, tmp_path, name) for name in "ab")
    while len(server.bodies) < 60:
        time.sleep(0.01)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert second.wait() == 0
    asked = questions_asked(server)
    assert len(asked) == 184
    # What was on its way, and what had come in within the last tenth of a second.
    assert asked.total() <= 184 + 3 * 16
    assert max(asked.values()) <= 2
