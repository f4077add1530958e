"""The toolbox of a run: judges, embedder and entailment as the settings name them, opened with the run's folder."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from adjudge.core.ask import Answerer
from adjudge.core.equipment import Contents
from adjudge.core.errors import BadInput
from adjudge.core.panel import LABEL_FILE, Combine, Panel, PanelMember
from adjudge.core.suite import Missing
from adjudge.core.usage import Usage
from adjudge.tools.guard import Destination, Guard, judge_destination, server_destination
from adjudge.tools.judge.models import NATIVE, JudgeSpec, spec_of
from adjudge.tools.nli import BY_JUDGE, entailment_model
from adjudge.tools.open_files import most_connections
from adjudge.tools.prices import Prices
from adjudge.tools.remarks import remarks_on
from adjudge.tools.settings import LABELS, OFF, ToolSettings

if TYPE_CHECKING:
    from adjudge.tools.budget import Budget
    from adjudge.tools.cache import Answers
    from adjudge.tools.embed import Encoder
    from adjudge.tools.embed.answerer import VectorStore
    from adjudge.tools.judge.answerer import JudgeAnswerer
    from adjudge.tools.judge.people import LabelFile


# In place of the embedder's name in a run that had none.
NO_EMBEDDER = "none"


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
        models = [name for name in settings.judge if not name.startswith(LABELS)]
        self.specs = {name: _spec(name, settings, environ) for name in models}
        self.people = {name: _label_file(name) for name in settings.judge if name.startswith(LABELS)}
        self._environ = environ
        self._guard = Guard(settings.allow_credentialed)
        self._combine = combine
        self._refresh = refresh
        self._replay = replay
        self._budget: Budget | None = None
        self._spent: dict[str, Usage] = {}
        self._shares_vectors = False
        # An unknown price, or a model that is not installed, is reported before anything is written.
        if settings.max_cost is not None and self.specs:
            self._new_budget()
        if settings.embedder:
            self._encoder()
        self._nli = entailment_model(settings.nli, settings.nli_url)

    def identity(self, needed: Collection[str]) -> Mapping[str, str]:
        """The judges and how they are asked, the embedder and the entailment tool, as far as they are needed."""
        identity = self._judge_identity() if self.settings.judge else {}
        if "embed" in needed:
            identity["embedder"] = self._embedder_name() if self._has_encoder() else NO_EMBEDDER
        if "nli" in needed and self.settings.nli == BY_JUDGE:
            identity["nli"] = "through the judge"
        if "nli" in needed and self._nli is not None:
            identity["nli"] = f"{self._nli.name} ({self._nli.revision})"
        return identity

    def _judge_identity(self) -> dict[str, str]:
        settings = self.settings
        address = f" at {settings.judge_url}" if settings.judge_url else ""
        people = {name: labels.identity for name, labels in self.people.items()}
        identity = {"judge": ", ".join(people.get(name, f"{name}{address}") for name in settings.judge)}
        if self.specs:
            identity["temperature"] = f"{settings.temperature:g}"
        if self.specs and settings.samples > 1:
            identity["samples"] = str(settings.samples)
        if settings.samples * len(self.specs) + len(self.people) > 1:
            identity["combine"] = self._combine
        return identity

    def plan_options(self) -> Mapping[str, object]:
        """The options of a plan that stand among the settings of tools."""
        return {name: value for name in ("rubrics", "canaries") if (value := getattr(self.settings, name))}

    def warnings(self, contents: Contents) -> list[str]:
        """What users should know before these tools are used on these records, a sentence each.

        Where no record is credentialed, runs may share the vectors of their texts from here on.
        """
        self._shares_vectors = not contents.credentialed
        return remarks_on(self, contents)

    def concurrency(self) -> int:
        """The number of requests that are with each judge at once."""
        return most_connections(self.settings.concurrency, len(self.specs))

    def _embedder_name(self) -> str:
        from adjudge.tools.embed import DEFAULT

        return self.settings.embedder or DEFAULT

    def _has_encoder(self) -> bool:
        """Whether the embedder is installed; runs with and without it have other scores."""
        try:
            self._encoder()
        except BadInput:
            return False
        return True

    def _encoder(self) -> Encoder:
        from adjudge.tools.embed import embedder

        return embedder(self._embedder_name(), self.settings.embedder_url or "")

    def withholding_reasons(self) -> list[str]:
        """Why credentialed records are not sent, a sentence for each server that they do not go to."""
        return self._guard.reasons(self.destinations().values())

    def destinations(self) -> dict[str, Destination]:
        """Where requests may go, by what is sent there."""
        servers = {"texts to embed": self.settings.embedder_url, "pairs for entailment": self.settings.nli_url}
        return {
            **{f"questions to the judge {name}": judge_destination(spec) for name, spec in self.specs.items()},
            **{what: server_destination(url) for what, url in servers.items() if url},
        }

    @contextmanager
    def open(self, folder: Path, needed: Collection[str]) -> Iterator[Mapping[str, object]]:
        """Those of the needed tools that there are; closed, with their answers kept, at the end."""
        with ExitStack() as stack:
            tools: dict[str, object] = {}
            asks = set(needed) & {"judge", "embed", "nli"}
            judges: dict[str, JudgeAnswerer] = {}
            if asks & {"embed", "nli"} or (self.specs and "judge" in asks):
                kept = stack.enter_context(self._answers(folder))
                judges = self._open_judges(kept, stack) if self.specs else {}
                if "embed" in asks:
                    tools |= self._embedding(kept, stack)
                if "nli" in asks:
                    tools |= self._entailment(kept, judges, stack)
            if "judge" in asks and (judges or self.people):
                tools["judge"] = self._judge_or_panel(judges)
            yield tools
        if self._budget is not None:
            self._spent = self._budget.by_asker()

    def closing_remarks(self) -> list[str]:
        """What users should know after the run, a sentence each: labels that were of nothing in it."""
        return [line for labels in self.people.values() for line in labels.closing_remarks()]

    def usage(self) -> dict[str, Usage]:
        """What was spent, by metric."""
        return self._spent

    def _answers(self, folder: Path) -> Answers:
        from adjudge.tools.cache import NAME, Answers

        return Answers(Path(self.settings.cache) if self.settings.cache else folder / NAME)

    def _open_judges(self, kept: Answers, stack: ExitStack) -> dict[str, JudgeAnswerer]:
        """An answerer for every judge, by the judge's name."""
        from adjudge.tools.judge.answerer import JudgeAnswerer
        from adjudge.tools.judge.client import connect

        self._budget = self._new_budget()
        judges = {}
        for name, spec in self.specs.items():
            client = connect(spec, self._environ, self.concurrency())
            account = self._budget.account(prices_of(spec))
            judges[name] = JudgeAnswerer(client, kept, account, self._refresh, self._replay)
            judges[name].withheld = self._guard.reason(judge_destination(spec))
            stack.callback(judges[name].close)
        return judges

    def _judge_or_panel(self, judges: Mapping[str, JudgeAnswerer]) -> Answerer | Panel:
        """The only judge, or a panel of every model's samples and of the people."""
        from adjudge.tools.judge.people import PeopleAnswerer

        samples = range(self.settings.samples)
        members = {
            name if len(samples) == 1 else f"{name} #{sample + 1}": PanelMember(judge, sample)
            for name, judge in judges.items()
            for sample in samples
        }
        members |= {
            f"{LABEL_FILE}{each.path.name})": PanelMember(PeopleAnswerer(each)) for each in self.people.values()
        }
        return Panel(members, self._combine) if len(members) > 1 else next(iter(members.values())).answerer

    def _new_budget(self) -> Budget:
        from adjudge.tools.budget import Budget

        prices = [prices_of(spec) for spec in self.specs.values()]
        return Budget(self.settings.max_calls, self.settings.max_cost, prices)

    def _embedding(self, kept: Answers, stack: ExitStack) -> dict[str, object]:
        from adjudge.tools.embed.answerer import EmbedAnswerer
        from adjudge.tools.embed.shared import shared_vectors
        from adjudge.tools.embed.vectors import CachedVectors

        try:
            encoder = self._encoder()
        except BadInput as error:
            return {"embed": Missing(str(error))}
        _close_at_end(encoder, stack)
        vectors: VectorStore = CachedVectors(kept, encoder.revision)
        if self._shares_vectors and encoder.shares_vectors and self.settings.vector_cache != OFF:
            vectors = stack.enter_context(shared_vectors(vectors, encoder.revision, self.settings.vector_cache))
        embed = EmbedAnswerer(encoder, vectors)
        embed.withheld = self._withheld_from(self.settings.embedder_url)
        return {"embed": embed, "thresholds": encoder.thresholds}

    def _withheld_from(self, url: str | None) -> str:
        """Why credentialed records are not sent to a server; empty where they may be, or where there is no server."""
        return self._guard.reason(server_destination(url)) if url else ""

    def _entailment(self, kept: Answers, judges: Mapping[str, JudgeAnswerer], stack: ExitStack) -> dict[str, object]:
        """Entailment by the judge or by the model that the user named, if any."""
        if self.settings.nli == BY_JUDGE:
            return {"nli": _judged_entailment(next(iter(judges.values()), None), stack)}
        if self._nli is None:
            return {}
        from adjudge.tools.nli.answerer import NliAnswerer
        from adjudge.tools.nli.canaries import check_canaries

        _close_at_end(self._nli, stack)
        if not self._replay:
            check_canaries(self._nli)
        answerer = NliAnswerer(self._nli, kept, self._replay)
        answerer.withheld = self._withheld_from(self.settings.nli_url)
        return {"nli": answerer}


