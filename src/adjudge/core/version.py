"""The version of adjudge."""

__version__ = "0.1.0"
