"""A gateway behind a reverse proxy: public origin, and browsers' addresses in forwarded headers."""

import logging
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from tabletop.net.limits import LeakyBuckets

log = logging.getLogger("tabletop.web")

FORWARDED_FOR = b"x-forwarded-for"
PROXY_HEADERS = {b"x-forwarded-proto", b"x-forwarded-host", b"x-real-ip", b"forwarded", b"via"}
"""Further headers that proxies add."""
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1")
MAPPED_IPV4_PREFIX = "::ffff:"
MAX_HOPS = 20
"""The maximum number of addresses that are read from a forwarded header."""


class HttpProxy(Struct, frozen=True):
    """How browsers reach a gateway. By default, they do so directly."""

    origin: str = ""
    """The page's public origin, for example "https://cards.example.org". Empty if the page has no
    proxy.
    """
    path: str = ""
    """The folder of the page at its origin, for example "/cards". Empty for the root."""
    addresses: frozenset[str] = frozenset()
    """The addresses of trusted proxies. Forwarded headers from others are ignored."""

    @property
    def host(self) -> str:
        """The host name of the public origin."""
        return urlsplit(self.origin).hostname or ""

    @property
    def url(self) -> str:
        """The page's public URL. Empty if the page has no proxy."""
        return f"{self.origin}{self.path}/" if self.origin else ""

    def is_trusted(self, peer: str) -> bool:
        """Return whether forwarded headers from the address `peer` are trusted."""
        return _plain(peer) in self.addresses

    def client_address(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Return the address of the browser whose request came from `peer`.

        It is the last address in the headers that isn't a trusted proxy's. Earlier ones may be
        invented.
        """
        address = _plain(peer)
        hops = b",".join(value for name, value in headers if name.lower() == FORWARDED_FOR)
        for hop in reversed(hops.decode("latin-1").split(",")[-MAX_HOPS:]):
            if address not in self.addresses:
                break
            found = _parse_hop(hop)
            if not found:
                break
            address = found
        return address


NO_PROXY = HttpProxy()


def parse_http_proxy(origin: str, proxies: Iterable[str]) -> HttpProxy:
    """Return the settings for a page at the URL `origin`.

    Proxies on this computer are trusted, and those at the addresses `proxies`.

    Raises:
        ValueError: `origin` isn't the URL of a page, or one of `proxies` isn't an IP address.
    """
    parts = urlsplit(origin)
    host, port = parts.hostname or "", parts.port
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise ValueError(origin)
    if parts.username is not None or not host.isascii():
        raise ValueError(origin)
    default = {"http": 80, "https": 443}[parts.scheme]
    named = f"[{host}]" if ":" in host else host
    public = f"{parts.scheme}://{named}" + (f":{port}" if port not in (None, default) else "")
    trusted = (*LOOPBACK_ADDRESSES, *(str(ip_address(each)) for each in proxies))
    return HttpProxy(public, parts.path.rstrip("/"), frozenset(trusted))


def came_through_proxy(scope: Mapping[str, Any]) -> bool:
    """Return whether a request seems to have come through a proxy. Browsers speak HTTP/1.1, but
    some proxies speak HTTP/1.0 to the gateway.
    """
    names = {name for name, _ in scope["headers"]}
    return scope["http_version"] == "1.0" or bool(names & {FORWARDED_FOR, *PROXY_HEADERS})


class ProxyLog:
    """Log lines about a proxy's configuration, each at most once a minute."""

    def __init__(self) -> None:
        self._lines = LeakyBuckets(1 / 60, 0)

    def warn(self, line: str, *args: object) -> None:
        """Log `line` with `args`, unless the same line was logged a moment ago."""
        if self._lines.try_fill(line):
            log.warning(line, *args)


def _plain(address: str) -> str:
    return address.removeprefix(MAPPED_IPV4_PREFIX)


def _parse_hop(hop: str) -> str:
    """Return the address in one entry of a forwarded header, perhaps with a port. Return ""
    if the entry isn't an address.
    """
    text = hop.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return _plain(str(ip_address(text)))
    except ValueError:
        return ""
