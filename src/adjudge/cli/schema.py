"""`adjudge schema`: JSON Schemas of records and run files."""

from __future__ import annotations

from typing import Any

from adjudge.cli.options import parser


def run(arguments: list[str]) -> int:
    """Print a JSON Schema."""
    options = parser(
        "schema",
        "Print the JSON Schema of a suite's records, of `scores` (a line of scores.jsonl) or of `run` (run.json); for\n"
        "played runs, of `play` (play.json), or of a line of `turns`, `traces` or `ends`.",
    )
    options.add_argument(
        "of", metavar="SUITE|scores|run|play|turns|traces|ends", help="the suite or file whose schema is printed"
    )
    given = options.parse_args(arguments)

    import msgspec

    print(msgspec.json.format(msgspec.json.encode(schema(given.of)), indent=2).decode())
    return 0


def schema(name: str) -> dict[str, Any]:
    """The schema by name."""
    from adjudge.core.schema import json_schema

    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **json_schema(_kind(name))}


def _kind(name: str) -> type:
    if name == "scores":
        from adjudge.core.mark import ScoreRow

        return ScoreRow
    if name == "run":
        from adjudge.run import Manifest

        return Manifest
    if name in ("play", "turns", "traces", "ends"):
        from adjudge.run import played

        kinds = {"play": played.PlayManifest, "turns": played.TurnLine, "traces": played.TraceLine}
        return kinds.get(name, played.EndLine)
    from adjudge.score import find_suite

    return find_suite(name).record
