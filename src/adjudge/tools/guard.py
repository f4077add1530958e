"""Where credentialed records may go: only to judges and servers that the user has allowed by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from adjudge.tools.judge.models import COMPATIBLE, NATIVE, JudgeSpec

# The names under which one destination can be allowed, the address first where it has one.
Destination = tuple[str, ...]


class Guard:
    """What the user has allowed: providers or addresses."""

    def __init__(self, allowed: Collection[str]) -> None:
        self._allowed = {name.rstrip("/") for name in allowed}

    def reason(self, destination: Destination) -> str:
        """Why credentialed records are not sent to a destination; empty where the user allows it."""
        if self._allowed & {name.rstrip("/") for name in destination}:
            return ""
        name = destination[0]
        return f"not sent to {name}; if your data use agreement covers it, allow it: --allow-credentialed {name}"

    def reasons(self, destinations: Iterable[Destination]) -> list[str]:
        """The reasons for all destinations that are not allowed, each once."""
        return [why for destination in dict.fromkeys(destinations) if (why := self.reason(destination))]


def judge_destination(spec: JudgeSpec) -> Destination:
    """Where a judge is: its address where it has one, and its provider's name where the address is the provider's."""
    if spec.provider == NATIVE:
        return (spec.model.partition(":")[0],)
    provider = COMPATIBLE.get(spec.provider)
    return (spec.url, spec.provider) if provider and provider.url == spec.url else (spec.url,)
