"""Metrics from rubrics of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from adjudge.core.ask import NO_LABEL, About, Judge, Question
from adjudge.core.card import Card, Metric
from adjudge.core.conversation import Conversation
from adjudge.core.errors import BadInput
from adjudge.core.mark import Mark, Unlabelled
from adjudge.core.suite import Options
from adjudge.suites.team.rules.material import answer_of, material
from adjudge.suites.team.rules.parties import PlacedTurn, agents, speeches
from adjudge.suites.team.rules.portions import codes, judge_turns
from adjudge.suites.team.rules.rubric_file import OwnRubric, read_rubrics
from adjudge.tools.rubrics import Rubrics


class OwnRubrics:
    """The rubrics that `--rubric` or the settings file names; the tool `own_rubrics` of their metrics."""

    def __init__(self, options: Options) -> None:
        files = [Path(file) for file in options.get("rubric") or ()]
        self.rubrics: dict[str, OwnRubric] = {}
        for rubric in (rubric for file in files for rubric in read_rubrics(file)):
            first = self.rubrics.setdefault(rubric.name, rubric)
            if first is not rubric:
                raise BadInput(
                    f"two rubrics are named {rubric.name!r} ({first.file}, {rubric.file}); rename one of them"
                )

    @property
    def identity(self) -> str:
        """The hash of each rubric, since other words give other scores."""
        return ", ".join(f"{name} {rubric.digest}" for name, rubric in self.rubrics.items())


def own_metrics(options: Options) -> list[Metric]:
    """A metric for each rubric of the user's own."""
    return [metric_of(rubric) for rubric in OwnRubrics(options).rubrics.values()]


def metric_of(rubric: OwnRubric) -> Metric:
    """The metric that asks a rubric; its card is made from the file, with the file's hash as its source."""
    by_turn = rubric.per == "turn"
    score: Callable[..., Iterator[Mark | Unlabelled]] = _score_turns if by_turn else _score_conversation
    card = Card(
        name=rubric.name,
        symbol=rubric.name,
        question=rubric.question,
        formula=f"the judge's {scale_words(rubric)} for each {rubric.per}; mean over {rubric.per}s",
        unit=rubric.per,
        better=rubric.better,
        scale=(float(rubric.low), float(rubric.high)),
        pool="marks" if by_turn else "conversations",
        source=f"the rubric {rubric.file} (sha256 {rubric.digest})",
        notes=rubric.guidance,
        needs=("judge", "rubrics", "own_rubrics"),
        rubrics=("own",),
        primary=True,
    )
    return Metric(card, partial(score, rubric.name))


def scale_words(rubric: OwnRubric) -> str:
    """The scale in words."""
    return "yes (1) or no (0)" if rubric.yes_no else f"{rubric.low} to {rubric.high}"


def prompt_of(rubric: OwnRubric, rubrics: Rubrics) -> str:
    """What the judge is told: the frame of the suite, then the user's question and guidance."""
    scale = "Answer yes (true) or no (false)." if rubric.yes_no else f"The score is {scale_words(rubric)}."
    return "\n\n".join(filter(None, (rubrics.text("own"), f"## {rubric.question}", rubric.guidance, scale)))


def _score_conversation(
    name: str, conversation: Conversation, judge: Judge, rubrics: Rubrics, own_rubrics: OwnRubrics
) -> Iterator[Mark | Unlabelled]:
    rubric = own_rubrics.rubrics[name]
    if not conversation.turns:
        return
    about = (About("score", conversation.key, label=rubric.name),)
    question = Question(prompt_of(rubric, rubrics), _verdict(rubric), material(conversation), about=about)
    (verdict,) = judge([question])
    yield Unlabelled() if verdict.score is NO_LABEL else Mark(float(verdict.score), why=verdict.reasoning)


def _score_turns(
    name: str, conversation: Conversation, judge: Judge, rubrics: Rubrics, own_rubrics: OwnRubrics
) -> Iterator[Mark | Unlabelled]:
    rubric = own_rubrics.rubrics[name]
    prompt = prompt_of(rubric, rubrics)

    def ask(portion: Sequence[PlacedTurn], shown: str) -> Question[Any]:
        about = tuple(
            About(f"{code}.score", conversation.key, turn.id, label=rubric.name)
            for code, (_, turn) in zip(codes(portion), portion, strict=True)
        )
        return Question(prompt, _verdicts(rubric, len(portion)), shown, about=about)

    for (_, turn), verdict in judge_turns(conversation, _turns_of(conversation, rubric), judge, ask):
        if verdict.score is NO_LABEL:
            yield Unlabelled(turn.speaker, turn.id)
        else:
            yield Mark(float(verdict.score), turn.speaker, turn.id, verdict.reasoning, turn.speaker)


def _turns_of(conversation: Conversation, rubric: OwnRubric) -> list[PlacedTurn]:
    """What those whom the rubric is about say."""
    known = set(agents(conversation))
    return [
        (place, turn)
        for place, turn in speeches(conversation)
        if turn.text.strip() and (rubric.who == "all" or (turn.speaker in known) == (rubric.who == "agents"))
    ]


@cache
def _verdict(rubric: OwnRubric) -> Any:
    score: Any = bool if rubric.yes_no else Annotated[int, Meta(ge=rubric.low, le=rubric.high)]
    return answer_of("Verdict", {"reasoning": str, "score": score})


@cache
def _verdicts(rubric: OwnRubric, number: int) -> Any:
    return answer_of("Verdicts", {f"judged_{place}": _verdict(rubric) for place in range(1, number + 1)})
