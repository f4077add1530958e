"""How much the engine of play adds to the cost of its models, and how fast a system without a model plays.

    python benchmarks/play.py [--conversations 512] [--turns 20] [--latency 0.1]

A server that runs in a process of its own speaks the OpenAI protocol. The measurements:

- CPU for each turn with 256 requests in flight against a server that answers at once. In every conversation a user by
  rule and a system that asks one prompt a turn alternate. The same prompts go through the client alone, and the
  difference is what the engine takes: turns, traces, views and random numbers. Goal: at most 0.5 ms a turn.
- The share of the ideal rate at 64 conversations and a constant latency, beside the shares of the client alone and of a
  bare client over plain sockets, which is all that the machine gives. Goal: at least 85 %.
- CPU of 1,000 dialogues of the service suite's sample, played by rule on both sides. Goal: at most 10 s.
- CPU of 1,000 decisions by rule: four arms on 250 generated hidden profiles. Goal: at most 5 s.
- CPU of 1,000 generated visits of the patient suite, played by rule on both sides. Goal: at most 10 s.
- CPU of 1,000 trips by rule: 200 generated groups under C1 to C5. Goal: at most 30 s.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judge import Taken, Verdict, ask_barely, collect_timings, in_new_process, run_server

from adjudge.core.errors import Warnings
from adjudge.core.play import Ask, Case, Limits, Message, PlayedConversation, PlayedTurn, Prompt, Said, View
from adjudge.core.record import Participant, Record
from adjudge.core.suite import Options
from adjudge.core.system import Role, Seen, Setup, hear
from adjudge.play.arms import Arm, Player
from adjudge.play.assembly import Assembly
from adjudge.play.engine import play
from adjudge.play.models import Models
from adjudge.play.plan import PlayPlan
from adjudge.play.prepare import PreparedPlay, prepare
from adjudge.play.protocols import alternate
from adjudge.run.played import PlayedArm, PlayManifest
from adjudge.tools.budget import Budget
from adjudge.tools.cache import Answers
from adjudge.tools.judge.answerer import JudgeAnswerer
from adjudge.tools.judge.client import JudgeClient
from adjudge.tools.judge.endpoint import ChatEndpoint
from adjudge.tools.settings import ToolSettings

MODEL = "constant"
ROUNDS = 3
INSTRUCTIONS = "You help customers of a town's tourist office. Answer the last message in the transcript. " * 8


def main() -> None:
    """Run all measurements and print a line for each."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--conversations", type=int, default=512)
    options.add_argument("--turns", type=int, default=20)
    options.add_argument("--latency", type=float, default=0.1)
    given = options.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    with run_server(0.0) as url:
        engine_cpu(url, given.conversations, given.turns)
    with run_server(given.latency) as url:
        throughput(url, 5 * given.turns, given.latency)
    play_by_rule(PlayPlan(suite="service", arms=("rules",), trials=25), "dialogues", 10)
    play_by_rule(PlayPlan(suite="decision", generate="kind=hidden_profile,n=250"), "decisions", 5)
    play_by_rule(PlayPlan(suite="patient", arms=("scripted",), generate="n=1000"), "visits", 10)
    play_by_rule(PlayPlan(suite="trip", generate="n=200,seed=1"), "trips", 30)


def engine_cpu(url: str, conversations: int, turns: int) -> None:
    """The CPU of a turn beyond that of the client, at 256 in flight."""
    played = min(play_talks(url, conversations, turns, 256, round_) for round_ in range(ROUNDS))
    asked = min(ask_alone(url, conversations, turns, 256, round_) for round_ in range(ROUNDS))
    every = conversations * turns
    beyond = (played.cpu - asked.cpu) / every * 1e3
    print(
        f"  engine: {played.cpu / every * 1e3:.3f} ms CPU a turn, client alone {asked.cpu / every * 1e3:.3f} ms, "
        f"beyond it {beyond:.3f} ms ({beyond / 0.5:.0%} of the goal of 0.5 ms)"
    )


