"""From records to scores: metrics ask, tools answer, nothing waits for more than its own answers."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudge.core.ask import Answerer, Reply
from adjudge.core.card import Metric
from adjudge.core.errors import BadInput, Pending, Unanswered, did_you_mean
from adjudge.core.mark import Mark, Score
from adjudge.core.record import Record
from adjudge.core.suite import Missing, Suite, declared
from adjudge.draws import Panel, combined

IN_FLIGHT = 256

_ABSENT = {
    "judge": "no judge is configured; name one with --judge",
    "embed": "no embedder is installed: pip install 'adjudge[embed]'",
    "nli": "no entailment tool is configured; name one with --nli judge, --nli DIR or --nli-url URL",
}


class Plan(Struct, frozen=True, kw_only=True):
    """What to score: a suite, files, its options, and metrics by name (none: all of them)."""

    suite: str
    files: tuple[str, ...]
    options: dict[str, Any] = {}
    metrics: tuple[str, ...] = ()
    metric_files: tuple[str, ...] = ()
    on_duplicate: str = "error"
    skip_bad: bool = False


def find_suite(name: str) -> Suite:
    """The suite registered under a name by this or another package."""
    found = {entry.name: entry for entry in importlib.metadata.entry_points(group="adjudge.suites")}
    if name not in found:
        raise BadInput(f"no suite {name!r}{did_you_mean(name, found)} (there are: {', '.join(sorted(found))})")
    suite = found[name].load()
    if not isinstance(suite, Suite):
        raise BadInput(f"suite {name!r}: {found[name].value} is a {type(suite).__name__}, expected a Suite")
    return suite


def suite_names() -> list[str]:
    """The names of all suites that are installed."""
    return sorted({entry.name for entry in importlib.metadata.entry_points(group="adjudge.suites")})


def choose_metrics(suite: Suite, plan: Plan) -> list[Metric]:
    """The metrics of a plan: the suite's and those of the user's own files, or the ones named."""
    metrics = suite.metrics()
    for file in plan.metric_files:
        metrics += load_metrics(Path(file))
    by_name: dict[str, Metric] = {}
    for metric in metrics:
        if metric.card.name in by_name:
            raise BadInput(
                f"two metrics are named {metric.card.name!r}; rename the one in {', '.join(plan.metric_files)}"
            )
        by_name[metric.card.name] = metric
    for name in plan.metrics:
        if name not in by_name:
            symbols = {metric.card.symbol: known for known, metric in by_name.items()}
            hint = f"; did you mean {symbols[name]!r}?" if name in symbols else did_you_mean(name, by_name)
            raise BadInput(f"no metric {name!r} in suite {suite.name!r}{hint} (adjudge list {suite.name})")
    return [by_name[name] for name in plan.metrics] if plan.metrics else metrics


def load_metrics(path: Path) -> list[Metric]:
    """The metrics declared in a user's Python file."""
    spec = importlib.util.spec_from_file_location(f"adjudge_metrics_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise BadInput(f"{path}: no such Python file; expected one that declares metrics with @metric")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Types that are declared in the file look their module up.
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput(f"{path}: cannot be imported: {type(error).__name__}: {error}") from error
    found = declared(vars(module))
    if not found:
        raise BadInput(f"{path}: declares no metric; expected a function under @metric (adjudge.metric)")
    return found


class Scorer:
    """The metrics of a run bound to the tools they take.

    A tool is a plain object, a `Missing` (metrics that need it are skipped with its reason), an `Answerer` (metrics
    call it and wait), or a `Panel` of several (each is asked, what they say is combined). `fields` says what each
    arm predicts anywhere: a metric on a field that an arm never predicts is skipped for that arm.
    """

    def __init__(
        self, metrics: Sequence[Metric], tools: Mapping[str, object], fields: Mapping[str, Collection[str]]
    ) -> None:
        self.metrics = metrics
        self.tools = tools
        self.fields = fields
        self._plain = {name: tool for name, tool in tools.items() if not isinstance(tool, Missing | Panel | Answerer)}
        self._panels = {name: tool for name, tool in tools.items() if isinstance(tool, Panel)}
        self._answerers = {name: tool for name, tool in tools.items() if isinstance(tool, Answerer)}
        for name, panel in self._panels.items():
            self._answerers |= {f"{name} {label}": member for label, member in panel.members.items()}
        self._skips = {arm: self._skipped(arm) for arm in fields}
        self.withheld = {name: why for name, tool in self._answerers.items() if (why := getattr(tool, "withheld", ""))}
        self._bound = [(metric.card.name, metric, self.bound(metric, self._plain)) for metric in metrics]

    def score(self, records: Iterable[Record]) -> Iterator[tuple[Record, dict[str, Score]]]:
        """The scores of each record, as soon as they are complete."""
        if not self._asking():
            for record in records:
                yield record, self._scores(record)
            return
        yield from _Flights(self, self._answerers).run(records)

    def bound(self, metric: Metric, tools: Mapping[str, object]) -> Callable[[Record], Iterable[Mark]]:
        """The metric's function with the tools it takes, those it can do without included where there."""
        wanted = {name: tools[name] for name in (*metric.card.needs, *metric.card.optional) if name in tools}
        return partial(metric.function, **wanted) if wanted else metric.function

    def skips(self, record: Record) -> dict[str, Score]:
        """The scores that cannot be given for the record's arm."""
        arm = record.arm
        if arm not in self._skips:
            self._skips[arm] = self._skipped(arm)
        return self._skips[arm]

    def _scores(self, record: Record) -> dict[str, Score]:
        skips = self.skips(record)
        return {
            name: skips[name] if name in skips else _scored(metric, call, record) for name, metric, call in self._bound
        }

    def panel(self, metric: Metric) -> tuple[str, Panel] | None:
        """The panel that a metric asks, with the name of the tool."""
        taken = (*metric.card.needs, *metric.card.optional)
        return next(((name, panel) for name, panel in self._panels.items() if name in taken), None)

    def _asking(self) -> bool:
        asked = self._answerers.keys() | self._panels.keys()
        return any(name in asked for metric in self.metrics for name in (*metric.card.needs, *metric.card.optional))

    def _skipped(self, arm: str) -> dict[str, Score]:
        reasons = {metric.card.name: self._reason(metric, arm) for metric in self.metrics}
        return {name: score for name, score in reasons.items() if score is not None}

    def _reason(self, metric: Metric, arm: str) -> Score | None:
        for tool in metric.card.needs:
            found = self.tools.get(tool, Missing(_ABSENT.get(tool, f"there is no tool {tool!r} in this suite")))
            if isinstance(found, Missing):
                return Score.skip("no_tool", found.why)
        never = [field for field in metric.card.predicts if field not in self.fields.get(arm, ())]
        return Score.skip("no_prediction", f"the arm never gives {' or '.join(never)}") if never else None


def _scored(metric: Metric, call: Callable[[Record], Iterable[Mark]], record: Record) -> Score:
    try:
        marks = call(record)
        return Score.of(marks if isinstance(marks, list) else list(marks), metric.card.scale)
    except Pending:
        raise
    except Unanswered as failure:
        return Score.skip(failure.status, failure.why)
    except Exception as error:
        return Score.skip("error", f"{metric.card.name} failed: {type(error).__name__}: {error}")


# A tool, a request to it, and what the answer is about: equal questions about different things are asked apart, since
# a judge that looks answers up by what they are about answers them differently. A model is asked once all the same.
_Place = tuple[str, Hashable, Hashable]


def _place(tool: str, request: Hashable) -> _Place:
    return tool, request, getattr(request, "about", ())


class _Flight:
    """A record whose metrics wait for answers."""

    def __init__(self, record: Record, withheld: Mapping[str, str]) -> None:
        self.record = record
        self.withheld = withheld if record.credentialed else {}
        self.scores: dict[str, Score] = {}
        self.answers: dict[_Place, object] = {}
        self.missing: dict[_Place, str] = {}

    def call(self, tool: str, requests: Sequence[Hashable]) -> list[Any]:
        """The answers to requests, in order; raises Pending where some are not known yet."""
        if tool in self.withheld:
            raise Unanswered("not_allowed", f"the record is credentialed: {self.withheld[tool]}")
        places = {_place(tool, request): request for request in requests}
        unknown = [request for place, request in places.items() if place not in self.answers]
        if unknown:
            raise Pending(tool, unknown)
        answers = [self.answers[_place(tool, request)] for request in requests]
        for answer in answers:
            if isinstance(answer, Unanswered):
                raise answer
        return answers


class _Flights:
    """The records in flight: each goes on as soon as its own answers are there."""

    def __init__(self, scorer: Scorer, answerers: Mapping[str, Answerer]) -> None:
        self.scorer = scorer
        self.answerers = answerers
        self.waiting: dict[_Place, list[_Flight]] = {}
        self.waits: dict[str, Future[list[tuple[Hashable, Reply]]]] = {}
        self.pool = ThreadPoolExecutor(len(answerers))
        self.aloft = 0

    def run(self, records: Iterable[Record]) -> Iterator[tuple[Record, dict[str, Score]]]:
        source = iter(records)
        ended = False
        try:
            while not ended or self.aloft:
                while not ended and self.aloft < IN_FLIGHT:
                    record = next(source, None)
                    if record is None:
                        ended = True
                    elif flight := self._start(record):
                        yield flight.record, self._in_order(flight)
                for flight in self._land():
                    yield flight.record, self._in_order(flight)
        finally:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def _start(self, record: Record) -> _Flight | None:
        """Run all metrics; the flight if it needs nothing more."""
        flight = _Flight(record, self.scorer.withheld)
        flight.scores.update(self.scorer.skips(record))
        self.aloft += 1
        return self._advance(flight)

    def _advance(self, flight: _Flight) -> _Flight | None:
        tools = {
            **self.scorer._plain,
            **{name: partial(flight.call, name) for name in self.answerers},
        }
        for metric in self.scorer.metrics:
            if metric.card.name not in flight.scores:
                self._try(metric, flight, tools)
        if not flight.missing:
            self.aloft -= 1
            return flight
        self._ask(flight)
        return None

    def _try(self, metric: Metric, flight: _Flight, tools: Mapping[str, object]) -> None:
        """Score a metric if all its answers are there, else note which are missing."""
        panel = self.scorer.panel(metric)
        if panel is None:
            score = self._draw(metric, flight, tools)
        else:
            name, those = panel
            draws = {
                label: self._draw(metric, flight, {**tools, name: tools[f"{name} {label}"]}) for label in those.members
            }
            known = {label: draw for label, draw in draws.items() if draw is not None}
            score = combined(known, those.combine, metric.card.scale) if len(known) == len(draws) else None
        if score is not None:
            flight.scores[metric.card.name] = score

    def _draw(self, metric: Metric, flight: _Flight, tools: Mapping[str, object]) -> Score | None:
        try:
            return _scored(metric, self.scorer.bound(metric, tools), flight.record)
        except Pending as pending:
            for request in pending.requests:
                flight.missing.setdefault(_place(pending.tool, request), metric.card.name)
            return None

    def _ask(self, flight: _Flight) -> None:
        new: dict[tuple[str, str], list[Hashable]] = {}
        for place, asker in flight.missing.items():
            if place not in self.waiting:
                new.setdefault((place[0], asker), []).append(place[1])
            self.waiting.setdefault(place, []).append(flight)
        for (tool, asker), requests in new.items():
            self.answerers[tool].ask(requests, asker)

    def _land(self) -> Iterator[_Flight]:
        """Wait for the first tool that has answers and run again what they complete."""
        for tool in {tool for tool, _, _ in self.waiting} - self.waits.keys():
            self.waits[tool] = self.pool.submit(lambda answerer: list(answerer.wait()), self.answerers[tool])
        ready, _ = wait(self.waits.values(), return_when=FIRST_COMPLETED)
        for tool in [tool for tool, answers in self.waits.items() if answers in ready]:
            for request, reply in self.waits.pop(tool).result():
                place = _place(tool, request)
                for flight in self.waiting.pop(place, []):
                    flight.answers[place] = reply.answer
                    flight.missing.pop(place, None)
                    if not flight.missing and (landed := self._advance(flight)):
                        yield landed

    def _in_order(self, flight: _Flight) -> dict[str, Score]:
        return {metric.card.name: flight.scores[metric.card.name] for metric in self.scorer.metrics}
