"""What a play took: the ends of its conversations, and calls, tokens, seconds, cost and attempts of each agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, structs

from adjudge.report.play.worth import PartWorth, part_worths
from adjudge.run import Run
from adjudge.run.played import EndLine, Played, TraceLine, is_played


class AgentTotal(Struct, frozen=True):
    """What one agent of an arm took in all conversations.

    `answers` counts the answers it got, `cached` those among them that were in the cache, and `calls` the requests
    that were paid for. `failed` counts answers that failed, `attempts` all requests that were sent, retries included.
    A `cost` of None is unknown. `uses` counts uses of tools.
    """

    arm: str
    agent: str
    answers: int = 0
    cached: int = 0
    failed: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = 0.0
    attempts: int = 0
    uses: int = 0


class EndCount(Struct, frozen=True):
    """How many conversations of an arm ended for a reason; errors also by whose they were and what kind."""

    arm: str
    reason: str
    by: str
    status: str
    conversations: int


class PlaySummary(Struct, frozen=True):
    """A play in figures."""

    suite: str
    seed: int
    trials: int
    conversations: int
    turns: int
    agents: tuple[AgentTotal, ...]
    ends: tuple[EndCount, ...]
    worths: tuple[PartWorth, ...] = ()

    @classmethod
    def of_run(cls, run: Run) -> PlaySummary | None:
        """The summary of a scored run, with what parts are worth; None where it was not played."""
        if not is_played(run.folder):
            return None
        played = Played(run.folder)
        return structs.replace(cls.of(played), worths=tuple(part_worths(run, played.manifest.arms)))

    @classmethod
    def of(cls, played: Played) -> PlaySummary:
        """The summary of a played run, scored or not."""
        manifest, ends = played.manifest, played.ends()
        arms = list(manifest.arms)
        return cls(
            manifest.suite,
            manifest.seed,
            manifest.trials,
            len(ends),
            sum(line.turns for line in ends.values()),
            tuple(sorted(agent_totals(played.traces()), key=lambda total: (arms.index(total.arm), total.agent))),
            tuple(sorted(end_counts(ends.values()), key=lambda count: (arms.index(count.arm), count.reason, count.by))),
        )


def agent_totals(traces: Iterable[TraceLine]) -> list[AgentTotal]:
    """What each agent of each arm took."""
    groups: dict[tuple[str, str], list[TraceLine]] = {}
    for trace in traces:
        groups.setdefault((trace.arm, trace.agent), []).append(trace)
    return [_total(arm, agent, lines) for (arm, agent), lines in groups.items()]


def _total(arm: str, agent: str, lines: list[TraceLine]) -> AgentTotal:
    answers = [line for line in lines if line.kind == "answer"]
    costs = [line.cost for line in answers]
    return AgentTotal(
        arm,
        agent,
        answers=len(answers),
        cached=sum(line.cached for line in answers),
        failed=sum(line.status != "ok" for line in answers),
        calls=sum(line.calls for line in answers),
        input_tokens=sum(line.input_tokens for line in answers),
        output_tokens=sum(line.output_tokens for line in answers),
        seconds=sum(line.seconds for line in answers),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        attempts=sum(line.attempts for line in answers),
        uses=len(lines) - len(answers),
    )


def end_counts(ends: Iterable[EndLine]) -> list[EndCount]:
    """How often each reason ended a conversation, by arm."""
    counts = Counter((line.arm, line.end.reason, line.end.by, line.end.status or "") for line in ends)
    return [EndCount(*key, count) for key, count in counts.items()]
