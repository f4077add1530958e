"""The address of a server, as a user gives it: checked before anything is sent there or written down."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from adjudge.core.errors import BadInput

EXAMPLE = "http://127.0.0.1:8000/v1"
# Words in the name of a query parameter that say its value is a secret: "api-key", "access_token".
_SECRET_WORDS = ("key", "token", "secret", "password", "credential", "authorization")


def check_address(where: str, url: str, key_variable: str) -> None:
    """Raise BadInput unless a URL is the address of a server without a password or key, which runs would keep."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise BadInput(f"{where}: not an address ({error}); expected one such as {EXAMPLE}") from error
    if parts.username or parts.password or any(_is_secret(name) for name, _ in parse_qsl(parts.query)):
        raise BadInput(
            f"{where}: holds a password or a key; keys come only from the environment; put it in {key_variable}"
        )
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{where}: found {url!r}; expected an address such as {EXAMPLE}")


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in _SECRET_WORDS)
