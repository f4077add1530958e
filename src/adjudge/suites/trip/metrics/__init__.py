"""The metrics of the trip suite."""

ORDER = (
    *("voice", "conflict", "strategy", "feedback", "acceptance", "promises", "effort"),
    *("addressing", "satisfaction", "semantics", "welfare", "fairness", "loose", "strengths", "serendipity"),
    *("delivery", "grounding", "coherence", "feasibility"),
)
