"""Tests of your own agent: a user with a goal, and the conditions that the conversation must meet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import EllipsisType
from typing import TYPE_CHECKING, Any

import msgspec

from adjudge.api.playing import ArmLike, play
from adjudge.api.runs import Place, TemporaryFolder
from adjudge.api.talks import Talk
from adjudge.core.errors import BadInput

if TYPE_CHECKING:
    from adjudge.api.scenario_results import ScenarioResult

# An assertion in a script: it looks at the conversation so far, and raises AssertionError or returns False.
Assertion = Callable[[Talk], object]
# A turn of a script: what the user says, a turn that the simulated user words, or an assertion.
ScriptItem = str | EllipsisType | Assertion
SUITE = "team"
SIMULATED = "..."
ARM = "agent"
# The metrics of a scenario that need no judge; `only` names others.
METRICS = ("success", "tool_error_rate", "repeated_calls", "step_count")


@dataclass(frozen=True)
class Scenario:
    """A test of an agent: a situation, a user with a goal, and the conditions that the conversation must meet.

    `script` are the turns of the user in order: a text is said as it stands, `...` is worded by the simulated user, and
    a function is an assertion about the conversation so far: `lambda talk: talk.called("search")`. After the script
    the simulated user goes on until it has nothing left to say. Without a model, it tells the goal in `wordings`, one
    a turn, and gives the `answers` whose words the agent's reply has. The other fields are those of a scenario in a
    file: `calls`, `never_calls`, `says` and `never_says` are checked by rule, `must` and `must_not` by a judge, each
    on its own.

    >>> import adjudge as aj
    >>> def agent(messages):
    ...     return "Which order?" if len(messages) == 1 else "I have refunded order 17."
    >>> refund = aj.Scenario(
    ...     "refund",
    ...     goal="a refund for order 17",
    ...     wordings=["I want my money back.", "Thanks."],
    ...     answers={"which order": "Order 17."},
    ...     script=["Hello!", lambda talk: "order" in talk.last],
    ...     says=["refunded"],
    ...     never_says=["guarantee"],
    ... )
    >>> str(refund.test(agent, trials=3).rate)
    '3 of 3 trials passed (1.00, 95 % interval 0.44 to 1.00)'
    """

    name: str
    goal: str = ""
    situation: str = ""
    persona: str = ""
    script: Sequence[ScriptItem] = ()
    wordings: Sequence[str] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    until: str = ""
    agents: Sequence[str] = ("agent",)
    tools: Sequence[str] = ()
    calls: Sequence[str] = ()
    never_calls: Sequence[str] = ()
    says: Sequence[str] = ()
    never_says: Sequence[str] = ()
    must: Sequence[str] = ()
    must_not: Sequence[str] = ()

    def play(
        self,
        agent: ArmLike,
        *,
        trials: int = 1,
        folder: Place | None = None,
        only: Sequence[str] = METRICS,
        quiet: bool = True,
        **options: Any,
    ) -> ScenarioResult:
        """Play the scenario with an agent several times, and say which trials passed.

        `agent` is a function as for `aj.play`, or an arm as on the command line. `user="openai:gpt-4.1-mini"` lets a
        model play the user, `judge` and the other options of tools are as for `aj.play`. One turn is asked of the agent
        at a time, unless `concurrency` says otherwise.
        """
        from adjudge.api.scenario_results import result_of

        if (self.must or self.must_not) and "judge" not in options:
            raise BadInput(f"{self.name}: must and must_not need a judge; name one with judge=PROVIDER:MODEL")
        criteria = ("criteria",) if self.must or self.must_not else ()
        cases = TemporaryFolder()
        path = cases.path / "scenario.jsonl"
        path.write_bytes(msgspec.json.encode(self.row()) + b"\n")
        run = play(
            SUITE,
            path,
            arms={ARM: agent},
            trials=trials,
            folder=folder,
            only=[*only, *criteria],
            quiet=quiet,
            **{"concurrency": 1, **options},
        )
        return result_of(self, run)

    def test(self, agent: ArmLike, *, trials: int = 1, at_least: int | None = None, **options: Any) -> ScenarioResult:
        """Play the scenario, and raise AssertionError unless enough trials pass (by default all)."""
        if at_least is not None and not 1 <= at_least <= trials:
            raise BadInput(f"at_least: found {at_least}; expected a number from 1 to trials, which is {trials}")
        result = self.play(agent, trials=trials, **options)
        result.check(trials if at_least is None else at_least)
        return result

    def row(self) -> dict[str, Any]:
        """The scenario as a row of a file, without its assertions."""
        facts = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("name", "script")}
        script = [SIMULATED if item is ... else item for item in self.script if isinstance(item, str) or item is ...]
        given = {name: _plain(name, value) for name, value in {**facts, "script": script}.items() if value}
        return {"id": self.name, **given}

    def assertions(self) -> list[tuple[int, Assertion]]:
        """The assertions of the script, each with the number of the user turns before it."""
        placed: list[tuple[int, Assertion]] = []
        turns = 0
        for item in self.script:
            if isinstance(item, str) or item is ...:
                turns += 1
            else:
                placed.append((turns, item))
        return placed


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, str) and name not in ("goal", "situation", "persona", "until"):
        raise BadInput(f"{name}: found {value!r}; expected a list of texts")
    return dict(value) if isinstance(value, Mapping) else value if isinstance(value, str) else list(value)
