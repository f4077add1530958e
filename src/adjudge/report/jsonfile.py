"""The summary of a run as JSON."""

from __future__ import annotations

import msgspec

from adjudge.report.summary import Summary


def json_summary(summary: Summary) -> bytes:
    """The summary as one JSON object, indented; the same run gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(summary, order="deterministic"), indent=2) + b"\n"
