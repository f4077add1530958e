"""What users should know before the tools of a run are used on its records."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

from adjudge.core.equipment import Contents
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.open_files import open_file_limit
from adjudge.tools.settings import ToolSettings

if TYPE_CHECKING:
    from adjudge.tools.judge.people import LabelFile


class ConfiguredTools(Protocol):
    """The tools of a run as far as remarks are about them."""

    settings: ToolSettings
    specs: dict[str, JudgeSpec]
    people: dict[str, LabelFile]

    def concurrency(self) -> int:
        """The number of requests that are with each judge at once."""

    def withholding_reasons(self) -> list[str]:
        """Why credentialed records are not sent, a sentence for each server that they do not go to."""


def remarks_on(tools: ConfiguredTools, contents: Contents) -> list[str]:
    """A sentence for each: related arms, tools without a use, limits, labels of other data, records not sent."""
    settings = tools.settings
    lines = related_arms(tools.specs, contents.arms)
    if (settings.nli or settings.nli_url) and "nli" not in contents.tools:
        lines.append("--nli: no metric that is scored takes an entailment tool, so it is not used")
    if tools.specs and tools.concurrency() < settings.concurrency:
        lines.append(_limited_requests(settings.concurrency, tools.concurrency(), len(tools.specs)))
    lines += [line for labels in tools.people.values() for line in labels.remarks(contents)]
    if contents.credentialed:
        lines += _withheld_records(contents, tools.withholding_reasons())
    return lines


def related_arms(specs: Mapping[str, JudgeSpec], arms: Collection[str]) -> list[str]:
    """Arms that a judge may have written itself."""
    return [
        f"the judge {spec.model} may be the system under test in arm {arm}: judges prefer their own replies"
        for spec in specs.values()
        for arm in arms
        if _is_named_after(arm, spec.model)
    ]


def _limited_requests(wanted: int, most: int, judges: int) -> str:
    each = " to each judge" if judges > 1 else ""
    limit = f"this process may have {open_file_limit()} files open (ulimit -n)"
    return f"--concurrency {wanted}: only {most} requests at the same time{each}, because {limit}"


def _withheld_records(contents: Contents, reasons: Collection[str]) -> list[str]:
    verb = "is" if contents.credentialed == 1 else "are"
    count = f"{contents.credentialed} of {contents.records} records {verb} credentialed"
    return [f"{count}: {why} (with --fresh in a run that skipped them)" for why in reasons]


def _is_named_after(arm: str, model: str) -> bool:
    """Whether an arm's name holds a model's, without its provider and its date (`openai/gpt-4o-2024-08-06`)."""
    name = model.rpartition("/")[2].rpartition(":")[2].lower()
    undated = re.escape(re.sub(r"-\d{4}-\d{2}-\d{2}$|-\d{8}$", "", name))
    return re.search(rf"(?<![a-z0-9]){undated}(?![a-z0-9])", arm.lower()) is not None
