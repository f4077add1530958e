"""Ask a judge your own questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from adjudge.api.options import split_options
from adjudge.api.runs import TemporaryFolder
from adjudge.api.tools import announce, load_tools, open_toolbox
from adjudge.core.ask import Answerer, Question
from adjudge.core.errors import BadInput, Unanswered

A = TypeVar("A")
# A judge of the user's own: takes a question, and returns an answer of the question's type.
OwnJudge = Callable[[Question[Any]], Any]


def judge(
    questions: Sequence[Question[A]], by: str | OwnJudge | None = None, *, quiet: bool = False, **options: Any
) -> list[A | Unanswered]:
    """Ask a judge questions, and return the answers in the same order, each of its question's type.

    `by` names the model (`openai:gpt-4.1-mini`), or is a function that answers a question; without it, the judge of the
    environment or of `adjudge.toml` is asked. `options` are those of the tools: `judge_url`, `max_cost`, `cache`, and
    so on. Where there is no usable answer, an `Unanswered` with the reason stands in its place.

    >>> import adjudge as aj
    >>> question = aj.Question("Is the reply polite?", aj.YesNo, material="Go away.")
    >>> aj.judge([question], by=lambda question: aj.YesNo(0.0 if "away" in question.material else 1.0))
    [YesNo(yes=0.0)]
    """
    if callable(by):
        return [_own_answer(by, question) for question in questions]
    given = split_options({**options, **({"judge": by} if by else {})}, (), "judge", judge)
    loaded = load_tools(given.tools)
    toolbox = open_toolbox(loaded, given.asking)
    if len(toolbox.specs) != 1:
        raise BadInput(f"found {len(toolbox.specs)} models to ask; expected one: name it with judge=PROVIDER:MODEL")
    if not given.asking.replay:
        announce(toolbox.destinations(), loaded, quiet)
    folder = TemporaryFolder()
    with toolbox.open(Path(folder.path), ["judge"]) as tools:
        answerer = tools["judge"]
        assert isinstance(answerer, Answerer)
        return _answers(questions, answerer)


def _answers(questions: Sequence[Question[A]], answerer: Answerer) -> list[A | Unanswered]:
    answerer.ask(questions, "judge")
    replies: dict[Question[A], Any] = {}
    while len(replies) < len(set(questions)):
        replies.update({question: reply.answer for question, reply in answerer.wait()})
    return [replies[question] for question in questions]


def _own_answer(by: OwnJudge, question: Question[Any]) -> Any:
    try:
        answer = by(question)
    except Unanswered as failure:
        return failure
    if not isinstance(answer, question.answer):
        raise BadInput(f"the judge returned {answer!r:.80}; expected a {question.answer.__name__}")
    return answer
