"""The metrics of the service suite; this folder is their registry, ORDER how tables list its files."""

ORDER = (
    "routing",
    "intent",
    "acts",
    "slots",
    "goal",
    "hallucination",
    "memory",
    "policy",
    "correctness",
    "completion",
    "inform",
    "quality",
    "user",
    "parsing",
)
