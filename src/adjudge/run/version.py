"""Whether a newer version of adjudge wrote a run."""

from __future__ import annotations


def newer_version(written_by: str) -> str:
    """What to say of a run that a newer version of adjudge wrote; empty for any other.

    >>> newer_version("99.0.0")
    'written by adjudge 99.0.0, this is 0.1.0; what is new there is not shown; update adjudge to read the run'
    >>> newer_version("0.0.9")
    ''
    """
    from adjudge.core.version import __version__

    if _numbers_of(written_by) <= _numbers_of(__version__):
        return ""
    return (
        f"written by adjudge {written_by}, this is {__version__}; what is new there is not shown; "
        "update adjudge to read the run"
    )


def _numbers_of(version: str) -> list[int]:
    """The numbers of a version, such as 0, 10 and 1 of "0.10.1.dev3"."""
    return [int(part) for part in version.split(".")[:3] if part.isdecimal()]