def throughput(url: str, turns: int, latency: float) -> None:
    """The share of the ideal rate: every conversation always waits for exactly one answer."""
    taken = min(play_talks(url, 64, turns, 64, round_) for round_ in range(ROUNDS))
    alone = min(ask_alone(url, 64, turns, 64, round_) for round_ in range(ROUNDS))
    bare = min(in_new_process(ask_barely, url, 64 * (turns // 2), 64) for _ in range(ROUNDS))
    ideal = turns // 2 * latency
    print(
        f"  64 conversations at {latency:g} s: {ideal / taken.seconds:.1%} of the ideal rate (goal 85 %); "
        f"the client alone reaches {ideal / alone.seconds:.1%}, a bare one {ideal / bare.seconds:.1%}"
    )


def play_by_rule(plan: PlayPlan, what: str, goal: float) -> None:
    """The CPU of conversations that ask no model, generated cases included."""
    with tempfile.TemporaryDirectory() as folder, collect_timings() as taken:
        played = play(prepare(plan, Models(ToolSettings(), {})), Path(folder) / "run")
    count, turns = played.manifest.counts["conversations"], played.manifest.counts["turns"]
    print(
        f"  {count:,} {what} by rule with {turns:,} turns: {taken[0].cpu:.2f} s CPU "
        f"({taken[0].cpu / goal:.0%} of the goal of {goal:g} s)"
    )


def play_talks(url: str, conversations: int, turns: int, concurrency: int, salt: int) -> Taken:
    """Play conversations in which the system asks one prompt for every second turn."""
    settings = ToolSettings(model_url=url, concurrency=concurrency)
    models = Models(settings, {})
    models.add(MODEL)
    prepared = prepared_talks(models, conversations, turns, salt)
    with tempfile.TemporaryDirectory() as folder, collect_timings() as taken:
        play(prepared, Path(folder) / "run")
    return taken[0]


def ask_alone(url: str, conversations: int, turns: int, concurrency: int, salt: int) -> Taken:
    """Put as many prompts of the same size through the client, without any conversation."""
    models = Models(ToolSettings(model_url=url, concurrency=concurrency), {})
    spec = models.specs[models.add(MODEL)]
    prompts = [
        prompt_of(f"{salt}-{number}", transcript_of(f"{number}", 2 * place + 1))
        for place in range(turns // 2)
        for number in range(conversations)
    ]
    with tempfile.TemporaryDirectory() as folder, Answers(Path(folder) / "answers.sqlite") as answers:
        answerer = JudgeAnswerer(JudgeClient(ChatEndpoint(spec), concurrency), answers, Budget(None, None))
        with collect_timings() as taken:
            for prompt in prompts:
                answerer.ask([prompt], "arm/system")
            left = len(prompts)
            while left:
                left -= len(answerer.wait())
        answerer.close()
    return taken[0]


def greet(view: View[None]) -> Said[None]:
    """What the user says."""
    return Said(f"I need a cheap place to stay in the north, for case {view.case}, please.")


def reply(view: View[None], ask: Ask) -> Said[None]:
    """What the system says: the model's reasoning."""
    transcript = "\n".join(f"{turn.speaker}: {turn.text}" for turn in view.turns)
    return Said(ask([prompt_of(view.case, transcript)])[0].reasoning)


def prompt_of(case: str, transcript: str) -> Prompt[Verdict]:
    """The prompt for a turn."""
    return Prompt((Message("system", INSTRUCTIONS + case), Message("user", "The transcript:", transcript)), Verdict)


def transcript_of(case: str, turns: int) -> str:
    """A transcript of the same length as a played one."""
    said_by_user = f"user: I need a cheap place to stay in the north, for case {case}, please."
    lines = [said_by_user, "system: It answers what was asked."]
    return "\n".join(lines[turn % 2] for turn in range(turns))


def prepared_talks(models: Models, conversations: int, turns: int, salt: int) -> PreparedPlay:
    """A play of conversations that all go to the limit of turns."""
    limits = Limits(turns=turns)
    players = {"user": Player("greet", greet), "system": Player("reply", reply, models={"": MODEL})}
    arm = Arm("arm", players, TALK.protocol)
    entry = PlayedArm(systems={"user": "greet", "system": "reply"})
    manifest = PlayManifest(suite="talk", adjudge="", arms={"arm": entry}, cards={}, limits=limits)
    cases = tuple(Case(id=f"{salt}-{number}") for number in range(conversations))
    assembly = Assembly((arm,), {"arm": entry}, {})
    return PreparedPlay(PlayPlan(suite="talk"), TALK, cases, assembly, {}, models, manifest, Warnings())


def _participants(case: Case) -> tuple[Participant, ...]:
    return Participant("user", "user", "simulated"), Participant("system", "system", "agent")


def _view(case: Case, participant: Participant, turns: tuple[PlayedTurn, ...]) -> Seen:
    return Seen(None, hear(turns))


def _record(played: PlayedConversation) -> Record:
    return Record(id=played.id)


def _no_cases(files: list[Path], options: Options) -> Iterator[Any]:
    return iter(())


TALK = Setup(
    suite="talk",
    package=__name__,
    case=Case,
    roles=(Role("user", "simulated", default="greet"), Role("system", tested=True)),
    open=_no_cases,
    participants=_participants,
    view=_view,
    protocol=alternate("user", "system"),
    record=_record,
    sample=Path(__file__),
    arms=("reply",),
)


if __name__ == "__main__":
    main()
