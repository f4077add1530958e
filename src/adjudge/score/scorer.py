"""The scorer: the metrics of a run bound to the tools they take."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from adjudge.core.ask import Answerer, Question
from adjudge.core.card import Metric
from adjudge.core.errors import Pending, Unanswered
from adjudge.core.mark import Mark, Score, Unlabelled
from adjudge.core.panel import Panel, PanelMember
from adjudge.core.record import Record
from adjudge.core.suite import Missing
from adjudge.english.language import foreign_language
from adjudge.score.draws import combine_draws
from adjudge.score.pending import PendingLoop, Resumable

Tools = Mapping[str, object]
Marking = Callable[[Record], Iterable[Mark | Unlabelled]]

_ABSENT = {
    "judge": "no judge is configured; name one with --judge",
    "embed": "no embedder is installed; `adjudge doctor` says how to install one",
    "nli": "no entailment tool is configured; name one with --nli judge, --nli DIR or --nli-url URL",
}


class Scorer:
    """The metrics of a run bound to the tools they take.

    A tool is a plain object, a `Missing` (metrics that need it are skipped with its reason), an `Answerer` (metrics
    call it and wait), or a `Panel` of several (each is asked, and their scores are combined). `fields` holds the
    fields that each arm predicts in at least one record: a metric on any other field is skipped for that arm.
    """

    def __init__(self, metrics: Sequence[Metric], tools: Tools, fields: Mapping[str, Collection[str]]) -> None:
        self.metrics = metrics
        self.tools = tools
        self.fields = fields
        self.plain = {name: tool for name, tool in tools.items() if not isinstance(tool, Missing | Panel | Answerer)}
        self.panels = {name: tool for name, tool in tools.items() if isinstance(tool, Panel)}
        self.answerers = {name: tool for name, tool in tools.items() if isinstance(tool, Answerer)}
        for name, panel in self.panels.items():
            self.answerers |= _panel_answerers(name, panel)
        self.withheld = {name: why for name, tool in self.answerers.items() if (why := getattr(tool, "withheld", ""))}
        self._skips = {arm: self._skips_of(arm) for arm in fields}
        self._english = [metric.card.name for metric in metrics if metric.card.english]
        self._bound = [(metric.card.name, metric, bind_tools(metric, self.plain)) for metric in metrics]

    def score(self, records: Iterable[Record]) -> Iterator[tuple[Record, dict[str, Score]]]:
        """The scores of each record, as soon as they are complete."""
        if not self.asks():
            for record in records:
                yield record, self._score_alone(record)
            return
        loop: PendingLoop[_RecordScoring] = PendingLoop(self.answerers)
        for scoring in loop.run(_RecordScoring(self, record) for record in records):
            yield scoring.record, {metric.card.name: scoring.scores[metric.card.name] for metric in self.metrics}

    def skips(self, record: Record) -> dict[str, Score]:
        """The scores that cannot be given, because of the record's arm or its language."""
        arm = record.arm
        if arm not in self._skips:
            self._skips[arm] = self._skips_of(arm)
        return {**self._language_skips(record), **self._skips[arm]} if self._english else self._skips[arm]

    def panel(self, metric: Metric) -> tuple[str, Panel] | None:
        """The panel that a metric asks, with the name of the tool."""
        taken = (*metric.card.needs, *metric.card.optional)
        return next(((name, panel) for name, panel in self.panels.items() if name in taken), None)

    def _score_alone(self, record: Record) -> dict[str, Score]:
        """The scores of a record whose metrics ask nobody."""
        skips = self.skips(record)
        return {
            name: skips[name] if name in skips else score_metric(metric, call, record)
            for name, metric, call in self._bound
        }

    def asks(self) -> bool:
        """Whether a metric may wait for answers."""
        asked = self.answerers.keys() | self.panels.keys()
        return any(name in asked for metric in self.metrics for name in (*metric.card.needs, *metric.card.optional))

    def _language_skips(self, record: Record) -> dict[str, Score]:
        language = foreign_language(record.prose)
        skip = Score.skip("not_english", f"the text is in {language}; this check knows English only")
        return dict.fromkeys(self._english, skip) if language else {}

    def _skips_of(self, arm: str) -> dict[str, Score]:
        skips = {metric.card.name: self._skip(metric, arm) for metric in self.metrics}
        return {name: score for name, score in skips.items() if score is not None}

    def _skip(self, metric: Metric, arm: str) -> Score | None:
        for name in metric.card.needs:
            tool = self.tools.get(name, Missing(_ABSENT.get(name, f"there is no tool {name!r} in this suite")))
            if isinstance(tool, Missing):
                return Score.skip("no_tool", tool.why)
        never = [field for field in metric.card.predicts if field not in self.fields.get(arm, ())]
        return Score.skip("no_prediction", f"the arm never gives {' or '.join(never)}") if never else None


