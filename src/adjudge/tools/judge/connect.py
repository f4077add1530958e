"""From the spec of a judge to the judge itself."""

from __future__ import annotations

from collections.abc import Mapping

from adjudge.tools.judge.client import CONCURRENCY, JudgeClient
from adjudge.tools.judge.models import NATIVE, JudgeSpec, key_of
from adjudge.tools.judge.protocols import Judging


def connect(spec: JudgeSpec, environ: Mapping[str, str], concurrency: int = CONCURRENCY) -> Judging:
    """The judge of a spec, with its key from the environment; nothing is sent yet."""
    if spec.provider != NATIVE:
        return JudgeClient(spec, key_of(spec, environ), concurrency)
    from adjudge.tools.judge.native import native_judge

    return native_judge(spec, environ, concurrency)
