"""Who may ask the server for what: checked before any page is made.

The server answers requests that name it by one of its own addresses, so that a foreign site cannot reach it under a
name of its own (DNS rebinding). It takes writes from its own pages only: same origin, content of a form or JSON, and a
token that only its pages hold. Where it listens on more than this machine, every request needs the user's token.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from adjudge.web.frame import POLICY
from adjudge.web.index.store import cache_folder

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "adjudge-view"
WRITES = ("application/x-www-form-urlencoded", "application/json")
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Refusal(Struct, frozen=True):
    """Why a request is not answered."""

    status: int
    why: str


class Guard(Struct, frozen=True):
    """The rules of one server: the names it answers to, the token of its pages, and that of its user."""

    hosts: frozenset[str]
    page_token: str
    user_token: str = ""

    @classmethod
    def of(cls, root: Path, host: str, port: int, user_token: str = "") -> Guard:
        """The rules of a server that listens on a host and a port."""
        names = {*LOOPBACK, host} if host in LOOPBACK else {host}
        return cls(frozenset(f"{_host_name(name)}:{port}" for name in names), page_token(root), user_token)

    def refuse(self, method: str, headers: Mapping[str, str], user: str) -> Refusal | None:
        """Why a request is refused; None where it is not. `user` is the token that came with it."""
        host = headers.get("host", "").lower()
        if host not in self.hosts:
            return Refusal(421, f"this server does not answer to the name {host[:100]!r}")
        if self.user_token and not hmac.compare_digest(user.encode(), self.user_token.encode()):
            return Refusal(401, "open the address that the command printed: it holds the token")
        if method in ("GET", "HEAD"):
            return None
        if method != "POST":
            return Refusal(405, "only GET and POST are answered")
        return self._refuse_write(headers)

    def accepts(self, token: str) -> bool:
        """Whether a token is the one that this server's pages hold."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.page_token.encode())

    def _refuse_write(self, headers: Mapping[str, str]) -> Refusal | None:
        if headers.get("content-type", "").partition(";")[0].strip().lower() not in WRITES:
            return Refusal(415, f"expected the content of a form or JSON ({' or '.join(WRITES)})")
        origin, site = headers.get("origin", ""), headers.get("sec-fetch-site", "")
        # Browsers send the origin "null" with forms of pages that give no referrer, as these pages do.
        own = origin in ("", "null") or urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
        if not own or site not in ("", "same-origin"):
            return Refusal(403, "labels are taken from this server's own pages only")
        if not site and origin in ("", "null"):
            return Refusal(403, "the request does not say where it comes from")
        return None


def page_token(root: Path) -> str:
    """The token of the pages about a folder: the same after a restart, so that open pages go on working."""
    return hmac.new(_secret(), str(root.resolve()).encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()


def _secret() -> bytes:
    """The secret of this user, made once and kept where only they can read it; a passing one if it cannot be kept."""
    path = cache_folder() / "view-secret"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(32))
    except FileExistsError:
        pass
    except OSError:
        return secrets.token_bytes(32)
    try:
        content = path.read_bytes()
    except OSError:
        content = b""
    return content if len(content) == 32 else secrets.token_bytes(32)


def _host_name(name: str) -> str:
    return f"[{name}]" if ":" in name else name
