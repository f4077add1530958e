"""How often blame by rule names the agent and the turn that annotators name, beside what a guess reaches.

    python benchmarks/blame.py [FILE ...] [--all]

Reads Who&When (arXiv 2505.00212): the algorithm-made logs in ../shared/data by default, or the files that are named;
each file is a subset. The rules were chosen on every second log, the first one included. The table is of the others,
unless `--all` is given; logs of a file that is named were not used, so that all of them are in the table.

For each way: the share of logs in which it names anything; whether the agent that it names first is right, and whether
the right one is among its first three; the same for the turn; and whether the turn that it names first is at most two
turns off. Naming always the step at one position is a base rate, whether it is one of the rules or not. Intervals are
Wilson's, 95 %. A way that names nothing counts as wrong. A judge is asked with

    adjudge score team FILE --metrics judged_agent,judged_turn,judged_turn_within_2 --blame steps --judge ... -o RUN
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from adjudge.convert.reading import ReadingOptions, read_conversations
from adjudge.core.conversation import Conversation
from adjudge.core.errors import Warnings
from adjudge.read.files import raise_complaint
from adjudge.stats.interval import wilson
from adjudge.suites.team.rules.hits import NEAR, agent_hit, turn_hit
from adjudge.suites.team.rules.parties import agent_steps
from adjudge.suites.team.rules.suspects import RULES, Rule, Suspect, first_reply, rank_suspects, suspects

DATA = Path(__file__).parents[2] / "shared" / "data" / "logs" / "who_and_when" / "algorithm_generated.jsonl.gz"
COLUMNS = ("agent", "agent in 3", "turn", "turn in 3", "turn within 2")

Ranking = tuple[Suspect, ...]


def main() -> None:
    """Print a table for each subset."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--all", action="store_true", help="all logs, with those that the rules were chosen on")
    given = options.parse_args()
    for path in given.files or [DATA]:
        if not path.exists():
            print(f"skipped: {path} is not there")
            continue
        logs = [log for _, log in read_conversations(path, ReadingOptions(Warnings(), raise_complaint)) if log.faults]
        held_out = logs if given.files or given.all else logs[1::2]
        print(f"{path.name}: {len(held_out)} of {len(logs)} logs\n")
        report(held_out)


def report(logs: Sequence[Conversation]) -> None:
    """Print a row for each base rate, each rule and the ranking of all rules."""
    print(f"{'':32}{'names':>7}  " + "".join(f"{column:>22}" for column in COLUMNS))
    print_row("random step (expected)", len(logs), 1.0, random_rates(logs))
    ways: Mapping[str, Callable[[Conversation], Ranking]] = {
        **{f"base: {name}": ranking_of(rule) for name, rule in BASES.items()},
        **{f"rule: {rule.__name__}": ranking_of(rule) for rule in RULES if rule not in BASES.values()},
        "all rules, ranked": suspects,
    }
    for name, way in ways.items():
        rankings = [way(log) for log in logs]
        print_row(name, len(logs), fmean(map(bool, rankings)), rates(logs, rankings))
    print()


def print_row(name: str, n: int, names: float, values: Mapping[str, float]) -> None:
    """Print the rates of one way, each with its interval."""
    cells = [
        f"{values[column]:.3f} {'-'.join(f'{bound:.3f}' for bound in wilson(values[column], n))}"
        if column in values
        else ""
        for column in COLUMNS
    ]
    print(f"{name:32}{names:>7.2f}  " + "".join(f"{cell:>22}" for cell in cells))


def rates(logs: Sequence[Conversation], rankings: Sequence[Ranking]) -> dict[str, float]:
    """The share of logs in which a way is right, by column."""
    pairs = list(zip(logs, rankings, strict=True))
    marks = {
        "agent": [agent_hit(log, ranking, 1) for log, ranking in pairs],
        "agent in 3": [agent_hit(log, ranking, 3) for log, ranking in pairs],
        "turn": [turn_hit(log, ranking, 1) for log, ranking in pairs],
        "turn in 3": [turn_hit(log, ranking, 3) for log, ranking in pairs],
        "turn within 2": [turn_hit(log, ranking, 1, NEAR) for log, ranking in pairs],
    }
    return {
        column: fmean(mark.value for each in column_marks for mark in each) for column, column_marks in marks.items()
    }


def random_rates(logs: Sequence[Conversation]) -> dict[str, float]:
    """What naming any step of an agent, each as likely, reaches in the mean: exactly, without drawing."""
    by_log = [
        rates([log] * len(steps), [rank_suspects(log, {place: ["random"]}) for place, _ in steps])
        for log in logs
        if (steps := agent_steps(log))
    ]
    return {column: fmean(values[column] for values in by_log) for column in ("agent", "turn", "turn within 2")}


def ranking_of(rule: Rule) -> Callable[[Conversation], Ranking]:
    """A rule alone as a ranking: of one step, or of none."""

    def rank(log: Conversation) -> Ranking:
        place = rule(log)
        return () if place is None else rank_suspects(log, {place: [rule.__name__]})

    return rank


def first_step(log: Conversation) -> int | None:
    """The first step of an agent."""
    return next((place for place, _ in agent_steps(log)), None)


def last_step(log: Conversation) -> int | None:
    """The last step of an agent."""
    return next((place for place, _ in reversed(agent_steps(log))), None)


def first_step_of_most_talkative(log: Conversation) -> int | None:
    """The first step of the agent that takes most steps."""
    counts = Counter(turn.speaker for _, turn in agent_steps(log))
    most = next((name for name, _ in counts.most_common(1)), "")
    return next((place for place, turn in agent_steps(log) if turn.speaker == most), None)


BASES: Mapping[str, Rule] = {
    "most talkative agent": first_step_of_most_talkative,
    "first step": first_step,
    "second step (a rule)": first_reply,
    "last step": last_step,
}

if __name__ == "__main__":
    main()
