"""The estimate of what asking a judge would cost."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudge.core.ask import Question, Reply
    from adjudge.engines.local import Inventory, Job
    from adjudge.tools.toolbox import Toolbox


class Counter:
    """Counts the questions it is asked and answers none; `withheld` is copied from the judge it replaces."""

    def __init__(self, withheld: str = "") -> None:
        self.withheld = withheld
        self.questions: dict[Question[Any], None] = {}
        self._open: list[Question[Any]] = []

    def ask(self, requests: Iterable[Question[Any]], asker: str = "") -> None:
        """Take questions."""
        new = list(requests)
        self.questions.update(dict.fromkeys(new))
        self._open += new

    def wait(self) -> list[tuple[Question[Any], Reply]]:
        """Leave all of them unanswered."""
        from adjudge.core.ask import Reply
        from adjudge.core.errors import Unanswered

        answered, self._open = self._open, []
        return [(question, Reply(Unanswered("over_budget", "only estimated"))) for question in answered]


def estimate(job: Job, inventory: Inventory, toolbox: Toolbox, scale: float = 1.0) -> list[str]:
    """What asking about `scale` times as many records would take, a sentence for each judge.

    Questions that depend on answers are not counted.
    """
    from adjudge.engines.local import records_of
    from adjudge.tools.judge.answerer import estimate_usage
    from adjudge.tools.toolbox import prices_of

    counter = Counter(next(iter(toolbox.withholding_reasons()), ""))
    if job.plan.options.get("canaries") and job.suite.canaries is not None:
        counter.ask([canary.question for canary in job.suite.canaries(job.tools)])
        counter.wait()
    for _ in job.scorer(inventory.coverage, {"judge": counter}).score(records_of(job, inventory)):
        pass
    lines = []
    for name, spec in toolbox.specs.items():
        each = [estimate_usage(question, spec) for question in counter.questions]
        factor = scale * toolbox.settings.samples
        calls = ceil(factor * len(each))
        tokens = ceil(factor * sum(usage.input_tokens for usage in each))
        longest = ceil(factor * sum(usage.output_tokens for usage in each))
        cost = prices_of(spec).cost(tokens, longest, calls)
        price = "price unknown" if cost is None else f"at most {cost:.2f} USD"
        count = f"{'' if scale == 1 else 'about '}{calls:,} calls"
        lines.append(f"judge {name}: {count}, about {tokens:,} tokens in, at most {longest:,} out, {price}")
    if not lines and toolbox.people:
        return ["people are the judge; nothing would be sent"]
    if not lines:
        return ["no judge is configured; nothing would be asked"]
    return [*lines, "questions that depend on an answer are not counted, so there may be more"]
