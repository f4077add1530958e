"""Where credentialed records may go: only to judges, servers and proxies that the user has allowed by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct

from adjudge.tools.judge.models import COMPATIBLE, NATIVE, JudgeSpec
from adjudge.tools.proxy import any_proxy, proxy_for, without_password


class Destination(Struct, frozen=True):
    """Where requests go.

    `names` are the names under which it can be allowed, the address first where it has one. `proxy` is the address of
    the proxy in between, without its password; empty if there is none.
    """

    names: tuple[str, ...]
    proxy: str = ""

    def __str__(self) -> str:
        return f"{self.names[0]} through the proxy {self.proxy}" if self.proxy else self.names[0]


class Guard:
    """What the user has allowed: providers or addresses."""

    def __init__(self, allowed: Collection[str]) -> None:
        self._allowed = {name.rstrip("/") for name in allowed}

    def reason(self, destination: Destination) -> str:
        """Why credentialed records are not sent to a destination; empty where the user allows it."""
        if not self._allows(destination.names):
            return _advice("to", destination.names[0])
        # A proxy sees what passes through it, so it needs a permission of its own.
        if destination.proxy and not self._allows((destination.proxy,)):
            return _advice("through the proxy", destination.proxy)
        return ""

    def reasons(self, destinations: Iterable[Destination]) -> list[str]:
        """The reasons for all destinations that are not allowed, each once."""
        return [why for destination in dict.fromkeys(destinations) if (why := self.reason(destination))]

    def _allows(self, names: Collection[str]) -> bool:
        return bool(self._allowed & {name.rstrip("/") for name in names})


def judge_destination(spec: JudgeSpec) -> Destination:
    """Where a judge is: its address where it has one, and its provider's name where the address is the provider's."""
    if spec.provider == NATIVE:
        return Destination((spec.model.partition(":")[0],), _proxy_name(any_proxy()))
    provider = COMPATIBLE.get(spec.provider)
    names = (spec.url, spec.provider) if provider and provider.url == spec.url else (spec.url,)
    return Destination(names, _proxy_name(proxy_for(spec.url)))


def server_destination(url: str) -> Destination:
    """Where a server of embeddings or of entailment is."""
    return Destination((url,), _proxy_name(proxy_for(url)))


def _proxy_name(proxy: str | None) -> str:
    return without_password(proxy) if proxy else ""


def _advice(way: str, name: str) -> str:
    return f"not sent {way} {name}; if your data use agreement covers it, allow it: --allow-credentialed {name}"
