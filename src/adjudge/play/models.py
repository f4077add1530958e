"""The models that participants ask: named before a play, opened with its folder, accounted for after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import structs

from adjudge.core.ask import Answerer, Reply
from adjudge.core.errors import BadInput
from adjudge.core.usage import Usage
from adjudge.play.own import OwnAnswerer, OwnSystem
from adjudge.tools.budget import Budget, with_cost
from adjudge.tools.cache import NAME, Answers
from adjudge.tools.guard import Destination, Guard, judge_destination
from adjudge.tools.judge.answerer import JudgeAnswerer
from adjudge.tools.judge.client import connect
from adjudge.tools.judge.models import PLAYING, JudgeSpec, spec_of
from adjudge.tools.prices import Prices
from adjudge.tools.settings import ToolSettings
from adjudge.tools.toolbox import prices_of

OWN = "own systems are not kept in a cache, so --replay cannot play"


class Models:
    """The models of a play by name, and the user's own systems.

    `refresh` asks again what is in the cache, `replay` never asks at all.
    """

    def __init__(
        self, settings: ToolSettings, environ: Mapping[str, str], refresh: bool = False, replay: bool = False
    ) -> None:
        self.settings = settings
        self.specs: dict[str, JudgeSpec] = {}
        self.own: dict[str, OwnSystem] = {}
        self.usage: dict[str, Usage] = {}
        self._environ = environ
        self._refresh = refresh
        self._replay = replay
        self._prices: dict[str, Prices] = {}
        self._guard = Guard(settings.allow_credentialed)

    def add(self, name: str, url: str | None = None) -> str:
        """The name under which a model is asked; without a url, the settings say where it is."""
        spec = spec_of(name, url or self.settings.model_url, self._environ, PLAYING)
        settings = self.settings
        label = f"{name} at {url}" if url else name
        self.specs[label] = structs.replace(
            spec,
            temperature=settings.model_temperature,
            max_tokens=settings.max_tokens,
            timeout=settings.timeout,
        )
        self._prices[label] = prices_of(self.specs[label])
        return label

    def add_own(self, name: str, system: OwnSystem) -> str:
        """The name under which a user's own system is asked."""
        if self._replay:
            raise BadInput(f"{name}: {OWN} it; leave the arm out")
        self.own[name] = system
        return name

    def identity(self) -> dict[str, str]:
        """How each model is asked, since other settings give other conversations."""
        return {
            name: f"{spec.provider}:{spec.model}"
            + (f" at {spec.url}" if spec.url else "")
            + f", temperature {spec.temperature:g}, {spec.max_tokens} tokens"
            for name, spec in self.specs.items()
        }

    @property
    def withheld(self) -> dict[str, str]:
        """The models that may not see credentialed cases, with the reason."""
        reasons = {name: self._guard.reason(judge_destination(spec)) for name, spec in self.specs.items()}
        return {name: why for name, why in reasons.items() if why}

    def destinations(self) -> dict[str, Destination]:
        """Where prompts may go, by what is sent there."""
        return {f"prompts to the model {name}": judge_destination(spec) for name, spec in self.specs.items()}

    def temperature(self, model: str) -> float:
        """The temperature at which a model is asked."""
        return self.specs[model].temperature if model in self.specs else 0.0

    def with_cost(self, model: str, reply: Reply) -> Reply:
        """The reply with its cost, where the price of the model is known."""
        if model not in self._prices:
            return reply
        prices = self._prices[model]
        if reply.cached:
            return structs.replace(reply, first_usage=with_cost(reply.first_usage, prices))
        return structs.replace(reply, usage=with_cost(reply.usage, prices)) if reply.usage.calls else reply

    def prices(self, model: str) -> Prices:
        """The prices of a model, known or not."""
        return self._prices[model]

    @contextmanager
    def open(self, folder: Path) -> Iterator[dict[str, Answerer]]:
        """All models and own systems; closed, with their answers kept, at the end."""
        budget = self.new_budget()
        answerers: dict[str, OwnAnswerer | JudgeAnswerer] = {
            name: OwnAnswerer(system, self.settings.concurrency, self.settings.timeout)
            for name, system in self.own.items()
        }
        kept = Answers(Path(self.settings.cache) if self.settings.cache else folder / NAME) if self.specs else None
        try:
            if kept is not None:
                answerers |= {name: self._answerer(name, kept, budget) for name in self.specs}
            yield dict(answerers)
        finally:
            for answerer in answerers.values():
                answerer.close()
            if kept is not None:
                kept.close()
            self.usage = budget.by_asker()

    def new_budget(self) -> Budget:
        """What may be spent; raises BadInput where a cost is limited and a price is unknown."""
        max_cost = self.settings.max_cost if self.specs else None
        return Budget(self.settings.max_calls, max_cost, list(self._prices.values()))

    def _answerer(self, name: str, kept: Answers, budget: Budget) -> JudgeAnswerer:
        client = connect(self.specs[name], self._environ, self.settings.concurrency)
        account = budget.account(self._prices[name])
        return JudgeAnswerer(client, kept, account, self._refresh, self._replay)
