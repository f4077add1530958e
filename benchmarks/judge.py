"""How fast questions reach a judge and answers come back, beside the ideal rate and beside others where installed.

    python benchmarks/judge.py [--questions 2560] [--in-flight 64 256] [--latency 0.1]

A server of constant latency runs in a process of its own and speaks the OpenAI protocol. Every round is a new process,
as a command is: nothing is connected before the first question, and the time runs from there to the last answer. All
questions go through `JudgeAnswerer` with the cache of answers on; then the same again from the cache alone. The ideal
rate is the number in flight divided by the latency. The bare client shows how much of it this machine reaches: it sends
a fixed request over plain sockets and only looks for the end of the reply. CPU is that of the asking process, all its
threads together. openevals, DeepEval and Inspect AI judge the same material with the same server, as many as are
installed (the extra `bench` brings all but DeepEval).

Goals at 256 in flight: at least 85 % of the ideal, and at most 0.25 ms CPU a question.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import multiprocessing
import os
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from adjudge.core.ask import Question
from adjudge.core.errors import Unanswered
from adjudge.tools.budget import Budget
from adjudge.tools.cache import Answers
from adjudge.tools.judge.answerer import JudgeAnswerer, cache_key
from adjudge.tools.judge.client import JudgeClient
from adjudge.tools.judge.endpoint import ChatEndpoint
from adjudge.tools.judge.models import JudgeSpec

ROUNDS = 5
REPLY = msgspec.json.encode(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "constant",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": '{"reasoning": "It answers what was asked.", "score": 4}'},
            }
        ],
        "usage": {"prompt_tokens": 500, "completion_tokens": 20, "total_tokens": 520},
    }
)

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(REPLY), REPLY)


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """What the judge is asked for."""

    reasoning: str
    score: Annotated[int, Meta(ge=1, le=5)]


class Taken(NamedTuple):
    """What a measurement took: seconds by the clock and of CPU."""

    seconds: float
    cpu: float


def main() -> None:
    """Run all measurements and print a line for each."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--questions", type=int, default=2560)
    options.add_argument("--in-flight", type=int, nargs="+", default=[64, 256])
    options.add_argument("--latency", type=float, default=0.1)
    given = options.parse_args()
    print(
        f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {given.questions:,} questions, {given.latency:g} s"
    )
    with run_server(given.latency) as url:
        for in_flight in given.in_flight:
            for name, work in (("adjudge", ask_through_client), ("bare client", ask_barely)):
                taken = sorted(in_new_process(work, url, given.questions, in_flight) for _ in range(ROUNDS))
                ideal = in_flight / given.latency
                report(f"{name}, {in_flight} in flight, best", given.questions, taken[0], ideal)
                report(f"{name}, {in_flight} in flight, median", given.questions, taken[ROUNDS // 2], ideal)
        for count in (given.questions, 10 * given.questions):
            from_cache(url, count)
        peers(url, given.in_flight[0], given.latency)


Work = Callable[[str, int, int], Taken]


def in_new_process(work: Work, url: str, count: int, in_flight: int) -> Taken:
    """What the work took in a process of its own."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_send_result, args=(there, work, url, count, in_flight))
    process.start()
    taken: Taken = here.recv()
    process.join()
    return taken


def _send_result(parent: Connection, work: Work, url: str, count: int, in_flight: int) -> None:
    parent.send(work(url, count, in_flight))


def ask_through_client(url: str, count: int, in_flight: int) -> Taken:
    """Ask a judge, with an empty cache and no connection open."""
    with tempfile.TemporaryDirectory() as folder, Answers(Path(folder) / "answers.sqlite") as answers:
        answerer = JudgeAnswerer(JudgeClient(ChatEndpoint(spec_of(url)), in_flight), answers, Budget(None, None))
        taken = ask_all(answerer, questions(count))
        answerer.close()
    return taken


def ask_barely(url: str, count: int, in_flight: int) -> Taken:
    """Send as many requests of the same size over plain sockets."""
    with collect_timings() as taken:
        asyncio.run(_ask_barely(url, count, in_flight))
    return taken[0]


async def _ask_barely(url: str, count: int, in_flight: int) -> None:
    host, _, port = url.split("/")[2].partition(":")
    body = b" " * 3200
    request = b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    numbers = iter(range(count))

    async def ask_one_after_the_other() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        for _ in numbers:
            writer.write(request)
            await reader.readexactly(len(ANSWER))
        writer.close()

    await asyncio.gather(*(ask_one_after_the_other() for _ in range(in_flight)))


def from_cache(url: str, count: int) -> None:
    """The time of a rerun in which every answer is kept."""
    with tempfile.TemporaryDirectory() as folder, Answers(Path(folder) / "answers.sqlite") as answers:
        asked = questions(count)
        kept = b'{"answer":{"reasoning":"It answers what was asked.","score":4},"usage":{"calls":1},"model":"m",'
        kept += b'"parse_mode":"plain","seconds":0.1}'
        answers.put_many({cache_key(question, spec_of(url)): kept for question in asked})
        answers.flush()
        answerer = JudgeAnswerer(JudgeClient(ChatEndpoint(spec_of(url))), answers, Budget(None, None))
        taken = ask_all(answerer, asked)
        answerer.close()
    print(f"  {count:>7,} questions from the cache: {taken.seconds:.3f} s, {taken.cpu / count * 1e3:.3f} ms CPU each")


def ask_all(answerer: JudgeAnswerer, asked: list[Question[Verdict]]) -> Taken:
    """Have all questions answered, as the engine does: asked in small groups, taken as they are ready."""
    with collect_timings() as taken:
        for start in range(0, len(asked), 10):
            answerer.ask(asked[start : start + 10], "quality")
        left = len(asked)
        while left:
            for _, reply in answerer.wait():
                if isinstance(reply.answer, Unanswered):
                    raise reply.answer
                left -= 1
    return taken[0]


def report(name: str, count: int, taken: Taken, ideal: float) -> None:
    """Print one line: the rate, its share of the ideal, and the CPU of a question."""
    rate = count / taken.seconds
    cpu = taken.cpu / count * 1e3
    print(f"  {name:<34} {rate:8,.0f}/s  {rate / ideal:5.1%} of ideal {ideal:,.0f}/s  CPU {cpu:.3f} ms a question")


def questions(count: int, salt: str = "") -> list[Question[Verdict]]:
    """Questions of the size that the service suite asks."""
    turns = [{"user": "I need a cheap place to stay in the north.", "system": "How many nights?"}] * 12
    rubric = "Judge the last reply of the dialogue for correctness and completeness on a scale from 1 to 5. " * 8
    return [
        Question(rubric, Verdict, msgspec.json.encode({"dialogue": turns, "reply": f"{salt} {number}"}).decode())
        for number in range(count)
    ]


def spec_of(url: str) -> JudgeSpec:
    """The server as a judge."""
    return JudgeSpec(provider="openai-compatible", model="constant", url=url)


@contextmanager
def collect_timings() -> Iterator[list[Taken]]:
    """Put into the list what the body took."""
    taken: list[Taken] = []
    started, cpu = perf_counter(), _cpu()
    yield taken
    taken.append(Taken(perf_counter() - started, _cpu() - cpu))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@contextmanager
def run_server(latency: float) -> Iterator[str]:
    """The address of a server that runs meanwhile."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, latency), daemon=True)
    process.start()
    yield f"http://127.0.0.1:{ours.recv()}/v1"
    process.terminate()
    process.join()


def serve(parent: Connection, latency: float) -> None:
    """Answer every question with the same verdict after the same time."""
    asyncio.run(_serve(parent, latency))


class _Constant(asyncio.Protocol):
    """As little of HTTP as a server needs, so that its own work does not count as latency."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.loop = asyncio.get_running_loop()
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, blank, rest = self.received.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        if blank and len(rest) >= int(length):
            self.received = rest[int(length) :]
            self.loop.call_later(self.latency, self._answer)

    def _answer(self) -> None:
        if isinstance(self.transport, asyncio.WriteTransport) and not self.transport.is_closing():
            self.transport.write(ANSWER)


async def _serve(parent: Connection, latency: float) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: _Constant(latency), "127.0.0.1", 0, backlog=1024)
    parent.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def peers(url: str, in_flight: int, latency: float, count: int = 320) -> None:
    """The same server through the judges of other projects, as many as are installed."""
    os.environ |= {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": url, "DEEPEVAL_TELEMETRY_OPT_OUT": "YES"}
    for name, run in (("openevals", _openevals), ("deepeval", _deepeval), ("inspect_ai", _inspect)):
        if importlib.util.find_spec(name) is None:
            print(f"  {name}: not installed")
            continue
        texts = [question.material for question in questions(count, name)]
        try:
            with collect_timings() as taken:
                asyncio.run(run(texts, in_flight))
        except Exception as error:
            print(f"  {name}: failed ({type(error).__name__}: {str(error)[:80]})")
            continue
        report(f"{name}, {in_flight} in flight", count, taken[0], in_flight / latency)


async def _openevals(texts: list[str], in_flight: int) -> None:
    from openevals.llm import create_async_llm_as_judge  # type: ignore[import-not-found,unused-ignore]

    judge = create_async_llm_as_judge(prompt="Judge: {outputs}", model="openai:constant")
    await _gather_limited([lambda text=text: judge(outputs=text) for text in texts], in_flight)


async def _deepeval(texts: list[str], in_flight: int) -> None:
    from deepeval.metrics import GEval  # type: ignore[import-not-found,unused-ignore]
    from deepeval.models import GPTModel  # type: ignore[import-not-found,unused-ignore]
    from deepeval.test_case import LLMTestCase, LLMTestCaseParams  # type: ignore[import-not-found,unused-ignore]

    model = GPTModel(model="gpt-4.1")
    fields = [LLMTestCaseParams.ACTUAL_OUTPUT]

    async def judge(text: str) -> Any:
        metric = GEval(name="q", evaluation_steps=["Judge."], evaluation_params=fields, model=model)
        return await metric.a_measure(LLMTestCase(input="", actual_output=text), _show_indicator=False)

    await _gather_limited([lambda text=text: judge(text) for text in texts], in_flight)


async def _inspect(texts: list[str], in_flight: int) -> None:
    from inspect_ai.model import GenerateConfig, get_model  # type: ignore[import-not-found,unused-ignore]

    config = GenerateConfig(max_connections=in_flight)
    model = get_model("openai/constant", config=config, responses_api=False)
    await _gather_limited([lambda text=text: model.generate(text) for text in texts], in_flight)


async def _gather_limited(calls: list[Any], in_flight: int) -> None:
    places = asyncio.Semaphore(in_flight)

    async def run_call(call: Any) -> None:
        async with places:
            await call()

    await asyncio.gather(*(run_call(call) for call in calls))


if __name__ == "__main__":
    main()