class _RecordScoring(Resumable):
    """A record whose metrics wait for answers; `scores` has those that are known."""

    def __init__(self, scorer: Scorer, record: Record) -> None:
        super().__init__(scorer.withheld if record.credentialed else {})
        self.scorer = scorer
        self.record = record
        self.scores = dict(scorer.skips(record))
        self.tools = {**scorer.plain, **{name: partial(self.ask, name) for name in scorer.answerers}}

    def advance(self) -> None:
        """Run the metrics that have no score yet."""
        for metric in self.scorer.metrics:
            if metric.card.name not in self.scores:
                score = self._score(metric)
                if score is not None:
                    self.scores[metric.card.name] = score

    def _score(self, metric: Metric) -> Score | None:
        """The score of a metric; None where answers are missing."""
        panel = self.scorer.panel(metric)
        if panel is None:
            return self._draw(metric, self.tools)
        name, judges = panel
        draws = {
            label: self._draw(metric, {**self.tools, name: self._member_call(name, judges, member)})
            for label, member in judges.members.items()
        }
        known = {label: draw for label, draw in draws.items() if draw is not None}
        return combine_draws(known, judges.combine, metric.card.scale) if len(known) == len(draws) else None

    def _draw(self, metric: Metric, tools: Tools) -> Score | None:
        try:
            score = score_metric(metric, bind_tools(metric, tools), self.record)
        except Pending as pending:
            self.note(pending, metric.card.name)
            return None
        if score.skipped and score.skipped.status == "no_label" and self._has_partial_replies():
            return Score.skip("parse_error", "no part of the answer that this score rests on could be used")
        return score

    def _has_partial_replies(self) -> bool:
        return any(reply.partial for reply in self.replies.values())

    def _member_call(
        self, name: str, panel: Panel, member: PanelMember
    ) -> Callable[[Sequence[Question[Any]]], list[Any]]:
        """What a metric calls to ask one member of a panel."""
        tool = _answerer_name(name, panel, member)
        return lambda questions: self.ask(tool, [member.own(question) for question in questions])


def bind_tools(metric: Metric, tools: Tools) -> Marking:
    """The metric's function with the tools it takes; optional ones are left out where there are none."""
    wanted = {name: tools[name] for name in (*metric.card.needs, *metric.card.optional) if name in tools}
    return partial(metric.function, **wanted) if wanted else metric.function


def score_metric(metric: Metric, call: Marking, record: Record) -> Score:
    """The score of a metric on a record; a failure skips it, and `Pending` is raised."""
    try:
        marks = call(record)
        card = metric.card
        if "judge" in card.needs:  # Only judges can be people, who leave items without a label.
            return Score.of_labelled(marks, card.scale)
        if type(marks) is not list:
            marks = list(marks)
        return Score.of(marks, card.scale)  # type: ignore[arg-type]
    except Pending:
        raise
    except Unanswered as failure:
        return Score.skip(failure.status, failure.why)
    except Exception as error:
        return Score.skip("error", f"{metric.card.name} failed: {type(error).__name__}: {error}")


def _panel_answerers(name: str, panel: Panel) -> dict[str, Answerer]:
    """The answerers of a panel, each once, by a name of their own."""
    return {_answerer_name(name, panel, member): member.answerer for member in panel.members.values()}


def _answerer_name(name: str, panel: Panel, member: PanelMember) -> str:
    """The name of a member's answerer: that of the first member who has it."""
    first = next(label for label, other in panel.members.items() if other.answerer is member.answerer)
    return f"{name} {first}"
