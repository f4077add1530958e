"""The metrics of the patient suite."""

ORDER = ("sentences", "models", "profile", "dimensions", "drift")
