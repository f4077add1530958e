"""The metrics of the decision suite; this folder is their registry, ORDER how tables list its files."""

ORDER = (
    "quality",
    "truth",
    "members",
    "consensus",
    "rounds",
    "confidence",
    "calibration",
    "contribution",
    "influence",
    "evidence",
    "robustness",
    "efficiency",
)
