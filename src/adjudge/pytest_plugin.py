"""The pytest plug-in: gates on a run as tests, and tests that are tried several times.

It imports nothing of adjudge before a test asks for it, so that it costs nothing where it is not used.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from adjudge.api.gates import GateResult
    from adjudge.api.runs import Run

# The names under which results stand in JUnit files, and travel from the workers of xdist to the summary.
GATE = "adjudge_gate"
TRIALS = "adjudge_trials"
MARKER = "adjudge(trials=1, at_least=trials): run the test several times; it passes if so many trials do"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the run."""
    group = parser.getgroup("adjudge", "adjudge: evaluation of conversations")
    group.addoption("--adjudge-run", metavar="RUN", help="the run folder that the fixture `adjudge` opens")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", MARKER)


class RunChecks:
    """The fixture `adjudge`: the run of the session or one of records made in the test, and gates on it."""

    def __init__(self, request: pytest.FixtureRequest, runs: dict[str, Run]) -> None:
        self._request = request
        self._runs = runs

    @property
    def run(self) -> Run:
        """The run that `--adjudge-run` names, opened once in a session."""
        folder = self._request.config.getoption("--adjudge-run")
        if not folder:
            pytest.fail("no run is named; name one with --adjudge-run RUN, or score records in the test", pytrace=False)
        if folder not in self._runs:
            from adjudge.api.runs import load

            self._runs[folder] = load(folder)
        return self._runs[folder]

    def score(self, suite: str, conversations: Any, **options: Any) -> Run:
        """Score conversations, once in a session where they and the options are the same."""
        from adjudge.api.scoring import score

        items = conversations if isinstance(conversations, str) else list(conversations)
        key = hashlib.sha256(repr((suite, items, sorted(options.items()))).encode()).hexdigest()
        if key not in self._runs:
            self._runs[key] = score(suite, items, quiet=True, **options)
        return self._runs[key]

    def gate(self, *rules: str, run: Run | None = None, **options: Any) -> GateResult:
        """Fail the test unless the run keeps to the rules; the message has the worst conversations."""
        from adjudge.api.gates import gate

        result = gate(self.run if run is None else run, rules, **options)
        for verdict in result.verdicts:
            self._request.node.user_properties.append((GATE, _verdict_line(verdict)))
        if not result:
            pytest.fail(str(result), pytrace=False)
        return result


@pytest.fixture(scope="session")
def _adjudge_runs() -> Iterator[dict[str, Run]]:
    """The runs of the session, by folder or by what was scored."""
    runs: dict[str, Run] = {}
    yield runs
    runs.clear()


@pytest.fixture
def adjudge(request: pytest.FixtureRequest, _adjudge_runs: dict[str, Run]) -> RunChecks:
    """The run of `--adjudge-run`, or one of records made in the test, with gates on it."""
    return RunChecks(request, _adjudge_runs)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is marked several times; any other is left to pytest."""
    marker = pyfuncitem.get_closest_marker("adjudge")
    if marker is None:
        return None
    from adjudge.api.trials import PassRate

    trials, at_least = _terms(marker)
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    failures = [failure for _ in range(trials) if (failure := _try_once(pyfuncitem, arguments)) is not None]
    rate = PassRate(trials - len(failures), trials)
    pyfuncitem.user_properties.append((TRIALS, str(rate)))
    if rate.passed < at_least:
        reasons = "\n".join(_reason_lines(failures))
        pytest.fail(f"{rate}; expected at least {at_least}\n{reasons}", pytrace=False)
    return True


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the gates and trials of the session, from the tests of all workers."""
    lines = [
        f"{report.nodeid}: {text}"
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        for name, text in getattr(report, "user_properties", ())
        if name in (GATE, TRIALS)
    ]
    if lines:
        terminalreporter.section("adjudge")
        for line in lines:
            terminalreporter.write_line(line)


def _terms(marker: pytest.Mark) -> tuple[int, int]:
    """The number of trials, and how many have to pass."""
    unknown = [name for name in marker.kwargs if name not in ("trials", "at_least")]
    trials = marker.kwargs.get("trials", 1)
    at_least = marker.kwargs.get("at_least", trials)
    whole = all(isinstance(number, int) for number in (trials, at_least))
    if marker.args or unknown or not whole or not 1 <= at_least <= trials:
        marker_text = ", ".join(
            [*map(repr, marker.args), *(f"{name}={value!r}" for name, value in marker.kwargs.items())]
        )
        pytest.fail(
            f"@pytest.mark.adjudge({marker_text}): expected trials=N, at_least=M with 1 <= M <= N", pytrace=False
        )
    return trials, at_least


def _try_once(item: pytest.Function, arguments: dict[str, Any]) -> BaseException | None:
    """Why a trial failed; None where it passed. What ends the whole test, such as a skip, is left to pytest."""
    try:
        result = item.obj(**arguments)
        if inspect.iscoroutine(result):
            import asyncio

            asyncio.run(result)
    except (Exception, pytest.fail.Exception) as error:
        if isinstance(error, pytest.skip.Exception):
            raise
        return error
    return None


def _reason_lines(failures: Sequence[BaseException]) -> list[str]:
    """Each reason once, with how many trials it failed; reasons of the same first line are the same."""
    texts = [f"{type(failure).__name__}: {failure}" for failure in failures]
    first_lines = [text.partition("\n")[0] for text in texts]
    return [f"{first_lines.count(line)} x {texts[first_lines.index(line)]}" for line in dict.fromkeys(first_lines)]


def _verdict_line(verdict: Any) -> str:
    from adjudge.report.gate.words import sentence

    return str(sentence(verdict))
