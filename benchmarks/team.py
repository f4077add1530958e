"""What we claim about the speed of the team suite: 100,000 messages with all metrics that ask nobody in 10 s of CPU.

    python benchmarks/team.py                 # 100,000 messages in 5,000 conversations of 20
    python benchmarks/team.py --length 2000   # fewer and longer conversations
    python benchmarks/team.py --slowest       # also what each metric takes alone

Messages are made from a seed: four agents and a person, calls with results, questions, repetitions and ends, 40 words
each, of which as many are common ones as in English. Measured is the time of the CPU for the command as a user runs it,
reading and writing included, and for scoring alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time

import msgspec

from adjudge.core.conversation import Conversation, Outcome
from adjudge.core.record import Call, Participant, Turn
from adjudge.score import Scorer
from adjudge.suites.team import suite

SEED = 20261117
AGENTS = ("planner", "coder", "tester", "writer")
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split()
COMMON = "the and you that with this what have but your of to in is it".split()
FIELDS = ("a goal", "an outcome", "times", "usage", "calls", "faults", "instructions")
WORDS = 40


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--messages", type=int, default=100_000)
    options.add_argument("--length", type=int, default=20, help="messages in a conversation")
    options.add_argument("--slowest", action="store_true")
    given = options.parse_args()
    conversations = list(make_conversations(given.messages // given.length, given.length))
    offline = [metric for metric in suite.metrics() if not metric.card.needs]
    print(f"{given.messages:,} messages in {len(conversations):,} conversations, {len(offline)} metrics", flush=True)
    names = ",".join(metric.card.name for metric in offline)
    print(f"adjudge score team: {command_seconds(conversations, names):.1f} s of CPU", flush=True)
    started = process_time()
    for _ in Scorer(offline, suite.tools({}), {"made": FIELDS}).score(conversations):
        pass
    print(f"scoring alone: {process_time() - started:.1f} s of CPU")
    for seconds, name in sorted(times_alone(given.messages, given.length), reverse=True) if given.slowest else ():
        print(f"  {name:24}{seconds:6.2f} s")


def command_seconds(conversations: list[Conversation], metrics: str) -> float:
    """The CPU time of the command on a file of conversations."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "made.jsonl")
        file.write_bytes(b"\n".join(map(msgspec.json.encode, conversations)))
        code = "import sys; from adjudge.cli.main import main; sys.exit(main(sys.argv[1:]))"
        command = [sys.executable, "-c", code, "score", "team", str(file), "--metrics", metrics, "-o", f"{folder}/run"]
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([*command, "-q"], check=True)
        after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def times_alone(messages: int, length: int) -> Iterator[tuple[float, str]]:
    """What each metric takes on conversations that no metric has seen."""
    for metric in suite.metrics():
        if not metric.card.needs:
            fresh = list(make_conversations(messages // length, length))
            started = process_time()
            for conversation in fresh:
                list(metric(conversation))
            yield process_time() - started, metric.card.name


def make_conversations(number: int, length: int) -> Iterator[Conversation]:
    """Conversations from the seed."""
    draw = Random(SEED)
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(5000)] + COMMON * 60
    kinds = [Participant("user", kind="human"), *map(Participant, AGENTS), Participant("search", kind="tool")]
    for place in range(number):
        yield Conversation(
            id=f"c{place}",
            arm="made",
            participants=tuple(kinds),
            turns=tuple(make_turns(draw, words, length)),
            goal=" ".join(draw.choices(words, k=12)),
            outcome=Outcome(draw.random() < 0.5),
            tools=("search", "book"),
        )


def make_turns(draw: Random, words: list[str], length: int) -> Iterator[Turn]:
    """The turns of one conversation: a user's, then agents', every fourth pair a call with its result."""
    texts = [" ".join(draw.choices(words, k=WORDS))]
    yield Turn("1", "user", texts[0])
    pending = ""
    for number in range(2, length + 1):
        agent = draw.choice(AGENTS)
        if pending:
            text = f"Error: {texts[-1]}" if draw.random() < 0.1 else '{"total": 12, "name": "' + texts[-1] + '"}'
            yield Turn(str(number), "search", text, kind="result", call=Call("search", id=pending))
            pending = ""
        elif draw.random() < 0.2 and number < length:
            pending = f"id{number}"
            arguments = {"query": draw.choice(words), "limit": draw.randint(1, 3)}
            yield Turn(str(number), agent, kind="call", call=Call("search", arguments, id=pending))
        else:
            text = draw.choice(texts) if draw.random() < 0.05 else " ".join(draw.choices(words, k=WORDS))
            texts.append(text)
            end = "\nTERMINATE" if number == length - 1 else draw.choice(("?", ".", "."))
            yield Turn(str(number), agent, text + end)


if __name__ == "__main__":
    main()
