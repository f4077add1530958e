"""The toolbox of a run: judges, embedder and entailment as the settings name them, opened with the run's folder."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from adjudge.core.ask import Answerer
from adjudge.core.errors import BadInput
from adjudge.core.suite import Missing
from adjudge.core.usage import Usage
from adjudge.draws import Combine, Panel
from adjudge.tools.judge.models import COMPATIBLE, NATIVE, JudgeSpec, spec_of
from adjudge.tools.nli import BY_JUDGE, EntailmentModel
from adjudge.tools.prices import Prices
from adjudge.tools.settings import ToolSettings

if TYPE_CHECKING:
    from adjudge.tools.budget import Budget
    from adjudge.tools.cache import Answers
    from adjudge.tools.embed import Encoder
    from adjudge.tools.judge.answerer import JudgeAnswerer


class Toolbox:
    """What a run may ask, set up but not opened: nothing is imported or sent before it is needed.

    `refresh` asks again what is in the cache, `replay` never asks at all.
    """

    def __init__(
        self,
        settings: ToolSettings,
        environ: Mapping[str, str],
        combine: Combine = "mean",
        refresh: bool = False,
        replay: bool = False,
    ) -> None:
        self.settings = settings
        self.specs = {name: _spec(name, settings, environ) for name in settings.judge}
        self._environ = environ
        self._combine = combine
        self._refresh = refresh
        self._replay = replay
        self._budget: Budget | None = None
        self._spent: dict[str, Usage] = {}
        if settings.max_cost is not None and self.specs:
            self._new_budget()  # A price that is unknown is said before anything is written, as is
        if settings.embedder:
            self._encoder()  # an embedder that is not there
        self._nli = _entailment_model(settings)  # and a model of entailment that is not there.

    def identity(self, needed: Collection[str]) -> Mapping[str, str]:
        """The judges and how they are asked, the embedder and the entailment tool, as far as they are needed."""
        settings, named = self.settings, {}
        if settings.judge:
            served = f" at {settings.judge_url}" if settings.judge_url else ""
            named["judge"] = ", ".join(f"{name}{served}" for name in self.specs)
            named["temperature"] = f"{settings.temperature:g}"
        if settings.judge and settings.samples > 1:
            named["samples"] = str(settings.samples)
        if len(self.labels()) > 1:
            named["combine"] = self._combine
        if "embed" in needed:
            named["embedder"] = self._embedder_name()
        if "nli" in needed and settings.nli == BY_JUDGE:
            named["nli"] = "through the judge"
        if "nli" in needed and self._nli is not None:
            named["nli"] = f"{self._nli.name} ({self._nli.revision})"
        return named

    def _embedder_name(self) -> str:
        from adjudge.tools.embed import DEFAULT

        return self.settings.embedder or DEFAULT

    def _encoder(self) -> Encoder:
        from adjudge.tools.embed import embedder

        return embedder(self._embedder_name(), self.settings.embedder_url or "")

    def withholding(self) -> list[str]:
        """Why credentialed records are not sent, a sentence for each server that they do not go to."""
        places = [_places(spec) for spec in self.specs.values()]
        places += [(url,) for url in (self.settings.embedder_url, self.settings.nli_url) if url]
        return [why for those in dict.fromkeys(places) if (why := self._withheld(those))]

    def _withheld(self, places: tuple[str, ...]) -> str:
        """Why credentialed records are not sent to an endpoint of these names; empty where the user allows it."""
        if {one.rstrip("/") for one in self.settings.allow_credentialed} & {one.rstrip("/") for one in places}:
            return ""
        return (
            f"not sent to {places[0]}; if your data use agreement covers it, allow it: --allow-credentialed {places[0]}"
        )

    def labels(self) -> list[str]:
        """Every draw of an answer: each judge, and each of its samples where there are several."""
        samples = range(self.settings.samples)
        return [name if len(samples) == 1 else f"{name} #{sample + 1}" for name in self.specs for sample in samples]

    @contextmanager
    def open(self, folder: Path, needed: Collection[str]) -> Iterator[Mapping[str, object]]:
        """Those of the needed tools that there are; closed, with their answers kept, at the end."""
        with ExitStack() as stack:
            tools: dict[str, object] = {}
            asks = set(needed) & {"judge", "embed", "nli"}
            if asks & {"embed", "nli"} or (self.specs and "judge" in asks):
                kept = stack.enter_context(self._answers(folder))
                members = self._members(kept, stack) if self.specs else []
                if members and "judge" in asks:
                    tools["judge"] = self._judge(members)
                tools |= self._meaning(asks, kept, members, stack)
            yield tools
        if self._budget is not None:
            self._spent = self._budget.by_asker()

    def usage(self) -> dict[str, Usage]:
        """What was spent, by metric."""
        return self._spent

    def _answers(self, folder: Path) -> Answers:
        from adjudge.tools.cache import NAME, Answers

        return Answers(Path(self.settings.cache) if self.settings.cache else folder / NAME)

    def _members(self, kept: Answers, stack: ExitStack) -> list[JudgeAnswerer]:
        """An answerer for every draw; those of one judge share its client."""
        from adjudge.tools.judge.answerer import JudgeAnswerer
        from adjudge.tools.judge.connect import connect

        self._budget = self._new_budget()
        members: list[JudgeAnswerer] = []
        for spec in self.specs.values():
            client = connect(spec, self._environ, self.settings.concurrency)
            account = self._budget.account(prices_of(spec))
            for sample in range(self.settings.samples):
                answerer = JudgeAnswerer(client, kept, account, sample, self._refresh, self._replay)
                answerer.withheld = self._withheld(_places(spec))
                stack.callback(answerer.close)
                members.append(answerer)
        return members

    def _judge(self, members: list[JudgeAnswerer]) -> Answerer | Panel:
        if len(members) == 1:
            return members[0]
        return Panel(dict(zip(self.labels(), members, strict=True)), self._combine)

    def _new_budget(self) -> Budget:
        from adjudge.tools.budget import Budget

        prices = [prices_of(spec) for spec in self.specs.values()]
        return Budget(self.settings.max_calls, self.settings.max_cost, prices)

    def _meaning(
        self, asks: set[str], kept: Answers, members: list[JudgeAnswerer], stack: ExitStack
    ) -> dict[str, object]:
        """Embedding and entailment, as far as they are needed and there."""
        embedding = self._embedding(kept) if "embed" in asks else {}
        if "nli" not in asks:
            return embedding
        if self.settings.nli == BY_JUDGE:
            return {**embedding, "nli": _judged_nli(members, stack)}
        return embedding if self._nli is None else {**embedding, "nli": self._entailment(self._nli, kept)}

    def _embedding(self, kept: Answers) -> dict[str, object]:
        from adjudge.tools.cache import Vectors
        from adjudge.tools.embed.answerer import EmbedAnswerer

        try:
            encoder = self._encoder()
        except BadInput as error:
            return {"embed": Missing(str(error))}
        embed = EmbedAnswerer(encoder, Vectors(kept, encoder.revision))
        embed.withheld = self._withheld((url,)) if (url := self.settings.embedder_url) else ""
        return {"embed": embed, "thresholds": encoder.thresholds}

    def _entailment(self, model: EntailmentModel, kept: Answers) -> object:
        """The model that the user named, after it has classified three pairs as they must be."""
        from adjudge.tools.nli.answerer import NliAnswerer
        from adjudge.tools.nli.canaries import check_canaries

        if not self._replay:
            check_canaries(model)
        answerer = NliAnswerer(model, kept, self._replay)
        answerer.withheld = self._withheld((url,)) if (url := self.settings.nli_url) else ""
        return answerer


def _entailment_model(settings: ToolSettings) -> EntailmentModel | None:
    """The model of entailment that the settings name; None where they name none, or the judge."""
    if settings.nli and settings.nli_url:
        raise BadInput(f"--nli {settings.nli} and --nli-url {settings.nli_url}: expected one of them")
    if settings.nli_url:
        from adjudge.tools.nli.endpoint import EntailmentEndpoint

        return EntailmentEndpoint(settings.nli_url)
    if settings.nli in (None, BY_JUDGE):
        return None
    from adjudge.tools.nli import open_folder

    return open_folder(Path(settings.nli))


def _judged_nli(members: list[JudgeAnswerer], stack: ExitStack) -> object:
    """Entailment through the first judge, by an answerer of its own: nobody else may take its answers."""
    if not members:
        return Missing("--nli judge: no judge is configured; name one with --judge")
    from adjudge.tools.nli.judged import JudgedPairs

    twin = members[0].twin()
    stack.callback(twin.close)
    pairs = JudgedPairs(twin)
    pairs.withheld = members[0].withheld
    return pairs


def _spec(name: str, settings: ToolSettings, environ: Mapping[str, str]) -> JudgeSpec:
    spec = spec_of(name, settings.judge_url, environ)
    return structs.replace(
        spec, temperature=settings.temperature, max_tokens=settings.max_tokens, timeout=settings.timeout
    )


def _places(spec: JudgeSpec) -> tuple[str, ...]:
    """The names of where a judge is: its address where it has one, and its provider's name."""
    if spec.provider == NATIVE:
        return (spec.model.partition(":")[0],)
    own = COMPATIBLE.get(spec.provider)
    return (spec.url, spec.provider) if own and own.url == spec.url else (spec.url,)


def prices_of(spec: JudgeSpec) -> Prices:
    """The prices of a judge's model, known or not."""
    provider, model = spec.provider, spec.model
    if provider == NATIVE:
        provider, _, model = model.partition(":")
    return Prices.of(provider, model)
