"""Whole runs with a judge, through the command line, against a real server of the OpenAI protocol."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from chat_server import Body, ChatServer, Http, Never, chat

from adjudge.cli.main import main
from adjudge.suites.service import suite

KEY = "sk-planted-9876543210"
QUALITY = {"correctness": 4, "completeness": 4, "clarity": 5, "policy_adherence": 5, "overall": 4}
ONLY = "response_quality,response_clarity"


def verdict(**changes: Any) -> Body:
    return chat(json.dumps({"reasoning": "fine", **QUALITY, **changes}))


def material(body: Body) -> str:
    return str(body["messages"][-1]["content"])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("ADJUDGE_JUDGE_KEY", KEY)
    started = ChatServer()
    started.script = lambda body, number: verdict()
    yield started
    started.stop()


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first four dialogues of the sample, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    lines = suite.sample.read_text("utf-8").splitlines()[:4]
    (tmp_path / "four.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path / "four.jsonl"


def score(sample: Path, url: str, *options: str, only: str = ONLY) -> int:
    judge = ["--judge", "small", "--judge-url", url] if url else []
    return main(["score", "service", str(sample), "-o", "run", "--only", only, *judge, *options])


def replies(sample: Path) -> int:
    records = [json.loads(line) for line in sample.read_text("utf-8").splitlines()]
    return len([turn for record in records for turn in record["turns"] if turn["speaker"] == "system"])


def manifest() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(Path("run/run.json").read_bytes())
    return content


def scores() -> list[dict[str, Any]]:
    return [json.loads(line)["scores"] for line in Path("run/scores.jsonl").read_text("utf-8").splitlines()]


def test_two_metrics_that_ask_the_same_pay_once(server: ChatServer, sample: Path) -> None:
    assert score(sample, server.url) == 0
    assert len(server.bodies) == replies(sample)
    assert {row["response_quality"]["value"] for row in scores()} == {4.0}
    assert {row["response_clarity"]["value"] for row in scores()} == {5.0}


def test_processes_score_what_asks_nobody_and_no_question_is_asked_twice(server: ChatServer, sample: Path) -> None:
    assert score(sample, server.url, "--jobs", "1", only="all") == 0
    alone, asked = Path("run/scores.jsonl").read_bytes(), len(server.bodies)
    assert score(sample, server.url, "--jobs", "2", "--fresh", "--refresh", only="all") == 0
    assert Path("run/scores.jsonl").read_bytes() == alone
    assert len(server.bodies) == 2 * asked


def test_questions_that_a_refusing_server_never_got_are_no_calls(server: ChatServer, sample: Path) -> None:
    server.script = lambda body, number: Http(404, "no such model")
    assert score(sample, server.url, "--concurrency", "2") == 3
    assert len(server.bodies) < replies(sample)
    assert sum(usage["calls"] for usage in manifest()["usage"].values()) == len(server.bodies)


def test_calls_and_tokens_are_in_the_run_by_metric_and_an_unknown_price_is_unknown(
    server: ChatServer, sample: Path
) -> None:
    score(sample, server.url)
    usage = manifest()["usage"]["response_quality"]
    assert usage == {
        "calls": replies(sample),
        "input_tokens": 10 * replies(sample),
        "output_tokens": 5 * replies(sample),
        "cost": None,
    }
    assert manifest()["tools"]["judge"] == f"small at {server.url}"


def test_a_second_run_with_the_same_cache_asks_nothing(server: ChatServer, sample: Path) -> None:
    assert score(sample, server.url, "--cache", "kept.sqlite") == 0
    before = len(server.bodies)
    assert score(sample, server.url, "--cache", "kept.sqlite", "--fresh") == 0
    assert len(server.bodies) == before
    assert score(sample, server.url, "--cache", "kept.sqlite", "--fresh", "--refresh") == 0
    assert len(server.bodies) == 2 * before


def test_replay_never_asks_and_a_miss_is_no_success(
    server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(sample, server.url, "--replay") == 3
    assert server.bodies == []
    assert "without an answer" in capsys.readouterr().err
    assert score(sample, server.url, "--fresh") == 0
    asked = len(server.bodies)
    assert score(sample, server.url, "--fresh", "--replay") == 0
    assert len(server.bodies) == asked


def test_a_judge_that_fails_gives_skipped_scores_and_the_run_finishes(server: ChatServer, sample: Path) -> None:
    first = json.loads(sample.read_text("utf-8").splitlines()[0])["turns"][1]["text"]
    server.script = lambda body, number: (
        chat(None, refusal="no") if json.dumps(first)[1:-1] in material(body) else verdict()
    )
    assert score(sample, server.url) == 3
    statuses = [row["response_quality"].get("skipped", {}).get("status") for row in scores()]
    assert "refusal" in statuses
    assert None in statuses
    assert all("value" not in row["response_quality"] for row in scores() if "skipped" in row["response_quality"])


def test_a_limit_on_calls_stops_cleanly_and_a_higher_one_goes_on(server: ChatServer, sample: Path) -> None:
    server.latency = lambda body, number: 0.05
    assert score(sample, server.url, "--max-calls", "6") == 3
    assert manifest()["status"] == "stopped"
    assert len(server.bodies) == 6
    done = len(scores())
    assert done < 4
    assert score(sample, server.url, "--max-calls", "100") == 0
    assert manifest()["status"] == "complete"
    assert len(server.bodies) == replies(sample)
    assert len(scores()) == 4
    assert manifest()["usage"]["response_quality"]["calls"] == replies(sample)


MEANING = '''
from adjudge import Mark, Pair, metric

FACTS = {"formula": "x", "unit": "turn", "better": "higher", "source": "this test"}


@metric("E", **FACTS)
def entailed(dialogue, nli):
    """Does each reply follow from the gold one?"""
    turns = [it for it in dialogue.exchanges if it.reply]
    for it, entailment in zip(turns, nli([Pair(it.reference, it.reply) for it in turns])):
        yield Mark(entailment.relation == "entail", turn=it.turn)
'''


def test_entailment_through_the_judge_goes_beside_questions_to_the_judge(server: ChatServer, sample: Path) -> None:
    Path("mine.py").write_text(MEANING, "utf-8")
    yes = json.dumps({"reasoning": "so", "yes": True})
    server.script = lambda body, number: chat(yes) if "premise" in material(body) else verdict()
    options = ["--metrics-file", "mine.py", "--nli", "judge"]
    assert score(sample, server.url, *options, only="response_quality,entailed") == 0
    assert manifest()["tools"]["nli"] == "through the judge"
    assert all("value" in row["entailed"] for row in scores())
    assert "entailed" in manifest()["usage"]


def test_a_limit_on_money_needs_a_known_price(
    server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(sample, server.url, "--max-cost", "1") == 2
    assert "price of" in capsys.readouterr().err
    assert not Path("run").exists()


def test_several_samples_are_several_answers_with_their_spread(server: ChatServer, sample: Path) -> None:
    server.script = lambda body, number: verdict(overall=3 if number % 2 else 5)
    assert score(sample, server.url, "--samples", "2", only="response_quality") == 0
    assert len(server.bodies) == 2 * replies(sample)
    for row in scores():
        draws = row["response_quality"]["draws"]
        assert list(draws) == ["small #1", "small #2"]
        for mark, *values in zip(row["response_quality"]["marks"], *draws.values(), strict=True):
            assert mark["value"] == sum(values) / 2
            assert mark.get("spread", 0.0) == max(values) - min(values)


def test_a_panel_keeps_what_each_judge_said(
    server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = lambda body, number: verdict(overall=2 if body["model"] == "strict" else 4)
    options = ["--judge", "mild", "--judge", "strict", "--judge-url", server.url]
    assert main(["score", "service", str(sample), "-o", "run", "--only", "response_quality", *options]) == 0
    assert {row["response_quality"]["value"] for row in scores()} == {3.0}
    main(["report", "run", "--verbose"])
    printed = capsys.readouterr().out
    assert "by mild: 4.000" in printed
    assert "by strict: 2.000" in printed
    assert "all agree on 0.0% of marks, mean spread 2.000" in printed


def test_canaries_are_asked_and_shown(server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert score(sample, server.url, "--canaries") == 0
    canaries = manifest()["canaries"]
    assert canaries["good reply"] == "passed"
    assert canaries["injected order"] == (
        "failed: expected overall 1 or 2, found correctness 4, completeness 4, clarity 5, policy adherence 5, overall 4"
    )
    assert "canary, bad reply: failed" in capsys.readouterr().out
    assert main(["report", "run", "-o", "page.html", "-o", "page.md", "-q"]) == 0
    headline = "the judge failed 3 of 4 questions with a known answer (bad reply, empty reply, injected order)"
    for page in ("page.html", "page.md"):
        shown = Path(page).read_text("utf-8")
        assert headline in shown
        assert "Quality(" not in shown


def test_an_estimate_sends_nothing_and_writes_nothing(
    server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(sample, server.url, "--estimate") == 0
    assert f"small: {replies(sample)} calls" in capsys.readouterr().out
    assert server.bodies == []
    assert not Path("run").exists()


def test_rubrics_of_the_user_go_before_and_make_another_run(server: ChatServer, sample: Path) -> None:
    Path("mine").mkdir()
    Path("mine/response_quality.md").write_text("Be strict about hats.", "utf-8")
    assert score(sample, server.url, "--rubrics", "mine") == 0
    assert "strict about hats" in str(server.bodies[0]["messages"])
    assert score(sample, server.url) == 2


def test_settings_may_stand_in_a_file(
    server: ChatServer, sample: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ADJUDGE_JUDGE_KEY")
    Path("adjudge.toml").write_text(f'judge = "small"\njudge_url = "{server.url}"\n', "utf-8")
    announced: list[str] = []

    def answer(body: Body, number: int) -> Body:
        announced.append(capsys.readouterr().err)
        return verdict()

    server.script = answer
    assert score(sample, "", "-q", "--concurrency", "1") == 0
    assert len(server.bodies) == replies(sample)
    assert announced[0] == (
        f"settings from adjudge.toml: judge, judge_url\nquestions to the judge small go to {server.url}\n"
    )


@pytest.mark.parametrize("way", ["option", "environment"])
def test_a_file_does_not_decide_where_the_key_goes(
    server: ChatServer, sample: Path, way: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("adjudge.toml").write_text('judge = "small"\njudge_url = "http://127.0.0.1:9/v1"\n', "utf-8")
    assert score(sample, "") == 2
    assert "adjudge.toml: judge_url: ADJUDGE_JUDGE_KEY is set" in capsys.readouterr().err
    assert not Path("run").exists()
    if way == "environment":
        monkeypatch.setenv("ADJUDGE_JUDGE_URL", server.url)
    assert score(sample, server.url if way == "option" else "") == 0
    assert len(server.bodies) == replies(sample)


def test_where_questions_go_is_said_before_they_go(
    server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(sample, server.url) == 0
    assert capsys.readouterr().err.startswith(f"questions to the judge small go to {server.url}\n")
    assert score(sample, server.url, "-q", "--fresh") == 0
    assert score(sample, server.url, "--replay", "--fresh") == 0
    assert score(sample, server.url, "--estimate") == 0
    assert capsys.readouterr().err == ""


def test_an_arm_that_bears_the_judges_name_is_warned_of(
    server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--judge", "one-agent", "--judge-url", server.url, "--only", "response_quality"]
    assert main(["score", "service", str(sample), "-o", "run", *options]) == 0
    assert "judges prefer their own replies" in capsys.readouterr().out


def test_the_key_is_nowhere(server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.script = lambda body, number: Http(401, f"bad key {KEY}") if number % 2 else verdict()
    score(sample, server.url, "--canaries")
    assert f"Bearer {KEY}" in {headers.get("Authorization") for headers in server.headers}
    printed = capsys.readouterr()
    assert KEY not in printed.out + printed.err
    for path in Path("run").rglob("*"):
        assert KEY.encode() not in path.read_bytes(), path


def test_a_run_without_judge_imports_neither_client_nor_model() -> None:
    code = (
        "import sys, tempfile; from adjudge.cli.main import main; "
        "from adjudge.suites.service import suite; "
        "main(['score', 'service', str(suite.sample), '-q', '-o', tempfile.mkdtemp() + '/r']); "
        "print([name for name in ('httptools', 'pydantic_ai', 'genai_prices', 'onnxruntime', 'tokenizers', 'sqlite3') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def many(folder: Path) -> Path:
    """The sample three times over, each time with other words of the user: more than 500 different questions."""
    records = [json.loads(line) for line in suite.sample.read_text("utf-8").splitlines()]
    lines = []
    for copy in range(3):
        for record in records:
            turns = [
                {**turn, "text": f"{turn['text']} ({copy})"} if turn["speaker"] == "user" else turn
                for turn in record["turns"]
            ]
            name = f"{record['id']}-{copy}"
            lines.append(json.dumps({**record, "id": name, "case": name, "turns": turns}))
    (folder / "many.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder / "many.jsonl"


def kill_after(requests: int, command: list[str], server: ChatServer) -> None:
    """Run a command until the server has received so many more requests."""
    before = len(server.bodies)
    process = subprocess.Popen(command)
    while len(server.bodies) < before + requests:
        assert process.poll() is None, "ended before it could be killed"
        sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.slow
@pytest.mark.parametrize(
    "kills",
    [
        (60,),
        pytest.param((60, 130), marks=pytest.mark.trial),
        pytest.param((1, 17, 40, 90, 33, 5), marks=pytest.mark.trial),
        pytest.param((200, 16, 2, 120), marks=pytest.mark.trial),
    ],
)
def test_a_run_killed_again_and_again_asks_hardly_anything_twice(
    kills: tuple[int, ...], server: ChatServer, tmp_path: Path
) -> None:
    data, in_flight = many(tmp_path), 16
    server.latency = lambda body, number: 0.05
    command = [sys.executable, "-m", "adjudge.cli.main", "score", "service", str(data), "-q", "--only", ONLY]
    command += ["--judge", "small", "--judge-url", server.url, "--concurrency", str(in_flight)]
    for requests in kills:
        kill_after(requests, [*command, "-o", str(tmp_path / "run")], server)
    assert main([*command[3:], "-o", str(tmp_path / "run")]) == 0
    assert replies(data) > 500
    # What a kill may cost: the requests under way, and the answers of the last moment that were not yet written.
    assert len(server.bodies) <= replies(data) + len(kills) * (in_flight + 3 * in_flight)
    cache = tmp_path / "run" / "answers.sqlite"
    assert main([*command[3:], "-o", str(tmp_path / "whole"), "--cache", str(cache)]) == 0
    kept = (tmp_path / "run" / "scores.jsonl").read_bytes().splitlines()
    assert sorted(kept) == sorted((tmp_path / "whole" / "scores.jsonl").read_bytes().splitlines())


def test_a_dead_judge_in_a_panel_is_seen(server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.script = lambda body, number: Http(401, "who are you") if body["model"] == "dead" else verdict()
    options = ["--judge", "alive", "--judge", "dead", "--judge-url", server.url]
    options.append("--verbose")
    assert main(["score", "service", str(sample), "-o", "run", "--only", "response_quality", *options]) == 3
    printed = capsys.readouterr()
    assert "provider_error" in printed.err
    assert "by dead: no value over 0 marks, no answer 2 times (provider_error); no two answers" in printed.out


def test_a_rubric_that_changed_makes_another_run(server: ChatServer, sample: Path) -> None:
    Path("mine").mkdir()
    Path("mine/response_quality.md").write_text("Be kind.", "utf-8")
    assert score(sample, server.url, "--rubrics", "mine") == 0
    Path("mine/response_quality.md").write_text("Be unkind.", "utf-8")
    assert score(sample, server.url, "--rubrics", "mine") == 2


def test_a_key_that_the_server_repeats_is_kept_nowhere(
    server: ChatServer, sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = lambda body, number: chat(None, refusal=f"not {KEY}") if number % 2 else verdict(reasoning=KEY)
    score(sample, server.url)
    printed = capsys.readouterr()
    assert KEY not in printed.out + printed.err
    for path in Path("run").rglob("*"):
        assert KEY.encode() not in path.read_bytes(), path


def test_a_judge_is_needed_for_what_only_a_judge_can_do(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert score(sample, "", "--canaries") == 2
    assert score(sample, "", "--nli", "judge") == 2
    assert score(sample, "", "--nli", "magic", "--judge", "ollama:x") == 2
    assert capsys.readouterr().err.count("\n") == 3


@pytest.mark.slow
@pytest.mark.parametrize("interrupts", [1, pytest.param(2, marks=pytest.mark.trial)])
@pytest.mark.parametrize(
    "options",
    [
        ["--nli-url", "URL"],
        pytest.param(["--concurrency", "64"], marks=pytest.mark.trial),
        pytest.param(["--judge", "other"], marks=pytest.mark.trial),
    ],
)
def test_an_interrupted_command_ends_without_a_traceback(
    options: list[str], interrupts: int, server: ChatServer, sample: Path
) -> None:
    server.script = lambda body, number: Never()
    command = [sys.executable, "-X", "dev", "-m", "adjudge.cli.main", "score", "service", str(sample), "-q"]
    Path("mine.py").write_text(MEANING, "utf-8")
    command += ["--metrics-file", "mine.py", "--metrics", "response_quality,entailed", "-o", "run"]
    command += ["--judge", "small", "--judge-url", server.url, *(server.url if it == "URL" else it for it in options)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not server.bodies:
        assert process.poll() is None, "ended before it could be interrupted"
        sleep(0.01)
    for _ in range(interrupts):
        process.send_signal(signal.SIGINT)
        sleep(0.02)
    _, printed = process.communicate(timeout=300)
    # On a busy machine asyncio's debug mode remarks that a step took long.
    lines = [line for line in printed.splitlines() if not line.startswith("Executing <")]
    assert lines in (["adjudge score: interrupted; run the same command again to continue"], [])
    assert process.returncode in (130, -signal.SIGINT)
