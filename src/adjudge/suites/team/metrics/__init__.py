"""The metrics of the team suite; this folder is their registry, ORDER how tables list its files."""

ORDER = (
    *("outcome", "goal", "criteria", "failures", "instructions", "grounding"),
    *("balance", "handover", "repetition", "tools", "claims", "questions", "ending", "effort", "broken"),
    *("blame", "judged_blame"),
)
