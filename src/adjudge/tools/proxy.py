"""Which proxy requests to an address go through, as the environment sets it; never for addresses of this machine."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from adjudge.core.errors import BadInput

# Names of this machine in the hosts file of common systems. `localhost` and all names below it are reserved for it
# by RFC 6761.
_LOCAL_NAMES = frozenset(("localhost", "localhost.localdomain", "localhost6", "ip6-localhost", "ip6-loopback"))


def proxy_for(url: str) -> str | None:
    """The proxy for an address, with its password if it has one; None if requests go there directly.

    HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY count, in small letters too. Addresses of this machine are always
    reached directly: a proxy would see what the user meant for this machine only.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or is_this_machine(host) or _is_exempt(host, parts.netloc, proxies.get("no", "")):
        return None
    return _require_http(proxy if "://" in proxy else f"http://{proxy}")


def any_proxy() -> str | None:
    """The proxy of a provider's own library, whose addresses are not known here; None if the environment sets none."""
    proxies = getproxies()
    return proxies.get("https") or proxies.get("all") or proxies.get("http")


def without_password(url: str) -> str:
    """The address of a proxy as it may be shown.

    >>> without_password("http://ann:secret@proxy.example:3128/")
    'http://proxy.example:3128'
    """
    parts = urlsplit(url if "://" in url else f"http://{url}")
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def is_this_machine(host: str) -> bool:
    """Whether a host is this machine, in any spelling.

    >>> [is_this_machine(host) for host in ("127.1", "::1", "api.localhost", "0x7f000001", "127.0.0.1.example")]
    [True, True, True, True, False]
    """
    name = host.lower().rstrip(".")
    if name in _LOCAL_NAMES or name.endswith(".localhost"):
        return True
    address = _ip_address(name)
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    # 0.0.0.0 and :: also reach this machine when they are connected to.
    return address is not None and (address.is_loopback or address.is_unspecified)


def _is_exempt(host: str, netloc: str, no_proxy: str) -> bool:
    """Whether NO_PROXY names a host: by its name, a domain above it, its address, or a network such as 10.0.0.0/8."""
    if proxy_bypass(netloc.rpartition("@")[2]) or proxy_bypass(host):
        return True
    address = _ip_address(host)
    return address is not None and any(_is_within(address, part.strip()) for part in no_proxy.split(","))


def _is_within(address: IPv4Address | IPv6Address, network: str) -> bool:
    try:
        return address in ip_network(network.strip("[]"), strict=False)
    except ValueError:
        return False


def _ip_address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        # The C library also takes 127.1, 0x7f000001 and 2130706433, and so does everything that connects to them.
        return IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeEncodeError, ValueError):
        return None


def _require_http(proxy: str) -> str:
    scheme = urlsplit(proxy).scheme
    if scheme not in ("http", "https"):
        raise BadInput(
            f"the proxy {without_password(proxy)} of the environment: {scheme!r} is not supported; expected an HTTP "
            "proxy in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY, or the host in NO_PROXY"
        )
    return proxy