def _close_at_end(tool: object, stack: ExitStack) -> None:
    """Make a tool that sends requests give up those in flight when the run ends or is interrupted."""
    if close := getattr(tool, "close", None):
        stack.callback(close)


def _judged_entailment(judge: JudgeAnswerer | None, stack: ExitStack) -> object:
    """Entailment through the first judge, by an answerer of its own: nobody else may take its answers."""
    if judge is None:
        return Missing("--nli judge: no model is configured as the judge; name one with --judge")
    from adjudge.tools.nli.judged import JudgedPairs

    separate = judge.separate()
    stack.callback(separate.close)
    pairs = JudgedPairs(separate)
    pairs.withheld = judge.withheld
    return pairs


def _label_file(name: str) -> LabelFile:
    from adjudge.tools.judge.people import LabelFile

    file = name.removeprefix(LABELS)
    if not file:
        raise BadInput(f"--judge {name}: no file is named; expected labels:FILE")
    return LabelFile(Path(file).expanduser())


def _spec(name: str, settings: ToolSettings, environ: Mapping[str, str]) -> JudgeSpec:
    spec = spec_of(name, settings.judge_url, environ)
    return structs.replace(
        spec, temperature=settings.temperature, max_tokens=settings.max_tokens, timeout=settings.timeout
    )


def prices_of(spec: JudgeSpec) -> Prices:
    """The prices of a judge's model, known or not."""
    provider, model = spec.provider, spec.model
    if provider == NATIVE:
        provider, _, model = model.partition(":")
    return Prices.of(provider, model)
