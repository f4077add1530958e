"""The metrics of the patient suite."""

ORDER = ("sentences", "profile", "dimensions", "drift", "offline")
