"""The result of a scenario: which trials passed, and why the others failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from adjudge.api.shown import Shown, html_table
from adjudge.api.talks import Talk
from adjudge.api.trials import PassRate
from adjudge.core.conversation import Conversation
from adjudge.core.record import Key
from adjudge.report.table import Column, tabulate
from adjudge.run.played import EndLine, Played

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.api.runs import Run
    from adjudge.api.scenarios import Assertion, Scenario
    from adjudge.core.mark import Score, ScoreRow


class TrialResult(Struct, frozen=True):
    """One trial: its conversation, and the conditions that failed; it passed if there are none."""

    trial: int
    talk: Talk
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not self.failures


class ScenarioResult(Shown):
    """The trials of a scenario; `run` has the conversations with their costs, and the page.

    >>> import adjudge as aj
    >>> result = aj.Scenario("hello", script=["Hello!"], says=["hello"]).play(lambda messages: "Good day.")
    >>> result.passed, result.trials[0].failures
    (False, ("no agent said 'hello'",))
    >>> print(result)
    hello: 0 of 1 trial passed (0.00, 95 % interval 0.00 to 0.79)
    trial  passed  why not
    ────────────────────────────────────
    0      no      no agent said 'hello'
    """

    def __init__(self, name: str, run: Run, trials: tuple[TrialResult, ...]) -> None:
        self.name = name
        self.run = run
        self.trials = trials

    @property
    def rate(self) -> PassRate:
        """The share of trials that passed, with its interval."""
        return PassRate(sum(trial.passed for trial in self.trials), len(self.trials))

    @property
    def passed(self) -> bool:
        """Whether every trial passed."""
        return all(trial.passed for trial in self.trials)

    @property
    def talks(self) -> list[Talk]:
        """The conversations, one for each trial."""
        return [trial.talk for trial in self.trials]

    def check(self, at_least: int) -> None:
        """Raise AssertionError unless so many trials passed; the message has the first conversation that failed."""
        if self.rate.passed >= at_least:
            return
        first = next(trial for trial in self.trials if not trial.passed)
        reasons = [f"  trial {trial.trial}: {why}" for trial in self.trials for why in trial.failures]
        talk = [f"  {line}" for line in str(first.talk).splitlines()]
        head = f"{self.name}: {self.rate}; expected at least {at_least}"
        raise AssertionError("\n".join([head, *reasons, f"the conversation of trial {first.trial}:", *talk]))

    def _print(self, console: Console) -> None:
        from adjudge.report.console import Out

        out = Out(console)
        out.line(f"{self.name}: {self.rate}")
        out.table(out.new_table(tabulate(COLUMNS, self.trials), wraps_last=True))

    def _repr_html_(self) -> str:
        return html_table(tabulate(COLUMNS, self.trials), f"{self.name}: {self.rate}")


COLUMNS = [
    Column[TrialResult]("trial", lambda trial: str(trial.trial)),
    Column[TrialResult]("passed", lambda trial: "yes" if trial.passed else "no"),
    Column[TrialResult]("why not", lambda trial: "; ".join(trial.failures)),
]


def result_of(scenario: Scenario, run: Run) -> ScenarioResult:
    """The result of a scenario that was played and scored."""
    ends = Played(run.folder).ends()
    records = [msgspec.json.decode(line, type=Conversation) for line in run.records()]
    trials = []
    for record, row in zip(records, run.rows(), strict=True):
        talk = Talk(record)
        failures = [*_end_failures(ends, record.key), *_check_failures(talk, row), *_broken_assertions(scenario, talk)]
        trials.append(TrialResult(record.trial, talk, tuple(failures)))
    return ScenarioResult(scenario.name, run, tuple(trials))


def _end_failures(ends: dict[Key, EndLine], key: Key) -> Iterator[str]:
    end = ends[key].end
    if end.reason in ("error", "budget", "time"):
        yield f"the conversation ended by {end.reason}: {end.why or end.status or end.by}"


def _check_failures(talk: Talk, row: ScoreRow) -> Iterator[str]:
    """What the checks by rule and the judge say."""
    outcome = talk.conversation.outcome
    if outcome is not None and not outcome.reached:
        yield outcome.text
    if talk.conversation.criteria:
        yield from _criteria_failures(row.scores["criteria"])


def _criteria_failures(score: Score) -> Iterator[str]:
    if score.skipped is not None:
        yield f"not judged ({score.skipped.status}): {score.skipped.why}"
    for mark in score.marks:
        if mark.value < 1:
            turn = f", turn {mark.turn}" if mark.turn else ""
            yield f"{mark.group}: {mark.at}{turn}: {mark.why}"


def _broken_assertions(scenario: Scenario, talk: Talk) -> Iterator[str]:
    for number, assertion in scenario.assertions():
        if why := _broken_by(assertion, talk.before_user_turn(number)):
            yield f"after {number} turn{'s'[: number != 1]} of the user: {why}"


def _broken_by(assertion: Assertion, talk: Talk) -> str:
    """Why an assertion does not hold; empty where it does. One that returns None holds."""
    try:
        holds = assertion(talk)
    except AssertionError as error:
        return str(error) or "an assertion failed"
    name = getattr(assertion, "__name__", "assertion")
    return "" if holds or holds is None else f"{'an assertion' if name == '<lambda>' else name} does not hold"
